module @table_to_smem_kernel {
  func.func @main(%arg0: memref<128xi32, #tpu.memory_space<any>>, %arg1: memref<16x8x128xf32, #tpu.memory_space<vmem>>, %arg2: memref<128x8x128xf32, #tpu.memory_space<vmem>>, %arg3: memref<128xi32, #tpu.memory_space<smem>>, %arg4: memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 2 : i64} {
    tpu.enqueue_dma source(%arg0 : memref<128xi32, #tpu.memory_space<any>>) target(%arg3 : memref<128xi32, #tpu.memory_space<smem>>) target_semaphore(%arg4 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
    tpu.wait_dma2 semaphore(%arg4 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%arg0 : memref<128xi32, #tpu.memory_space<any>>) dst(%arg3 : memref<128xi32, #tpu.memory_space<smem>>)
    %c0_i32 = arith.constant 0 : i32
    %c128_i32 = arith.constant 128 : i32
    %0 = arith.addi %c0_i32, %c128_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    scf.for %arg5 = %c0_i32 to %0 step %c1_i32  : i32 {
      %c1_i32_1 = arith.constant 1 : i32
      %1 = arith.muli %arg5, %c1_i32_1 : i32
      %c0_i32_2 = arith.constant 0 : i32
      %2 = arith.addi %c0_i32_2, %1 : i32
      %3 = arith.index_cast %2 : i32 to index
      %4 = memref.load %arg3[%3] : memref<128xi32, #tpu.memory_space<smem>>
      %5 = arith.index_cast %4 : i32 to index
      %c0 = arith.constant 0 : index
      %c0_3 = arith.constant 0 : index
      %6 = vector.load %arg1[%5, %c0, %c0_3] : memref<16x8x128xf32, #tpu.memory_space<vmem>>, vector<1x8x128xf32>
      %7 = vector.shape_cast %6 : vector<1x8x128xf32> to vector<8x128xf32>
      %8 = arith.index_cast %2 : i32 to index
      %c0_4 = arith.constant 0 : index
      %c0_5 = arith.constant 0 : index
      %9 = vector.load %arg2[%8, %c0_4, %c0_5] : memref<128x8x128xf32, #tpu.memory_space<vmem>>, vector<1x8x128xf32>
      %10 = vector.shape_cast %9 : vector<1x8x128xf32> to vector<8x128xf32>
      %11 = vector.shape_cast %7 : vector<8x128xf32> to vector<1x8x128xf32>
      tpu.vector_store %arg2[%8, %c0_4, %c0_5], %11 {strides = array<i32>} : memref<128x8x128xf32, #tpu.memory_space<vmem>>, vector<1x8x128xf32>,
    }
    %c128_i32_0 = arith.constant 128 : i32
    return
  }
}
