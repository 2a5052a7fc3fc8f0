module @chunked_dma_loop_kernel {
  func.func @main(%arg0: memref<512x256xf32, #tpu.memory_space<any>>, %arg1: memref<512x256xf32, #tpu.memory_space<any>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 0 : i64} {
    "tpu.region"() ({
      %alloca = memref.alloca() : memref<64x256xf32, #tpu.memory_space<vmem>>
      %alloca_0 = memref.alloca() : memref<64x256xf32, #tpu.memory_space<vmem>>
      %0 = tpu.sem_alloc : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %1 = tpu.sem_alloc : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %c0_i32 = arith.constant 0 : i32
      %c8_i32 = arith.constant 8 : i32
      %2 = arith.addi %c0_i32, %c8_i32 : i32
      %c1_i32 = arith.constant 1 : i32
      scf.for %arg2 = %c0_i32 to %2 step %c1_i32  : i32 {
        %c1_i32_2 = arith.constant 1 : i32
        %3 = arith.muli %arg2, %c1_i32_2 : i32
        %c0_i32_3 = arith.constant 0 : i32
        %4 = arith.addi %c0_i32_3, %3 : i32
        %c64_i32 = arith.constant 64 : i32
        %5 = arith.muli %4, %c64_i32 : i32
        %c0_i32_4 = arith.constant 0 : i32
        %6 = tpu.memref_slice %arg0[%5, %c0_i32_4] : memref<512x256xf32, #tpu.memory_space<any>> -> memref<64x256xf32, #tpu.memory_space<any>>
        tpu.enqueue_dma source(%6 : memref<64x256xf32, #tpu.memory_space<any>>) target(%alloca : memref<64x256xf32, #tpu.memory_space<vmem>>) target_semaphore(%0 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
        %c0_i32_5 = arith.constant 0 : i32
        %7 = tpu.memref_slice %arg0[%5, %c0_i32_5] : memref<512x256xf32, #tpu.memory_space<any>> -> memref<64x256xf32, #tpu.memory_space<any>>
        tpu.wait_dma2 semaphore(%0 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%7 : memref<64x256xf32, #tpu.memory_space<any>>) dst(%alloca : memref<64x256xf32, #tpu.memory_space<vmem>>)
        %c0 = arith.constant 0 : index
        %c0_6 = arith.constant 0 : index
        %8 = vector.load %alloca[%c0, %c0_6] : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>
        %cst = arith.constant 2.000000e+00 : f32
        %9 = vector.broadcast %cst : f32 to vector<64x256xf32>
        %10 = arith.mulf %8, %9 : vector<64x256xf32>
        %c0_7 = arith.constant 0 : index
        %c0_8 = arith.constant 0 : index
        %11 = vector.load %alloca_0[%c0_7, %c0_8] : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>
        %12 = vector.shape_cast %11 : vector<64x256xf32> to vector<64x256xf32>
        %13 = vector.shape_cast %10 : vector<64x256xf32> to vector<64x256xf32>
        tpu.vector_store %alloca_0[%c0_7, %c0_8], %13 {strides = array<i32>} : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>,
        %c0_i32_9 = arith.constant 0 : i32
        %14 = tpu.memref_slice %arg1[%5, %c0_i32_9] : memref<512x256xf32, #tpu.memory_space<any>> -> memref<64x256xf32, #tpu.memory_space<any>>
        tpu.enqueue_dma source(%alloca_0 : memref<64x256xf32, #tpu.memory_space<vmem>>) target(%14 : memref<64x256xf32, #tpu.memory_space<any>>) target_semaphore(%1 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
        %c0_i32_10 = arith.constant 0 : i32
        %15 = tpu.memref_slice %arg1[%5, %c0_i32_10] : memref<512x256xf32, #tpu.memory_space<any>> -> memref<64x256xf32, #tpu.memory_space<any>>
        tpu.wait_dma2 semaphore(%1 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%alloca_0 : memref<64x256xf32, #tpu.memory_space<vmem>>) dst(%15 : memref<64x256xf32, #tpu.memory_space<any>>)
      }
      %c8_i32_1 = arith.constant 8 : i32
      tpu.yield
    }) : () -> ()
    return
  }
}
