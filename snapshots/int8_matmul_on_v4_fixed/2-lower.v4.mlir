module @int8_matmul_kernel {
  func.func @main(%arg0: memref<128x128xi8, #tpu.memory_space<vmem>>, %arg1: memref<128x128xi8, #tpu.memory_space<vmem>>, %arg2: memref<128x128xi32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 0 : i64} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg0[%c0, %c0_0] : memref<128x128xi8, #tpu.memory_space<vmem>>, vector<128x128xi8>
    %1 = arith.sitofp %0 : vector<128x128xi8> to vector<128x128xbf16>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %2 = vector.load %arg1[%c0_1, %c0_2] : memref<128x128xi8, #tpu.memory_space<vmem>>, vector<128x128xi8>
    %3 = arith.sitofp %2 : vector<128x128xi8> to vector<128x128xbf16>
    %cst = arith.constant dense<0.000000e+00> : vector<128x128xf32>
    %4 = tpu.matmul %1, %3, %cst {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<128x128xbf16>, vector<128x128xbf16>, vector<128x128xf32> -> vector<128x128xf32>
    %5 = arith.fptosi %4 : vector<128x128xf32> to vector<128x128xi32>
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    %6 = vector.load %arg2[%c0_3, %c0_4] : memref<128x128xi32, #tpu.memory_space<vmem>>, vector<128x128xi32>
    tpu.vector_store %arg2[%c0_3, %c0_4], %5 {strides = array<i32>} : memref<128x128xi32, #tpu.memory_space<vmem>>, vector<128x128xi32>,
    return
  }
}
