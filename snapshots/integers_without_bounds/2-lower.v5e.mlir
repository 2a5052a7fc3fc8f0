module @kernel {
  func.func @main(%arg0: memref<8x128xi32, #tpu.memory_space<vmem>>, %arg1: memref<8x128xi32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 0 : i64} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg0[%c0, %c0_0] : memref<8x128xi32, #tpu.memory_space<vmem>>, vector<8x128xi32>
    %c7_i32 = arith.constant 7 : i32
    %1 = vector.broadcast %c7_i32 : i32 to vector<8x128xi32>
    %2 = arith.andi %0, %1 : vector<8x128xi32>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %3 = vector.load %arg1[%c0_1, %c0_2] : memref<8x128xi32, #tpu.memory_space<vmem>>, vector<8x128xi32>
    tpu.vector_store %arg1[%c0_1, %c0_2], %2 {strides = array<i32>} : memref<8x128xi32, #tpu.memory_space<vmem>>, vector<8x128xi32>,
    return
  }
}
