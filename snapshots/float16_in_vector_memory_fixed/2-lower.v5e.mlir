module @kernel {
  func.func @main(%arg0: memref<16x128xbf16, #tpu.memory_space<vmem>>, %arg1: memref<16x128xbf16, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 0 : i64} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg0[%c0, %c0_0] : memref<16x128xbf16, #tpu.memory_space<vmem>>, vector<16x128xbf16>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %1 = vector.load %arg1[%c0_1, %c0_2] : memref<16x128xbf16, #tpu.memory_space<vmem>>, vector<16x128xbf16>
    tpu.vector_store %arg1[%c0_1, %c0_2], %0 {strides = array<i32>} : memref<16x128xbf16, #tpu.memory_space<vmem>>, vector<16x128xbf16>,
    return
  }
}
