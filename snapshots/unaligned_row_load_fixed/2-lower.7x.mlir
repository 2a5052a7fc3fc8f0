module @shift_rows_kernel {
  func.func @main(%arg0: memref<1xi32, #tpu.memory_space<smem>>, %arg1: memref<64x256xf32, #tpu.memory_space<vmem>>, %arg2: memref<16x256xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [], scalar_prefetch = 1 : i64, scratch_operands = 0 : i64} {
    %c0 = arith.constant 0 : index
    %0 = memref.load %arg0[%c0] : memref<1xi32, #tpu.memory_space<smem>>
    %c8_i32 = arith.constant 8 : i32
    %1 = arith.muli %0, %c8_i32 : i32
    %2 = arith.index_cast %1 : i32 to index
    %c0_0 = arith.constant 0 : index
    %3 = vector.load %arg1[%2, %c0_0] : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<16x256xf32>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %4 = vector.load %arg2[%c0_1, %c0_2] : memref<16x256xf32, #tpu.memory_space<vmem>>, vector<16x256xf32>
    tpu.vector_store %arg2[%c0_1, %c0_2], %3 {strides = array<i32>} : memref<16x256xf32, #tpu.memory_space<vmem>>, vector<16x256xf32>,
    return
  }
}
