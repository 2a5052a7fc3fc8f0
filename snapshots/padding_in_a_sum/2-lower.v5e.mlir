module @column_sum_kernel {
  func.func @main(%arg0: i32, %arg1: memref<64x128xf32, #tpu.memory_space<vmem>>, %arg2: memref<1x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 64, 128>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_1, window_bounds = array<i64: 1, 128>}]} {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi eq, %arg0, %c0_i32 : i32
    %1 = arith.extui %0 : i1 to i32
    %c0_i32_0 = arith.constant 0 : i32
    %2 = arith.cmpi ne, %1, %c0_i32_0 : i32
    scf.if %2 {
      %cst_6 = arith.constant 0.000000e+00 : f32
      %10 = vector.broadcast %cst_6 : f32 to vector<1x128xf32>
      %c0_7 = arith.constant 0 : index
      %c0_8 = arith.constant 0 : index
      %11 = vector.load %arg2[%c0_7, %c0_8] : memref<1x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>
      tpu.vector_store %arg2[%c0_7, %c0_8], %10 {strides = array<i32>} : memref<1x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>,
    } else {
    }
    %c0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %3 = vector.load %arg2[%c0, %c0_1] : memref<1x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>
    %4 = vector.shape_cast %3 : vector<1x128xf32> to vector<1x128xf32>
    %c0_2 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %5 = vector.load %arg1[%c0_2, %c0_3] : memref<64x128xf32, #tpu.memory_space<vmem>>, vector<64x128xf32>
    %cst = arith.constant dense<0.000000e+00> : vector<128xf32>
    %6 = vector.multi_reduction <add>, %5, %cst [0] : vector<64x128xf32> to vector<128xf32>
    %7 = vector.shape_cast %6 : vector<128xf32> to vector<1x128xf32>
    %8 = arith.addf %4, %7 : vector<1x128xf32>
    %c0_4 = arith.constant 0 : index
    %c0_5 = arith.constant 0 : index
    %9 = vector.load %arg2[%c0_4, %c0_5] : memref<1x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>
    tpu.vector_store %arg2[%c0_4, %c0_5], %8 {strides = array<i32>} : memref<1x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>,
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
