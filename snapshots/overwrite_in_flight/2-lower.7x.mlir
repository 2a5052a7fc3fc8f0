module @double_kernel {
  func.func @main(%arg0: memref<4x16x128xf32, #tpu.memory_space<vmem>>, %arg1: memref<4x16x128xf32, #tpu.memory_space<any>>, %arg2: memref<16x128xf32, #tpu.memory_space<vmem>>, %arg3: memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 2 : i64} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %0 = vector.load %arg0[%c0, %c0_0, %c0_1] : memref<4x16x128xf32, #tpu.memory_space<vmem>>, vector<1x16x128xf32>
    %1 = vector.shape_cast %0 : vector<1x16x128xf32> to vector<16x128xf32>
    %cst = arith.constant 2.000000e+00 : f32
    %2 = vector.broadcast %cst : f32 to vector<16x128xf32>
    %3 = arith.mulf %1, %2 : vector<16x128xf32>
    %c0_2 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %4 = vector.load %arg2[%c0_2, %c0_3] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>
    %5 = vector.shape_cast %4 : vector<16x128xf32> to vector<16x128xf32>
    %6 = vector.shape_cast %3 : vector<16x128xf32> to vector<16x128xf32>
    tpu.vector_store %arg2[%c0_2, %c0_3], %6 {strides = array<i32>} : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>,
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_4 = arith.constant 0 : i32
    %c0_i32_5 = arith.constant 0 : i32
    %7 = tpu.memref_slice %arg1[%c0_i32, %c0_i32_4, %c0_i32_5] : memref<4x16x128xf32, #tpu.memory_space<any>> -> memref<1x16x128xf32, #tpu.memory_space<any>>
    %8 = tpu.memref_squeeze %7 : memref<1x16x128xf32, #tpu.memory_space<any>> -> memref<16x128xf32, #tpu.memory_space<any>>
    tpu.enqueue_dma source(%arg2 : memref<16x128xf32, #tpu.memory_space<vmem>>) target(%8 : memref<16x128xf32, #tpu.memory_space<any>>) target_semaphore(%arg3 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
    %c1 = arith.constant 1 : index
    %c0_6 = arith.constant 0 : index
    %c0_7 = arith.constant 0 : index
    %9 = vector.load %arg0[%c1, %c0_6, %c0_7] : memref<4x16x128xf32, #tpu.memory_space<vmem>>, vector<1x16x128xf32>
    %10 = vector.shape_cast %9 : vector<1x16x128xf32> to vector<16x128xf32>
    %cst_8 = arith.constant 2.000000e+00 : f32
    %11 = vector.broadcast %cst_8 : f32 to vector<16x128xf32>
    %12 = arith.mulf %10, %11 : vector<16x128xf32>
    %c0_9 = arith.constant 0 : index
    %c0_10 = arith.constant 0 : index
    %13 = vector.load %arg2[%c0_9, %c0_10] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>
    %14 = vector.shape_cast %13 : vector<16x128xf32> to vector<16x128xf32>
    %15 = vector.shape_cast %12 : vector<16x128xf32> to vector<16x128xf32>
    tpu.vector_store %arg2[%c0_9, %c0_10], %15 {strides = array<i32>} : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>,
    %c1_i32 = arith.constant 1 : i32
    %c0_i32_11 = arith.constant 0 : i32
    %c0_i32_12 = arith.constant 0 : i32
    %16 = tpu.memref_slice %arg1[%c1_i32, %c0_i32_11, %c0_i32_12] : memref<4x16x128xf32, #tpu.memory_space<any>> -> memref<1x16x128xf32, #tpu.memory_space<any>>
    %17 = tpu.memref_squeeze %16 : memref<1x16x128xf32, #tpu.memory_space<any>> -> memref<16x128xf32, #tpu.memory_space<any>>
    tpu.enqueue_dma source(%arg2 : memref<16x128xf32, #tpu.memory_space<vmem>>) target(%17 : memref<16x128xf32, #tpu.memory_space<any>>) target_semaphore(%arg3 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
    %c2 = arith.constant 2 : index
    %c0_13 = arith.constant 0 : index
    %c0_14 = arith.constant 0 : index
    %18 = vector.load %arg0[%c2, %c0_13, %c0_14] : memref<4x16x128xf32, #tpu.memory_space<vmem>>, vector<1x16x128xf32>
    %19 = vector.shape_cast %18 : vector<1x16x128xf32> to vector<16x128xf32>
    %cst_15 = arith.constant 2.000000e+00 : f32
    %20 = vector.broadcast %cst_15 : f32 to vector<16x128xf32>
    %21 = arith.mulf %19, %20 : vector<16x128xf32>
    %c0_16 = arith.constant 0 : index
    %c0_17 = arith.constant 0 : index
    %22 = vector.load %arg2[%c0_16, %c0_17] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>
    %23 = vector.shape_cast %22 : vector<16x128xf32> to vector<16x128xf32>
    %24 = vector.shape_cast %21 : vector<16x128xf32> to vector<16x128xf32>
    tpu.vector_store %arg2[%c0_16, %c0_17], %24 {strides = array<i32>} : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>,
    %c2_i32 = arith.constant 2 : i32
    %c0_i32_18 = arith.constant 0 : i32
    %c0_i32_19 = arith.constant 0 : i32
    %25 = tpu.memref_slice %arg1[%c2_i32, %c0_i32_18, %c0_i32_19] : memref<4x16x128xf32, #tpu.memory_space<any>> -> memref<1x16x128xf32, #tpu.memory_space<any>>
    %26 = tpu.memref_squeeze %25 : memref<1x16x128xf32, #tpu.memory_space<any>> -> memref<16x128xf32, #tpu.memory_space<any>>
    tpu.enqueue_dma source(%arg2 : memref<16x128xf32, #tpu.memory_space<vmem>>) target(%26 : memref<16x128xf32, #tpu.memory_space<any>>) target_semaphore(%arg3 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
    %c3 = arith.constant 3 : index
    %c0_20 = arith.constant 0 : index
    %c0_21 = arith.constant 0 : index
    %27 = vector.load %arg0[%c3, %c0_20, %c0_21] : memref<4x16x128xf32, #tpu.memory_space<vmem>>, vector<1x16x128xf32>
    %28 = vector.shape_cast %27 : vector<1x16x128xf32> to vector<16x128xf32>
    %cst_22 = arith.constant 2.000000e+00 : f32
    %29 = vector.broadcast %cst_22 : f32 to vector<16x128xf32>
    %30 = arith.mulf %28, %29 : vector<16x128xf32>
    %c0_23 = arith.constant 0 : index
    %c0_24 = arith.constant 0 : index
    %31 = vector.load %arg2[%c0_23, %c0_24] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>
    %32 = vector.shape_cast %31 : vector<16x128xf32> to vector<16x128xf32>
    %33 = vector.shape_cast %30 : vector<16x128xf32> to vector<16x128xf32>
    tpu.vector_store %arg2[%c0_23, %c0_24], %33 {strides = array<i32>} : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>,
    %c3_i32 = arith.constant 3 : i32
    %c0_i32_25 = arith.constant 0 : i32
    %c0_i32_26 = arith.constant 0 : i32
    %34 = tpu.memref_slice %arg1[%c3_i32, %c0_i32_25, %c0_i32_26] : memref<4x16x128xf32, #tpu.memory_space<any>> -> memref<1x16x128xf32, #tpu.memory_space<any>>
    %35 = tpu.memref_squeeze %34 : memref<1x16x128xf32, #tpu.memory_space<any>> -> memref<16x128xf32, #tpu.memory_space<any>>
    tpu.enqueue_dma source(%arg2 : memref<16x128xf32, #tpu.memory_space<vmem>>) target(%35 : memref<16x128xf32, #tpu.memory_space<any>>) target_semaphore(%arg3 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
    %c0_i32_27 = arith.constant 0 : i32
    %c0_i32_28 = arith.constant 0 : i32
    %c0_i32_29 = arith.constant 0 : i32
    %36 = tpu.memref_slice %arg1[%c0_i32_27, %c0_i32_28, %c0_i32_29] : memref<4x16x128xf32, #tpu.memory_space<any>> -> memref<1x16x128xf32, #tpu.memory_space<any>>
    %37 = tpu.memref_squeeze %36 : memref<1x16x128xf32, #tpu.memory_space<any>> -> memref<16x128xf32, #tpu.memory_space<any>>
    tpu.wait_dma2 semaphore(%arg3 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%arg2 : memref<16x128xf32, #tpu.memory_space<vmem>>) dst(%37 : memref<16x128xf32, #tpu.memory_space<any>>)
    %c1_i32_30 = arith.constant 1 : i32
    %c0_i32_31 = arith.constant 0 : i32
    %c0_i32_32 = arith.constant 0 : i32
    %38 = tpu.memref_slice %arg1[%c1_i32_30, %c0_i32_31, %c0_i32_32] : memref<4x16x128xf32, #tpu.memory_space<any>> -> memref<1x16x128xf32, #tpu.memory_space<any>>
    %39 = tpu.memref_squeeze %38 : memref<1x16x128xf32, #tpu.memory_space<any>> -> memref<16x128xf32, #tpu.memory_space<any>>
    tpu.wait_dma2 semaphore(%arg3 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%arg2 : memref<16x128xf32, #tpu.memory_space<vmem>>) dst(%39 : memref<16x128xf32, #tpu.memory_space<any>>)
    %c2_i32_33 = arith.constant 2 : i32
    %c0_i32_34 = arith.constant 0 : i32
    %c0_i32_35 = arith.constant 0 : i32
    %40 = tpu.memref_slice %arg1[%c2_i32_33, %c0_i32_34, %c0_i32_35] : memref<4x16x128xf32, #tpu.memory_space<any>> -> memref<1x16x128xf32, #tpu.memory_space<any>>
    %41 = tpu.memref_squeeze %40 : memref<1x16x128xf32, #tpu.memory_space<any>> -> memref<16x128xf32, #tpu.memory_space<any>>
    tpu.wait_dma2 semaphore(%arg3 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%arg2 : memref<16x128xf32, #tpu.memory_space<vmem>>) dst(%41 : memref<16x128xf32, #tpu.memory_space<any>>)
    %c3_i32_36 = arith.constant 3 : i32
    %c0_i32_37 = arith.constant 0 : i32
    %c0_i32_38 = arith.constant 0 : i32
    %42 = tpu.memref_slice %arg1[%c3_i32_36, %c0_i32_37, %c0_i32_38] : memref<4x16x128xf32, #tpu.memory_space<any>> -> memref<1x16x128xf32, #tpu.memory_space<any>>
    %43 = tpu.memref_squeeze %42 : memref<1x16x128xf32, #tpu.memory_space<any>> -> memref<16x128xf32, #tpu.memory_space<any>>
    tpu.wait_dma2 semaphore(%arg3 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%arg2 : memref<16x128xf32, #tpu.memory_space<vmem>>) dst(%43 : memref<16x128xf32, #tpu.memory_space<any>>)
    return
  }
}
