module @prefetch_kernel {
  func.func @main(%arg0: i32, %arg1: memref<4x16x128xf32, #tpu.memory_space<any>>, %arg2: memref<16x128xf32, #tpu.memory_space<vmem>>, %arg3: memref<2x16x128xf32, #tpu.memory_space<vmem>>, %arg4: memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 2 : i64, window_params = [{}, {transform_indices = @transform_1, window_bounds = array<i64: 16, 128>}]} {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi eq, %arg0, %c0_i32 : i32
    %1 = arith.extui %0 : i1 to i32
    %c0_i32_0 = arith.constant 0 : i32
    %2 = arith.cmpi ne, %1, %c0_i32_0 : i32
    scf.if %2 {
      %c0_i32_20 = arith.constant 0 : i32
      %c0_i32_21 = arith.constant 0 : i32
      %c0_i32_22 = arith.constant 0 : i32
      %37 = tpu.memref_slice %arg4[%c0_i32_22] : memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %38 = tpu.memref_squeeze %37 : memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %c0_i32_23 = arith.constant 0 : i32
      %c0_i32_24 = arith.constant 0 : i32
      %39 = tpu.memref_slice %arg3[%c0_i32_21, %c0_i32_23, %c0_i32_24] : memref<2x16x128xf32, #tpu.memory_space<vmem>> -> memref<1x16x128xf32, #tpu.memory_space<vmem>>
      %40 = tpu.memref_squeeze %39 : memref<1x16x128xf32, #tpu.memory_space<vmem>> -> memref<16x128xf32, #tpu.memory_space<vmem>>
      %c0_i32_25 = arith.constant 0 : i32
      %c0_i32_26 = arith.constant 0 : i32
      %41 = tpu.memref_slice %arg1[%c0_i32_20, %c0_i32_25, %c0_i32_26] : memref<4x16x128xf32, #tpu.memory_space<any>> -> memref<1x16x128xf32, #tpu.memory_space<any>>
      %42 = tpu.memref_squeeze %41 : memref<1x16x128xf32, #tpu.memory_space<any>> -> memref<16x128xf32, #tpu.memory_space<any>>
      tpu.enqueue_dma source(%42 : memref<16x128xf32, #tpu.memory_space<any>>) target(%40 : memref<16x128xf32, #tpu.memory_space<vmem>>) target_semaphore(%38 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
    } else {
    }
    %c1_i32 = arith.constant 1 : i32
    %3 = arith.addi %arg0, %c1_i32 : i32
    %c4_i32 = arith.constant 4 : i32
    %4 = arith.cmpi slt, %3, %c4_i32 : i32
    %5 = arith.extui %4 : i1 to i32
    %c0_i32_1 = arith.constant 0 : i32
    %6 = arith.cmpi ne, %5, %c0_i32_1 : i32
    scf.if %6 {
      %c1_i32_20 = arith.constant 1 : i32
      %37 = arith.addi %arg0, %c1_i32_20 : i32
      %c1_i32_21 = arith.constant 1 : i32
      %38 = arith.addi %arg0, %c1_i32_21 : i32
      %c2_i32_22 = arith.constant 2 : i32
      %c0_i32_23 = arith.constant 0 : i32
      %39 = arith.cmpi eq, %c2_i32_22, %c0_i32_23 : i32
      %c1_i32_24 = arith.constant 1 : i32
      %40 = arith.select %39, %c1_i32_24, %c2_i32_22 : i32
      %41 = arith.remsi %38, %40 : i32
      %c0_i32_25 = arith.constant 0 : i32
      %42 = arith.cmpi ne, %41, %c0_i32_25 : i32
      %c0_i32_26 = arith.constant 0 : i32
      %43 = arith.cmpi slt, %41, %c0_i32_26 : i32
      %c0_i32_27 = arith.constant 0 : i32
      %44 = arith.cmpi slt, %40, %c0_i32_27 : i32
      %45 = arith.xori %43, %44 : i1
      %46 = arith.andi %45, %42 : i1
      %47 = arith.addi %41, %40 : i32
      %48 = arith.select %46, %47, %41 : i32
      %49 = tpu.memref_slice %arg4[%48] : memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %50 = tpu.memref_squeeze %49 : memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %c0_i32_28 = arith.constant 0 : i32
      %c0_i32_29 = arith.constant 0 : i32
      %51 = tpu.memref_slice %arg3[%48, %c0_i32_28, %c0_i32_29] : memref<2x16x128xf32, #tpu.memory_space<vmem>> -> memref<1x16x128xf32, #tpu.memory_space<vmem>>
      %52 = tpu.memref_squeeze %51 : memref<1x16x128xf32, #tpu.memory_space<vmem>> -> memref<16x128xf32, #tpu.memory_space<vmem>>
      %c0_i32_30 = arith.constant 0 : i32
      %c0_i32_31 = arith.constant 0 : i32
      %53 = tpu.memref_slice %arg1[%37, %c0_i32_30, %c0_i32_31] : memref<4x16x128xf32, #tpu.memory_space<any>> -> memref<1x16x128xf32, #tpu.memory_space<any>>
      %54 = tpu.memref_squeeze %53 : memref<1x16x128xf32, #tpu.memory_space<any>> -> memref<16x128xf32, #tpu.memory_space<any>>
      tpu.enqueue_dma source(%54 : memref<16x128xf32, #tpu.memory_space<any>>) target(%52 : memref<16x128xf32, #tpu.memory_space<vmem>>) target_semaphore(%50 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
    } else {
    }
    %c2_i32 = arith.constant 2 : i32
    %c0_i32_2 = arith.constant 0 : i32
    %7 = arith.cmpi eq, %c2_i32, %c0_i32_2 : i32
    %c1_i32_3 = arith.constant 1 : i32
    %8 = arith.select %7, %c1_i32_3, %c2_i32 : i32
    %9 = arith.remsi %arg0, %8 : i32
    %c0_i32_4 = arith.constant 0 : i32
    %10 = arith.cmpi ne, %9, %c0_i32_4 : i32
    %c0_i32_5 = arith.constant 0 : i32
    %11 = arith.cmpi slt, %9, %c0_i32_5 : i32
    %c0_i32_6 = arith.constant 0 : i32
    %12 = arith.cmpi slt, %8, %c0_i32_6 : i32
    %13 = arith.xori %11, %12 : i1
    %14 = arith.andi %13, %10 : i1
    %15 = arith.addi %9, %8 : i32
    %16 = arith.select %14, %15, %9 : i32
    %17 = tpu.memref_slice %arg4[%16] : memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %18 = tpu.memref_squeeze %17 : memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>> -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %c0_i32_7 = arith.constant 0 : i32
    %c0_i32_8 = arith.constant 0 : i32
    %19 = tpu.memref_slice %arg3[%16, %c0_i32_7, %c0_i32_8] : memref<2x16x128xf32, #tpu.memory_space<vmem>> -> memref<1x16x128xf32, #tpu.memory_space<vmem>>
    %20 = tpu.memref_squeeze %19 : memref<1x16x128xf32, #tpu.memory_space<vmem>> -> memref<16x128xf32, #tpu.memory_space<vmem>>
    %c0_i32_9 = arith.constant 0 : i32
    %c0_i32_10 = arith.constant 0 : i32
    %21 = tpu.memref_slice %arg1[%arg0, %c0_i32_9, %c0_i32_10] : memref<4x16x128xf32, #tpu.memory_space<any>> -> memref<1x16x128xf32, #tpu.memory_space<any>>
    %22 = tpu.memref_squeeze %21 : memref<1x16x128xf32, #tpu.memory_space<any>> -> memref<16x128xf32, #tpu.memory_space<any>>
    tpu.wait_dma2 semaphore(%18 : memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) src(%22 : memref<16x128xf32, #tpu.memory_space<any>>) dst(%20 : memref<16x128xf32, #tpu.memory_space<vmem>>)
    %c2_i32_11 = arith.constant 2 : i32
    %c0_i32_12 = arith.constant 0 : i32
    %23 = arith.cmpi eq, %c2_i32_11, %c0_i32_12 : i32
    %c1_i32_13 = arith.constant 1 : i32
    %24 = arith.select %23, %c1_i32_13, %c2_i32_11 : i32
    %25 = arith.remsi %arg0, %24 : i32
    %c0_i32_14 = arith.constant 0 : i32
    %26 = arith.cmpi ne, %25, %c0_i32_14 : i32
    %c0_i32_15 = arith.constant 0 : i32
    %27 = arith.cmpi slt, %25, %c0_i32_15 : i32
    %c0_i32_16 = arith.constant 0 : i32
    %28 = arith.cmpi slt, %24, %c0_i32_16 : i32
    %29 = arith.xori %27, %28 : i1
    %30 = arith.andi %29, %26 : i1
    %31 = arith.addi %25, %24 : i32
    %32 = arith.select %30, %31, %25 : i32
    %33 = arith.index_cast %32 : i32 to index
    %c0 = arith.constant 0 : index
    %c0_17 = arith.constant 0 : index
    %34 = vector.load %arg3[%33, %c0, %c0_17] : memref<2x16x128xf32, #tpu.memory_space<vmem>>, vector<1x16x128xf32>
    %35 = vector.shape_cast %34 : vector<1x16x128xf32> to vector<16x128xf32>
    %c0_18 = arith.constant 0 : index
    %c0_19 = arith.constant 0 : index
    %36 = vector.load %arg2[%c0_18, %c0_19] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>
    tpu.vector_store %arg2[%c0_18, %c0_19], %35 {strides = array<i32>} : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>,
    return
  }
  func.func @transform_1(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
}
