module @mask_kernel {
  func.func @main(%arg0: i32, %arg1: memref<32x16xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 1>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 32, 16>}]} {
    %0 = tpu.iota {dimensions = array<i32: 0>} : vector<32x1xi32>
    %c20_i32 = arith.constant 20 : i32
    %1 = vector.broadcast %c20_i32 : i32 to vector<32x1xi32>
    %2 = arith.cmpi slt, %0, %1 : vector<32x1xi32>
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %3 = vector.broadcast %cst : f32 to vector<32x1xf32>
    %4 = vector.broadcast %cst_0 : f32 to vector<32x1xf32>
    %5 = arith.select %2, %3, %4 : vector<32x1xi1>, vector<32x1xf32>
    %cst_1 = arith.constant 1.000000e+00 : f32
    %6 = vector.broadcast %cst_1 : f32 to vector<1x16xf32>
    %7 = vector.broadcast %5 : vector<32x1xf32> to vector<32x16xf32>
    %8 = vector.broadcast %6 : vector<1x16xf32> to vector<32x16xf32>
    %9 = arith.mulf %7, %8 : vector<32x16xf32>
    %c0 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %10 = vector.load %arg1[%c0, %c0_2] : memref<32x16xf32, #tpu.memory_space<vmem>>, vector<32x16xf32>
    tpu.vector_store %arg1[%c0, %c0_2], %9 {strides = array<i32>} : memref<32x16xf32, #tpu.memory_space<vmem>>, vector<32x16xf32>,
    return
  }
  func.func @transform_0(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
}
