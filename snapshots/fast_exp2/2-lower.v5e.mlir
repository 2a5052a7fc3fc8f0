module @fast_exp2_kernel {
  func.func @main(%arg0: i32, %arg1: memref<64x256xf32, #tpu.memory_space<vmem>>, %arg2: memref<64x256xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 2>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 64, 256>}, {transform_indices = @transform_1, window_bounds = array<i64: 64, 256>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg1[%c0, %c0_0] : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>
    %cst = arith.constant -1.000000e+02 : f32
    %cst_1 = arith.constant 1.000000e+02 : f32
    %1 = vector.broadcast %cst : f32 to vector<64x256xf32>
    %2 = arith.maximumf %1, %0 : vector<64x256xf32>
    %3 = vector.broadcast %cst_1 : f32 to vector<64x256xf32>
    %4 = arith.minimumf %3, %2 : vector<64x256xf32>
    %5 = math.roundeven %4 : vector<64x256xf32>
    %6 = arith.subf %4, %5 : vector<64x256xf32>
    %cst_2 = arith.constant 1.54035311E-4 : f32
    %7 = vector.broadcast %cst_2 : f32 to vector<64x256xf32>
    %8 = arith.mulf %7, %6 : vector<64x256xf32>
    %cst_3 = arith.constant 0.00133335579 : f32
    %9 = vector.broadcast %cst_3 : f32 to vector<64x256xf32>
    %10 = arith.addf %8, %9 : vector<64x256xf32>
    %11 = arith.mulf %10, %6 : vector<64x256xf32>
    %cst_4 = arith.constant 0.00961812865 : f32
    %12 = vector.broadcast %cst_4 : f32 to vector<64x256xf32>
    %13 = arith.addf %11, %12 : vector<64x256xf32>
    %14 = arith.mulf %13, %6 : vector<64x256xf32>
    %cst_5 = arith.constant 0.0555041097 : f32
    %15 = vector.broadcast %cst_5 : f32 to vector<64x256xf32>
    %16 = arith.addf %14, %15 : vector<64x256xf32>
    %17 = arith.mulf %16, %6 : vector<64x256xf32>
    %cst_6 = arith.constant 0.240226507 : f32
    %18 = vector.broadcast %cst_6 : f32 to vector<64x256xf32>
    %19 = arith.addf %17, %18 : vector<64x256xf32>
    %20 = arith.mulf %19, %6 : vector<64x256xf32>
    %cst_7 = arith.constant 0.693147182 : f32
    %21 = vector.broadcast %cst_7 : f32 to vector<64x256xf32>
    %22 = arith.addf %20, %21 : vector<64x256xf32>
    %23 = arith.mulf %22, %6 : vector<64x256xf32>
    %cst_8 = arith.constant 1.000000e+00 : f32
    %24 = vector.broadcast %cst_8 : f32 to vector<64x256xf32>
    %25 = arith.addf %23, %24 : vector<64x256xf32>
    %26 = arith.fptosi %5 : vector<64x256xf32> to vector<64x256xi32>
    %c127_i32 = arith.constant 127 : i32
    %27 = vector.broadcast %c127_i32 : i32 to vector<64x256xi32>
    %28 = arith.addi %26, %27 : vector<64x256xi32>
    %c23_i32 = arith.constant 23 : i32
    %29 = vector.broadcast %c23_i32 : i32 to vector<64x256xi32>
    %30 = arith.shli %28, %29 : vector<64x256xi32>
    %31 = tpu.bitcast %30 : vector<64x256xi32> -> vector<64x256xf32>
    %32 = arith.mulf %25, %31 : vector<64x256xf32>
    %c0_9 = arith.constant 0 : index
    %c0_10 = arith.constant 0 : index
    %33 = vector.load %arg2[%c0_9, %c0_10] : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>
    tpu.vector_store %arg2[%c0_9, %c0_10], %32 {strides = array<i32>} : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>,
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
