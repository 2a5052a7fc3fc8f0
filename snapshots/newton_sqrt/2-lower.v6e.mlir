module @newton_sqrt_kernel {
  func.func @main(%arg0: i32, %arg1: memref<64x256xf32, #tpu.memory_space<vmem>>, %arg2: memref<64x256xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 2>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 64, 256>}, {transform_indices = @transform_1, window_bounds = array<i64: 64, 256>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg1[%c0, %c0_0] : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>
    %cst = arith.constant 1.000000e+00 : f32
    %1 = vector.broadcast %cst : f32 to vector<64x256xf32>
    %2 = arith.maximumf %0, %1 : vector<64x256xf32>
    %c0_i32 = arith.constant 0 : i32
    %c8_i32 = arith.constant 8 : i32
    %3 = arith.addi %c0_i32, %c8_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    %4 = scf.for %arg3 = %c0_i32 to %3 step %c1_i32 iter_args(%arg4 = %2) -> (vector<64x256xf32>)  : i32 {
      %6 = arith.divf %0, %arg4 : vector<64x256xf32>
      %7 = arith.addf %arg4, %6 : vector<64x256xf32>
      %cst_3 = arith.constant 5.000000e-01 : f32
      %8 = vector.broadcast %cst_3 : f32 to vector<64x256xf32>
      %9 = arith.mulf %8, %7 : vector<64x256xf32>
      scf.yield %9 : vector<64x256xf32>
    }
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %5 = vector.load %arg2[%c0_1, %c0_2] : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>
    tpu.vector_store %arg2[%c0_1, %c0_2], %4 {strides = array<i32>} : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>,
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
}
