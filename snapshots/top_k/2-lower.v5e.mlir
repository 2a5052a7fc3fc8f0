module @top_k_kernel {
  func.func @main(%arg0: i32, %arg1: memref<16x512xf32, #tpu.memory_space<vmem>>, %arg2: memref<16x128xf32, #tpu.memory_space<vmem>>, %arg3: memref<16x128xi32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 16, 512>}, {transform_indices = @transform_1, window_bounds = array<i64: 16, 128>}, {transform_indices = @transform_2, window_bounds = array<i64: 16, 128>}]} {
    %0 = tpu.iota {dimensions = array<i32: 1>} : vector<16x512xi32>
    %1 = tpu.iota {dimensions = array<i32: 1>} : vector<16x128xi32>
    %cst = arith.constant 0.000000e+00 : f32
    %2 = vector.broadcast %cst : f32 to vector<16x128xf32>
    %c0_i32 = arith.constant 0 : i32
    %3 = vector.broadcast %c0_i32 : i32 to vector<16x128xi32>
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %4 = vector.load %arg1[%c0, %c0_0] : memref<16x512xf32, #tpu.memory_space<vmem>>, vector<16x512xf32>
    %c0_i32_1 = arith.constant 0 : i32
    %c8_i32 = arith.constant 8 : i32
    %5 = arith.addi %c0_i32_1, %c8_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    %6:3 = scf.for %arg4 = %c0_i32_1 to %5 step %c1_i32 iter_args(%arg5 = %4, %arg6 = %2, %arg7 = %3) -> (vector<16x512xf32>, vector<16x128xf32>, vector<16x128xi32>)  : i32 {
      %cst_7 = arith.constant dense<0xFF800000> : vector<16xf32>
      %9 = vector.multi_reduction <maximumf>, %arg5, %cst_7 [1] : vector<16x512xf32> to vector<16xf32>
      %10 = vector.shape_cast %9 : vector<16xf32> to vector<16x1xf32>
      %11 = vector.broadcast %10 : vector<16x1xf32> to vector<16x512xf32>
      %12 = arith.cmpf oeq, %arg5, %11 : vector<16x512xf32>
      %c512_i32 = arith.constant 512 : i32
      %13 = vector.broadcast %c512_i32 : i32 to vector<16x512xi32>
      %14 = arith.select %12, %0, %13 : vector<16x512xi1>, vector<16x512xi32>
      %cst_8 = arith.constant dense<2147483647> : vector<16xi32>
      %15 = vector.multi_reduction <minsi>, %14, %cst_8 [1] : vector<16x512xi32> to vector<16xi32>
      %16 = vector.shape_cast %15 : vector<16xi32> to vector<16x1xi32>
      %17 = vector.broadcast %arg4 : i32 to vector<16x128xi32>
      %18 = arith.cmpi eq, %1, %17 : vector<16x128xi32>
      %19 = vector.shape_cast %10 : vector<16x1xf32> to vector<16x1xf32>
      %20 = vector.broadcast %19 : vector<16x1xf32> to vector<16x128xf32>
      %21 = arith.select %18, %20, %arg6 : vector<16x128xi1>, vector<16x128xf32>
      %22 = vector.broadcast %arg4 : i32 to vector<16x128xi32>
      %23 = arith.cmpi eq, %1, %22 : vector<16x128xi32>
      %24 = vector.shape_cast %16 : vector<16x1xi32> to vector<16x1xi32>
      %25 = vector.broadcast %24 : vector<16x1xi32> to vector<16x128xi32>
      %26 = arith.select %23, %25, %arg7 : vector<16x128xi1>, vector<16x128xi32>
      %27 = vector.broadcast %16 : vector<16x1xi32> to vector<16x512xi32>
      %28 = arith.cmpi eq, %0, %27 : vector<16x512xi32>
      %cst_9 = arith.constant 0xFF800000 : f32
      %29 = vector.broadcast %cst_9 : f32 to vector<16x512xf32>
      %30 = arith.select %28, %29, %arg5 : vector<16x512xi1>, vector<16x512xf32>
      scf.yield %30, %21, %26 : vector<16x512xf32>, vector<16x128xf32>, vector<16x128xi32>
    }
    %c8_i32_2 = arith.constant 8 : i32
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    %7 = vector.load %arg2[%c0_3, %c0_4] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>
    tpu.vector_store %arg2[%c0_3, %c0_4], %6#1 {strides = array<i32>} : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>,
    %c0_5 = arith.constant 0 : index
    %c0_6 = arith.constant 0 : index
    %8 = vector.load %arg3[%c0_5, %c0_6] : memref<16x128xi32, #tpu.memory_space<vmem>>, vector<16x128xi32>
    tpu.vector_store %arg3[%c0_5, %c0_6], %6#2 {strides = array<i32>} : memref<16x128xi32, #tpu.memory_space<vmem>>, vector<16x128xi32>,
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
