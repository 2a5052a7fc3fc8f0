module @batched_head_attention_kernel {
  func.func @main(%arg0: i32, %arg1: memref<1x4x128x128xbf16, #tpu.memory_space<vmem>>, %arg2: memref<1x4x128x128xbf16, #tpu.memory_space<vmem>>, %arg3: memref<1x4x128x128xbf16, #tpu.memory_space<vmem>>, %arg4: memref<1x4x128x128xbf16, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 2>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 1, 4, 128, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 1, 4, 128, 128>}, {transform_indices = @transform_2, window_bounds = array<i64: 1, 4, 128, 128>}, {transform_indices = @transform_3, window_bounds = array<i64: 1, 4, 128, 128>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %0 = vector.load %arg1[%c0, %c0_0, %c0_1, %c0_2] : memref<1x4x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x4x128x128xbf16>
    %1 = vector.shape_cast %0 : vector<1x4x128x128xbf16> to vector<4x128x128xbf16>
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    %c0_5 = arith.constant 0 : index
    %c0_6 = arith.constant 0 : index
    %2 = vector.load %arg2[%c0_3, %c0_4, %c0_5, %c0_6] : memref<1x4x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x4x128x128xbf16>
    %3 = vector.shape_cast %2 : vector<1x4x128x128xbf16> to vector<4x128x128xbf16>
    %cst = arith.constant dense<0.000000e+00> : vector<4x128x128xf32>
    %4 = tpu.matmul %1, %3, %cst {dimension_numbers = #tpu.dot_dimension_numbers<[2], [2], [1], [1], [0, 0, 0, 1, 1, 1], [0], [0]>, transpose_lhs_hint = false} : vector<4x128x128xbf16>, vector<4x128x128xbf16>, vector<4x128x128xf32> -> vector<4x128x128xf32>
    %cst_7 = arith.constant 0.0883883461 : f32
    %5 = vector.broadcast %cst_7 : f32 to vector<4x128x128xf32>
    %6 = arith.mulf %4, %5 : vector<4x128x128xf32>
    %cst_8 = arith.constant dense<0xFF800000> : vector<4x128xf32>
    %7 = vector.multi_reduction <maximumf>, %6, %cst_8 [2] : vector<4x128x128xf32> to vector<4x128xf32>
    %8 = vector.shape_cast %7 : vector<4x128xf32> to vector<4x128x1xf32>
    %9 = vector.broadcast %8 : vector<4x128x1xf32> to vector<4x128x128xf32>
    %10 = arith.subf %6, %9 : vector<4x128x128xf32>
    %11 = math.exp %10 : vector<4x128x128xf32>
    %cst_9 = arith.constant dense<0.000000e+00> : vector<4x128xf32>
    %12 = vector.multi_reduction <add>, %11, %cst_9 [2] : vector<4x128x128xf32> to vector<4x128xf32>
    %13 = vector.shape_cast %12 : vector<4x128xf32> to vector<4x128x1xf32>
    %14 = arith.truncf %11 : vector<4x128x128xf32> to vector<4x128x128xbf16>
    %c0_10 = arith.constant 0 : index
    %c0_11 = arith.constant 0 : index
    %c0_12 = arith.constant 0 : index
    %c0_13 = arith.constant 0 : index
    %15 = vector.load %arg3[%c0_10, %c0_11, %c0_12, %c0_13] : memref<1x4x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x4x128x128xbf16>
    %16 = vector.shape_cast %15 : vector<1x4x128x128xbf16> to vector<4x128x128xbf16>
    %cst_14 = arith.constant dense<0.000000e+00> : vector<4x128x128xf32>
    %17 = tpu.matmul %14, %16, %cst_14 {dimension_numbers = #tpu.dot_dimension_numbers<[2], [1], [1], [2], [0, 0, 0, 1, 1, 2], [0], [0]>, transpose_lhs_hint = false} : vector<4x128x128xbf16>, vector<4x128x128xbf16>, vector<4x128x128xf32> -> vector<4x128x128xf32>
    %18 = vector.broadcast %13 : vector<4x128x1xf32> to vector<4x128x128xf32>
    %19 = arith.divf %17, %18 : vector<4x128x128xf32>
    %20 = arith.truncf %19 : vector<4x128x128xf32> to vector<4x128x128xbf16>
    %c0_15 = arith.constant 0 : index
    %c0_16 = arith.constant 0 : index
    %c0_17 = arith.constant 0 : index
    %c0_18 = arith.constant 0 : index
    %21 = vector.load %arg4[%c0_15, %c0_16, %c0_17, %c0_18] : memref<1x4x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x4x128x128xbf16>
    %22 = vector.shape_cast %21 : vector<1x4x128x128xbf16> to vector<4x128x128xbf16>
    %23 = vector.shape_cast %20 : vector<4x128x128xbf16> to vector<1x4x128x128xbf16>
    tpu.vector_store %arg4[%c0_15, %c0_16, %c0_17, %c0_18], %23 {strides = array<i32>} : memref<1x4x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x4x128x128xbf16>,
    return
  }
  func.func @transform_0(%arg0: i32) -> (i32, i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %c0_i32_2 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0, %c0_i32_1 : i32, i32, i32, i32
  }
  func.func @transform_1(%arg0: i32) -> (i32, i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %c0_i32_2 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0, %c0_i32_1 : i32, i32, i32, i32
  }
  func.func @transform_2(%arg0: i32) -> (i32, i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %c0_i32_2 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0, %c0_i32_1 : i32, i32, i32, i32
  }
  func.func @transform_3(%arg0: i32) -> (i32, i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %c0_i32_2 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0, %c0_i32_1 : i32, i32, i32, i32
  }
}
