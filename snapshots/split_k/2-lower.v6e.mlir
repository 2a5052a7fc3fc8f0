module @split_k_kernel {
  func.func @main(%arg0: i32, %arg1: i32, %arg2: i32, %arg3: memref<128x256xbf16, #tpu.memory_space<vmem>>, %arg4: memref<256x256xbf16, #tpu.memory_space<vmem>>, %arg5: memref<1x128x256xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 2, 1, 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 128, 256>}, {transform_indices = @transform_1, window_bounds = array<i64: 256, 256>}, {transform_indices = @transform_2, window_bounds = array<i64: 1, 128, 256>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg3[%c0, %c0_0] : memref<128x256xbf16, #tpu.memory_space<vmem>>, vector<128x256xbf16>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %1 = vector.load %arg4[%c0_1, %c0_2] : memref<256x256xbf16, #tpu.memory_space<vmem>>, vector<256x256xbf16>
    %cst = arith.constant dense<0.000000e+00> : vector<128x256xf32>
    %2 = tpu.matmul %0, %1, %cst {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<128x256xbf16>, vector<256x256xbf16>, vector<128x256xf32> -> vector<128x256xf32>
    %c0_i32 = arith.constant 0 : i32
    %3 = arith.cmpi eq, %arg2, %c0_i32 : i32
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    %c0_5 = arith.constant 0 : index
    %4 = vector.load %arg5[%c0_3, %c0_4, %c0_5] : memref<1x128x256xf32, #tpu.memory_space<vmem>>, vector<1x128x256xf32>
    %5 = vector.shape_cast %4 : vector<1x128x256xf32> to vector<128x256xf32>
    %cst_6 = arith.constant 0.000000e+00 : f32
    %6 = vector.broadcast %cst_6 : f32 to vector<128x256xf32>
    %7 = arith.select %3, %6, %5 : vector<128x256xf32>
    %8 = arith.addf %2, %7 : vector<128x256xf32>
    %c0_7 = arith.constant 0 : index
    %c0_8 = arith.constant 0 : index
    %c0_9 = arith.constant 0 : index
    %9 = vector.load %arg5[%c0_7, %c0_8, %c0_9] : memref<1x128x256xf32, #tpu.memory_space<vmem>>, vector<1x128x256xf32>
    %10 = vector.shape_cast %9 : vector<1x128x256xf32> to vector<128x256xf32>
    %11 = vector.shape_cast %8 : vector<128x256xf32> to vector<1x128x256xf32>
    tpu.vector_store %arg5[%c0_7, %c0_8, %c0_9], %11 {strides = array<i32>} : memref<1x128x256xf32, #tpu.memory_space<vmem>>, vector<1x128x256xf32>,
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: i32, %arg2: i32) -> (i32, i32) {
    %c4_i32 = arith.constant 4 : i32
    %0 = arith.muli %arg0, %c4_i32 : i32
    %1 = arith.addi %0, %arg2 : i32
    %c0_i32 = arith.constant 0 : i32
    return %arg1, %1 : i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: i32, %arg2: i32) -> (i32, i32) {
    %c4_i32 = arith.constant 4 : i32
    %0 = arith.muli %arg0, %c4_i32 : i32
    %1 = arith.addi %0, %arg2 : i32
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %1, %c0_i32 : i32, i32
  }
  func.func @transform_2(%arg0: i32, %arg1: i32, %arg2: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %arg1, %c0_i32 : i32, i32, i32
  }
}
