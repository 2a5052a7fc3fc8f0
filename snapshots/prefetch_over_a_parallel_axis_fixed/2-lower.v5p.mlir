module @prefetch_kernel {
  func.func @main(%arg0: i32, %arg1: memref<4x8x128xf32, #tpu.memory_space<any>>, %arg2: memref<1x8x128xf32, #tpu.memory_space<vmem>>, %arg3: memref<2x8x128xf32, #tpu.memory_space<vmem>>, %arg4: memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 2 : i64, window_params = [{}, {transform_indices = @transform_1, window_bounds = array<i64: 1, 8, 128>}]} {
    %c2_i32 = arith.constant 2 : i32
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi eq, %c2_i32, %c0_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    %1 = arith.select %0, %c1_i32, %c2_i32 : i32
    %2 = arith.remsi %arg0, %1 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %3 = arith.cmpi ne, %2, %c0_i32_0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %4 = arith.cmpi slt, %2, %c0_i32_1 : i32
    %c0_i32_2 = arith.constant 0 : i32
    %5 = arith.cmpi slt, %1, %c0_i32_2 : i32
    %6 = arith.xori %4, %5 : i1
    %7 = arith.andi %6, %3 : i1
    %8 = arith.addi %2, %1 : i32
    %9 = arith.select %7, %8, %2 : i32
    %10 = tpu.memref_slice %arg4[%9] : memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %11 = tpu.memref_squeeze %10 : memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %c0_i32_3 = arith.constant 0 : i32
    %c0_i32_4 = arith.constant 0 : i32
    %12 = tpu.memref_slice %arg3[%9, %c0_i32_3, %c0_i32_4] : memref<2x8x128xf32, #tpu.memory_space<vmem>> -> memref<1x8x128xf32, #tpu.memory_space<vmem>>
    %13 = tpu.memref_squeeze %12 : memref<1x8x128xf32, #tpu.memory_space<vmem>> -> memref<8x128xf32, #tpu.memory_space<vmem>>
    %c0_i32_5 = arith.constant 0 : i32
    %c0_i32_6 = arith.constant 0 : i32
    %14 = tpu.memref_slice %arg1[%arg0, %c0_i32_5, %c0_i32_6] : memref<4x8x128xf32, #tpu.memory_space<any>> -> memref<1x8x128xf32, #tpu.memory_space<any>>
    %15 = tpu.memref_squeeze %14 : memref<1x8x128xf32, #tpu.memory_space<any>> -> memref<8x128xf32, #tpu.memory_space<any>>
    tpu.enqueue_dma source(%15 : memref<8x128xf32, #tpu.memory_space<any>>) target(%13 : memref<8x128xf32, #tpu.memory_space<vmem>>) target_semaphore(%11 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
    %c2_i32_7 = arith.constant 2 : i32
    %c0_i32_8 = arith.constant 0 : i32
    %16 = arith.cmpi eq, %c2_i32_7, %c0_i32_8 : i32
    %c1_i32_9 = arith.constant 1 : i32
    %17 = arith.select %16, %c1_i32_9, %c2_i32_7 : i32
    %18 = arith.remsi %arg0, %17 : i32
    %c0_i32_10 = arith.constant 0 : i32
    %19 = arith.cmpi ne, %18, %c0_i32_10 : i32
    %c0_i32_11 = arith.constant 0 : i32
    %20 = arith.cmpi slt, %18, %c0_i32_11 : i32
    %c0_i32_12 = arith.constant 0 : i32
    %21 = arith.cmpi slt, %17, %c0_i32_12 : i32
    %22 = arith.xori %20, %21 : i1
    %23 = arith.andi %22, %19 : i1
    %24 = arith.addi %18, %17 : i32
    %25 = arith.select %23, %24, %18 : i32
    %26 = tpu.memref_slice %arg4[%25] : memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %27 = tpu.memref_squeeze %26 : memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %c0_i32_13 = arith.constant 0 : i32
    %c0_i32_14 = arith.constant 0 : i32
    %28 = tpu.memref_slice %arg3[%25, %c0_i32_13, %c0_i32_14] : memref<2x8x128xf32, #tpu.memory_space<vmem>> -> memref<1x8x128xf32, #tpu.memory_space<vmem>>
    %29 = tpu.memref_squeeze %28 : memref<1x8x128xf32, #tpu.memory_space<vmem>> -> memref<8x128xf32, #tpu.memory_space<vmem>>
    %c0_i32_15 = arith.constant 0 : i32
    %c0_i32_16 = arith.constant 0 : i32
    %30 = tpu.memref_slice %arg1[%arg0, %c0_i32_15, %c0_i32_16] : memref<4x8x128xf32, #tpu.memory_space<any>> -> memref<1x8x128xf32, #tpu.memory_space<any>>
    %31 = tpu.memref_squeeze %30 : memref<1x8x128xf32, #tpu.memory_space<any>> -> memref<8x128xf32, #tpu.memory_space<any>>
    tpu.wait_dma2 semaphore(%27 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%31 : memref<8x128xf32, #tpu.memory_space<any>>) dst(%29 : memref<8x128xf32, #tpu.memory_space<vmem>>)
    %c2_i32_17 = arith.constant 2 : i32
    %c0_i32_18 = arith.constant 0 : i32
    %32 = arith.cmpi eq, %c2_i32_17, %c0_i32_18 : i32
    %c1_i32_19 = arith.constant 1 : i32
    %33 = arith.select %32, %c1_i32_19, %c2_i32_17 : i32
    %34 = arith.remsi %arg0, %33 : i32
    %c0_i32_20 = arith.constant 0 : i32
    %35 = arith.cmpi ne, %34, %c0_i32_20 : i32
    %c0_i32_21 = arith.constant 0 : i32
    %36 = arith.cmpi slt, %34, %c0_i32_21 : i32
    %c0_i32_22 = arith.constant 0 : i32
    %37 = arith.cmpi slt, %33, %c0_i32_22 : i32
    %38 = arith.xori %36, %37 : i1
    %39 = arith.andi %38, %35 : i1
    %40 = arith.addi %34, %33 : i32
    %41 = arith.select %39, %40, %34 : i32
    %42 = arith.index_cast %41 : i32 to index
    %c0 = arith.constant 0 : index
    %c0_23 = arith.constant 0 : index
    %43 = vector.load %arg3[%42, %c0, %c0_23] : memref<2x8x128xf32, #tpu.memory_space<vmem>>, vector<1x8x128xf32>
    %44 = vector.shape_cast %43 : vector<1x8x128xf32> to vector<8x128xf32>
    %cst = arith.constant 2.000000e+00 : f32
    %45 = vector.broadcast %cst : f32 to vector<8x128xf32>
    %46 = arith.mulf %44, %45 : vector<8x128xf32>
    %c0_24 = arith.constant 0 : index
    %c0_25 = arith.constant 0 : index
    %c0_26 = arith.constant 0 : index
    %47 = vector.load %arg2[%c0_24, %c0_25, %c0_26] : memref<1x8x128xf32, #tpu.memory_space<vmem>>, vector<1x8x128xf32>
    %48 = vector.shape_cast %47 : vector<1x8x128xf32> to vector<8x128xf32>
    %49 = vector.shape_cast %46 : vector<8x128xf32> to vector<1x8x128xf32>
    tpu.vector_store %arg2[%c0_24, %c0_25, %c0_26], %49 {strides = array<i32>} : memref<1x8x128xf32, #tpu.memory_space<vmem>>, vector<1x8x128xf32>,
    return
  }
  func.func @transform_1(%arg0: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0 : i32, i32, i32
  }
}
