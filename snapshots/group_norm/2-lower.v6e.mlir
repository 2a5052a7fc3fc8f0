module @group_norm_kernel {
  func.func @main(%arg0: i32, %arg1: i32, %arg2: memref<1x8x256xf32, #tpu.memory_space<vmem>>, %arg3: memref<8x1xf32, #tpu.memory_space<vmem>>, %arg4: memref<8x1xf32, #tpu.memory_space<vmem>>, %arg5: memref<1x8x256xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 2, 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 1, 8, 256>}, {transform_indices = @transform_1, window_bounds = array<i64: 8, 1>}, {transform_indices = @transform_2, window_bounds = array<i64: 8, 1>}, {transform_indices = @transform_3, window_bounds = array<i64: 1, 8, 256>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %0 = vector.load %arg2[%c0, %c0_0, %c0_1] : memref<1x8x256xf32, #tpu.memory_space<vmem>>, vector<1x8x256xf32>
    %1 = vector.shape_cast %0 : vector<1x8x256xf32> to vector<8x256xf32>
    %2 = vector.shape_cast %1 : vector<8x256xf32> to vector<1x8x256xf32>
    %cst = arith.constant dense<0.000000e+00> : vector<1xf32>
    %3 = vector.multi_reduction <add>, %2, %cst [1, 2] : vector<1x8x256xf32> to vector<1xf32>
    %4 = vector.shape_cast %3 : vector<1xf32> to vector<1x1x1xf32>
    %5 = vector.extract %4[0, 0, 0] : f32 from vector<1x1x1xf32>
    %6 = vector.broadcast %5 : f32 to vector<1x1xf32>
    %cst_2 = arith.constant 2.048000e+03 : f32
    %7 = vector.broadcast %cst_2 : f32 to vector<1x1xf32>
    %8 = arith.divf %6, %7 : vector<1x1xf32>
    %9 = vector.broadcast %8 : vector<1x1xf32> to vector<8x256xf32>
    %10 = arith.subf %1, %9 : vector<8x256xf32>
    %11 = arith.mulf %10, %10 : vector<8x256xf32>
    %12 = vector.shape_cast %11 : vector<8x256xf32> to vector<1x8x256xf32>
    %cst_3 = arith.constant dense<0.000000e+00> : vector<1xf32>
    %13 = vector.multi_reduction <add>, %12, %cst_3 [1, 2] : vector<1x8x256xf32> to vector<1xf32>
    %14 = vector.shape_cast %13 : vector<1xf32> to vector<1x1x1xf32>
    %15 = vector.extract %14[0, 0, 0] : f32 from vector<1x1x1xf32>
    %16 = vector.broadcast %15 : f32 to vector<1x1xf32>
    %cst_4 = arith.constant 2.048000e+03 : f32
    %17 = vector.broadcast %cst_4 : f32 to vector<1x1xf32>
    %18 = arith.divf %16, %17 : vector<1x1xf32>
    %cst_5 = arith.constant 9.99999974E-6 : f32
    %19 = vector.broadcast %cst_5 : f32 to vector<1x1xf32>
    %20 = arith.addf %18, %19 : vector<1x1xf32>
    %21 = math.rsqrt %20 : vector<1x1xf32>
    %22 = vector.broadcast %21 : vector<1x1xf32> to vector<8x256xf32>
    %23 = arith.mulf %10, %22 : vector<8x256xf32>
    %c0_6 = arith.constant 0 : index
    %c0_7 = arith.constant 0 : index
    %24 = vector.load %arg3[%c0_6, %c0_7] : memref<8x1xf32, #tpu.memory_space<vmem>>, vector<8x1xf32>
    %25 = vector.broadcast %24 : vector<8x1xf32> to vector<8x256xf32>
    %26 = arith.mulf %23, %25 : vector<8x256xf32>
    %c0_8 = arith.constant 0 : index
    %c0_9 = arith.constant 0 : index
    %27 = vector.load %arg4[%c0_8, %c0_9] : memref<8x1xf32, #tpu.memory_space<vmem>>, vector<8x1xf32>
    %28 = vector.broadcast %27 : vector<8x1xf32> to vector<8x256xf32>
    %29 = arith.addf %26, %28 : vector<8x256xf32>
    %c0_10 = arith.constant 0 : index
    %c0_11 = arith.constant 0 : index
    %c0_12 = arith.constant 0 : index
    %30 = vector.load %arg5[%c0_10, %c0_11, %c0_12] : memref<1x8x256xf32, #tpu.memory_space<vmem>>, vector<1x8x256xf32>
    %31 = vector.shape_cast %30 : vector<1x8x256xf32> to vector<8x256xf32>
    %32 = vector.shape_cast %29 : vector<8x256xf32> to vector<1x8x256xf32>
    tpu.vector_store %arg5[%c0_10, %c0_11, %c0_12], %32 {strides = array<i32>} : memref<1x8x256xf32, #tpu.memory_space<vmem>>, vector<1x8x256xf32>,
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %arg1, %c0_i32 : i32, i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg1, %c0_i32 : i32, i32
  }
  func.func @transform_2(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg1, %c0_i32 : i32, i32
  }
  func.func @transform_3(%arg0: i32, %arg1: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %arg1, %c0_i32 : i32, i32, i32
  }
}
