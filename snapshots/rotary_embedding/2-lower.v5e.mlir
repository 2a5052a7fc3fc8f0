module @rotary_embedding_kernel {
  func.func @main(%arg0: i32, %arg1: memref<1x256x128xbf16, #tpu.memory_space<vmem>>, %arg2: memref<256x128xf32, #tpu.memory_space<vmem>>, %arg3: memref<256x128xf32, #tpu.memory_space<vmem>>, %arg4: memref<1x256x128xbf16, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 1, 256, 128>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_1, window_bounds = array<i64: 256, 128>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_2, window_bounds = array<i64: 256, 128>}, {transform_indices = @transform_3, window_bounds = array<i64: 1, 256, 128>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %0 = vector.load %arg1[%c0, %c0_0, %c0_1] : memref<1x256x128xbf16, #tpu.memory_space<vmem>>, vector<1x256x128xbf16>
    %1 = vector.shape_cast %0 : vector<1x256x128xbf16> to vector<256x128xbf16>
    %2 = arith.extf %1 : vector<256x128xbf16> to vector<256x128xf32>
    %3 = tpu.iota {dimensions = array<i32: 1>} : vector<256x128xi32>
    %c64_i32 = arith.constant 64 : i32
    %4 = vector.broadcast %c64_i32 : i32 to vector<256x128xi32>
    %5 = arith.cmpi slt, %3, %4 : vector<256x128xi32>
    %cst = arith.constant -1.000000e+00 : f32
    %cst_2 = arith.constant 1.000000e+00 : f32
    %6 = vector.broadcast %cst : f32 to vector<256x128xf32>
    %7 = vector.broadcast %cst_2 : f32 to vector<256x128xf32>
    %8 = arith.select %5, %6, %7 : vector<256x128xi1>, vector<256x128xf32>
    %c64_i32_3 = arith.constant 64 : i32
    %9 = tpu.dynamic_rotate %2 by %c64_i32_3 dim 1 : vector<256x128xf32>, i32 -> vector<256x128xf32>
    %10 = arith.mulf %8, %9 : vector<256x128xf32>
    %c0_4 = arith.constant 0 : index
    %c0_5 = arith.constant 0 : index
    %11 = vector.load %arg2[%c0_4, %c0_5] : memref<256x128xf32, #tpu.memory_space<vmem>>, vector<256x128xf32>
    %12 = arith.mulf %2, %11 : vector<256x128xf32>
    %c0_6 = arith.constant 0 : index
    %c0_7 = arith.constant 0 : index
    %13 = vector.load %arg3[%c0_6, %c0_7] : memref<256x128xf32, #tpu.memory_space<vmem>>, vector<256x128xf32>
    %14 = arith.mulf %10, %13 : vector<256x128xf32>
    %15 = arith.addf %12, %14 : vector<256x128xf32>
    %16 = arith.truncf %15 : vector<256x128xf32> to vector<256x128xbf16>
    %c0_8 = arith.constant 0 : index
    %c0_9 = arith.constant 0 : index
    %c0_10 = arith.constant 0 : index
    %17 = vector.load %arg4[%c0_8, %c0_9, %c0_10] : memref<1x256x128xbf16, #tpu.memory_space<vmem>>, vector<1x256x128xbf16>
    %18 = vector.shape_cast %17 : vector<1x256x128xbf16> to vector<256x128xbf16>
    %19 = vector.shape_cast %16 : vector<256x128xbf16> to vector<1x256x128xbf16>
    tpu.vector_store %arg4[%c0_8, %c0_9, %c0_10], %19 {strides = array<i32>} : memref<1x256x128xbf16, #tpu.memory_space<vmem>>, vector<1x256x128xbf16>,
    return
  }
  func.func @transform_0(%arg0: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0 : i32, i32, i32
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
    %c0_i32_1 = arith.constant 0 : i32
    return %c0_i32, %c0_i32_0 : i32, i32
  }
  func.func @transform_3(%arg0: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0 : i32, i32, i32
  }
}
