module @dma_matmul_kernel {
  func.func @main(%arg0: memref<128x1024xbf16, #tpu.memory_space<any>>, %arg1: memref<1024x256xbf16, #tpu.memory_space<any>>, %arg2: memref<128x256xf32, #tpu.memory_space<vmem>>, %arg3: memref<2x128x256xbf16, #tpu.memory_space<vmem>>, %arg4: memref<2x256x256xbf16, #tpu.memory_space<vmem>>, %arg5: memref<2x2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 3 : i64} {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %0 = tpu.memref_slice %arg5[%c0_i32_0, %c0_i32_1] : memref<2x2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<1x1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %1 = tpu.memref_squeeze %0 : memref<1x1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %c0_i32_2 = arith.constant 0 : i32
    %c0_i32_3 = arith.constant 0 : i32
    %2 = tpu.memref_slice %arg3[%c0_i32, %c0_i32_2, %c0_i32_3] : memref<2x128x256xbf16, #tpu.memory_space<vmem>> -> memref<1x128x256xbf16, #tpu.memory_space<vmem>>
    %3 = tpu.memref_squeeze %2 : memref<1x128x256xbf16, #tpu.memory_space<vmem>> -> memref<128x256xbf16, #tpu.memory_space<vmem>>
    %c0_i32_4 = arith.constant 0 : i32
    %c0_i32_5 = arith.constant 0 : i32
    %4 = tpu.memref_slice %arg0[%c0_i32_4, %c0_i32_5] : memref<128x1024xbf16, #tpu.memory_space<any>> -> memref<128x256xbf16, #tpu.memory_space<any>>
    tpu.enqueue_dma source(%4 : memref<128x256xbf16, #tpu.memory_space<any>>) target(%3 : memref<128x256xbf16, #tpu.memory_space<vmem>>) target_semaphore(%1 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
    %c0_i32_6 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32_7 = arith.constant 0 : i32
    %5 = tpu.memref_slice %arg5[%c1_i32, %c0_i32_7] : memref<2x2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<1x1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %6 = tpu.memref_squeeze %5 : memref<1x1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %c0_i32_8 = arith.constant 0 : i32
    %c0_i32_9 = arith.constant 0 : i32
    %7 = tpu.memref_slice %arg4[%c0_i32_6, %c0_i32_8, %c0_i32_9] : memref<2x256x256xbf16, #tpu.memory_space<vmem>> -> memref<1x256x256xbf16, #tpu.memory_space<vmem>>
    %8 = tpu.memref_squeeze %7 : memref<1x256x256xbf16, #tpu.memory_space<vmem>> -> memref<256x256xbf16, #tpu.memory_space<vmem>>
    %c0_i32_10 = arith.constant 0 : i32
    %c0_i32_11 = arith.constant 0 : i32
    %9 = tpu.memref_slice %arg1[%c0_i32_10, %c0_i32_11] : memref<1024x256xbf16, #tpu.memory_space<any>> -> memref<256x256xbf16, #tpu.memory_space<any>>
    tpu.enqueue_dma source(%9 : memref<256x256xbf16, #tpu.memory_space<any>>) target(%8 : memref<256x256xbf16, #tpu.memory_space<vmem>>) target_semaphore(%6 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
    %cst = arith.constant 0.000000e+00 : f32
    %10 = vector.broadcast %cst : f32 to vector<128x256xf32>
    %c0 = arith.constant 0 : index
    %c0_12 = arith.constant 0 : index
    %11 = vector.load %arg2[%c0, %c0_12] : memref<128x256xf32, #tpu.memory_space<vmem>>, vector<128x256xf32>
    tpu.vector_store %arg2[%c0, %c0_12], %10 {strides = array<i32>} : memref<128x256xf32, #tpu.memory_space<vmem>>, vector<128x256xf32>,
    %c0_i32_13 = arith.constant 0 : i32
    %c4_i32 = arith.constant 4 : i32
    %12 = arith.addi %c0_i32_13, %c4_i32 : i32
    %c1_i32_14 = arith.constant 1 : i32
    scf.for %arg6 = %c0_i32_13 to %12 step %c1_i32_14  : i32 {
      %c1_i32_16 = arith.constant 1 : i32
      %13 = arith.muli %arg6, %c1_i32_16 : i32
      %c0_i32_17 = arith.constant 0 : i32
      %14 = arith.addi %c0_i32_17, %13 : i32
      %c2_i32 = arith.constant 2 : i32
      %15 = arith.remsi %14, %c2_i32 : i32
      %c1_i32_18 = arith.constant 1 : i32
      %16 = arith.addi %14, %c1_i32_18 : i32
      %c4_i32_19 = arith.constant 4 : i32
      %17 = arith.cmpi slt, %16, %c4_i32_19 : i32
      %18 = arith.extui %17 : i1 to i32
      %c0_i32_20 = arith.constant 0 : i32
      %19 = arith.cmpi ne, %18, %c0_i32_20 : i32
      scf.if %19 {
        %c1_i32_38 = arith.constant 1 : i32
        %42 = arith.addi %14, %c1_i32_38 : i32
        %c1_i32_39 = arith.constant 1 : i32
        %43 = arith.subi %c1_i32_39, %15 : i32
        %c256_i32_40 = arith.constant 256 : i32
        %44 = arith.muli %42, %c256_i32_40 : i32
        %c0_i32_41 = arith.constant 0 : i32
        %45 = tpu.memref_slice %arg5[%c0_i32_41, %43] : memref<2x2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<1x1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
        %46 = tpu.memref_squeeze %45 : memref<1x1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
        %c0_i32_42 = arith.constant 0 : i32
        %c0_i32_43 = arith.constant 0 : i32
        %47 = tpu.memref_slice %arg3[%43, %c0_i32_42, %c0_i32_43] : memref<2x128x256xbf16, #tpu.memory_space<vmem>> -> memref<1x128x256xbf16, #tpu.memory_space<vmem>>
        %48 = tpu.memref_squeeze %47 : memref<1x128x256xbf16, #tpu.memory_space<vmem>> -> memref<128x256xbf16, #tpu.memory_space<vmem>>
        %c0_i32_44 = arith.constant 0 : i32
        %49 = tpu.memref_slice %arg0[%c0_i32_44, %44] : memref<128x1024xbf16, #tpu.memory_space<any>> -> memref<128x256xbf16, #tpu.memory_space<any>>
        tpu.enqueue_dma source(%49 : memref<128x256xbf16, #tpu.memory_space<any>>) target(%48 : memref<128x256xbf16, #tpu.memory_space<vmem>>) target_semaphore(%46 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
        %c1_i32_45 = arith.constant 1 : i32
        %50 = tpu.memref_slice %arg5[%c1_i32_45, %43] : memref<2x2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<1x1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
        %51 = tpu.memref_squeeze %50 : memref<1x1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
        %c0_i32_46 = arith.constant 0 : i32
        %c0_i32_47 = arith.constant 0 : i32
        %52 = tpu.memref_slice %arg4[%43, %c0_i32_46, %c0_i32_47] : memref<2x256x256xbf16, #tpu.memory_space<vmem>> -> memref<1x256x256xbf16, #tpu.memory_space<vmem>>
        %53 = tpu.memref_squeeze %52 : memref<1x256x256xbf16, #tpu.memory_space<vmem>> -> memref<256x256xbf16, #tpu.memory_space<vmem>>
        %c0_i32_48 = arith.constant 0 : i32
        %54 = tpu.memref_slice %arg1[%44, %c0_i32_48] : memref<1024x256xbf16, #tpu.memory_space<any>> -> memref<256x256xbf16, #tpu.memory_space<any>>
        tpu.enqueue_dma source(%54 : memref<256x256xbf16, #tpu.memory_space<any>>) target(%53 : memref<256x256xbf16, #tpu.memory_space<vmem>>) target_semaphore(%51 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
      } else {
      }
      %c256_i32 = arith.constant 256 : i32
      %20 = arith.muli %14, %c256_i32 : i32
      %c0_i32_21 = arith.constant 0 : i32
      %21 = tpu.memref_slice %arg5[%c0_i32_21, %15] : memref<2x2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<1x1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %22 = tpu.memref_squeeze %21 : memref<1x1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %c0_i32_22 = arith.constant 0 : i32
      %c0_i32_23 = arith.constant 0 : i32
      %23 = tpu.memref_slice %arg3[%15, %c0_i32_22, %c0_i32_23] : memref<2x128x256xbf16, #tpu.memory_space<vmem>> -> memref<1x128x256xbf16, #tpu.memory_space<vmem>>
      %24 = tpu.memref_squeeze %23 : memref<1x128x256xbf16, #tpu.memory_space<vmem>> -> memref<128x256xbf16, #tpu.memory_space<vmem>>
      %c0_i32_24 = arith.constant 0 : i32
      %25 = tpu.memref_slice %arg0[%c0_i32_24, %20] : memref<128x1024xbf16, #tpu.memory_space<any>> -> memref<128x256xbf16, #tpu.memory_space<any>>
      tpu.wait_dma2 semaphore(%22 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%25 : memref<128x256xbf16, #tpu.memory_space<any>>) dst(%24 : memref<128x256xbf16, #tpu.memory_space<vmem>>)
      %c1_i32_25 = arith.constant 1 : i32
      %26 = tpu.memref_slice %arg5[%c1_i32_25, %15] : memref<2x2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<1x1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %27 = tpu.memref_squeeze %26 : memref<1x1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %c0_i32_26 = arith.constant 0 : i32
      %c0_i32_27 = arith.constant 0 : i32
      %28 = tpu.memref_slice %arg4[%15, %c0_i32_26, %c0_i32_27] : memref<2x256x256xbf16, #tpu.memory_space<vmem>> -> memref<1x256x256xbf16, #tpu.memory_space<vmem>>
      %29 = tpu.memref_squeeze %28 : memref<1x256x256xbf16, #tpu.memory_space<vmem>> -> memref<256x256xbf16, #tpu.memory_space<vmem>>
      %c0_i32_28 = arith.constant 0 : i32
      %30 = tpu.memref_slice %arg1[%20, %c0_i32_28] : memref<1024x256xbf16, #tpu.memory_space<any>> -> memref<256x256xbf16, #tpu.memory_space<any>>
      tpu.wait_dma2 semaphore(%27 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%30 : memref<256x256xbf16, #tpu.memory_space<any>>) dst(%29 : memref<256x256xbf16, #tpu.memory_space<vmem>>)
      %c0_29 = arith.constant 0 : index
      %c0_30 = arith.constant 0 : index
      %31 = vector.load %arg2[%c0_29, %c0_30] : memref<128x256xf32, #tpu.memory_space<vmem>>, vector<128x256xf32>
      %32 = vector.shape_cast %31 : vector<128x256xf32> to vector<128x256xf32>
      %33 = arith.index_cast %15 : i32 to index
      %c0_31 = arith.constant 0 : index
      %c0_32 = arith.constant 0 : index
      %34 = vector.load %arg3[%33, %c0_31, %c0_32] : memref<2x128x256xbf16, #tpu.memory_space<vmem>>, vector<1x128x256xbf16>
      %35 = vector.shape_cast %34 : vector<1x128x256xbf16> to vector<128x256xbf16>
      %36 = arith.index_cast %15 : i32 to index
      %c0_33 = arith.constant 0 : index
      %c0_34 = arith.constant 0 : index
      %37 = vector.load %arg4[%36, %c0_33, %c0_34] : memref<2x256x256xbf16, #tpu.memory_space<vmem>>, vector<1x256x256xbf16>
      %38 = vector.shape_cast %37 : vector<1x256x256xbf16> to vector<256x256xbf16>
      %cst_35 = arith.constant dense<0.000000e+00> : vector<128x256xf32>
      %39 = tpu.matmul %35, %38, %cst_35 {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<128x256xbf16>, vector<256x256xbf16>, vector<128x256xf32> -> vector<128x256xf32>
      %40 = arith.addf %32, %39 : vector<128x256xf32>
      %c0_36 = arith.constant 0 : index
      %c0_37 = arith.constant 0 : index
      %41 = vector.load %arg2[%c0_36, %c0_37] : memref<128x256xf32, #tpu.memory_space<vmem>>, vector<128x256xf32>
      tpu.vector_store %arg2[%c0_36, %c0_37], %40 {strides = array<i32>} : memref<128x256xf32, #tpu.memory_space<vmem>>, vector<128x256xf32>,
    }
    %c4_i32_15 = arith.constant 4 : i32
    return
  }
}
