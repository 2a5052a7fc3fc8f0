module @kernel {
  func.func @main(%arg0: memref<8x128xf32, #tpu.memory_space<vmem>>, %arg1: memref<8x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 0 : i64} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg0[%c0, %c0_0] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    %c0_i32 = arith.constant 0 : i32
    %1:2 = scf.while (%arg2 = %c0_i32, %arg3 = %0) : (i32, vector<8x128xf32>) -> (i32, vector<8x128xf32>) {
      %c4_i32 = arith.constant 4 : i32
      %3 = arith.cmpi slt, %arg2, %c4_i32 : i32
      scf.condition(%3) %arg2, %arg3 : i32, vector<8x128xf32>
    } do {
    ^bb0(%arg2: i32, %arg3: vector<8x128xf32>):
      %c1_i32 = arith.constant 1 : i32
      %3 = arith.addi %arg2, %c1_i32 : i32
      %cst = arith.constant 5.000000e-01 : f32
      %4 = vector.broadcast %cst : f32 to vector<8x128xf32>
      %5 = arith.mulf %arg3, %4 : vector<8x128xf32>
      scf.yield %3, %5 : i32, vector<8x128xf32>
    }
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %2 = vector.load %arg1[%c0_1, %c0_2] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    tpu.vector_store %arg1[%c0_1, %c0_2], %1#1 {strides = array<i32>} : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>,
    return
  }
}
