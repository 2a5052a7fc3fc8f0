module @kernel {
  func.func @main(%arg0: memref<8x128xf32, #tpu.memory_space<vmem>>, %arg1: memref<1x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 0 : i64} {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = vector.broadcast %cst : f32 to vector<128xf32>
    %c7_i32 = arith.constant 7 : i32
    %c0_i32 = arith.constant 0 : i32
    %c8_i32 = arith.constant 8 : i32
    %1 = arith.addi %c0_i32, %c8_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    %2:2 = scf.for %arg2 = %c0_i32 to %1 step %c1_i32 iter_args(%arg3 = %c7_i32, %arg4 = %0) -> (i32, vector<128xf32>)  : i32 {
      %c1_i32_1 = arith.constant 1 : i32
      %6 = arith.subi %arg3, %c1_i32_1 : i32
      %cst_2 = arith.constant 5.000000e-01 : f32
      %7 = vector.broadcast %cst_2 : f32 to vector<128xf32>
      %8 = arith.mulf %arg4, %7 : vector<128xf32>
      %9 = arith.index_cast %arg3 : i32 to index
      %c0_3 = arith.constant 0 : index
      %10 = vector.load %arg0[%9, %c0_3] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>
      %11 = vector.shape_cast %10 : vector<1x128xf32> to vector<128xf32>
      %12 = arith.addf %8, %11 : vector<128xf32>
      scf.yield %6, %12 : i32, vector<128xf32>
    }
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %3 = vector.load %arg1[%c0, %c0_0] : memref<1x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>
    %4 = vector.shape_cast %3 : vector<1x128xf32> to vector<128xf32>
    %5 = vector.shape_cast %2#1 : vector<128xf32> to vector<1x128xf32>
    tpu.vector_store %arg1[%c0, %c0_0], %5 {strides = array<i32>} : memref<1x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>,
    return
  }
}
