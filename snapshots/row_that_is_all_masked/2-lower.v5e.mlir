module @masked_softmax_kernel {
  func.func @main(%arg0: i32, %arg1: memref<8x128xf32, #tpu.memory_space<vmem>>, %arg2: memref<8x128xi32, #tpu.memory_space<vmem>>, %arg3: memref<8x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 8, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 8, 128>}, {transform_indices = @transform_2, window_bounds = array<i64: 8, 128>}]} {
    %0 = tpu.iota {dimensions = array<i32: 1>} : vector<8x128xi32>
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %1 = vector.load %arg2[%c0, %c0_0] : memref<8x128xi32, #tpu.memory_space<vmem>>, vector<8x128xi32>
    %2 = arith.cmpi slt, %0, %1 : vector<8x128xi32>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %3 = vector.load %arg1[%c0_1, %c0_2] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    %cst = arith.constant 0xFF800000 : f32
    %4 = vector.broadcast %cst : f32 to vector<8x128xf32>
    %5 = arith.select %2, %3, %4 : vector<8x128xi1>, vector<8x128xf32>
    %cst_3 = arith.constant dense<0xFF800000> : vector<8xf32>
    %6 = vector.multi_reduction <maximumf>, %5, %cst_3 [1] : vector<8x128xf32> to vector<8xf32>
    %7 = vector.shape_cast %6 : vector<8xf32> to vector<8x1xf32>
    %8 = vector.broadcast %7 : vector<8x1xf32> to vector<8x128xf32>
    %9 = arith.subf %5, %8 : vector<8x128xf32>
    %10 = math.exp %9 : vector<8x128xf32>
    %cst_4 = arith.constant dense<0.000000e+00> : vector<8xf32>
    %11 = vector.multi_reduction <add>, %10, %cst_4 [1] : vector<8x128xf32> to vector<8xf32>
    %12 = vector.shape_cast %11 : vector<8xf32> to vector<8x1xf32>
    %13 = vector.broadcast %12 : vector<8x1xf32> to vector<8x128xf32>
    %14 = arith.divf %10, %13 : vector<8x128xf32>
    %c0_5 = arith.constant 0 : index
    %c0_6 = arith.constant 0 : index
    %15 = vector.load %arg3[%c0_5, %c0_6] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    tpu.vector_store %arg3[%c0_5, %c0_6], %14 {strides = array<i32>} : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>,
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
