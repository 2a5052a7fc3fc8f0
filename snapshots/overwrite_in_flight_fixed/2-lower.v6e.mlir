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
    %c0_i32_6 = arith.constant 0 : i32
    %c0_i32_7 = arith.constant 0 : i32
    %c0_i32_8 = arith.constant 0 : i32
    %9 = tpu.memref_slice %arg1[%c0_i32_6, %c0_i32_7, %c0_i32_8] : memref<4x16x128xf32, #tpu.memory_space<any>> -> memref<1x16x128xf32, #tpu.memory_space<any>>
    %10 = tpu.memref_squeeze %9 : memref<1x16x128xf32, #tpu.memory_space<any>> -> memref<16x128xf32, #tpu.memory_space<any>>
    tpu.wait_dma2 semaphore(%arg3 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%arg2 : memref<16x128xf32, #tpu.memory_space<vmem>>) dst(%10 : memref<16x128xf32, #tpu.memory_space<any>>)
    %c1 = arith.constant 1 : index
    %c0_9 = arith.constant 0 : index
    %c0_10 = arith.constant 0 : index
    %11 = vector.load %arg0[%c1, %c0_9, %c0_10] : memref<4x16x128xf32, #tpu.memory_space<vmem>>, vector<1x16x128xf32>
    %12 = vector.shape_cast %11 : vector<1x16x128xf32> to vector<16x128xf32>
    %cst_11 = arith.constant 2.000000e+00 : f32
    %13 = vector.broadcast %cst_11 : f32 to vector<16x128xf32>
    %14 = arith.mulf %12, %13 : vector<16x128xf32>
    %c0_12 = arith.constant 0 : index
    %c0_13 = arith.constant 0 : index
    %15 = vector.load %arg2[%c0_12, %c0_13] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>
    %16 = vector.shape_cast %15 : vector<16x128xf32> to vector<16x128xf32>
    %17 = vector.shape_cast %14 : vector<16x128xf32> to vector<16x128xf32>
    tpu.vector_store %arg2[%c0_12, %c0_13], %17 {strides = array<i32>} : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>,
    %c1_i32 = arith.constant 1 : i32
    %c0_i32_14 = arith.constant 0 : i32
    %c0_i32_15 = arith.constant 0 : i32
    %18 = tpu.memref_slice %arg1[%c1_i32, %c0_i32_14, %c0_i32_15] : memref<4x16x128xf32, #tpu.memory_space<any>> -> memref<1x16x128xf32, #tpu.memory_space<any>>
    %19 = tpu.memref_squeeze %18 : memref<1x16x128xf32, #tpu.memory_space<any>> -> memref<16x128xf32, #tpu.memory_space<any>>
    tpu.enqueue_dma source(%arg2 : memref<16x128xf32, #tpu.memory_space<vmem>>) target(%19 : memref<16x128xf32, #tpu.memory_space<any>>) target_semaphore(%arg3 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
    %c1_i32_16 = arith.constant 1 : i32
    %c0_i32_17 = arith.constant 0 : i32
    %c0_i32_18 = arith.constant 0 : i32
    %20 = tpu.memref_slice %arg1[%c1_i32_16, %c0_i32_17, %c0_i32_18] : memref<4x16x128xf32, #tpu.memory_space<any>> -> memref<1x16x128xf32, #tpu.memory_space<any>>
    %21 = tpu.memref_squeeze %20 : memref<1x16x128xf32, #tpu.memory_space<any>> -> memref<16x128xf32, #tpu.memory_space<any>>
    tpu.wait_dma2 semaphore(%arg3 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%arg2 : memref<16x128xf32, #tpu.memory_space<vmem>>) dst(%21 : memref<16x128xf32, #tpu.memory_space<any>>)
    %c2 = arith.constant 2 : index
    %c0_19 = arith.constant 0 : index
    %c0_20 = arith.constant 0 : index
    %22 = vector.load %arg0[%c2, %c0_19, %c0_20] : memref<4x16x128xf32, #tpu.memory_space<vmem>>, vector<1x16x128xf32>
    %23 = vector.shape_cast %22 : vector<1x16x128xf32> to vector<16x128xf32>
    %cst_21 = arith.constant 2.000000e+00 : f32
    %24 = vector.broadcast %cst_21 : f32 to vector<16x128xf32>
    %25 = arith.mulf %23, %24 : vector<16x128xf32>
    %c0_22 = arith.constant 0 : index
    %c0_23 = arith.constant 0 : index
    %26 = vector.load %arg2[%c0_22, %c0_23] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>
    %27 = vector.shape_cast %26 : vector<16x128xf32> to vector<16x128xf32>
    %28 = vector.shape_cast %25 : vector<16x128xf32> to vector<16x128xf32>
    tpu.vector_store %arg2[%c0_22, %c0_23], %28 {strides = array<i32>} : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>,
    %c2_i32 = arith.constant 2 : i32
    %c0_i32_24 = arith.constant 0 : i32
    %c0_i32_25 = arith.constant 0 : i32
    %29 = tpu.memref_slice %arg1[%c2_i32, %c0_i32_24, %c0_i32_25] : memref<4x16x128xf32, #tpu.memory_space<any>> -> memref<1x16x128xf32, #tpu.memory_space<any>>
    %30 = tpu.memref_squeeze %29 : memref<1x16x128xf32, #tpu.memory_space<any>> -> memref<16x128xf32, #tpu.memory_space<any>>
    tpu.enqueue_dma source(%arg2 : memref<16x128xf32, #tpu.memory_space<vmem>>) target(%30 : memref<16x128xf32, #tpu.memory_space<any>>) target_semaphore(%arg3 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
    %c2_i32_26 = arith.constant 2 : i32
    %c0_i32_27 = arith.constant 0 : i32
    %c0_i32_28 = arith.constant 0 : i32
    %31 = tpu.memref_slice %arg1[%c2_i32_26, %c0_i32_27, %c0_i32_28] : memref<4x16x128xf32, #tpu.memory_space<any>> -> memref<1x16x128xf32, #tpu.memory_space<any>>
    %32 = tpu.memref_squeeze %31 : memref<1x16x128xf32, #tpu.memory_space<any>> -> memref<16x128xf32, #tpu.memory_space<any>>
    tpu.wait_dma2 semaphore(%arg3 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%arg2 : memref<16x128xf32, #tpu.memory_space<vmem>>) dst(%32 : memref<16x128xf32, #tpu.memory_space<any>>)
    %c3 = arith.constant 3 : index
    %c0_29 = arith.constant 0 : index
    %c0_30 = arith.constant 0 : index
    %33 = vector.load %arg0[%c3, %c0_29, %c0_30] : memref<4x16x128xf32, #tpu.memory_space<vmem>>, vector<1x16x128xf32>
    %34 = vector.shape_cast %33 : vector<1x16x128xf32> to vector<16x128xf32>
    %cst_31 = arith.constant 2.000000e+00 : f32
    %35 = vector.broadcast %cst_31 : f32 to vector<16x128xf32>
    %36 = arith.mulf %34, %35 : vector<16x128xf32>
    %c0_32 = arith.constant 0 : index
    %c0_33 = arith.constant 0 : index
    %37 = vector.load %arg2[%c0_32, %c0_33] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>
    %38 = vector.shape_cast %37 : vector<16x128xf32> to vector<16x128xf32>
    %39 = vector.shape_cast %36 : vector<16x128xf32> to vector<16x128xf32>
    tpu.vector_store %arg2[%c0_32, %c0_33], %39 {strides = array<i32>} : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>,
    %c3_i32 = arith.constant 3 : i32
    %c0_i32_34 = arith.constant 0 : i32
    %c0_i32_35 = arith.constant 0 : i32
    %40 = tpu.memref_slice %arg1[%c3_i32, %c0_i32_34, %c0_i32_35] : memref<4x16x128xf32, #tpu.memory_space<any>> -> memref<1x16x128xf32, #tpu.memory_space<any>>
    %41 = tpu.memref_squeeze %40 : memref<1x16x128xf32, #tpu.memory_space<any>> -> memref<16x128xf32, #tpu.memory_space<any>>
    tpu.enqueue_dma source(%arg2 : memref<16x128xf32, #tpu.memory_space<vmem>>) target(%41 : memref<16x128xf32, #tpu.memory_space<any>>) target_semaphore(%arg3 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
    %c3_i32_36 = arith.constant 3 : i32
    %c0_i32_37 = arith.constant 0 : i32
    %c0_i32_38 = arith.constant 0 : i32
    %42 = tpu.memref_slice %arg1[%c3_i32_36, %c0_i32_37, %c0_i32_38] : memref<4x16x128xf32, #tpu.memory_space<any>> -> memref<1x16x128xf32, #tpu.memory_space<any>>
    %43 = tpu.memref_squeeze %42 : memref<1x16x128xf32, #tpu.memory_space<any>> -> memref<16x128xf32, #tpu.memory_space<any>>
    tpu.wait_dma2 semaphore(%arg3 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%arg2 : memref<16x128xf32, #tpu.memory_space<vmem>>) dst(%43 : memref<16x128xf32, #tpu.memory_space<any>>)
    return
  }
}
