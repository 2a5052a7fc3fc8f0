module @kernel {
  func.func @main(%arg0: memref<16x128xbf16, #tpu.memory_space<vmem>>, %arg1: memref<16x128xbf16, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 0 : i64} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg0[%c0, %c0_0] : memref<16x128xbf16, #tpu.memory_space<vmem>>, vector<16x128xbf16>
    %c1_i32 = arith.constant 1 : i32
    %1 = tpu.dynamic_rotate %0 by %c1_i32 dim 0 : vector<16x128xbf16>, i32 -> vector<16x128xbf16>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %2 = vector.load %arg1[%c0_1, %c0_2] : memref<16x128xbf16, #tpu.memory_space<vmem>>, vector<16x128xbf16>
    tpu.vector_store %arg1[%c0_1, %c0_2], %1 {strides = array<i32>} : memref<16x128xbf16, #tpu.memory_space<vmem>>, vector<16x128xbf16>,
    return
  }
}
