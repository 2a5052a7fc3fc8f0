module @kernel {
  func.func @main(%arg0: i32, %arg1: memref<8x128xf32, #tpu.memory_space<vmem>>, %arg2: memref<8x128xi32, #tpu.memory_space<vmem>>, %arg3: memref<8x128xi32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 1 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 8, 128>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_1, window_bounds = array<i64: 8, 128>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg3[%c0, %c0_0] : memref<8x128xi32, #tpu.memory_space<vmem>>, vector<8x128xi32>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %1 = vector.load %arg1[%c0_1, %c0_2] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %2 = vector.broadcast %cst : f32 to vector<8x128xf32>
    %3 = arith.cmpf ogt, %1, %2 : vector<8x128xf32>
    %4 = arith.extui %3 : vector<8x128xi1> to vector<8x128xi32>
    %5 = arith.addi %0, %4 : vector<8x128xi32>
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    %6 = vector.load %arg3[%c0_3, %c0_4] : memref<8x128xi32, #tpu.memory_space<vmem>>, vector<8x128xi32>
    %7 = vector.shape_cast %6 : vector<8x128xi32> to vector<8x128xi32>
    %8 = vector.shape_cast %5 : vector<8x128xi32> to vector<8x128xi32>
    tpu.vector_store %arg3[%c0_3, %c0_4], %8 {strides = array<i32>} : memref<8x128xi32, #tpu.memory_space<vmem>>, vector<8x128xi32>,
    %c0_5 = arith.constant 0 : index
    %c0_6 = arith.constant 0 : index
    %9 = vector.load %arg3[%c0_5, %c0_6] : memref<8x128xi32, #tpu.memory_space<vmem>>, vector<8x128xi32>
    %c0_7 = arith.constant 0 : index
    %c0_8 = arith.constant 0 : index
    %10 = vector.load %arg2[%c0_7, %c0_8] : memref<8x128xi32, #tpu.memory_space<vmem>>, vector<8x128xi32>
    tpu.vector_store %arg2[%c0_7, %c0_8], %9 {strides = array<i32>} : memref<8x128xi32, #tpu.memory_space<vmem>>, vector<8x128xi32>,
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
    %c0_i32_1 = arith.constant 0 : i32
    return %c0_i32, %c0_i32_0 : i32, i32
  }
}
