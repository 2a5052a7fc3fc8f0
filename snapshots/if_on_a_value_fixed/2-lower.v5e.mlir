module @kernel {
  func.func @main(%arg0: memref<8x128xf32, #tpu.memory_space<vmem>>, %arg1: memref<8x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 0 : i64} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg0[%c0, %c0_0] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    %1 = vector.shape_cast %0 : vector<8x128xf32> to vector<1x8x128xf32>
    %cst = arith.constant dense<0.000000e+00> : vector<1xf32>
    %2 = vector.multi_reduction <add>, %1, %cst [1, 2] : vector<1x8x128xf32> to vector<1xf32>
    %3 = vector.shape_cast %2 : vector<1xf32> to vector<1x1x1xf32>
    %4 = vector.extract %3[0, 0, 0] : f32 from vector<1x1x1xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %5 = arith.cmpf ogt, %4, %cst_1 : f32
    %c0_2 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %6 = vector.load %arg0[%c0_2, %c0_3] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    %c0_4 = arith.constant 0 : index
    %c0_5 = arith.constant 0 : index
    %7 = vector.load %arg0[%c0_4, %c0_5] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    %cst_6 = arith.constant 0.000000e+00 : f32
    %8 = vector.broadcast %cst_6 : f32 to vector<8x128xf32>
    %9 = arith.subf %8, %7 : vector<8x128xf32>
    %10 = arith.select %5, %6, %9 : vector<8x128xf32>
    %c0_7 = arith.constant 0 : index
    %c0_8 = arith.constant 0 : index
    %11 = vector.load %arg1[%c0_7, %c0_8] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    tpu.vector_store %arg1[%c0_7, %c0_8], %10 {strides = array<i32>} : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>,
    return
  }
}
