module @kernel {
  func.func @main(%arg0: memref<8x128xf32, #tpu.memory_space<vmem>>, %arg1: memref<8x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 0 : i64} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg0[%c0, %c0_0] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    %c0_i32 = arith.constant 0 : i32
    %c10_i32 = arith.constant 10 : i32
    %1 = arith.addi %c0_i32, %c10_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    %2 = scf.for %arg2 = %c0_i32 to %1 step %c1_i32 iter_args(%arg3 = %0) -> (vector<8x128xf32>)  : i32 {
      %4 = arith.mulf %arg3, %arg3 : vector<8x128xf32>
      %5 = arith.mulf %arg3, %4 : vector<8x128xf32>
      %cst = arith.constant 4.471500e-02 : f32
      %6 = vector.broadcast %cst : f32 to vector<8x128xf32>
      %7 = arith.mulf %6, %5 : vector<8x128xf32>
      %8 = arith.addf %arg3, %7 : vector<8x128xf32>
      %cst_3 = arith.constant 0.797884583 : f32
      %9 = vector.broadcast %cst_3 : f32 to vector<8x128xf32>
      %10 = arith.mulf %9, %8 : vector<8x128xf32>
      %11 = math.tanh %10 : vector<8x128xf32>
      %cst_4 = arith.constant 1.000000e+00 : f32
      %12 = vector.broadcast %cst_4 : f32 to vector<8x128xf32>
      %13 = arith.addf %12, %11 : vector<8x128xf32>
      %cst_5 = arith.constant 5.000000e-01 : f32
      %14 = vector.broadcast %cst_5 : f32 to vector<8x128xf32>
      %15 = arith.mulf %14, %13 : vector<8x128xf32>
      %16 = arith.mulf %arg3, %15 : vector<8x128xf32>
      scf.yield %16 : vector<8x128xf32>
    }
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %3 = vector.load %arg1[%c0_1, %c0_2] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    tpu.vector_store %arg1[%c0_1, %c0_2], %2 {strides = array<i32>} : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>,
    return
  }
}
