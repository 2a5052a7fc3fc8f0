module @kernel {
  func.func @main(%arg0: memref<8x128xf32, #tpu.memory_space<vmem>>, %arg1: memref<8x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 0 : i64} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg0[%c0, %c0_0] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    %cst = arith.constant 1.000000e+00 : f32
    %1 = vector.broadcast %cst : f32 to vector<8x128xf32>
    %2 = vector.shape_cast %1 : vector<8x128xf32> to vector<1x8x128xf32>
    %cst_1 = arith.constant dense<0.000000e+00> : vector<1xf32>
    %3 = vector.multi_reduction <add>, %2, %cst_1 [1, 2] : vector<1x8x128xf32> to vector<1xf32>
    %4 = vector.shape_cast %3 : vector<1xf32> to vector<1x1x1xf32>
    %5 = vector.extract %4[0, 0, 0] : f32 from vector<1x1x1xf32>
    %6 = vector.broadcast %5 : f32 to vector<8x128xf32>
    %7 = arith.addf %0, %6 : vector<8x128xf32>
    %c0_2 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %8 = vector.load %arg1[%c0_2, %c0_3] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    tpu.vector_store %arg1[%c0_2, %c0_3], %7 {strides = array<i32>} : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>,
    return
  }
}
