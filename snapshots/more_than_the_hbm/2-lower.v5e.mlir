module @kernel {
  func.func @main(%arg0: memref<40000000x1xf32, #tpu.memory_space<any>>, %arg1: memref<8x1xf32, #tpu.memory_space<vmem>>, %arg2: memref<8x1xf32, #tpu.memory_space<vmem>>, %arg3: memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 2 : i64} {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %0 = tpu.memref_slice %arg0[%c0_i32, %c0_i32_0] : memref<40000000x1xf32, #tpu.memory_space<any>> -> memref<8x1xf32, #tpu.memory_space<any>>
    tpu.enqueue_dma source(%0 : memref<8x1xf32, #tpu.memory_space<any>>) target(%arg2 : memref<8x1xf32, #tpu.memory_space<vmem>>) target_semaphore(%arg3 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
    %c0_i32_1 = arith.constant 0 : i32
    %c0_i32_2 = arith.constant 0 : i32
    %1 = tpu.memref_slice %arg0[%c0_i32_1, %c0_i32_2] : memref<40000000x1xf32, #tpu.memory_space<any>> -> memref<8x1xf32, #tpu.memory_space<any>>
    tpu.wait_dma2 semaphore(%arg3 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%1 : memref<8x1xf32, #tpu.memory_space<any>>) dst(%arg2 : memref<8x1xf32, #tpu.memory_space<vmem>>)
    %c0 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %2 = vector.load %arg2[%c0, %c0_3] : memref<8x1xf32, #tpu.memory_space<vmem>>, vector<8x1xf32>
    %cst = arith.constant 2.000000e+00 : f32
    %3 = vector.broadcast %cst : f32 to vector<8x1xf32>
    %4 = arith.mulf %2, %3 : vector<8x1xf32>
    %c0_4 = arith.constant 0 : index
    %c0_5 = arith.constant 0 : index
    %5 = vector.load %arg1[%c0_4, %c0_5] : memref<8x1xf32, #tpu.memory_space<vmem>>, vector<8x1xf32>
    tpu.vector_store %arg1[%c0_4, %c0_5], %4 {strides = array<i32>} : memref<8x1xf32, #tpu.memory_space<vmem>>, vector<8x1xf32>,
    return
  }
}
