module @dynamic_size_copy_kernel {
  func.func @main(%arg0: memref<2xi32, #tpu.memory_space<smem>>, %arg1: memref<128x256xf32, #tpu.memory_space<any>>, %arg2: memref<128x256xf32, #tpu.memory_space<any>>, %arg3: memref<128x256xf32, #tpu.memory_space<any>>, %arg4: memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) attributes {dimension_semantics = [], scalar_prefetch = 1 : i64, scratch_operands = 1 : i64} {
    %c0 = arith.constant 0 : index
    %0 = memref.load %arg0[%c0] : memref<2xi32, #tpu.memory_space<smem>>
    %c8_i32 = arith.constant 8 : i32
    %1 = arith.muli %0, %c8_i32 : i32
    %c1 = arith.constant 1 : index
    %2 = memref.load %arg0[%c1] : memref<2xi32, #tpu.memory_space<smem>>
    %c0_0 = arith.constant 0 : index
    %3 = memref.load %arg0[%c0_0] : memref<2xi32, #tpu.memory_space<smem>>
    %4 = arith.subi %2, %3 : i32
    %c8_i32_1 = arith.constant 8 : i32
    %5 = arith.muli %4, %c8_i32_1 : i32
    %c0_i32 = arith.constant 0 : i32
    %6 = tpu.memref_slice %arg3[%1, %c0_i32] <%5> : memref<128x256xf32, #tpu.memory_space<any>> -> memref<?x256xf32, #tpu.memory_space<any>>
    %c0_i32_2 = arith.constant 0 : i32
    %7 = tpu.memref_slice %arg1[%1, %c0_i32_2] <%5> : memref<128x256xf32, #tpu.memory_space<any>> -> memref<?x256xf32, #tpu.memory_space<any>>
    tpu.enqueue_dma source(%7 : memref<?x256xf32, #tpu.memory_space<any>>) target(%6 : memref<?x256xf32, #tpu.memory_space<any>>) target_semaphore(%arg4 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
    %c0_i32_3 = arith.constant 0 : i32
    %8 = tpu.memref_slice %arg3[%1, %c0_i32_3] <%5> : memref<128x256xf32, #tpu.memory_space<any>> -> memref<?x256xf32, #tpu.memory_space<any>>
    %c0_i32_4 = arith.constant 0 : i32
    %9 = tpu.memref_slice %arg1[%1, %c0_i32_4] <%5> : memref<128x256xf32, #tpu.memory_space<any>> -> memref<?x256xf32, #tpu.memory_space<any>>
    tpu.wait_dma2 semaphore(%arg4 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%9 : memref<?x256xf32, #tpu.memory_space<any>>) dst(%8 : memref<?x256xf32, #tpu.memory_space<any>>)
    return
  }
}
