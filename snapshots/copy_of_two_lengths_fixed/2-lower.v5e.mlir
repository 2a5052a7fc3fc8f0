module @kernel {
  func.func @main(%arg0: memref<2xi32, #tpu.memory_space<smem>>, %arg1: memref<16x128xf32, #tpu.memory_space<any>>, %arg2: memref<16x128xf32, #tpu.memory_space<vmem>>, %arg3: memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) attributes {dimension_semantics = [], scalar_prefetch = 1 : i64, scratch_operands = 1 : i64} {
    %c0 = arith.constant 0 : index
    %0 = memref.load %arg0[%c0] : memref<2xi32, #tpu.memory_space<smem>>
    %c8_i32 = arith.constant 8 : i32
    %1 = arith.muli %0, %c8_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %2 = tpu.memref_slice %arg2[%c0_i32, %c0_i32_0] <%1> : memref<16x128xf32, #tpu.memory_space<vmem>> -> memref<?x128xf32, #tpu.memory_space<vmem>>
    %c0_i32_1 = arith.constant 0 : i32
    %c0_i32_2 = arith.constant 0 : i32
    %3 = tpu.memref_slice %arg1[%c0_i32_1, %c0_i32_2] <%1> : memref<16x128xf32, #tpu.memory_space<any>> -> memref<?x128xf32, #tpu.memory_space<any>>
    tpu.enqueue_dma source(%3 : memref<?x128xf32, #tpu.memory_space<any>>) target(%2 : memref<?x128xf32, #tpu.memory_space<vmem>>) target_semaphore(%arg3 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
    %c0_i32_3 = arith.constant 0 : i32
    %c0_i32_4 = arith.constant 0 : i32
    %4 = tpu.memref_slice %arg2[%c0_i32_3, %c0_i32_4] <%1> : memref<16x128xf32, #tpu.memory_space<vmem>> -> memref<?x128xf32, #tpu.memory_space<vmem>>
    %c0_i32_5 = arith.constant 0 : i32
    %c0_i32_6 = arith.constant 0 : i32
    %5 = tpu.memref_slice %arg1[%c0_i32_5, %c0_i32_6] <%1> : memref<16x128xf32, #tpu.memory_space<any>> -> memref<?x128xf32, #tpu.memory_space<any>>
    tpu.wait_dma2 semaphore(%arg3 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%5 : memref<?x128xf32, #tpu.memory_space<any>>) dst(%4 : memref<?x128xf32, #tpu.memory_space<vmem>>)
    return
  }
}
