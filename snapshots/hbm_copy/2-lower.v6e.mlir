module @hbm_copy_kernel {
  func.func @main(%arg0: memref<512x256xf32, #tpu.memory_space<any>>, %arg1: memref<512x256xf32, #tpu.memory_space<any>>, %arg2: memref<2x64x256xf32, #tpu.memory_space<vmem>>, %arg3: memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, %arg4: memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 3 : i64} {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %0 = tpu.memref_slice %arg3[%c0_i32_0] : memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %1 = tpu.memref_squeeze %0 : memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %c0_i32_1 = arith.constant 0 : i32
    %c0_i32_2 = arith.constant 0 : i32
    %2 = tpu.memref_slice %arg2[%c0_i32, %c0_i32_1, %c0_i32_2] : memref<2x64x256xf32, #tpu.memory_space<vmem>> -> memref<1x64x256xf32, #tpu.memory_space<vmem>>
    %3 = tpu.memref_squeeze %2 : memref<1x64x256xf32, #tpu.memory_space<vmem>> -> memref<64x256xf32, #tpu.memory_space<vmem>>
    %c0_i32_3 = arith.constant 0 : i32
    %c0_i32_4 = arith.constant 0 : i32
    %4 = tpu.memref_slice %arg0[%c0_i32_3, %c0_i32_4] : memref<512x256xf32, #tpu.memory_space<any>> -> memref<64x256xf32, #tpu.memory_space<any>>
    tpu.enqueue_dma source(%4 : memref<64x256xf32, #tpu.memory_space<any>>) target(%3 : memref<64x256xf32, #tpu.memory_space<vmem>>) target_semaphore(%1 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
    %c0_i32_5 = arith.constant 0 : i32
    %c8_i32 = arith.constant 8 : i32
    %5 = arith.addi %c0_i32_5, %c8_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    scf.for %arg5 = %c0_i32_5 to %5 step %c1_i32  : i32 {
      %c2_i32 = arith.constant 2 : i32
      %c0_i32_17 = arith.constant 0 : i32
      %16 = arith.cmpi eq, %c2_i32, %c0_i32_17 : i32
      %c1_i32_18 = arith.constant 1 : i32
      %17 = arith.select %16, %c1_i32_18, %c2_i32 : i32
      %18 = arith.remsi %arg5, %17 : i32
      %c0_i32_19 = arith.constant 0 : i32
      %19 = arith.cmpi ne, %18, %c0_i32_19 : i32
      %c0_i32_20 = arith.constant 0 : i32
      %20 = arith.cmpi slt, %18, %c0_i32_20 : i32
      %c0_i32_21 = arith.constant 0 : i32
      %21 = arith.cmpi slt, %17, %c0_i32_21 : i32
      %22 = arith.xori %20, %21 : i1
      %23 = arith.andi %22, %19 : i1
      %24 = arith.addi %18, %17 : i32
      %25 = arith.select %23, %24, %18 : i32
      %c1_i32_22 = arith.constant 1 : i32
      %26 = arith.addi %arg5, %c1_i32_22 : i32
      %c8_i32_23 = arith.constant 8 : i32
      %27 = arith.cmpi slt, %26, %c8_i32_23 : i32
      %28 = arith.extui %27 : i1 to i32
      %c0_i32_24 = arith.constant 0 : i32
      %29 = arith.cmpi ne, %28, %c0_i32_24 : i32
      scf.if %29 {
        %c1_i32_32 = arith.constant 1 : i32
        %42 = arith.cmpi sge, %arg5, %c1_i32_32 : i32
        %43 = arith.extui %42 : i1 to i32
        %c0_i32_33 = arith.constant 0 : i32
        %44 = arith.cmpi ne, %43, %c0_i32_33 : i32
        scf.if %44 {
          %c1_i32_40 = arith.constant 1 : i32
          %53 = arith.subi %arg5, %c1_i32_40 : i32
          %c1_i32_41 = arith.constant 1 : i32
          %54 = arith.subi %c1_i32_41, %25 : i32
          %c64_i32_42 = arith.constant 64 : i32
          %55 = arith.muli %53, %c64_i32_42 : i32
          %56 = tpu.memref_slice %arg4[%54] : memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
          %57 = tpu.memref_squeeze %56 : memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
          %c0_i32_43 = arith.constant 0 : i32
          %58 = tpu.memref_slice %arg1[%55, %c0_i32_43] : memref<512x256xf32, #tpu.memory_space<any>> -> memref<64x256xf32, #tpu.memory_space<any>>
          %c0_i32_44 = arith.constant 0 : i32
          %c0_i32_45 = arith.constant 0 : i32
          %59 = tpu.memref_slice %arg2[%54, %c0_i32_44, %c0_i32_45] : memref<2x64x256xf32, #tpu.memory_space<vmem>> -> memref<1x64x256xf32, #tpu.memory_space<vmem>>
          %60 = tpu.memref_squeeze %59 : memref<1x64x256xf32, #tpu.memory_space<vmem>> -> memref<64x256xf32, #tpu.memory_space<vmem>>
          tpu.wait_dma2 semaphore(%57 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%60 : memref<64x256xf32, #tpu.memory_space<vmem>>) dst(%58 : memref<64x256xf32, #tpu.memory_space<any>>)
        } else {
        }
        %c1_i32_34 = arith.constant 1 : i32
        %45 = arith.addi %arg5, %c1_i32_34 : i32
        %c1_i32_35 = arith.constant 1 : i32
        %46 = arith.subi %c1_i32_35, %25 : i32
        %c64_i32_36 = arith.constant 64 : i32
        %47 = arith.muli %45, %c64_i32_36 : i32
        %48 = tpu.memref_slice %arg3[%46] : memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
        %49 = tpu.memref_squeeze %48 : memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
        %c0_i32_37 = arith.constant 0 : i32
        %c0_i32_38 = arith.constant 0 : i32
        %50 = tpu.memref_slice %arg2[%46, %c0_i32_37, %c0_i32_38] : memref<2x64x256xf32, #tpu.memory_space<vmem>> -> memref<1x64x256xf32, #tpu.memory_space<vmem>>
        %51 = tpu.memref_squeeze %50 : memref<1x64x256xf32, #tpu.memory_space<vmem>> -> memref<64x256xf32, #tpu.memory_space<vmem>>
        %c0_i32_39 = arith.constant 0 : i32
        %52 = tpu.memref_slice %arg0[%47, %c0_i32_39] : memref<512x256xf32, #tpu.memory_space<any>> -> memref<64x256xf32, #tpu.memory_space<any>>
        tpu.enqueue_dma source(%52 : memref<64x256xf32, #tpu.memory_space<any>>) target(%51 : memref<64x256xf32, #tpu.memory_space<vmem>>) target_semaphore(%49 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
      } else {
      }
      %c64_i32 = arith.constant 64 : i32
      %30 = arith.muli %arg5, %c64_i32 : i32
      %31 = tpu.memref_slice %arg3[%25] : memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %32 = tpu.memref_squeeze %31 : memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %c0_i32_25 = arith.constant 0 : i32
      %c0_i32_26 = arith.constant 0 : i32
      %33 = tpu.memref_slice %arg2[%25, %c0_i32_25, %c0_i32_26] : memref<2x64x256xf32, #tpu.memory_space<vmem>> -> memref<1x64x256xf32, #tpu.memory_space<vmem>>
      %34 = tpu.memref_squeeze %33 : memref<1x64x256xf32, #tpu.memory_space<vmem>> -> memref<64x256xf32, #tpu.memory_space<vmem>>
      %c0_i32_27 = arith.constant 0 : i32
      %35 = tpu.memref_slice %arg0[%30, %c0_i32_27] : memref<512x256xf32, #tpu.memory_space<any>> -> memref<64x256xf32, #tpu.memory_space<any>>
      tpu.wait_dma2 semaphore(%32 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%35 : memref<64x256xf32, #tpu.memory_space<any>>) dst(%34 : memref<64x256xf32, #tpu.memory_space<vmem>>)
      %c64_i32_28 = arith.constant 64 : i32
      %36 = arith.muli %arg5, %c64_i32_28 : i32
      %37 = tpu.memref_slice %arg4[%25] : memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %38 = tpu.memref_squeeze %37 : memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %c0_i32_29 = arith.constant 0 : i32
      %39 = tpu.memref_slice %arg1[%36, %c0_i32_29] : memref<512x256xf32, #tpu.memory_space<any>> -> memref<64x256xf32, #tpu.memory_space<any>>
      %c0_i32_30 = arith.constant 0 : i32
      %c0_i32_31 = arith.constant 0 : i32
      %40 = tpu.memref_slice %arg2[%25, %c0_i32_30, %c0_i32_31] : memref<2x64x256xf32, #tpu.memory_space<vmem>> -> memref<1x64x256xf32, #tpu.memory_space<vmem>>
      %41 = tpu.memref_squeeze %40 : memref<1x64x256xf32, #tpu.memory_space<vmem>> -> memref<64x256xf32, #tpu.memory_space<vmem>>
      tpu.enqueue_dma source(%41 : memref<64x256xf32, #tpu.memory_space<vmem>>) target(%39 : memref<64x256xf32, #tpu.memory_space<any>>) target_semaphore(%38 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
    }
    %c8_i32_6 = arith.constant 8 : i32
    %c0_i32_7 = arith.constant 0 : i32
    %c0_i32_8 = arith.constant 0 : i32
    %6 = tpu.memref_slice %arg4[%c0_i32_8] : memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %7 = tpu.memref_squeeze %6 : memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %c384_i32 = arith.constant 384 : i32
    %c0_i32_9 = arith.constant 0 : i32
    %8 = tpu.memref_slice %arg1[%c384_i32, %c0_i32_9] : memref<512x256xf32, #tpu.memory_space<any>> -> memref<64x256xf32, #tpu.memory_space<any>>
    %c0_i32_10 = arith.constant 0 : i32
    %c0_i32_11 = arith.constant 0 : i32
    %9 = tpu.memref_slice %arg2[%c0_i32_7, %c0_i32_10, %c0_i32_11] : memref<2x64x256xf32, #tpu.memory_space<vmem>> -> memref<1x64x256xf32, #tpu.memory_space<vmem>>
    %10 = tpu.memref_squeeze %9 : memref<1x64x256xf32, #tpu.memory_space<vmem>> -> memref<64x256xf32, #tpu.memory_space<vmem>>
    tpu.wait_dma2 semaphore(%7 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%10 : memref<64x256xf32, #tpu.memory_space<vmem>>) dst(%8 : memref<64x256xf32, #tpu.memory_space<any>>)
    %c1_i32_12 = arith.constant 1 : i32
    %c1_i32_13 = arith.constant 1 : i32
    %11 = tpu.memref_slice %arg4[%c1_i32_13] : memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %12 = tpu.memref_squeeze %11 : memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %c448_i32 = arith.constant 448 : i32
    %c0_i32_14 = arith.constant 0 : i32
    %13 = tpu.memref_slice %arg1[%c448_i32, %c0_i32_14] : memref<512x256xf32, #tpu.memory_space<any>> -> memref<64x256xf32, #tpu.memory_space<any>>
    %c0_i32_15 = arith.constant 0 : i32
    %c0_i32_16 = arith.constant 0 : i32
    %14 = tpu.memref_slice %arg2[%c1_i32_12, %c0_i32_15, %c0_i32_16] : memref<2x64x256xf32, #tpu.memory_space<vmem>> -> memref<1x64x256xf32, #tpu.memory_space<vmem>>
    %15 = tpu.memref_squeeze %14 : memref<1x64x256xf32, #tpu.memory_space<vmem>> -> memref<64x256xf32, #tpu.memory_space<vmem>>
    tpu.wait_dma2 semaphore(%12 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%15 : memref<64x256xf32, #tpu.memory_space<vmem>>) dst(%13 : memref<64x256xf32, #tpu.memory_space<any>>)
    return
  }
}
