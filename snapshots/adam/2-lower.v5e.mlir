module @adam_kernel {
  func.func @main(%arg0: i32, %arg1: memref<1xi32, #tpu.memory_space<smem>>, %arg2: memref<64x256xf32, #tpu.memory_space<vmem>>, %arg3: memref<64x256xf32, #tpu.memory_space<vmem>>, %arg4: memref<64x256xf32, #tpu.memory_space<vmem>>, %arg5: memref<64x256xf32, #tpu.memory_space<vmem>>, %arg6: memref<64x256xf32, #tpu.memory_space<vmem>>, %arg7: memref<64x256xf32, #tpu.memory_space<vmem>>, %arg8: memref<64x256xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 4>, scalar_prefetch = 1 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 64, 256>}, {transform_indices = @transform_1, window_bounds = array<i64: 64, 256>}, {transform_indices = @transform_2, window_bounds = array<i64: 64, 256>}, {transform_indices = @transform_3, window_bounds = array<i64: 64, 256>}, {transform_indices = @transform_4, window_bounds = array<i64: 64, 256>}, {transform_indices = @transform_5, window_bounds = array<i64: 64, 256>}, {transform_indices = @transform_6, window_bounds = array<i64: 64, 256>}]} {
    %c0 = arith.constant 0 : index
    %0 = memref.load %arg1[%c0] : memref<1xi32, #tpu.memory_space<smem>>
    %1 = arith.sitofp %0 : i32 to f32
    %c0_0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %2 = vector.load %arg5[%c0_0, %c0_1] : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>
    %c0_2 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %3 = vector.load %arg3[%c0_2, %c0_3] : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>
    %cst = arith.constant 0.899999976 : f32
    %4 = vector.broadcast %cst : f32 to vector<64x256xf32>
    %5 = arith.mulf %4, %3 : vector<64x256xf32>
    %cst_4 = arith.constant 1.000000e-01 : f32
    %6 = vector.broadcast %cst_4 : f32 to vector<64x256xf32>
    %7 = arith.mulf %6, %2 : vector<64x256xf32>
    %8 = arith.addf %5, %7 : vector<64x256xf32>
    %c0_5 = arith.constant 0 : index
    %c0_6 = arith.constant 0 : index
    %9 = vector.load %arg4[%c0_5, %c0_6] : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>
    %cst_7 = arith.constant 9.990000e-01 : f32
    %10 = vector.broadcast %cst_7 : f32 to vector<64x256xf32>
    %11 = arith.mulf %10, %9 : vector<64x256xf32>
    %cst_8 = arith.constant 1.000000e-03 : f32
    %12 = vector.broadcast %cst_8 : f32 to vector<64x256xf32>
    %13 = arith.mulf %12, %2 : vector<64x256xf32>
    %14 = arith.mulf %13, %2 : vector<64x256xf32>
    %15 = arith.addf %11, %14 : vector<64x256xf32>
    %c0_9 = arith.constant 0 : index
    %c0_10 = arith.constant 0 : index
    %16 = vector.load %arg7[%c0_9, %c0_10] : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>
    tpu.vector_store %arg7[%c0_9, %c0_10], %8 {strides = array<i32>} : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>,
    %c0_11 = arith.constant 0 : index
    %c0_12 = arith.constant 0 : index
    %17 = vector.load %arg8[%c0_11, %c0_12] : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>
    tpu.vector_store %arg8[%c0_11, %c0_12], %15 {strides = array<i32>} : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>,
    %18 = vector.broadcast %1 : f32 to vector<1x1xf32>
    %cst_13 = arith.constant -0.105360515 : f32
    %19 = vector.broadcast %cst_13 : f32 to vector<1x1xf32>
    %20 = arith.mulf %18, %19 : vector<1x1xf32>
    %21 = math.exp %20 : vector<1x1xf32>
    %22 = vector.broadcast %1 : f32 to vector<1x1xf32>
    %cst_14 = arith.constant -0.00100050028 : f32
    %23 = vector.broadcast %cst_14 : f32 to vector<1x1xf32>
    %24 = arith.mulf %22, %23 : vector<1x1xf32>
    %25 = math.exp %24 : vector<1x1xf32>
    %cst_15 = arith.constant 1.000000e+00 : f32
    %26 = vector.broadcast %cst_15 : f32 to vector<1x1xf32>
    %27 = arith.subf %26, %21 : vector<1x1xf32>
    %28 = vector.broadcast %27 : vector<1x1xf32> to vector<64x256xf32>
    %29 = arith.divf %8, %28 : vector<64x256xf32>
    %cst_16 = arith.constant 1.000000e+00 : f32
    %30 = vector.broadcast %cst_16 : f32 to vector<1x1xf32>
    %31 = arith.subf %30, %25 : vector<1x1xf32>
    %32 = vector.broadcast %31 : vector<1x1xf32> to vector<64x256xf32>
    %33 = arith.divf %15, %32 : vector<64x256xf32>
    %c0_17 = arith.constant 0 : index
    %c0_18 = arith.constant 0 : index
    %34 = vector.load %arg2[%c0_17, %c0_18] : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>
    %cst_19 = arith.constant 1.000000e-03 : f32
    %35 = vector.broadcast %cst_19 : f32 to vector<64x256xf32>
    %36 = arith.mulf %35, %29 : vector<64x256xf32>
    %37 = math.sqrt %33 : vector<64x256xf32>
    %cst_20 = arith.constant 9.99999993E-9 : f32
    %38 = vector.broadcast %cst_20 : f32 to vector<64x256xf32>
    %39 = arith.addf %37, %38 : vector<64x256xf32>
    %40 = arith.divf %36, %39 : vector<64x256xf32>
    %41 = arith.subf %34, %40 : vector<64x256xf32>
    %c0_21 = arith.constant 0 : index
    %c0_22 = arith.constant 0 : index
    %42 = vector.load %arg6[%c0_21, %c0_22] : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>
    tpu.vector_store %arg6[%c0_21, %c0_22], %41 {strides = array<i32>} : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>,
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: memref<1xi32, #tpu.memory_space<smem>>) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: memref<1xi32, #tpu.memory_space<smem>>) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
  func.func @transform_2(%arg0: i32, %arg1: memref<1xi32, #tpu.memory_space<smem>>) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
  func.func @transform_3(%arg0: i32, %arg1: memref<1xi32, #tpu.memory_space<smem>>) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
  func.func @transform_4(%arg0: i32, %arg1: memref<1xi32, #tpu.memory_space<smem>>) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
  func.func @transform_5(%arg0: i32, %arg1: memref<1xi32, #tpu.memory_space<smem>>) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
  func.func @transform_6(%arg0: i32, %arg1: memref<1xi32, #tpu.memory_space<smem>>) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
}
