module @copy_rows_kernel {
  func.func @main(%arg0: i32, %arg1: memref<64x256xf32, #tpu.memory_space<any>>, %arg2: memref<8x256xf32, #tpu.memory_space<vmem>>, %arg3: memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 8>, scalar_prefetch = 0 : i64, scratch_operands = 1 : i64, window_params = [{}, {transform_indices = @transform_1, window_bounds = array<i64: 8, 256>}]} {
    %c8_i32 = arith.constant 8 : i32
    %0 = arith.muli %arg0, %c8_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = tpu.memref_slice %arg1[%0, %c0_i32] : memref<64x256xf32, #tpu.memory_space<any>> -> memref<8x256xf32, #tpu.memory_space<any>>
    tpu.enqueue_dma source(%1 : memref<8x256xf32, #tpu.memory_space<any>>) target(%arg2 : memref<8x256xf32, #tpu.memory_space<vmem>>) target_semaphore(%arg3 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
    %c0_i32_0 = arith.constant 0 : i32
    %2 = tpu.memref_slice %arg1[%0, %c0_i32_0] : memref<64x256xf32, #tpu.memory_space<any>> -> memref<8x256xf32, #tpu.memory_space<any>>
    tpu.wait_dma2 semaphore(%arg3 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%2 : memref<8x256xf32, #tpu.memory_space<any>>) dst(%arg2 : memref<8x256xf32, #tpu.memory_space<vmem>>)
    return
  }
  func.func @transform_1(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
}
