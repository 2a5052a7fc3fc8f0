module @swiglu_backward_kernel {
  func.func @main(%arg0: i32, %arg1: memref<128x512xbf16, #tpu.memory_space<vmem>>, %arg2: memref<128x512xbf16, #tpu.memory_space<vmem>>, %arg3: memref<128x512xbf16, #tpu.memory_space<vmem>>, %arg4: memref<128x512xbf16, #tpu.memory_space<vmem>>, %arg5: memref<128x512xbf16, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 2>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 128, 512>}, {transform_indices = @transform_1, window_bounds = array<i64: 128, 512>}, {transform_indices = @transform_2, window_bounds = array<i64: 128, 512>}, {transform_indices = @transform_3, window_bounds = array<i64: 128, 512>}, {transform_indices = @transform_4, window_bounds = array<i64: 128, 512>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg1[%c0, %c0_0] : memref<128x512xbf16, #tpu.memory_space<vmem>>, vector<128x512xbf16>
    %1 = arith.extf %0 : vector<128x512xbf16> to vector<128x512xf32>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %2 = vector.load %arg3[%c0_1, %c0_2] : memref<128x512xbf16, #tpu.memory_space<vmem>>, vector<128x512xbf16>
    %3 = arith.extf %2 : vector<128x512xbf16> to vector<128x512xf32>
    %4 = arith.negf %1 : vector<128x512xf32>
    %5 = math.exp %4 : vector<128x512xf32>
    %cst = arith.constant 1.000000e+00 : f32
    %6 = vector.broadcast %cst : f32 to vector<128x512xf32>
    %7 = arith.addf %6, %5 : vector<128x512xf32>
    %8 = arith.divf %6, %7 : vector<128x512xf32>
    %9 = arith.mulf %3, %1 : vector<128x512xf32>
    %10 = arith.mulf %9, %8 : vector<128x512xf32>
    %11 = arith.truncf %10 : vector<128x512xf32> to vector<128x512xbf16>
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    %12 = vector.load %arg5[%c0_3, %c0_4] : memref<128x512xbf16, #tpu.memory_space<vmem>>, vector<128x512xbf16>
    tpu.vector_store %arg5[%c0_3, %c0_4], %11 {strides = array<i32>} : memref<128x512xbf16, #tpu.memory_space<vmem>>, vector<128x512xbf16>,
    %cst_5 = arith.constant 1.000000e+00 : f32
    %13 = vector.broadcast %cst_5 : f32 to vector<128x512xf32>
    %14 = arith.subf %13, %8 : vector<128x512xf32>
    %15 = arith.mulf %1, %14 : vector<128x512xf32>
    %cst_6 = arith.constant 1.000000e+00 : f32
    %16 = vector.broadcast %cst_6 : f32 to vector<128x512xf32>
    %17 = arith.addf %16, %15 : vector<128x512xf32>
    %18 = arith.mulf %8, %17 : vector<128x512xf32>
    %c0_7 = arith.constant 0 : index
    %c0_8 = arith.constant 0 : index
    %19 = vector.load %arg2[%c0_7, %c0_8] : memref<128x512xbf16, #tpu.memory_space<vmem>>, vector<128x512xbf16>
    %20 = arith.extf %19 : vector<128x512xbf16> to vector<128x512xf32>
    %21 = arith.mulf %3, %20 : vector<128x512xf32>
    %22 = arith.mulf %21, %18 : vector<128x512xf32>
    %23 = arith.truncf %22 : vector<128x512xf32> to vector<128x512xbf16>
    %c0_9 = arith.constant 0 : index
    %c0_10 = arith.constant 0 : index
    %24 = vector.load %arg4[%c0_9, %c0_10] : memref<128x512xbf16, #tpu.memory_space<vmem>>, vector<128x512xbf16>
    tpu.vector_store %arg4[%c0_9, %c0_10], %23 {strides = array<i32>} : memref<128x512xbf16, #tpu.memory_space<vmem>>, vector<128x512xbf16>,
    return
  }
  func.func @transform_0(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
  func.func @transform_1(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
  func.func @transform_2(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
  func.func @transform_3(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
  func.func @transform_4(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
}
