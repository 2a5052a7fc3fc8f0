module @ragged_copy_kernel {
  func.func @main(%arg0: memref<1xi32, #tpu.memory_space<smem>>, %arg1: memref<128x256xf32, #tpu.memory_space<any>>, %arg2: memref<128x256xf32, #tpu.memory_space<any>>, %arg3: memref<128x256xf32, #tpu.memory_space<any>>, %arg4: memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) attributes {dimension_semantics = [], scalar_prefetch = 1 : i64, scratch_operands = 1 : i64} {
    %c0 = arith.constant 0 : index
    %0 = memref.load %arg0[%c0] : memref<1xi32, #tpu.memory_space<smem>>
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %1 = arith.addi %c0_i32, %c64_i32 : i32
    %2 = arith.cmpi sle, %1, %0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %3 = tpu.assume_multiple %c0_i32_0, 8 : i32
    %4 = arith.extui %2 : i1 to i32
    %c0_i32_1 = arith.constant 0 : i32
    %5 = arith.cmpi ne, %4, %c0_i32_1 : i32
    scf.if %5 {
      %c0_i32_10 = arith.constant 0 : i32
      %27 = tpu.memref_slice %arg3[%3, %c0_i32_10] : memref<128x256xf32, #tpu.memory_space<any>> -> memref<64x256xf32, #tpu.memory_space<any>>
      %c0_i32_11 = arith.constant 0 : i32
      %28 = tpu.memref_slice %arg1[%3, %c0_i32_11] : memref<128x256xf32, #tpu.memory_space<any>> -> memref<64x256xf32, #tpu.memory_space<any>>
      tpu.enqueue_dma source(%28 : memref<64x256xf32, #tpu.memory_space<any>>) target(%27 : memref<64x256xf32, #tpu.memory_space<any>>) target_semaphore(%arg4 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
      %c0_i32_12 = arith.constant 0 : i32
      %29 = tpu.memref_slice %arg3[%3, %c0_i32_12] : memref<128x256xf32, #tpu.memory_space<any>> -> memref<64x256xf32, #tpu.memory_space<any>>
      %c0_i32_13 = arith.constant 0 : i32
      %30 = tpu.memref_slice %arg1[%3, %c0_i32_13] : memref<128x256xf32, #tpu.memory_space<any>> -> memref<64x256xf32, #tpu.memory_space<any>>
      tpu.wait_dma2 semaphore(%arg4 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%30 : memref<64x256xf32, #tpu.memory_space<any>>) dst(%29 : memref<64x256xf32, #tpu.memory_space<any>>)
    } else {
    }
    %c0_i32_2 = arith.constant 0 : i32
    %c64_i32_3 = arith.constant 64 : i32
    %6 = arith.addi %c0_i32_2, %c64_i32_3 : i32
    %c0_i32_4 = arith.constant 0 : i32
    %7 = arith.select %2, %6, %c0_i32_4 : i32
    %c32_i32 = arith.constant 32 : i32
    %8 = arith.addi %7, %c32_i32 : i32
    %9 = arith.cmpi sle, %8, %0 : i32
    %10 = tpu.assume_multiple %7, 8 : i32
    %11 = arith.extui %9 : i1 to i32
    %c0_i32_5 = arith.constant 0 : i32
    %12 = arith.cmpi ne, %11, %c0_i32_5 : i32
    scf.if %12 {
      %c0_i32_10 = arith.constant 0 : i32
      %27 = tpu.memref_slice %arg3[%10, %c0_i32_10] : memref<128x256xf32, #tpu.memory_space<any>> -> memref<32x256xf32, #tpu.memory_space<any>>
      %c0_i32_11 = arith.constant 0 : i32
      %28 = tpu.memref_slice %arg1[%10, %c0_i32_11] : memref<128x256xf32, #tpu.memory_space<any>> -> memref<32x256xf32, #tpu.memory_space<any>>
      tpu.enqueue_dma source(%28 : memref<32x256xf32, #tpu.memory_space<any>>) target(%27 : memref<32x256xf32, #tpu.memory_space<any>>) target_semaphore(%arg4 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
      %c0_i32_12 = arith.constant 0 : i32
      %29 = tpu.memref_slice %arg3[%10, %c0_i32_12] : memref<128x256xf32, #tpu.memory_space<any>> -> memref<32x256xf32, #tpu.memory_space<any>>
      %c0_i32_13 = arith.constant 0 : i32
      %30 = tpu.memref_slice %arg1[%10, %c0_i32_13] : memref<128x256xf32, #tpu.memory_space<any>> -> memref<32x256xf32, #tpu.memory_space<any>>
      tpu.wait_dma2 semaphore(%arg4 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%30 : memref<32x256xf32, #tpu.memory_space<any>>) dst(%29 : memref<32x256xf32, #tpu.memory_space<any>>)
    } else {
    }
    %c32_i32_6 = arith.constant 32 : i32
    %13 = arith.addi %7, %c32_i32_6 : i32
    %14 = arith.select %9, %13, %7 : i32
    %c16_i32 = arith.constant 16 : i32
    %15 = arith.addi %14, %c16_i32 : i32
    %16 = arith.cmpi sle, %15, %0 : i32
    %17 = tpu.assume_multiple %14, 8 : i32
    %18 = arith.extui %16 : i1 to i32
    %c0_i32_7 = arith.constant 0 : i32
    %19 = arith.cmpi ne, %18, %c0_i32_7 : i32
    scf.if %19 {
      %c0_i32_10 = arith.constant 0 : i32
      %27 = tpu.memref_slice %arg3[%17, %c0_i32_10] : memref<128x256xf32, #tpu.memory_space<any>> -> memref<16x256xf32, #tpu.memory_space<any>>
      %c0_i32_11 = arith.constant 0 : i32
      %28 = tpu.memref_slice %arg1[%17, %c0_i32_11] : memref<128x256xf32, #tpu.memory_space<any>> -> memref<16x256xf32, #tpu.memory_space<any>>
      tpu.enqueue_dma source(%28 : memref<16x256xf32, #tpu.memory_space<any>>) target(%27 : memref<16x256xf32, #tpu.memory_space<any>>) target_semaphore(%arg4 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
      %c0_i32_12 = arith.constant 0 : i32
      %29 = tpu.memref_slice %arg3[%17, %c0_i32_12] : memref<128x256xf32, #tpu.memory_space<any>> -> memref<16x256xf32, #tpu.memory_space<any>>
      %c0_i32_13 = arith.constant 0 : i32
      %30 = tpu.memref_slice %arg1[%17, %c0_i32_13] : memref<128x256xf32, #tpu.memory_space<any>> -> memref<16x256xf32, #tpu.memory_space<any>>
      tpu.wait_dma2 semaphore(%arg4 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%30 : memref<16x256xf32, #tpu.memory_space<any>>) dst(%29 : memref<16x256xf32, #tpu.memory_space<any>>)
    } else {
    }
    %c16_i32_8 = arith.constant 16 : i32
    %20 = arith.addi %14, %c16_i32_8 : i32
    %21 = arith.select %16, %20, %14 : i32
    %c8_i32 = arith.constant 8 : i32
    %22 = arith.addi %21, %c8_i32 : i32
    %23 = arith.cmpi sle, %22, %0 : i32
    %24 = tpu.assume_multiple %21, 8 : i32
    %25 = arith.extui %23 : i1 to i32
    %c0_i32_9 = arith.constant 0 : i32
    %26 = arith.cmpi ne, %25, %c0_i32_9 : i32
    scf.if %26 {
      %c0_i32_10 = arith.constant 0 : i32
      %27 = tpu.memref_slice %arg3[%24, %c0_i32_10] : memref<128x256xf32, #tpu.memory_space<any>> -> memref<8x256xf32, #tpu.memory_space<any>>
      %c0_i32_11 = arith.constant 0 : i32
      %28 = tpu.memref_slice %arg1[%24, %c0_i32_11] : memref<128x256xf32, #tpu.memory_space<any>> -> memref<8x256xf32, #tpu.memory_space<any>>
      tpu.enqueue_dma source(%28 : memref<8x256xf32, #tpu.memory_space<any>>) target(%27 : memref<8x256xf32, #tpu.memory_space<any>>) target_semaphore(%arg4 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
      %c0_i32_12 = arith.constant 0 : i32
      %29 = tpu.memref_slice %arg3[%24, %c0_i32_12] : memref<128x256xf32, #tpu.memory_space<any>> -> memref<8x256xf32, #tpu.memory_space<any>>
      %c0_i32_13 = arith.constant 0 : i32
      %30 = tpu.memref_slice %arg1[%24, %c0_i32_13] : memref<128x256xf32, #tpu.memory_space<any>> -> memref<8x256xf32, #tpu.memory_space<any>>
      tpu.wait_dma2 semaphore(%arg4 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%30 : memref<8x256xf32, #tpu.memory_space<any>>) dst(%29 : memref<8x256xf32, #tpu.memory_space<any>>)
    } else {
    }
    return
  }
}
