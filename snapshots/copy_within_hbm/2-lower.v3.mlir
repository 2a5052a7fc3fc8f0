module @kernel {
  func.func @main(%arg0: memref<64x256xf32, #tpu.memory_space<any>>, %arg1: memref<64x256xf32, #tpu.memory_space<any>>, %arg2: memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 1 : i64} {
    tpu.enqueue_dma source(%arg0 : memref<64x256xf32, #tpu.memory_space<any>>) target(%arg1 : memref<64x256xf32, #tpu.memory_space<any>>) target_semaphore(%arg2 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
    tpu.wait_dma2 semaphore(%arg2 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%arg0 : memref<64x256xf32, #tpu.memory_space<any>>) dst(%arg1 : memref<64x256xf32, #tpu.memory_space<any>>)
    return
  }
}
