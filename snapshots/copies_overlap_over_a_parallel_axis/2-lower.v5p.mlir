module @rows_kernel {
  func.func @main(%arg0: i32, %arg1: memref<32x128xf32, #tpu.memory_space<any>>, %arg2: memref<32x128xf32, #tpu.memory_space<any>>, %arg3: memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 3>, scalar_prefetch = 0 : i64, scratch_operands = 1 : i64, window_params = [{}, {}]} {
    %c8_i32 = arith.constant 8 : i32
    %0 = arith.muli %arg0, %c8_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = tpu.memref_slice %arg2[%0, %c0_i32] : memref<32x128xf32, #tpu.memory_space<any>> -> memref<16x128xf32, #tpu.memory_space<any>>
    %c0_i32_0 = arith.constant 0 : i32
    %2 = tpu.memref_slice %arg1[%0, %c0_i32_0] : memref<32x128xf32, #tpu.memory_space<any>> -> memref<16x128xf32, #tpu.memory_space<any>>
    tpu.enqueue_dma source(%2 : memref<16x128xf32, #tpu.memory_space<any>>) target(%1 : memref<16x128xf32, #tpu.memory_space<any>>) target_semaphore(%arg3 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
    %c0_i32_1 = arith.constant 0 : i32
    %3 = tpu.memref_slice %arg2[%0, %c0_i32_1] : memref<32x128xf32, #tpu.memory_space<any>> -> memref<16x128xf32, #tpu.memory_space<any>>
    %c0_i32_2 = arith.constant 0 : i32
    %4 = tpu.memref_slice %arg1[%0, %c0_i32_2] : memref<32x128xf32, #tpu.memory_space<any>> -> memref<16x128xf32, #tpu.memory_space<any>>
    tpu.wait_dma2 semaphore(%arg3 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%4 : memref<16x128xf32, #tpu.memory_space<any>>) dst(%3 : memref<16x128xf32, #tpu.memory_space<any>>)
    return
  }
}
