module @causal_conv1d_kernel {
  func.func @main(%arg0: i32, %arg1: i32, %arg2: memref<1x64x256xf32, #tpu.memory_space<vmem>>, %arg3: memref<4x256xf32, #tpu.memory_space<vmem>>, %arg4: memref<1x64x256xf32, #tpu.memory_space<vmem>>, %arg5: memref<8x256xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 2, 4>, scalar_prefetch = 0 : i64, scratch_operands = 1 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 1, 64, 256>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_1, window_bounds = array<i64: 4, 256>}, {transform_indices = @transform_2, window_bounds = array<i64: 1, 64, 256>}]} {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi eq, %arg1, %c0_i32 : i32
    %1 = arith.extui %0 : i1 to i32
    %c0_i32_0 = arith.constant 0 : i32
    %2 = arith.cmpi ne, %1, %c0_i32_0 : i32
    scf.if %2 {
      %cst_17 = arith.constant 0.000000e+00 : f32
      %36 = vector.broadcast %cst_17 : f32 to vector<8x256xf32>
      %c0_18 = arith.constant 0 : index
      %c0_19 = arith.constant 0 : index
      %37 = vector.load %arg5[%c0_18, %c0_19] : memref<8x256xf32, #tpu.memory_space<vmem>>, vector<8x256xf32>
      %38 = vector.shape_cast %37 : vector<8x256xf32> to vector<8x256xf32>
      %39 = vector.shape_cast %36 : vector<8x256xf32> to vector<8x256xf32>
      tpu.vector_store %arg5[%c0_18, %c0_19], %39 {strides = array<i32>} : memref<8x256xf32, #tpu.memory_space<vmem>>, vector<8x256xf32>,
    } else {
    }
    %c0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %3 = vector.load %arg5[%c0, %c0_1] : memref<8x256xf32, #tpu.memory_space<vmem>>, vector<8x256xf32>
    %c0_2 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    %4 = vector.load %arg2[%c0_2, %c0_3, %c0_4] : memref<1x64x256xf32, #tpu.memory_space<vmem>>, vector<1x64x256xf32>
    %5 = vector.shape_cast %4 : vector<1x64x256xf32> to vector<64x256xf32>
    %6 = tpu.concatenate %3, %5 in 0 : vector<8x256xf32>, vector<64x256xf32> -> vector<72x256xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %7 = vector.broadcast %cst : f32 to vector<64x256xf32>
    %c0_5 = arith.constant 0 : index
    %c0_6 = arith.constant 0 : index
    %8 = vector.load %arg3[%c0_5, %c0_6] : memref<4x256xf32, #tpu.memory_space<vmem>>, vector<1x256xf32>
    %9 = vector.extract_strided_slice %6 {offsets = [5, 0], sizes = [64, 256], strides = [1, 1]} : vector<72x256xf32> to vector<64x256xf32>
    %10 = vector.broadcast %8 : vector<1x256xf32> to vector<64x256xf32>
    %11 = arith.mulf %10, %9 : vector<64x256xf32>
    %12 = arith.addf %7, %11 : vector<64x256xf32>
    %c1 = arith.constant 1 : index
    %c0_7 = arith.constant 0 : index
    %13 = vector.load %arg3[%c1, %c0_7] : memref<4x256xf32, #tpu.memory_space<vmem>>, vector<1x256xf32>
    %14 = vector.extract_strided_slice %6 {offsets = [6, 0], sizes = [64, 256], strides = [1, 1]} : vector<72x256xf32> to vector<64x256xf32>
    %15 = vector.broadcast %13 : vector<1x256xf32> to vector<64x256xf32>
    %16 = arith.mulf %15, %14 : vector<64x256xf32>
    %17 = arith.addf %12, %16 : vector<64x256xf32>
    %c2 = arith.constant 2 : index
    %c0_8 = arith.constant 0 : index
    %18 = vector.load %arg3[%c2, %c0_8] : memref<4x256xf32, #tpu.memory_space<vmem>>, vector<1x256xf32>
    %19 = vector.extract_strided_slice %6 {offsets = [7, 0], sizes = [64, 256], strides = [1, 1]} : vector<72x256xf32> to vector<64x256xf32>
    %20 = vector.broadcast %18 : vector<1x256xf32> to vector<64x256xf32>
    %21 = arith.mulf %20, %19 : vector<64x256xf32>
    %22 = arith.addf %17, %21 : vector<64x256xf32>
    %c3 = arith.constant 3 : index
    %c0_9 = arith.constant 0 : index
    %23 = vector.load %arg3[%c3, %c0_9] : memref<4x256xf32, #tpu.memory_space<vmem>>, vector<1x256xf32>
    %24 = vector.extract_strided_slice %6 {offsets = [8, 0], sizes = [64, 256], strides = [1, 1]} : vector<72x256xf32> to vector<64x256xf32>
    %25 = vector.broadcast %23 : vector<1x256xf32> to vector<64x256xf32>
    %26 = arith.mulf %25, %24 : vector<64x256xf32>
    %27 = arith.addf %22, %26 : vector<64x256xf32>
    %c0_10 = arith.constant 0 : index
    %c0_11 = arith.constant 0 : index
    %c0_12 = arith.constant 0 : index
    %28 = vector.load %arg4[%c0_10, %c0_11, %c0_12] : memref<1x64x256xf32, #tpu.memory_space<vmem>>, vector<1x64x256xf32>
    %29 = vector.shape_cast %28 : vector<1x64x256xf32> to vector<64x256xf32>
    %30 = vector.shape_cast %27 : vector<64x256xf32> to vector<1x64x256xf32>
    tpu.vector_store %arg4[%c0_10, %c0_11, %c0_12], %30 {strides = array<i32>} : memref<1x64x256xf32, #tpu.memory_space<vmem>>, vector<1x64x256xf32>,
    %c0_13 = arith.constant 0 : index
    %c56 = arith.constant 56 : index
    %c0_14 = arith.constant 0 : index
    %31 = vector.load %arg2[%c0_13, %c56, %c0_14] : memref<1x64x256xf32, #tpu.memory_space<vmem>>, vector<1x8x256xf32>
    %32 = vector.shape_cast %31 : vector<1x8x256xf32> to vector<8x256xf32>
    %c0_15 = arith.constant 0 : index
    %c0_16 = arith.constant 0 : index
    %33 = vector.load %arg5[%c0_15, %c0_16] : memref<8x256xf32, #tpu.memory_space<vmem>>, vector<8x256xf32>
    %34 = vector.shape_cast %33 : vector<8x256xf32> to vector<8x256xf32>
    %35 = vector.shape_cast %32 : vector<8x256xf32> to vector<8x256xf32>
    tpu.vector_store %arg5[%c0_15, %c0_16], %35 {strides = array<i32>} : memref<8x256xf32, #tpu.memory_space<vmem>>, vector<8x256xf32>,
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %arg1, %c0_i32 : i32, i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %c0_i32, %c0_i32_0 : i32, i32
  }
  func.func @transform_2(%arg0: i32, %arg1: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %arg1, %c0_i32 : i32, i32, i32
  }
}
