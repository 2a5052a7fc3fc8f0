module @mask_kernel {
  func.func @main(%arg0: i32, %arg1: memref<32x16xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 1>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 32, 16>}]} {
    %0 = tpu.iota {dimensions = array<i32: 1>} : vector<1x32xi32>
    %1 = vector.shape_cast %0 : vector<1x32xi32> to vector<32xi32>
    %c20_i32 = arith.constant 20 : i32
    %2 = vector.broadcast %c20_i32 : i32 to vector<32xi32>
    %3 = arith.cmpi slt, %1, %2 : vector<32xi32>
    %4 = vector.shape_cast %3 : vector<32xi1> to vector<32x1xi1>
    %5 = arith.extui %4 : vector<32x1xi1> to vector<32x1xi32>
    %6 = arith.sitofp %5 : vector<32x1xi32> to vector<32x1xf32>
    %cst = arith.constant 1.000000e+00 : f32
    %7 = vector.broadcast %cst : f32 to vector<1x16xf32>
    %8 = vector.broadcast %6 : vector<32x1xf32> to vector<32x16xf32>
    %9 = vector.broadcast %7 : vector<1x16xf32> to vector<32x16xf32>
    %10 = arith.mulf %8, %9 : vector<32x16xf32>
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %11 = vector.load %arg1[%c0, %c0_0] : memref<32x16xf32, #tpu.memory_space<vmem>>, vector<32x16xf32>
    tpu.vector_store %arg1[%c0, %c0_0], %10 {strides = array<i32>} : memref<32x16xf32, #tpu.memory_space<vmem>>, vector<32x16xf32>,
    return
  }
  func.func @transform_0(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
}
