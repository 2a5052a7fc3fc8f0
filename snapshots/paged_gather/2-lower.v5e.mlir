module @paged_gather_kernel {
  func.func @main(%arg0: i32, %arg1: memref<6xi32, #tpu.memory_space<smem>>, %arg2: memref<16x32x256xbf16, #tpu.memory_space<any>>, %arg3: memref<32x256xbf16, #tpu.memory_space<vmem>>, %arg4: memref<2x32x256xbf16, #tpu.memory_space<vmem>>, %arg5: memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 6>, scalar_prefetch = 1 : i64, scratch_operands = 2 : i64, window_params = [{}, {transform_indices = @transform_1, window_bounds = array<i64: 32, 256>}]} {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi eq, %arg0, %c0_i32 : i32
    %1 = arith.extui %0 : i1 to i32
    %c0_i32_0 = arith.constant 0 : i32
    %2 = arith.cmpi ne, %1, %c0_i32_0 : i32
    scf.if %2 {
      %c0_14 = arith.constant 0 : index
      %29 = memref.load %arg1[%c0_14] : memref<6xi32, #tpu.memory_space<smem>>
      %c0_i32_15 = arith.constant 0 : i32
      %c0_i32_16 = arith.constant 0 : i32
      %30 = tpu.memref_slice %arg5[%c0_i32_16] : memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %31 = tpu.memref_squeeze %30 : memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %c0_i32_17 = arith.constant 0 : i32
      %c0_i32_18 = arith.constant 0 : i32
      %32 = tpu.memref_slice %arg4[%c0_i32_15, %c0_i32_17, %c0_i32_18] : memref<2x32x256xbf16, #tpu.memory_space<vmem>> -> memref<1x32x256xbf16, #tpu.memory_space<vmem>>
      %33 = tpu.memref_squeeze %32 : memref<1x32x256xbf16, #tpu.memory_space<vmem>> -> memref<32x256xbf16, #tpu.memory_space<vmem>>
      %c0_i32_19 = arith.constant 0 : i32
      %c0_i32_20 = arith.constant 0 : i32
      %34 = tpu.memref_slice %arg2[%29, %c0_i32_19, %c0_i32_20] : memref<16x32x256xbf16, #tpu.memory_space<any>> -> memref<1x32x256xbf16, #tpu.memory_space<any>>
      %35 = tpu.memref_squeeze %34 : memref<1x32x256xbf16, #tpu.memory_space<any>> -> memref<32x256xbf16, #tpu.memory_space<any>>
      tpu.enqueue_dma source(%35 : memref<32x256xbf16, #tpu.memory_space<any>>) target(%33 : memref<32x256xbf16, #tpu.memory_space<vmem>>) target_semaphore(%31 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
    } else {
    }
    %c1_i32 = arith.constant 1 : i32
    %3 = arith.addi %arg0, %c1_i32 : i32
    %c6_i32 = arith.constant 6 : i32
    %4 = arith.cmpi slt, %3, %c6_i32 : i32
    %5 = arith.extui %4 : i1 to i32
    %c0_i32_1 = arith.constant 0 : i32
    %6 = arith.cmpi ne, %5, %c0_i32_1 : i32
    scf.if %6 {
      %c1_i32_14 = arith.constant 1 : i32
      %29 = arith.addi %arg0, %c1_i32_14 : i32
      %c1_i32_15 = arith.constant 1 : i32
      %30 = arith.addi %arg0, %c1_i32_15 : i32
      %c2_i32_16 = arith.constant 2 : i32
      %c0_i32_17 = arith.constant 0 : i32
      %31 = arith.cmpi eq, %c2_i32_16, %c0_i32_17 : i32
      %c1_i32_18 = arith.constant 1 : i32
      %32 = arith.select %31, %c1_i32_18, %c2_i32_16 : i32
      %33 = arith.remsi %30, %32 : i32
      %c0_i32_19 = arith.constant 0 : i32
      %34 = arith.cmpi ne, %33, %c0_i32_19 : i32
      %c0_i32_20 = arith.constant 0 : i32
      %35 = arith.cmpi slt, %33, %c0_i32_20 : i32
      %c0_i32_21 = arith.constant 0 : i32
      %36 = arith.cmpi slt, %32, %c0_i32_21 : i32
      %37 = arith.xori %35, %36 : i1
      %38 = arith.andi %37, %34 : i1
      %39 = arith.addi %33, %32 : i32
      %40 = arith.select %38, %39, %33 : i32
      %41 = arith.index_cast %29 : i32 to index
      %42 = memref.load %arg1[%41] : memref<6xi32, #tpu.memory_space<smem>>
      %43 = tpu.memref_slice %arg5[%40] : memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %44 = tpu.memref_squeeze %43 : memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %c0_i32_22 = arith.constant 0 : i32
      %c0_i32_23 = arith.constant 0 : i32
      %45 = tpu.memref_slice %arg4[%40, %c0_i32_22, %c0_i32_23] : memref<2x32x256xbf16, #tpu.memory_space<vmem>> -> memref<1x32x256xbf16, #tpu.memory_space<vmem>>
      %46 = tpu.memref_squeeze %45 : memref<1x32x256xbf16, #tpu.memory_space<vmem>> -> memref<32x256xbf16, #tpu.memory_space<vmem>>
      %c0_i32_24 = arith.constant 0 : i32
      %c0_i32_25 = arith.constant 0 : i32
      %47 = tpu.memref_slice %arg2[%42, %c0_i32_24, %c0_i32_25] : memref<16x32x256xbf16, #tpu.memory_space<any>> -> memref<1x32x256xbf16, #tpu.memory_space<any>>
      %48 = tpu.memref_squeeze %47 : memref<1x32x256xbf16, #tpu.memory_space<any>> -> memref<32x256xbf16, #tpu.memory_space<any>>
      tpu.enqueue_dma source(%48 : memref<32x256xbf16, #tpu.memory_space<any>>) target(%46 : memref<32x256xbf16, #tpu.memory_space<vmem>>) target_semaphore(%44 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
    } else {
    }
    %c2_i32 = arith.constant 2 : i32
    %c0_i32_2 = arith.constant 0 : i32
    %7 = arith.cmpi eq, %c2_i32, %c0_i32_2 : i32
    %c1_i32_3 = arith.constant 1 : i32
    %8 = arith.select %7, %c1_i32_3, %c2_i32 : i32
    %9 = arith.remsi %arg0, %8 : i32
    %c0_i32_4 = arith.constant 0 : i32
    %10 = arith.cmpi ne, %9, %c0_i32_4 : i32
    %c0_i32_5 = arith.constant 0 : i32
    %11 = arith.cmpi slt, %9, %c0_i32_5 : i32
    %c0_i32_6 = arith.constant 0 : i32
    %12 = arith.cmpi slt, %8, %c0_i32_6 : i32
    %13 = arith.xori %11, %12 : i1
    %14 = arith.andi %13, %10 : i1
    %15 = arith.addi %9, %8 : i32
    %16 = arith.select %14, %15, %9 : i32
    %17 = arith.index_cast %arg0 : i32 to index
    %18 = memref.load %arg1[%17] : memref<6xi32, #tpu.memory_space<smem>>
    %19 = tpu.memref_slice %arg5[%16] : memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %20 = tpu.memref_squeeze %19 : memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %c0_i32_7 = arith.constant 0 : i32
    %c0_i32_8 = arith.constant 0 : i32
    %21 = tpu.memref_slice %arg4[%16, %c0_i32_7, %c0_i32_8] : memref<2x32x256xbf16, #tpu.memory_space<vmem>> -> memref<1x32x256xbf16, #tpu.memory_space<vmem>>
    %22 = tpu.memref_squeeze %21 : memref<1x32x256xbf16, #tpu.memory_space<vmem>> -> memref<32x256xbf16, #tpu.memory_space<vmem>>
    %c0_i32_9 = arith.constant 0 : i32
    %c0_i32_10 = arith.constant 0 : i32
    %23 = tpu.memref_slice %arg2[%18, %c0_i32_9, %c0_i32_10] : memref<16x32x256xbf16, #tpu.memory_space<any>> -> memref<1x32x256xbf16, #tpu.memory_space<any>>
    %24 = tpu.memref_squeeze %23 : memref<1x32x256xbf16, #tpu.memory_space<any>> -> memref<32x256xbf16, #tpu.memory_space<any>>
    tpu.wait_dma2 semaphore(%20 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%24 : memref<32x256xbf16, #tpu.memory_space<any>>) dst(%22 : memref<32x256xbf16, #tpu.memory_space<vmem>>)
    %25 = arith.index_cast %16 : i32 to index
    %c0 = arith.constant 0 : index
    %c0_11 = arith.constant 0 : index
    %26 = vector.load %arg4[%25, %c0, %c0_11] : memref<2x32x256xbf16, #tpu.memory_space<vmem>>, vector<1x32x256xbf16>
    %27 = vector.shape_cast %26 : vector<1x32x256xbf16> to vector<32x256xbf16>
    %c0_12 = arith.constant 0 : index
    %c0_13 = arith.constant 0 : index
    %28 = vector.load %arg3[%c0_12, %c0_13] : memref<32x256xbf16, #tpu.memory_space<vmem>>, vector<32x256xbf16>
    tpu.vector_store %arg3[%c0_12, %c0_13], %27 {strides = array<i32>} : memref<32x256xbf16, #tpu.memory_space<vmem>>, vector<32x256xbf16>,
    return
  }
  func.func @transform_1(%arg0: i32, %arg1: memref<6xi32, #tpu.memory_space<smem>>) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
}
