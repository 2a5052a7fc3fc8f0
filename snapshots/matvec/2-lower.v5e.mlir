module @matvec_kernel {
  func.func @main(%arg0: i32, %arg1: memref<128x512xbf16, #tpu.memory_space<vmem>>, %arg2: memref<1x512xf32, #tpu.memory_space<vmem>>, %arg3: memref<128x1xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 8>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 128, 512>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_1, window_bounds = array<i64: 1, 512>}, {transform_indices = @transform_2, window_bounds = array<i64: 128, 1>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg1[%c0, %c0_0] : memref<128x512xbf16, #tpu.memory_space<vmem>>, vector<128x512xbf16>
    %1 = arith.extf %0 : vector<128x512xbf16> to vector<128x512xf32>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %2 = vector.load %arg2[%c0_1, %c0_2] : memref<1x512xf32, #tpu.memory_space<vmem>>, vector<1x512xf32>
    %3 = vector.broadcast %2 : vector<1x512xf32> to vector<128x512xf32>
    %4 = arith.mulf %1, %3 : vector<128x512xf32>
    %cst = arith.constant dense<0.000000e+00> : vector<128xf32>
    %5 = vector.multi_reduction <add>, %4, %cst [1] : vector<128x512xf32> to vector<128xf32>
    %6 = vector.shape_cast %5 : vector<128xf32> to vector<128x1xf32>
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    %7 = vector.load %arg3[%c0_3, %c0_4] : memref<128x1xf32, #tpu.memory_space<vmem>>, vector<128x1xf32>
    tpu.vector_store %arg3[%c0_3, %c0_4], %6 {strides = array<i32>} : memref<128x1xf32, #tpu.memory_space<vmem>>, vector<128x1xf32>,
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
  func.func @transform_2(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
}
