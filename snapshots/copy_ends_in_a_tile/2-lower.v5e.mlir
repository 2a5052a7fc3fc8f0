module @kernel {
  func.func @main(%arg0: memref<64x256xf32, #tpu.memory_space<any>>, %arg1: memref<8x64xf32, #tpu.memory_space<vmem>>, %arg2: memref<8x128xf32, #tpu.memory_space<vmem>>, %arg3: memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 2 : i64} {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %0 = tpu.memref_slice %arg0[%c0_i32, %c0_i32_0] : memref<64x256xf32, #tpu.memory_space<any>> -> memref<8x64xf32, #tpu.memory_space<any>>
    tpu.enqueue_dma source(%0 : memref<8x64xf32, #tpu.memory_space<any>>) target(%arg1 : memref<8x64xf32, #tpu.memory_space<vmem>>) target_semaphore(%arg3 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
    %c0_i32_1 = arith.constant 0 : i32
    %c0_i32_2 = arith.constant 0 : i32
    %1 = tpu.memref_slice %arg0[%c0_i32_1, %c0_i32_2] : memref<64x256xf32, #tpu.memory_space<any>> -> memref<8x64xf32, #tpu.memory_space<any>>
    tpu.wait_dma2 semaphore(%arg3 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%1 : memref<8x64xf32, #tpu.memory_space<any>>) dst(%arg1 : memref<8x64xf32, #tpu.memory_space<vmem>>)
    return
  }
}
