module @kernel {
  func.func @main(%arg0: memref<8x128xf32, #tpu.memory_space<vmem>>, %arg1: memref<8x128xf32, #tpu.memory_space<vmem>>, %arg2: memref<8x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 1 : i64} {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = vector.broadcast %cst : f32 to vector<8x128xf32>
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %1 = vector.load %arg2[%c0, %c0_0] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    %2 = vector.shape_cast %1 : vector<8x128xf32> to vector<8x128xf32>
    %3 = vector.shape_cast %0 : vector<8x128xf32> to vector<8x128xf32>
    tpu.vector_store %arg2[%c0, %c0_0], %3 {strides = array<i32>} : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>,
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %4 = vector.load %arg2[%c0_1, %c0_2] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    %5 = vector.load %arg0[%c0_3, %c0_4] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    %6 = arith.cmpf ogt, %4, %5 : vector<8x128xf32>
    %c0_5 = arith.constant 0 : index
    %c0_6 = arith.constant 0 : index
    %7 = vector.load %arg2[%c0_5, %c0_6] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    %c0_7 = arith.constant 0 : index
    %c0_8 = arith.constant 0 : index
    %8 = vector.load %arg0[%c0_7, %c0_8] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    %9 = arith.select %6, %7, %8 : vector<8x128xi1>, vector<8x128xf32>
    %c0_9 = arith.constant 0 : index
    %c0_10 = arith.constant 0 : index
    %10 = vector.load %arg1[%c0_9, %c0_10] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    tpu.vector_store %arg1[%c0_9, %c0_10], %9 {strides = array<i32>} : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>,
    return
  }
}
