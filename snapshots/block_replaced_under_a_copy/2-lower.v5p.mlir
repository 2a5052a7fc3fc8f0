module @send_kernel {
  func.func @main(%arg0: i32, %arg1: memref<8x128xf32, #tpu.memory_space<vmem>>, %arg2: memref<4x8x128xf32, #tpu.memory_space<any>>, %arg3: memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 1 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 8, 128>}, {}]} {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi sgt, %arg0, %c0_i32 : i32
    %1 = arith.extui %0 : i1 to i32
    %c0_i32_0 = arith.constant 0 : i32
    %2 = arith.cmpi ne, %1, %c0_i32_0 : i32
    scf.if %2 {
      %c1_i32 = arith.constant 1 : i32
      %8 = arith.subi %arg0, %c1_i32 : i32
      %c0_i32_4 = arith.constant 0 : i32
      %c0_i32_5 = arith.constant 0 : i32
      %9 = tpu.memref_slice %arg2[%8, %c0_i32_4, %c0_i32_5] : memref<4x8x128xf32, #tpu.memory_space<any>> -> memref<1x8x128xf32, #tpu.memory_space<any>>
      %10 = tpu.memref_squeeze %9 : memref<1x8x128xf32, #tpu.memory_space<any>> -> memref<8x128xf32, #tpu.memory_space<any>>
      tpu.wait_dma2 semaphore(%arg3 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%arg1 : memref<8x128xf32, #tpu.memory_space<vmem>>) dst(%10 : memref<8x128xf32, #tpu.memory_space<any>>)
    } else {
    }
    %c0_i32_1 = arith.constant 0 : i32
    %c0_i32_2 = arith.constant 0 : i32
    %3 = tpu.memref_slice %arg2[%arg0, %c0_i32_1, %c0_i32_2] : memref<4x8x128xf32, #tpu.memory_space<any>> -> memref<1x8x128xf32, #tpu.memory_space<any>>
    %4 = tpu.memref_squeeze %3 : memref<1x8x128xf32, #tpu.memory_space<any>> -> memref<8x128xf32, #tpu.memory_space<any>>
    tpu.enqueue_dma source(%arg1 : memref<8x128xf32, #tpu.memory_space<vmem>>) target(%4 : memref<8x128xf32, #tpu.memory_space<any>>) target_semaphore(%arg3 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
    %c3_i32 = arith.constant 3 : i32
    %5 = arith.cmpi eq, %arg0, %c3_i32 : i32
    %6 = arith.extui %5 : i1 to i32
    %c0_i32_3 = arith.constant 0 : i32
    %7 = arith.cmpi ne, %6, %c0_i32_3 : i32
    scf.if %7 {
      %c0_i32_4 = arith.constant 0 : i32
      %c0_i32_5 = arith.constant 0 : i32
      %8 = tpu.memref_slice %arg2[%arg0, %c0_i32_4, %c0_i32_5] : memref<4x8x128xf32, #tpu.memory_space<any>> -> memref<1x8x128xf32, #tpu.memory_space<any>>
      %9 = tpu.memref_squeeze %8 : memref<1x8x128xf32, #tpu.memory_space<any>> -> memref<8x128xf32, #tpu.memory_space<any>>
      tpu.wait_dma2 semaphore(%arg3 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%arg1 : memref<8x128xf32, #tpu.memory_space<vmem>>) dst(%9 : memref<8x128xf32, #tpu.memory_space<any>>)
    } else {
    }
    return
  }
  func.func @transform_0(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
}
