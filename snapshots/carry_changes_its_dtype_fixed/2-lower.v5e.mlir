module @kernel {
  func.func @main(%arg0: memref<8x128xf32, #tpu.memory_space<vmem>>, %arg1: memref<8x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 0 : i64} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg0[%c0, %c0_0] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i32 = arith.constant 0 : i32
    %c4_i32 = arith.constant 4 : i32
    %1 = arith.addi %c0_i32, %c4_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    %2 = scf.for %arg2 = %c0_i32 to %1 step %c1_i32 iter_args(%arg3 = %cst) -> (f32)  : i32 {
      %c0_3 = arith.constant 0 : index
      %c0_4 = arith.constant 0 : index
      %6 = vector.load %arg0[%c0_3, %c0_4] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<1x1xf32>
      %7 = vector.extract %6[0, 0] : f32 from vector<1x1xf32>
      %8 = arith.addf %arg3, %7 : f32
      scf.yield %8 : f32
    }
    %3 = vector.broadcast %2 : f32 to vector<8x128xf32>
    %4 = arith.addf %0, %3 : vector<8x128xf32>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %5 = vector.load %arg1[%c0_1, %c0_2] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    tpu.vector_store %arg1[%c0_1, %c0_2], %4 {strides = array<i32>} : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>,
    return
  }
}
