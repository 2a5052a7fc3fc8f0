module @log_kernel {
  func.func @main(%arg0: i32, %arg1: memref<8x128xf32, #tpu.memory_space<vmem>>, %arg2: memref<8x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 8, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 8, 128>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg1[%c0, %c0_0] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %1 = vector.broadcast %cst : f32 to vector<8x128xf32>
    %2 = arith.cmpf ogt, %0, %1 : vector<8x128xf32>
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant 0.000000e+00 : f32
    %3 = vector.broadcast %cst_1 : f32 to vector<8x128xf32>
    %4 = vector.broadcast %cst_2 : f32 to vector<8x128xf32>
    %5 = arith.select %2, %3, %4 : vector<8x128xi1>, vector<8x128xf32>
    %6 = vector.shape_cast %5 : vector<8x128xf32> to vector<1x8x128xf32>
    %cst_3 = arith.constant dense<0x7F800000> : vector<1xf32>
    %7 = vector.multi_reduction <minimumf>, %6, %cst_3 [1, 2] : vector<1x8x128xf32> to vector<1xf32>
    %8 = vector.shape_cast %7 : vector<1xf32> to vector<1x1x1xf32>
    %9 = vector.extract %8[0, 0, 0] : f32 from vector<1x1x1xf32>
    %cst_4 = arith.constant 0.000000e+00 : f32
    %10 = arith.cmpf ogt, %9, %cst_4 : f32
    %true = arith.constant true
    %11 = arith.xori %10, %true : i1
    %false = arith.constant false
    %12 = arith.ori %false, %11 : i1
    %false_5 = arith.constant false
    %c1_i32 = arith.constant 1 : i32
    %c-1_i32 = arith.constant -1 : i32
    %13 = arith.select %false_5, %c-1_i32, %c1_i32 : i32
    %c0_6 = arith.constant 0 : index
    %c0_7 = arith.constant 0 : index
    %14 = vector.load %arg1[%c0_6, %c0_7] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    %cst_8 = arith.constant 9.99999997E-7 : f32
    %15 = vector.broadcast %cst_8 : f32 to vector<8x128xf32>
    %16 = arith.maximumf %14, %15 : vector<8x128xf32>
    %17 = math.log %16 : vector<8x128xf32>
    %c0_9 = arith.constant 0 : index
    %c0_10 = arith.constant 0 : index
    %18 = vector.load %arg2[%c0_9, %c0_10] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    tpu.vector_store %arg2[%c0_9, %c0_10], %17 {strides = array<i32>} : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>,
    return
  }
  func.func @transform_0(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
  func.func @transform_1(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
}
