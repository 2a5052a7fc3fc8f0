module @kernel {
  func.func @main(%arg0: memref<8x128xf32, #tpu.memory_space<vmem>>, %arg1: memref<8x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 0 : i64} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg0[%c0, %c0_0] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    %1 = vector.extract_strided_slice %0 {offsets = [4, 0], sizes = [1, 128], strides = [1, 1]} : vector<8x128xf32> to vector<1x128xf32>
    %2 = vector.shape_cast %1 : vector<1x128xf32> to vector<128xf32>
    %3 = vector.shape_cast %2 : vector<128xf32> to vector<1x128xf32>
    %4 = vector.broadcast %3 : vector<1x128xf32> to vector<8x128xf32>
    %5 = arith.subf %0, %4 : vector<8x128xf32>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %6 = vector.load %arg1[%c0_1, %c0_2] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    tpu.vector_store %arg1[%c0_1, %c0_2], %5 {strides = array<i32>} : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>,
    return
  }
}
