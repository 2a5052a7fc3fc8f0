module @kernel {
  func.func @main(%arg0: i32, %arg1: memref<8x128xf32, #tpu.memory_space<vmem>>, %arg2: memref<8x128xi32, #tpu.memory_space<vmem>>, %arg3: memref<8x128xi32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 1 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 8, 128>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_1, window_bounds = array<i64: 8, 128>}]} {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi eq, %arg0, %c0_i32 : i32
    %1 = arith.extui %0 : i1 to i32
    %c0_i32_0 = arith.constant 0 : i32
    %2 = arith.cmpi ne, %1, %c0_i32_0 : i32
    scf.if %2 {
      %c0_i32_10 = arith.constant 0 : i32
      %14 = vector.broadcast %c0_i32_10 : i32 to vector<8x128xi32>
      %c0_11 = arith.constant 0 : index
      %c0_12 = arith.constant 0 : index
      %15 = vector.load %arg3[%c0_11, %c0_12] : memref<8x128xi32, #tpu.memory_space<vmem>>, vector<8x128xi32>
      %16 = vector.shape_cast %15 : vector<8x128xi32> to vector<8x128xi32>
      %17 = vector.shape_cast %14 : vector<8x128xi32> to vector<8x128xi32>
      tpu.vector_store %arg3[%c0_11, %c0_12], %17 {strides = array<i32>} : memref<8x128xi32, #tpu.memory_space<vmem>>, vector<8x128xi32>,
    } else {
    }
    %c0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %3 = vector.load %arg3[%c0, %c0_1] : memref<8x128xi32, #tpu.memory_space<vmem>>, vector<8x128xi32>
    %c0_2 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %4 = vector.load %arg1[%c0_2, %c0_3] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %5 = vector.broadcast %cst : f32 to vector<8x128xf32>
    %6 = arith.cmpf ogt, %4, %5 : vector<8x128xf32>
    %7 = arith.extui %6 : vector<8x128xi1> to vector<8x128xi32>
    %8 = arith.addi %3, %7 : vector<8x128xi32>
    %c0_4 = arith.constant 0 : index
    %c0_5 = arith.constant 0 : index
    %9 = vector.load %arg3[%c0_4, %c0_5] : memref<8x128xi32, #tpu.memory_space<vmem>>, vector<8x128xi32>
    %10 = vector.shape_cast %9 : vector<8x128xi32> to vector<8x128xi32>
    %11 = vector.shape_cast %8 : vector<8x128xi32> to vector<8x128xi32>
    tpu.vector_store %arg3[%c0_4, %c0_5], %11 {strides = array<i32>} : memref<8x128xi32, #tpu.memory_space<vmem>>, vector<8x128xi32>,
    %c0_6 = arith.constant 0 : index
    %c0_7 = arith.constant 0 : index
    %12 = vector.load %arg3[%c0_6, %c0_7] : memref<8x128xi32, #tpu.memory_space<vmem>>, vector<8x128xi32>
    %c0_8 = arith.constant 0 : index
    %c0_9 = arith.constant 0 : index
    %13 = vector.load %arg2[%c0_8, %c0_9] : memref<8x128xi32, #tpu.memory_space<vmem>>, vector<8x128xi32>
    tpu.vector_store %arg2[%c0_8, %c0_9], %12 {strides = array<i32>} : memref<8x128xi32, #tpu.memory_space<vmem>>, vector<8x128xi32>,
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
