module @segment_sum_kernel {
  func.func @main(%arg0: i32, %arg1: memref<1x128xi32, #tpu.memory_space<vmem>>, %arg2: memref<128x256xf32, #tpu.memory_space<vmem>>, %arg3: memref<16x256xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 1, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 128, 256>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_2, window_bounds = array<i64: 16, 256>}]} {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi eq, %arg0, %c0_i32 : i32
    %1 = arith.extui %0 : i1 to i32
    %c0_i32_0 = arith.constant 0 : i32
    %2 = arith.cmpi ne, %1, %c0_i32_0 : i32
    scf.if %2 {
      %cst_8 = arith.constant 0.000000e+00 : f32
      %15 = vector.broadcast %cst_8 : f32 to vector<16x256xf32>
      %c0_9 = arith.constant 0 : index
      %c0_10 = arith.constant 0 : index
      %16 = vector.load %arg3[%c0_9, %c0_10] : memref<16x256xf32, #tpu.memory_space<vmem>>, vector<16x256xf32>
      tpu.vector_store %arg3[%c0_9, %c0_10], %15 {strides = array<i32>} : memref<16x256xf32, #tpu.memory_space<vmem>>, vector<16x256xf32>,
    } else {
    }
    %3 = tpu.iota {dimensions = array<i32: 0>} : vector<16x128xi32>
    %c0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %4 = vector.load %arg1[%c0, %c0_1] : memref<1x128xi32, #tpu.memory_space<vmem>>, vector<1x128xi32>
    %5 = vector.broadcast %4 : vector<1x128xi32> to vector<16x128xi32>
    %6 = arith.cmpi eq, %3, %5 : vector<16x128xi32>
    %7 = arith.extui %6 : vector<16x128xi1> to vector<16x128xi32>
    %8 = arith.sitofp %7 : vector<16x128xi32> to vector<16x128xf32>
    %c0_2 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %9 = vector.load %arg3[%c0_2, %c0_3] : memref<16x256xf32, #tpu.memory_space<vmem>>, vector<16x256xf32>
    %10 = vector.shape_cast %9 : vector<16x256xf32> to vector<16x256xf32>
    %c0_4 = arith.constant 0 : index
    %c0_5 = arith.constant 0 : index
    %11 = vector.load %arg2[%c0_4, %c0_5] : memref<128x256xf32, #tpu.memory_space<vmem>>, vector<128x256xf32>
    %cst = arith.constant dense<0.000000e+00> : vector<16x256xf32>
    %12 = tpu.matmul %8, %11, %cst {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<16x128xf32>, vector<128x256xf32>, vector<16x256xf32> -> vector<16x256xf32>
    %13 = arith.addf %10, %12 : vector<16x256xf32>
    %c0_6 = arith.constant 0 : index
    %c0_7 = arith.constant 0 : index
    %14 = vector.load %arg3[%c0_6, %c0_7] : memref<16x256xf32, #tpu.memory_space<vmem>>, vector<16x256xf32>
    tpu.vector_store %arg3[%c0_6, %c0_7], %13 {strides = array<i32>} : memref<16x256xf32, #tpu.memory_space<vmem>>, vector<16x256xf32>,
    return
  }
  func.func @transform_0(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %c0_i32, %arg0 : i32, i32
  }
  func.func @transform_1(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
  func.func @transform_2(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %c0_i32, %c0_i32_0 : i32, i32
  }
}
