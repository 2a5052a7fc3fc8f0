module @kernel {
  func.func @main(%arg0: memref<8x128xf32, #tpu.memory_space<vmem>>, %arg1: memref<8x128xf32, #tpu.memory_space<any>>, %arg2: memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 1 : i64} {
    tpu.enqueue_dma source(%arg0 : memref<8x128xf32, #tpu.memory_space<vmem>>) target(%arg1 : memref<8x128xf32, #tpu.memory_space<any>>) target_semaphore(%arg2 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
    return
  }
}
