module @kernel {
  func.func @main(%arg0: memref<8x128xf32, #tpu.memory_space<vmem>>, %arg1: memref<8x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 0 : i64} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg0[%c0, %c0_0] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %1 = vector.load %arg0[%c0_1, %c0_2] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    %cst = arith.constant dense<0.000000e+00> : vector<8xf32>
    %2 = vector.multi_reduction <add>, %1, %cst [1] : vector<8x128xf32> to vector<8xf32>
    %3 = vector.shape_cast %2 : vector<8xf32> to vector<8x1xf32>
    %cst_3 = arith.constant 1.280000e+02 : f32
    %4 = vector.broadcast %cst_3 : f32 to vector<8x1xf32>
    %5 = arith.divf %3, %4 : vector<8x1xf32>
    %6 = vector.broadcast %5 : vector<8x1xf32> to vector<8x128xf32>
    %7 = arith.subf %0, %6 : vector<8x128xf32>
    %c0_4 = arith.constant 0 : index
    %c0_5 = arith.constant 0 : index
    %8 = vector.load %arg1[%c0_4, %c0_5] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    tpu.vector_store %arg1[%c0_4, %c0_5], %7 {strides = array<i32>} : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>,
    return
  }
}
