module @matmul_kernel {
  func.func @main(%arg0: memref<128x256xbf16, #tpu.memory_space<vmem>>, %arg1: memref<256x128xbf16, #tpu.memory_space<vmem>>, %arg2: memref<128x128xbf16, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 0 : i64} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg0[%c0, %c0_0] : memref<128x256xbf16, #tpu.memory_space<vmem>>, vector<128x256xbf16>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %1 = vector.load %arg1[%c0_1, %c0_2] : memref<256x128xbf16, #tpu.memory_space<vmem>>, vector<256x128xbf16>
    %cst = arith.constant dense<0.000000e+00> : vector<128x128xf32>
    %2 = tpu.matmul %0, %1, %cst {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<128x256xbf16>, vector<256x128xbf16>, vector<128x128xf32> -> vector<128x128xf32>
    %3 = arith.truncf %2 : vector<128x128xf32> to vector<128x128xbf16>
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    %4 = vector.load %arg2[%c0_3, %c0_4] : memref<128x128xbf16, #tpu.memory_space<vmem>>, vector<128x128xbf16>
    tpu.vector_store %arg2[%c0_3, %c0_4], %3 {strides = array<i32>} : memref<128x128xbf16, #tpu.memory_space<vmem>>, vector<128x128xbf16>,
    return
  }
}
