module @emit_pipeline_kernel {
  func.func @main(%arg0: memref<64x256xf32, #tpu.memory_space<any>>, %arg1: memref<64x256xf32, #tpu.memory_space<any>>, %arg2: memref<64x256xf32, #tpu.memory_space<any>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 0 : i64} {
    "tpu.region"() ({
      %alloca = memref.alloca() : memref<2x16x128xf32, #tpu.memory_space<vmem>>
      %0 = tpu.sem_alloc : memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %alloca_0 = memref.alloca() : memref<2x16x128xf32, #tpu.memory_space<vmem>>
      %1 = tpu.sem_alloc : memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %alloca_1 = memref.alloca() : memref<2x16x128xf32, #tpu.memory_space<vmem>>
      %2 = tpu.sem_alloc : memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %true = arith.constant true
      %c0_i32 = arith.constant 0 : i32
      %c-1_i32 = arith.constant -1 : i32
      %3 = arith.select %true, %c-1_i32, %c0_i32 : i32
      %c-1_i32_2 = arith.constant -1 : i32
      %4 = arith.cmpi eq, %3, %c-1_i32_2 : i32
      %c1_i32 = arith.constant 1 : i32
      %5 = arith.select %4, %c1_i32, %3 : i32
      %c0_i32_3 = arith.constant 0 : i32
      %c-1_i32_4 = arith.constant -1 : i32
      %6 = arith.select %4, %c-1_i32_4, %c0_i32_3 : i32
      %c-1_i32_5 = arith.constant -1 : i32
      %7 = arith.cmpi eq, %6, %c-1_i32_5 : i32
      %c3_i32 = arith.constant 3 : i32
      %8 = arith.select %7, %c3_i32, %6 : i32
      %c0_i32_6 = arith.constant 0 : i32
      %9 = arith.addi %8, %c0_i32_6 : i32
      %c0_i32_7 = arith.constant 0 : i32
      %10 = arith.addi %5, %c0_i32_7 : i32
      %true_8 = arith.constant true
      %c0_i32_9 = arith.constant 0 : i32
      %c1_i32_10 = arith.constant 1 : i32
      %11 = arith.select %true_8, %c1_i32_10, %c0_i32_9 : i32
      %c2_i32 = arith.constant 2 : i32
      %12 = arith.cmpi eq, %11, %c2_i32 : i32
      %c0_i32_11 = arith.constant 0 : i32
      %13 = arith.select %12, %c0_i32_11, %11 : i32
      %c0_i32_12 = arith.constant 0 : i32
      %c1_i32_13 = arith.constant 1 : i32
      %14 = arith.select %12, %c1_i32_13, %c0_i32_12 : i32
      %c4_i32 = arith.constant 4 : i32
      %15 = arith.cmpi eq, %14, %c4_i32 : i32
      %c0_i32_14 = arith.constant 0 : i32
      %16 = arith.select %15, %c0_i32_14, %14 : i32
      %c0_i32_15 = arith.constant 0 : i32
      %17 = arith.addi %16, %c0_i32_15 : i32
      %c0_i32_16 = arith.constant 0 : i32
      %18 = arith.addi %13, %c0_i32_16 : i32
      %c1_i32_17 = arith.constant 1 : i32
      %19 = arith.addi %13, %c1_i32_17 : i32
      %true_18 = arith.constant true
      %20 = arith.select %true_18, %19, %13 : i32
      %c2_i32_19 = arith.constant 2 : i32
      %21 = arith.cmpi eq, %20, %c2_i32_19 : i32
      %c0_i32_20 = arith.constant 0 : i32
      %22 = arith.select %21, %c0_i32_20, %20 : i32
      %c1_i32_21 = arith.constant 1 : i32
      %23 = arith.addi %16, %c1_i32_21 : i32
      %24 = arith.select %21, %23, %16 : i32
      %c4_i32_22 = arith.constant 4 : i32
      %25 = arith.cmpi eq, %24, %c4_i32_22 : i32
      %c0_i32_23 = arith.constant 0 : i32
      %26 = arith.select %25, %c0_i32_23, %24 : i32
      %c0_i32_24 = arith.constant 0 : i32
      %27 = arith.addi %26, %c0_i32_24 : i32
      %c0_i32_25 = arith.constant 0 : i32
      %28 = arith.addi %22, %c0_i32_25 : i32
      "tpu.trace_start"() <{level = 10 : i32, message = "ep_initialize_0"}> : () -> ()
      %c0_i32_26 = arith.constant 0 : i32
      %c2_i32_27 = arith.constant 2 : i32
      %29 = arith.remui %c0_i32_26, %c2_i32_27 : i32
      %30 = tpu.memref_slice %0[%29] : memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %31 = tpu.memref_squeeze %30 : memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %c0_i32_28 = arith.constant 0 : i32
      %c0_i32_29 = arith.constant 0 : i32
      %32 = tpu.memref_slice %alloca[%29, %c0_i32_28, %c0_i32_29] : memref<2x16x128xf32, #tpu.memory_space<vmem>> -> memref<1x16x128xf32, #tpu.memory_space<vmem>>
      %33 = tpu.memref_squeeze %32 : memref<1x16x128xf32, #tpu.memory_space<vmem>> -> memref<16x128xf32, #tpu.memory_space<vmem>>
      %c0_i32_30 = arith.constant 0 : i32
      %c0_i32_31 = arith.constant 0 : i32
      %34 = tpu.memref_slice %arg0[%c0_i32_30, %c0_i32_31] : memref<64x256xf32, #tpu.memory_space<any>> -> memref<16x128xf32, #tpu.memory_space<any>>
      tpu.enqueue_dma source(%34 : memref<16x128xf32, #tpu.memory_space<any>>) target(%33 : memref<16x128xf32, #tpu.memory_space<vmem>>) target_semaphore(%31 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
      %c0_i32_32 = arith.constant 0 : i32
      %c1_i32_33 = arith.constant 1 : i32
      %35 = arith.addi %c0_i32_32, %c1_i32_33 : i32
      %true_34 = arith.constant true
      %c0_i32_35 = arith.constant 0 : i32
      %36 = arith.select %true_34, %35, %c0_i32_35 : i32
      %c0_i32_36 = arith.constant 0 : i32
      %c2_i32_37 = arith.constant 2 : i32
      %37 = arith.remui %c0_i32_36, %c2_i32_37 : i32
      %38 = tpu.memref_slice %1[%37] : memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %39 = tpu.memref_squeeze %38 : memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %c0_i32_38 = arith.constant 0 : i32
      %c0_i32_39 = arith.constant 0 : i32
      %40 = tpu.memref_slice %alloca_0[%37, %c0_i32_38, %c0_i32_39] : memref<2x16x128xf32, #tpu.memory_space<vmem>> -> memref<1x16x128xf32, #tpu.memory_space<vmem>>
      %41 = tpu.memref_squeeze %40 : memref<1x16x128xf32, #tpu.memory_space<vmem>> -> memref<16x128xf32, #tpu.memory_space<vmem>>
      %c0_i32_40 = arith.constant 0 : i32
      %c0_i32_41 = arith.constant 0 : i32
      %42 = tpu.memref_slice %arg1[%c0_i32_40, %c0_i32_41] : memref<64x256xf32, #tpu.memory_space<any>> -> memref<16x128xf32, #tpu.memory_space<any>>
      tpu.enqueue_dma source(%42 : memref<16x128xf32, #tpu.memory_space<any>>) target(%41 : memref<16x128xf32, #tpu.memory_space<vmem>>) target_semaphore(%39 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
      %c0_i32_42 = arith.constant 0 : i32
      %c1_i32_43 = arith.constant 1 : i32
      %43 = arith.addi %c0_i32_42, %c1_i32_43 : i32
      %true_44 = arith.constant true
      %c0_i32_45 = arith.constant 0 : i32
      %44 = arith.select %true_44, %43, %c0_i32_45 : i32
      "tpu.trace_stop"() : () -> ()
      %c0_i32_46 = arith.constant 0 : i32
      %c0_i32_47 = arith.constant 0 : i32
      %c0_i32_48 = arith.constant 0 : i32
      %c0_i32_49 = arith.constant 0 : i32
      %c0_i32_50 = arith.constant 0 : i32
      %c0_i32_51 = arith.constant 0 : i32
      %c0_i32_52 = arith.constant 0 : i32
      %c8_i32 = arith.constant 8 : i32
      %45 = arith.addi %c0_i32_52, %c8_i32 : i32
      %c1_i32_53 = arith.constant 1 : i32
      %46:8 = scf.for %arg3 = %c0_i32_52 to %45 step %c1_i32_53 iter_args(%arg4 = %36, %arg5 = %c0_i32_46, %arg6 = %44, %arg7 = %c0_i32_47, %arg8 = %c0_i32_48, %arg9 = %c0_i32_49, %arg10 = %c0_i32_50, %arg11 = %c0_i32_51) -> (i32, i32, i32, i32, i32, i32, i32, i32)  : i32 {
        %c0_i32_94 = arith.constant 0 : i32
        %95 = arith.cmpi eq, %arg3, %c0_i32_94 : i32
        %c7_i32 = arith.constant 7 : i32
        %96 = arith.cmpi eq, %arg3, %c7_i32 : i32
        %c0_i32_95 = arith.constant 0 : i32
        %97 = arith.addi %arg10, %c0_i32_95 : i32
        %c0_i32_96 = arith.constant 0 : i32
        %98 = arith.addi %arg11, %c0_i32_96 : i32
        %c1_i32_97 = arith.constant 1 : i32
        %99 = arith.subi %arg11, %c1_i32_97 : i32
        %true_98 = arith.constant true
        %100 = arith.select %true_98, %99, %arg11 : i32
        %c-1_i32_99 = arith.constant -1 : i32
        %101 = arith.cmpi eq, %100, %c-1_i32_99 : i32
        %c1_i32_100 = arith.constant 1 : i32
        %102 = arith.select %101, %c1_i32_100, %100 : i32
        %c1_i32_101 = arith.constant 1 : i32
        %103 = arith.subi %arg10, %c1_i32_101 : i32
        %104 = arith.select %101, %103, %arg10 : i32
        %c-1_i32_102 = arith.constant -1 : i32
        %105 = arith.cmpi eq, %104, %c-1_i32_102 : i32
        %c3_i32_103 = arith.constant 3 : i32
        %106 = arith.select %105, %c3_i32_103, %104 : i32
        %c0_i32_104 = arith.constant 0 : i32
        %107 = arith.addi %106, %c0_i32_104 : i32
        %c0_i32_105 = arith.constant 0 : i32
        %108 = arith.addi %102, %c0_i32_105 : i32
        %c1_i32_106 = arith.constant 1 : i32
        %109 = arith.addi %arg11, %c1_i32_106 : i32
        %true_107 = arith.constant true
        %110 = arith.select %true_107, %109, %arg11 : i32
        %c2_i32_108 = arith.constant 2 : i32
        %111 = arith.cmpi eq, %110, %c2_i32_108 : i32
        %c0_i32_109 = arith.constant 0 : i32
        %112 = arith.select %111, %c0_i32_109, %110 : i32
        %c1_i32_110 = arith.constant 1 : i32
        %113 = arith.addi %arg10, %c1_i32_110 : i32
        %114 = arith.select %111, %113, %arg10 : i32
        %c4_i32_111 = arith.constant 4 : i32
        %115 = arith.cmpi eq, %114, %c4_i32_111 : i32
        %c0_i32_112 = arith.constant 0 : i32
        %116 = arith.select %115, %c0_i32_112, %114 : i32
        %c0_i32_113 = arith.constant 0 : i32
        %117 = arith.addi %116, %c0_i32_113 : i32
        %c0_i32_114 = arith.constant 0 : i32
        %118 = arith.addi %112, %c0_i32_114 : i32
        %c1_i32_115 = arith.constant 1 : i32
        %119 = arith.addi %112, %c1_i32_115 : i32
        %true_116 = arith.constant true
        %120 = arith.select %true_116, %119, %112 : i32
        %c2_i32_117 = arith.constant 2 : i32
        %121 = arith.cmpi eq, %120, %c2_i32_117 : i32
        %c0_i32_118 = arith.constant 0 : i32
        %122 = arith.select %121, %c0_i32_118, %120 : i32
        %c1_i32_119 = arith.constant 1 : i32
        %123 = arith.addi %116, %c1_i32_119 : i32
        %124 = arith.select %121, %123, %116 : i32
        %c4_i32_120 = arith.constant 4 : i32
        %125 = arith.cmpi eq, %124, %c4_i32_120 : i32
        %c0_i32_121 = arith.constant 0 : i32
        %126 = arith.select %125, %c0_i32_121, %124 : i32
        %c0_i32_122 = arith.constant 0 : i32
        %127 = arith.addi %126, %c0_i32_122 : i32
        %c0_i32_123 = arith.constant 0 : i32
        %128 = arith.addi %122, %c0_i32_123 : i32
        %129 = arith.cmpi ne, %97, %117 : i32
        %130 = arith.cmpi ne, %98, %118 : i32
        %false = arith.constant false
        %131 = arith.ori %false, %129 : i1
        %132 = arith.ori %131, %130 : i1
        %c7_i32_124 = arith.constant 7 : i32
        %133 = arith.cmpi sge, %arg3, %c7_i32_124 : i32
        %true_125 = arith.constant true
        %134 = arith.xori %133, %true_125 : i1
        %135 = arith.andi %132, %134 : i1
        %136 = arith.extui %135 : i1 to i32
        %c0_i32_126 = arith.constant 0 : i32
        %137 = arith.cmpi ne, %136, %c0_i32_126 : i32
        scf.if %137 {
          "tpu.trace_start"() <{level = 10 : i32, message = "ep_copy_in"}> : () -> ()
          %c2_i32_186 = arith.constant 2 : i32
          %274 = arith.remui %arg4, %c2_i32_186 : i32
          %c16_i32_187 = arith.constant 16 : i32
          %275 = arith.muli %c16_i32_187, %117 : i32
          %c128_i32_188 = arith.constant 128 : i32
          %276 = arith.muli %c128_i32_188, %118 : i32
          %277 = tpu.memref_slice %0[%274] : memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
          %278 = tpu.memref_squeeze %277 : memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
          %c0_i32_189 = arith.constant 0 : i32
          %c0_i32_190 = arith.constant 0 : i32
          %279 = tpu.memref_slice %alloca[%274, %c0_i32_189, %c0_i32_190] : memref<2x16x128xf32, #tpu.memory_space<vmem>> -> memref<1x16x128xf32, #tpu.memory_space<vmem>>
          %280 = tpu.memref_squeeze %279 : memref<1x16x128xf32, #tpu.memory_space<vmem>> -> memref<16x128xf32, #tpu.memory_space<vmem>>
          %281 = tpu.memref_slice %arg0[%275, %276] : memref<64x256xf32, #tpu.memory_space<any>> -> memref<16x128xf32, #tpu.memory_space<any>>
          tpu.enqueue_dma source(%281 : memref<16x128xf32, #tpu.memory_space<any>>) target(%280 : memref<16x128xf32, #tpu.memory_space<vmem>>) target_semaphore(%278 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
          "tpu.trace_stop"() : () -> ()
        } else {
        }
        %true_127 = arith.constant true
        %138 = arith.andi %135, %true_127 : i1
        %c1_i32_128 = arith.constant 1 : i32
        %139 = arith.addi %arg4, %c1_i32_128 : i32
        %140 = arith.select %138, %139, %arg4 : i32
        %141 = arith.cmpi ne, %97, %117 : i32
        %142 = arith.cmpi ne, %98, %118 : i32
        %false_129 = arith.constant false
        %143 = arith.ori %false_129, %141 : i1
        %144 = arith.ori %143, %142 : i1
        %c7_i32_130 = arith.constant 7 : i32
        %145 = arith.cmpi sge, %arg3, %c7_i32_130 : i32
        %true_131 = arith.constant true
        %146 = arith.xori %145, %true_131 : i1
        %147 = arith.andi %144, %146 : i1
        %148 = arith.extui %147 : i1 to i32
        %c0_i32_132 = arith.constant 0 : i32
        %149 = arith.cmpi ne, %148, %c0_i32_132 : i32
        scf.if %149 {
          "tpu.trace_start"() <{level = 10 : i32, message = "ep_copy_in"}> : () -> ()
          %c2_i32_186 = arith.constant 2 : i32
          %274 = arith.remui %arg6, %c2_i32_186 : i32
          %c16_i32_187 = arith.constant 16 : i32
          %275 = arith.muli %c16_i32_187, %117 : i32
          %c128_i32_188 = arith.constant 128 : i32
          %276 = arith.muli %c128_i32_188, %118 : i32
          %277 = tpu.memref_slice %1[%274] : memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
          %278 = tpu.memref_squeeze %277 : memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
          %c0_i32_189 = arith.constant 0 : i32
          %c0_i32_190 = arith.constant 0 : i32
          %279 = tpu.memref_slice %alloca_0[%274, %c0_i32_189, %c0_i32_190] : memref<2x16x128xf32, #tpu.memory_space<vmem>> -> memref<1x16x128xf32, #tpu.memory_space<vmem>>
          %280 = tpu.memref_squeeze %279 : memref<1x16x128xf32, #tpu.memory_space<vmem>> -> memref<16x128xf32, #tpu.memory_space<vmem>>
          %281 = tpu.memref_slice %arg1[%275, %276] : memref<64x256xf32, #tpu.memory_space<any>> -> memref<16x128xf32, #tpu.memory_space<any>>
          tpu.enqueue_dma source(%281 : memref<16x128xf32, #tpu.memory_space<any>>) target(%280 : memref<16x128xf32, #tpu.memory_space<vmem>>) target_semaphore(%278 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
          "tpu.trace_stop"() : () -> ()
        } else {
        }
        %true_133 = arith.constant true
        %150 = arith.andi %147, %true_133 : i1
        %c1_i32_134 = arith.constant 1 : i32
        %151 = arith.addi %arg6, %c1_i32_134 : i32
        %152 = arith.select %150, %151, %arg6 : i32
        %153 = arith.cmpi ne, %97, %117 : i32
        %154 = arith.cmpi ne, %98, %118 : i32
        %false_135 = arith.constant false
        %155 = arith.ori %false_135, %153 : i1
        %156 = arith.ori %155, %154 : i1
        %c7_i32_136 = arith.constant 7 : i32
        %157 = arith.cmpi sge, %arg3, %c7_i32_136 : i32
        %true_137 = arith.constant true
        %158 = arith.xori %157, %true_137 : i1
        %159 = arith.andi %156, %158 : i1
        %160 = arith.cmpi ne, %97, %107 : i32
        %161 = arith.cmpi ne, %98, %108 : i32
        %false_138 = arith.constant false
        %162 = arith.ori %false_138, %160 : i1
        %163 = arith.ori %162, %161 : i1
        %164 = arith.ori %163, %95 : i1
        %165 = arith.extui %164 : i1 to i32
        %c0_i32_139 = arith.constant 0 : i32
        %166 = arith.cmpi ne, %165, %c0_i32_139 : i32
        scf.if %166 {
          "tpu.trace_start"() <{level = 10 : i32, message = "ep_wait_in"}> : () -> ()
          %c16_i32_186 = arith.constant 16 : i32
          %274 = arith.muli %c16_i32_186, %97 : i32
          %c128_i32_187 = arith.constant 128 : i32
          %275 = arith.muli %c128_i32_187, %98 : i32
          %c2_i32_188 = arith.constant 2 : i32
          %276 = arith.remui %arg5, %c2_i32_188 : i32
          %277 = tpu.memref_slice %0[%276] : memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
          %278 = tpu.memref_squeeze %277 : memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
          %c0_i32_189 = arith.constant 0 : i32
          %c0_i32_190 = arith.constant 0 : i32
          %279 = tpu.memref_slice %alloca[%276, %c0_i32_189, %c0_i32_190] : memref<2x16x128xf32, #tpu.memory_space<vmem>> -> memref<1x16x128xf32, #tpu.memory_space<vmem>>
          %280 = tpu.memref_squeeze %279 : memref<1x16x128xf32, #tpu.memory_space<vmem>> -> memref<16x128xf32, #tpu.memory_space<vmem>>
          %281 = tpu.memref_slice %arg0[%274, %275] : memref<64x256xf32, #tpu.memory_space<any>> -> memref<16x128xf32, #tpu.memory_space<any>>
          tpu.wait_dma2 semaphore(%278 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%281 : memref<16x128xf32, #tpu.memory_space<any>>) dst(%280 : memref<16x128xf32, #tpu.memory_space<vmem>>)
          "tpu.trace_stop"() : () -> ()
        } else {
        }
        %167 = arith.cmpi ne, %97, %107 : i32
        %168 = arith.cmpi ne, %98, %108 : i32
        %false_140 = arith.constant false
        %169 = arith.ori %false_140, %167 : i1
        %170 = arith.ori %169, %168 : i1
        %171 = arith.ori %170, %95 : i1
        %172 = arith.extui %171 : i1 to i32
        %c0_i32_141 = arith.constant 0 : i32
        %173 = arith.cmpi ne, %172, %c0_i32_141 : i32
        scf.if %173 {
          "tpu.trace_start"() <{level = 10 : i32, message = "ep_wait_in"}> : () -> ()
          %c16_i32_186 = arith.constant 16 : i32
          %274 = arith.muli %c16_i32_186, %97 : i32
          %c128_i32_187 = arith.constant 128 : i32
          %275 = arith.muli %c128_i32_187, %98 : i32
          %c2_i32_188 = arith.constant 2 : i32
          %276 = arith.remui %arg7, %c2_i32_188 : i32
          %277 = tpu.memref_slice %1[%276] : memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
          %278 = tpu.memref_squeeze %277 : memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
          %c0_i32_189 = arith.constant 0 : i32
          %c0_i32_190 = arith.constant 0 : i32
          %279 = tpu.memref_slice %alloca_0[%276, %c0_i32_189, %c0_i32_190] : memref<2x16x128xf32, #tpu.memory_space<vmem>> -> memref<1x16x128xf32, #tpu.memory_space<vmem>>
          %280 = tpu.memref_squeeze %279 : memref<1x16x128xf32, #tpu.memory_space<vmem>> -> memref<16x128xf32, #tpu.memory_space<vmem>>
          %281 = tpu.memref_slice %arg1[%274, %275] : memref<64x256xf32, #tpu.memory_space<any>> -> memref<16x128xf32, #tpu.memory_space<any>>
          tpu.wait_dma2 semaphore(%278 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%281 : memref<16x128xf32, #tpu.memory_space<any>>) dst(%280 : memref<16x128xf32, #tpu.memory_space<vmem>>)
          "tpu.trace_stop"() : () -> ()
        } else {
        }
        %174 = arith.cmpi ne, %97, %107 : i32
        %175 = arith.cmpi ne, %98, %108 : i32
        %false_142 = arith.constant false
        %176 = arith.ori %false_142, %174 : i1
        %177 = arith.ori %176, %175 : i1
        %178 = arith.ori %177, %95 : i1
        %179 = arith.extui %178 : i1 to i32
        %c0_i32_143 = arith.constant 0 : i32
        %180 = arith.cmpi ne, %179, %c0_i32_143 : i32
        scf.if %180 {
        } else {
        }
        %c2_i32_144 = arith.constant 2 : i32
        %181 = arith.remui %arg5, %c2_i32_144 : i32
        %c2_i32_145 = arith.constant 2 : i32
        %182 = arith.remui %arg7, %c2_i32_145 : i32
        %c2_i32_146 = arith.constant 2 : i32
        %183 = arith.remui %arg8, %c2_i32_146 : i32
        "tpu.trace_start"() <{level = 10 : i32, message = "ep_run_kernel"}> : () -> ()
        %184 = arith.index_cast %181 : i32 to index
        %c0 = arith.constant 0 : index
        %c0_147 = arith.constant 0 : index
        %185 = vector.load %alloca[%184, %c0, %c0_147] : memref<2x16x128xf32, #tpu.memory_space<vmem>>, vector<1x16x128xf32>
        %186 = vector.shape_cast %185 : vector<1x16x128xf32> to vector<16x128xf32>
        %cst = arith.constant 2.000000e+00 : f32
        %187 = vector.broadcast %cst : f32 to vector<16x128xf32>
        %188 = arith.mulf %186, %187 : vector<16x128xf32>
        %189 = arith.index_cast %182 : i32 to index
        %c0_148 = arith.constant 0 : index
        %c0_149 = arith.constant 0 : index
        %190 = vector.load %alloca_0[%189, %c0_148, %c0_149] : memref<2x16x128xf32, #tpu.memory_space<vmem>>, vector<1x16x128xf32>
        %191 = vector.shape_cast %190 : vector<1x16x128xf32> to vector<16x128xf32>
        %192 = arith.addf %188, %191 : vector<16x128xf32>
        %193 = arith.index_cast %183 : i32 to index
        %c0_150 = arith.constant 0 : index
        %c0_151 = arith.constant 0 : index
        %194 = vector.load %alloca_1[%193, %c0_150, %c0_151] : memref<2x16x128xf32, #tpu.memory_space<vmem>>, vector<1x16x128xf32>
        %195 = vector.shape_cast %194 : vector<1x16x128xf32> to vector<16x128xf32>
        %196 = vector.shape_cast %192 : vector<16x128xf32> to vector<1x16x128xf32>
        tpu.vector_store %alloca_1[%193, %c0_150, %c0_151], %196 {strides = array<i32>} : memref<2x16x128xf32, #tpu.memory_space<vmem>>, vector<1x16x128xf32>,
        "tpu.trace_stop"() : () -> ()
        %197 = arith.cmpi ne, %97, %117 : i32
        %198 = arith.cmpi ne, %98, %118 : i32
        %false_152 = arith.constant false
        %199 = arith.ori %false_152, %197 : i1
        %200 = arith.ori %199, %198 : i1
        %201 = arith.ori %200, %96 : i1
        %202 = arith.extui %201 : i1 to i32
        %c0_i32_153 = arith.constant 0 : i32
        %203 = arith.cmpi ne, %202, %c0_i32_153 : i32
        scf.if %203 {
        } else {
        }
        %false_154 = arith.constant false
        %204 = arith.andi %201, %false_154 : i1
        %205 = arith.cmpi ne, %97, %117 : i32
        %206 = arith.cmpi ne, %98, %118 : i32
        %false_155 = arith.constant false
        %207 = arith.ori %false_155, %205 : i1
        %208 = arith.ori %207, %206 : i1
        %209 = arith.ori %208, %96 : i1
        %210 = arith.extui %209 : i1 to i32
        %c0_i32_156 = arith.constant 0 : i32
        %211 = arith.cmpi ne, %210, %c0_i32_156 : i32
        scf.if %211 {
        } else {
        }
        %false_157 = arith.constant false
        %212 = arith.andi %209, %false_157 : i1
        %213 = arith.cmpi ne, %97, %117 : i32
        %214 = arith.cmpi ne, %98, %118 : i32
        %false_158 = arith.constant false
        %215 = arith.ori %false_158, %213 : i1
        %216 = arith.ori %215, %214 : i1
        %217 = arith.ori %216, %96 : i1
        %218 = arith.extui %217 : i1 to i32
        %c0_i32_159 = arith.constant 0 : i32
        %219 = arith.cmpi ne, %218, %c0_i32_159 : i32
        scf.if %219 {
          "tpu.trace_start"() <{level = 10 : i32, message = "ep_copy_out"}> : () -> ()
          %c2_i32_186 = arith.constant 2 : i32
          %274 = arith.remui %arg8, %c2_i32_186 : i32
          %c16_i32_187 = arith.constant 16 : i32
          %275 = arith.muli %c16_i32_187, %97 : i32
          %c128_i32_188 = arith.constant 128 : i32
          %276 = arith.muli %c128_i32_188, %98 : i32
          %277 = tpu.memref_slice %2[%274] : memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
          %278 = tpu.memref_squeeze %277 : memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
          %279 = tpu.memref_slice %arg2[%275, %276] : memref<64x256xf32, #tpu.memory_space<any>> -> memref<16x128xf32, #tpu.memory_space<any>>
          %c0_i32_189 = arith.constant 0 : i32
          %c0_i32_190 = arith.constant 0 : i32
          %280 = tpu.memref_slice %alloca_1[%274, %c0_i32_189, %c0_i32_190] : memref<2x16x128xf32, #tpu.memory_space<vmem>> -> memref<1x16x128xf32, #tpu.memory_space<vmem>>
          %281 = tpu.memref_squeeze %280 : memref<1x16x128xf32, #tpu.memory_space<vmem>> -> memref<16x128xf32, #tpu.memory_space<vmem>>
          tpu.enqueue_dma source(%281 : memref<16x128xf32, #tpu.memory_space<vmem>>) target(%279 : memref<16x128xf32, #tpu.memory_space<any>>) target_semaphore(%278 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
          "tpu.trace_stop"() : () -> ()
        } else {
        }
        %true_160 = arith.constant true
        %220 = arith.andi %217, %true_160 : i1
        %c1_i32_161 = arith.constant 1 : i32
        %221 = arith.addi %arg8, %c1_i32_161 : i32
        %222 = arith.select %220, %221, %arg8 : i32
        %223 = arith.cmpi ne, %97, %107 : i32
        %224 = arith.cmpi ne, %98, %108 : i32
        %false_162 = arith.constant false
        %225 = arith.ori %false_162, %223 : i1
        %226 = arith.ori %225, %224 : i1
        %true_163 = arith.constant true
        %227 = arith.xori %95, %true_163 : i1
        %228 = arith.andi %226, %227 : i1
        %229 = arith.extui %228 : i1 to i32
        %c0_i32_164 = arith.constant 0 : i32
        %230 = arith.cmpi ne, %229, %c0_i32_164 : i32
        scf.if %230 {
        } else {
        }
        %false_165 = arith.constant false
        %231 = arith.andi %228, %false_165 : i1
        %232 = arith.cmpi ne, %97, %107 : i32
        %233 = arith.cmpi ne, %98, %108 : i32
        %false_166 = arith.constant false
        %234 = arith.ori %false_166, %232 : i1
        %235 = arith.ori %234, %233 : i1
        %true_167 = arith.constant true
        %236 = arith.xori %95, %true_167 : i1
        %237 = arith.andi %235, %236 : i1
        %238 = arith.extui %237 : i1 to i32
        %c0_i32_168 = arith.constant 0 : i32
        %239 = arith.cmpi ne, %238, %c0_i32_168 : i32
        scf.if %239 {
        } else {
        }
        %false_169 = arith.constant false
        %240 = arith.andi %237, %false_169 : i1
        %241 = arith.cmpi ne, %97, %107 : i32
        %242 = arith.cmpi ne, %98, %108 : i32
        %false_170 = arith.constant false
        %243 = arith.ori %false_170, %241 : i1
        %244 = arith.ori %243, %242 : i1
        %true_171 = arith.constant true
        %245 = arith.xori %95, %true_171 : i1
        %246 = arith.andi %244, %245 : i1
        %247 = arith.extui %246 : i1 to i32
        %c0_i32_172 = arith.constant 0 : i32
        %248 = arith.cmpi ne, %247, %c0_i32_172 : i32
        scf.if %248 {
          "tpu.trace_start"() <{level = 10 : i32, message = "ep_wait_out"}> : () -> ()
          %c2_i32_186 = arith.constant 2 : i32
          %274 = arith.remui %arg9, %c2_i32_186 : i32
          %c16_i32_187 = arith.constant 16 : i32
          %275 = arith.muli %c16_i32_187, %107 : i32
          %c128_i32_188 = arith.constant 128 : i32
          %276 = arith.muli %c128_i32_188, %108 : i32
          %277 = tpu.memref_slice %2[%274] : memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
          %278 = tpu.memref_squeeze %277 : memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
          %279 = tpu.memref_slice %arg2[%275, %276] : memref<64x256xf32, #tpu.memory_space<any>> -> memref<16x128xf32, #tpu.memory_space<any>>
          %c0_i32_189 = arith.constant 0 : i32
          %c0_i32_190 = arith.constant 0 : i32
          %280 = tpu.memref_slice %alloca_1[%274, %c0_i32_189, %c0_i32_190] : memref<2x16x128xf32, #tpu.memory_space<vmem>> -> memref<1x16x128xf32, #tpu.memory_space<vmem>>
          %281 = tpu.memref_squeeze %280 : memref<1x16x128xf32, #tpu.memory_space<vmem>> -> memref<16x128xf32, #tpu.memory_space<vmem>>
          tpu.wait_dma2 semaphore(%278 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%281 : memref<16x128xf32, #tpu.memory_space<vmem>>) dst(%279 : memref<16x128xf32, #tpu.memory_space<any>>)
          "tpu.trace_stop"() : () -> ()
        } else {
        }
        %true_173 = arith.constant true
        %249 = arith.andi %246, %true_173 : i1
        %c1_i32_174 = arith.constant 1 : i32
        %250 = arith.addi %arg9, %c1_i32_174 : i32
        %251 = arith.select %249, %250, %arg9 : i32
        %252 = arith.cmpi ne, %97, %117 : i32
        %253 = arith.cmpi ne, %98, %118 : i32
        %false_175 = arith.constant false
        %254 = arith.ori %false_175, %252 : i1
        %255 = arith.ori %254, %253 : i1
        %256 = arith.ori %255, %96 : i1
        %c1_i32_176 = arith.constant 1 : i32
        %257 = arith.addi %arg5, %c1_i32_176 : i32
        %258 = arith.select %256, %257, %arg5 : i32
        %259 = arith.cmpi ne, %97, %117 : i32
        %260 = arith.cmpi ne, %98, %118 : i32
        %false_177 = arith.constant false
        %261 = arith.ori %false_177, %259 : i1
        %262 = arith.ori %261, %260 : i1
        %263 = arith.ori %262, %96 : i1
        %c1_i32_178 = arith.constant 1 : i32
        %264 = arith.addi %arg7, %c1_i32_178 : i32
        %265 = arith.select %263, %264, %arg7 : i32
        %c1_i32_179 = arith.constant 1 : i32
        %266 = arith.addi %arg11, %c1_i32_179 : i32
        %true_180 = arith.constant true
        %267 = arith.select %true_180, %266, %arg11 : i32
        %c2_i32_181 = arith.constant 2 : i32
        %268 = arith.cmpi eq, %267, %c2_i32_181 : i32
        %c0_i32_182 = arith.constant 0 : i32
        %269 = arith.select %268, %c0_i32_182, %267 : i32
        %c1_i32_183 = arith.constant 1 : i32
        %270 = arith.addi %arg10, %c1_i32_183 : i32
        %271 = arith.select %268, %270, %arg10 : i32
        %c4_i32_184 = arith.constant 4 : i32
        %272 = arith.cmpi eq, %271, %c4_i32_184 : i32
        %c0_i32_185 = arith.constant 0 : i32
        %273 = arith.select %272, %c0_i32_185, %271 : i32
        scf.yield %140, %258, %152, %265, %222, %251, %273, %269 : i32, i32, i32, i32, i32, i32, i32, i32
      }
      %c8_i32_54 = arith.constant 8 : i32
      %c1_i32_55 = arith.constant 1 : i32
      %47 = arith.subi %46#7, %c1_i32_55 : i32
      %true_56 = arith.constant true
      %48 = arith.select %true_56, %47, %46#7 : i32
      %c-1_i32_57 = arith.constant -1 : i32
      %49 = arith.cmpi eq, %48, %c-1_i32_57 : i32
      %c1_i32_58 = arith.constant 1 : i32
      %50 = arith.select %49, %c1_i32_58, %48 : i32
      %c1_i32_59 = arith.constant 1 : i32
      %51 = arith.subi %46#6, %c1_i32_59 : i32
      %52 = arith.select %49, %51, %46#6 : i32
      %c-1_i32_60 = arith.constant -1 : i32
      %53 = arith.cmpi eq, %52, %c-1_i32_60 : i32
      %c3_i32_61 = arith.constant 3 : i32
      %54 = arith.select %53, %c3_i32_61, %52 : i32
      %c0_i32_62 = arith.constant 0 : i32
      %55 = arith.addi %54, %c0_i32_62 : i32
      %c0_i32_63 = arith.constant 0 : i32
      %56 = arith.addi %50, %c0_i32_63 : i32
      %c1_i32_64 = arith.constant 1 : i32
      %57 = arith.subi %50, %c1_i32_64 : i32
      %true_65 = arith.constant true
      %58 = arith.select %true_65, %57, %50 : i32
      %c-1_i32_66 = arith.constant -1 : i32
      %59 = arith.cmpi eq, %58, %c-1_i32_66 : i32
      %c1_i32_67 = arith.constant 1 : i32
      %60 = arith.select %59, %c1_i32_67, %58 : i32
      %c1_i32_68 = arith.constant 1 : i32
      %61 = arith.subi %54, %c1_i32_68 : i32
      %62 = arith.select %59, %61, %54 : i32
      %c-1_i32_69 = arith.constant -1 : i32
      %63 = arith.cmpi eq, %62, %c-1_i32_69 : i32
      %c3_i32_70 = arith.constant 3 : i32
      %64 = arith.select %63, %c3_i32_70, %62 : i32
      %c0_i32_71 = arith.constant 0 : i32
      %65 = arith.addi %64, %c0_i32_71 : i32
      %c0_i32_72 = arith.constant 0 : i32
      %66 = arith.addi %60, %c0_i32_72 : i32
      %c1_i32_73 = arith.constant 1 : i32
      %67 = arith.addi %50, %c1_i32_73 : i32
      %true_74 = arith.constant true
      %68 = arith.select %true_74, %67, %50 : i32
      %c2_i32_75 = arith.constant 2 : i32
      %69 = arith.cmpi eq, %68, %c2_i32_75 : i32
      %c0_i32_76 = arith.constant 0 : i32
      %70 = arith.select %69, %c0_i32_76, %68 : i32
      %c1_i32_77 = arith.constant 1 : i32
      %71 = arith.addi %54, %c1_i32_77 : i32
      %72 = arith.select %69, %71, %54 : i32
      %c4_i32_78 = arith.constant 4 : i32
      %73 = arith.cmpi eq, %72, %c4_i32_78 : i32
      %c0_i32_79 = arith.constant 0 : i32
      %74 = arith.select %73, %c0_i32_79, %72 : i32
      %c0_i32_80 = arith.constant 0 : i32
      %75 = arith.addi %74, %c0_i32_80 : i32
      %c0_i32_81 = arith.constant 0 : i32
      %76 = arith.addi %70, %c0_i32_81 : i32
      %c1_i32_82 = arith.constant 1 : i32
      %77 = arith.addi %70, %c1_i32_82 : i32
      %true_83 = arith.constant true
      %78 = arith.select %true_83, %77, %70 : i32
      %c2_i32_84 = arith.constant 2 : i32
      %79 = arith.cmpi eq, %78, %c2_i32_84 : i32
      %c0_i32_85 = arith.constant 0 : i32
      %80 = arith.select %79, %c0_i32_85, %78 : i32
      %c1_i32_86 = arith.constant 1 : i32
      %81 = arith.addi %74, %c1_i32_86 : i32
      %82 = arith.select %79, %81, %74 : i32
      %c4_i32_87 = arith.constant 4 : i32
      %83 = arith.cmpi eq, %82, %c4_i32_87 : i32
      %c0_i32_88 = arith.constant 0 : i32
      %84 = arith.select %83, %c0_i32_88, %82 : i32
      %c0_i32_89 = arith.constant 0 : i32
      %85 = arith.addi %84, %c0_i32_89 : i32
      %c0_i32_90 = arith.constant 0 : i32
      %86 = arith.addi %80, %c0_i32_90 : i32
      "tpu.trace_start"() <{level = 10 : i32, message = "ep_finalize"}> : () -> ()
      %c2_i32_91 = arith.constant 2 : i32
      %87 = arith.remui %46#5, %c2_i32_91 : i32
      %c16_i32 = arith.constant 16 : i32
      %88 = arith.muli %c16_i32, %55 : i32
      %c128_i32 = arith.constant 128 : i32
      %89 = arith.muli %c128_i32, %56 : i32
      %90 = tpu.memref_slice %2[%87] : memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %91 = tpu.memref_squeeze %90 : memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %92 = tpu.memref_slice %arg2[%88, %89] : memref<64x256xf32, #tpu.memory_space<any>> -> memref<16x128xf32, #tpu.memory_space<any>>
      %c0_i32_92 = arith.constant 0 : i32
      %c0_i32_93 = arith.constant 0 : i32
      %93 = tpu.memref_slice %alloca_1[%87, %c0_i32_92, %c0_i32_93] : memref<2x16x128xf32, #tpu.memory_space<vmem>> -> memref<1x16x128xf32, #tpu.memory_space<vmem>>
      %94 = tpu.memref_squeeze %93 : memref<1x16x128xf32, #tpu.memory_space<vmem>> -> memref<16x128xf32, #tpu.memory_space<vmem>>
      tpu.wait_dma2 semaphore(%91 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%94 : memref<16x128xf32, #tpu.memory_space<vmem>>) dst(%92 : memref<16x128xf32, #tpu.memory_space<any>>)
      "tpu.trace_stop"() : () -> ()
      tpu.yield
    }) : () -> ()
    return
  }
}
