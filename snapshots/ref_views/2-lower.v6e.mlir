module @ref_views_kernel {
  func.func @main(%arg0: memref<32x128xf32, #tpu.memory_space<vmem>>, %arg1: memref<16x128xf32, #tpu.memory_space<vmem>>, %arg2: memref<32x128xi32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 0 : i64} {
    %0 = tpu.memref_reshape %arg0 : memref<32x128xf32, #tpu.memory_space<vmem>> -> memref<2x16x128xf32, #tpu.memory_space<vmem>>
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %1 = vector.load %0[%c0, %c0_0, %c0_1] : memref<2x16x128xf32, #tpu.memory_space<vmem>>, vector<1x16x128xf32>
    %2 = vector.shape_cast %1 : vector<1x16x128xf32> to vector<16x128xf32>
    %3 = tpu.memref_reshape %arg0 : memref<32x128xf32, #tpu.memory_space<vmem>> -> memref<2x16x128xf32, #tpu.memory_space<vmem>>
    %c1 = arith.constant 1 : index
    %c0_2 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %4 = vector.load %3[%c1, %c0_2, %c0_3] : memref<2x16x128xf32, #tpu.memory_space<vmem>>, vector<1x16x128xf32>
    %5 = vector.shape_cast %4 : vector<1x16x128xf32> to vector<16x128xf32>
    %6 = arith.addf %2, %5 : vector<16x128xf32>
    %c0_4 = arith.constant 0 : index
    %c0_5 = arith.constant 0 : index
    %7 = vector.load %arg1[%c0_4, %c0_5] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>
    tpu.vector_store %arg1[%c0_4, %c0_5], %6 {strides = array<i32>} : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>,
    %8 = tpu.memref_bitcast %arg0 : memref<32x128xf32, #tpu.memory_space<vmem>> -> memref<32x128xi32, #tpu.memory_space<vmem>>
    %c0_6 = arith.constant 0 : index
    %c0_7 = arith.constant 0 : index
    %9 = vector.load %8[%c0_6, %c0_7] : memref<32x128xi32, #tpu.memory_space<vmem>>, vector<32x128xi32>
    %c23_i32 = arith.constant 23 : i32
    %10 = vector.broadcast %c23_i32 : i32 to vector<32x128xi32>
    %11 = arith.shrsi %9, %10 : vector<32x128xi32>
    %c0_8 = arith.constant 0 : index
    %c0_9 = arith.constant 0 : index
    %12 = vector.load %arg2[%c0_8, %c0_9] : memref<32x128xi32, #tpu.memory_space<vmem>>, vector<32x128xi32>
    tpu.vector_store %arg2[%c0_8, %c0_9], %11 {strides = array<i32>} : memref<32x128xi32, #tpu.memory_space<vmem>>, vector<32x128xi32>,
    return
  }
}
