module @masked_softmax_kernel {
  func.func @main(%arg0: i32, %arg1: memref<8x128xf32, #tpu.memory_space<vmem>>, %arg2: memref<8x1xi32, #tpu.memory_space<vmem>>, %arg3: memref<8x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 8, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 8, 1>}, {transform_indices = @transform_2, window_bounds = array<i64: 8, 128>}]} {
    %0 = tpu.iota {dimensions = array<i32: 1>} : vector<8x128xi32>
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %1 = vector.load %arg2[%c0, %c0_0] : memref<8x1xi32, #tpu.memory_space<vmem>>, vector<8x1xi32>
    %2 = vector.broadcast %1 : vector<8x1xi32> to vector<8x128xi32>
    %3 = arith.cmpi slt, %0, %2 : vector<8x128xi32>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %4 = vector.load %arg1[%c0_1, %c0_2] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    %cst = arith.constant -1.000000e+30 : f32
    %5 = vector.broadcast %cst : f32 to vector<8x128xf32>
    %6 = arith.select %3, %4, %5 : vector<8x128xi1>, vector<8x128xf32>
    %cst_3 = arith.constant dense<0xFF800000> : vector<8xf32>
    %7 = vector.multi_reduction <maximumf>, %6, %cst_3 [1] : vector<8x128xf32> to vector<8xf32>
    %8 = vector.shape_cast %7 : vector<8xf32> to vector<8x1xf32>
    %9 = vector.broadcast %8 : vector<8x1xf32> to vector<8x128xf32>
    %10 = arith.subf %6, %9 : vector<8x128xf32>
    %11 = math.exp %10 : vector<8x128xf32>
    %cst_4 = arith.constant dense<0.000000e+00> : vector<8xf32>
    %12 = vector.multi_reduction <add>, %11, %cst_4 [1] : vector<8x128xf32> to vector<8xf32>
    %13 = vector.shape_cast %12 : vector<8xf32> to vector<8x1xf32>
    %14 = vector.broadcast %13 : vector<8x1xf32> to vector<8x128xf32>
    %15 = arith.divf %11, %14 : vector<8x128xf32>
    %c0_5 = arith.constant 0 : index
    %c0_6 = arith.constant 0 : index
    %16 = vector.load %arg3[%c0_5, %c0_6] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    tpu.vector_store %arg3[%c0_5, %c0_6], %15 {strides = array<i32>} : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>,
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
  func.func @transform_2(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
}
