module @cumsum_with_carry_kernel {
  func.func @main(%arg0: i32, %arg1: i32, %arg2: memref<64x128xf32, #tpu.memory_space<vmem>>, %arg3: memref<64x128xf32, #tpu.memory_space<vmem>>, %arg4: memref<1x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 2, 4>, scalar_prefetch = 0 : i64, scratch_operands = 1 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 64, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 64, 128>}]} {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi eq, %arg1, %c0_i32 : i32
    %1 = arith.extui %0 : i1 to i32
    %c0_i32_0 = arith.constant 0 : i32
    %2 = arith.cmpi ne, %1, %c0_i32_0 : i32
    scf.if %2 {
      %cst_19 = arith.constant 0.000000e+00 : f32
      %49 = vector.broadcast %cst_19 : f32 to vector<1x128xf32>
      %c0_20 = arith.constant 0 : index
      %c0_21 = arith.constant 0 : index
      %50 = vector.load %arg4[%c0_20, %c0_21] : memref<1x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>
      %51 = vector.shape_cast %50 : vector<1x128xf32> to vector<1x128xf32>
      %52 = vector.shape_cast %49 : vector<1x128xf32> to vector<1x128xf32>
      tpu.vector_store %arg4[%c0_20, %c0_21], %52 {strides = array<i32>} : memref<1x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>,
    } else {
    }
    %c0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %3 = vector.load %arg2[%c0, %c0_1] : memref<64x128xf32, #tpu.memory_space<vmem>>, vector<64x128xf32>
    %4 = tpu.iota {dimensions = array<i32: 0>} : vector<64x128xi32>
    %c1_i32 = arith.constant 1 : i32
    %5 = vector.broadcast %c1_i32 : i32 to vector<64x128xi32>
    %6 = arith.cmpi sge, %4, %5 : vector<64x128xi32>
    %c1_i32_2 = arith.constant 1 : i32
    %7 = tpu.dynamic_rotate %3 by %c1_i32_2 dim 0 : vector<64x128xf32>, i32 -> vector<64x128xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %8 = vector.broadcast %cst : f32 to vector<64x128xf32>
    %9 = arith.select %6, %7, %8 : vector<64x128xi1>, vector<64x128xf32>
    %10 = arith.addf %3, %9 : vector<64x128xf32>
    %c2_i32 = arith.constant 2 : i32
    %11 = vector.broadcast %c2_i32 : i32 to vector<64x128xi32>
    %12 = arith.cmpi sge, %4, %11 : vector<64x128xi32>
    %c2_i32_3 = arith.constant 2 : i32
    %13 = tpu.dynamic_rotate %10 by %c2_i32_3 dim 0 : vector<64x128xf32>, i32 -> vector<64x128xf32>
    %cst_4 = arith.constant 0.000000e+00 : f32
    %14 = vector.broadcast %cst_4 : f32 to vector<64x128xf32>
    %15 = arith.select %12, %13, %14 : vector<64x128xi1>, vector<64x128xf32>
    %16 = arith.addf %10, %15 : vector<64x128xf32>
    %c4_i32 = arith.constant 4 : i32
    %17 = vector.broadcast %c4_i32 : i32 to vector<64x128xi32>
    %18 = arith.cmpi sge, %4, %17 : vector<64x128xi32>
    %c4_i32_5 = arith.constant 4 : i32
    %19 = tpu.dynamic_rotate %16 by %c4_i32_5 dim 0 : vector<64x128xf32>, i32 -> vector<64x128xf32>
    %cst_6 = arith.constant 0.000000e+00 : f32
    %20 = vector.broadcast %cst_6 : f32 to vector<64x128xf32>
    %21 = arith.select %18, %19, %20 : vector<64x128xi1>, vector<64x128xf32>
    %22 = arith.addf %16, %21 : vector<64x128xf32>
    %c8_i32 = arith.constant 8 : i32
    %23 = vector.broadcast %c8_i32 : i32 to vector<64x128xi32>
    %24 = arith.cmpi sge, %4, %23 : vector<64x128xi32>
    %c8_i32_7 = arith.constant 8 : i32
    %25 = tpu.dynamic_rotate %22 by %c8_i32_7 dim 0 : vector<64x128xf32>, i32 -> vector<64x128xf32>
    %cst_8 = arith.constant 0.000000e+00 : f32
    %26 = vector.broadcast %cst_8 : f32 to vector<64x128xf32>
    %27 = arith.select %24, %25, %26 : vector<64x128xi1>, vector<64x128xf32>
    %28 = arith.addf %22, %27 : vector<64x128xf32>
    %c16_i32 = arith.constant 16 : i32
    %29 = vector.broadcast %c16_i32 : i32 to vector<64x128xi32>
    %30 = arith.cmpi sge, %4, %29 : vector<64x128xi32>
    %c16_i32_9 = arith.constant 16 : i32
    %31 = tpu.dynamic_rotate %28 by %c16_i32_9 dim 0 : vector<64x128xf32>, i32 -> vector<64x128xf32>
    %cst_10 = arith.constant 0.000000e+00 : f32
    %32 = vector.broadcast %cst_10 : f32 to vector<64x128xf32>
    %33 = arith.select %30, %31, %32 : vector<64x128xi1>, vector<64x128xf32>
    %34 = arith.addf %28, %33 : vector<64x128xf32>
    %c32_i32 = arith.constant 32 : i32
    %35 = vector.broadcast %c32_i32 : i32 to vector<64x128xi32>
    %36 = arith.cmpi sge, %4, %35 : vector<64x128xi32>
    %c32_i32_11 = arith.constant 32 : i32
    %37 = tpu.dynamic_rotate %34 by %c32_i32_11 dim 0 : vector<64x128xf32>, i32 -> vector<64x128xf32>
    %cst_12 = arith.constant 0.000000e+00 : f32
    %38 = vector.broadcast %cst_12 : f32 to vector<64x128xf32>
    %39 = arith.select %36, %37, %38 : vector<64x128xi1>, vector<64x128xf32>
    %40 = arith.addf %34, %39 : vector<64x128xf32>
    %c0_13 = arith.constant 0 : index
    %c0_14 = arith.constant 0 : index
    %41 = vector.load %arg4[%c0_13, %c0_14] : memref<1x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>
    %42 = vector.broadcast %41 : vector<1x128xf32> to vector<64x128xf32>
    %43 = arith.addf %40, %42 : vector<64x128xf32>
    %c0_15 = arith.constant 0 : index
    %c0_16 = arith.constant 0 : index
    %44 = vector.load %arg3[%c0_15, %c0_16] : memref<64x128xf32, #tpu.memory_space<vmem>>, vector<64x128xf32>
    tpu.vector_store %arg3[%c0_15, %c0_16], %43 {strides = array<i32>} : memref<64x128xf32, #tpu.memory_space<vmem>>, vector<64x128xf32>,
    %45 = vector.extract_strided_slice %43 {offsets = [63, 0], sizes = [1, 128], strides = [1, 1]} : vector<64x128xf32> to vector<1x128xf32>
    %c0_17 = arith.constant 0 : index
    %c0_18 = arith.constant 0 : index
    %46 = vector.load %arg4[%c0_17, %c0_18] : memref<1x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>
    %47 = vector.shape_cast %46 : vector<1x128xf32> to vector<1x128xf32>
    %48 = vector.shape_cast %45 : vector<1x128xf32> to vector<1x128xf32>
    tpu.vector_store %arg4[%c0_17, %c0_18], %48 {strides = array<i32>} : memref<1x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>,
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    return %arg1, %arg0 : i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    return %arg1, %arg0 : i32, i32
  }
}
