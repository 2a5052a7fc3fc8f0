module @kernel {
  func.func @main(%arg0: memref<8x128xf32, #tpu.memory_space<vmem>>, %arg1: memref<8x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 0 : i64} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg0[%c0, %c0_0] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    %c7 = arith.constant 7 : index
    %c0_1 = arith.constant 0 : index
    %1 = vector.load %arg0[%c7, %c0_1] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>
    %2 = vector.shape_cast %1 : vector<1x128xf32> to vector<128xf32>
    %3 = vector.shape_cast %2 : vector<128xf32> to vector<1x128xf32>
    %4 = vector.broadcast %3 : vector<1x128xf32> to vector<8x128xf32>
    %5 = arith.subf %0, %4 : vector<8x128xf32>
    %c0_2 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %6 = vector.load %arg1[%c0_2, %c0_3] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    tpu.vector_store %arg1[%c0_2, %c0_3], %5 {strides = array<i32>} : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>,
    return
  }
}
