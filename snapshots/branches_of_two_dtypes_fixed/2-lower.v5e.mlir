module @kernel {
  func.func @main(%arg0: memref<8x128xf32, #tpu.memory_space<vmem>>, %arg1: memref<8x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 0 : i64} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg0[%c0, %c0_0] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<1x1xf32>
    %1 = vector.extract %0[0, 0] : f32 from vector<1x1xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %2 = arith.cmpf ogt, %1, %cst : f32
    %3 = arith.extui %2 : i1 to i32
    %c0_i32 = arith.constant 0 : i32
    %4 = arith.cmpi ne, %3, %c0_i32 : i32
    %5 = scf.if %4 -> (vector<8x128xf32>) {
      %cst_3 = arith.constant 1.000000e+00 : f32
      %7 = vector.broadcast %cst_3 : f32 to vector<8x128xf32>
      scf.yield %7 : vector<8x128xf32>
    } else {
      %cst_3 = arith.constant 0.000000e+00 : f32
      %7 = vector.broadcast %cst_3 : f32 to vector<8x128xf32>
      scf.yield %7 : vector<8x128xf32>
    }
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %6 = vector.load %arg1[%c0_1, %c0_2] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    tpu.vector_store %arg1[%c0_1, %c0_2], %5 {strides = array<i32>} : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>,
    return
  }
}
