module @router_kernel {
  func.func @main(%arg0: i32, %arg1: memref<128x128xf32, #tpu.memory_space<vmem>>, %arg2: memref<128x2xf32, #tpu.memory_space<vmem>>, %arg3: memref<128x2xi32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 2>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 128, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 128, 2>}, {transform_indices = @transform_2, window_bounds = array<i64: 128, 2>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg1[%c0, %c0_0] : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>
    %cst = arith.constant dense<0xFF800000> : vector<128xf32>
    %1 = vector.multi_reduction <maximumf>, %0, %cst [1] : vector<128x128xf32> to vector<128xf32>
    %cst_1 = arith.constant 0xFF800000 : f32
    %2 = vector.broadcast %cst_1 : f32 to vector<128xf32>
    %3 = arith.maximumf %2, %1 : vector<128xf32>
    %4 = vector.shape_cast %3 : vector<128xf32> to vector<128x1xf32>
    %5 = vector.broadcast %4 : vector<128x1xf32> to vector<128x128xf32>
    %6 = arith.subf %0, %5 : vector<128x128xf32>
    %7 = math.exp %6 : vector<128x128xf32>
    %cst_2 = arith.constant dense<0.000000e+00> : vector<128xf32>
    %8 = vector.multi_reduction <add>, %7, %cst_2 [1] : vector<128x128xf32> to vector<128xf32>
    %9 = vector.shape_cast %8 : vector<128xf32> to vector<128x1xf32>
    %10 = vector.broadcast %9 : vector<128x1xf32> to vector<128x128xf32>
    %11 = arith.divf %7, %10 : vector<128x128xf32>
    %12 = tpu.iota {dimensions = array<i32: 1>} : vector<128x128xi32>
    %cst_3 = arith.constant dense<0xFF800000> : vector<128xf32>
    %13 = vector.multi_reduction <maximumf>, %11, %cst_3 [1] : vector<128x128xf32> to vector<128xf32>
    %14 = vector.shape_cast %13 : vector<128xf32> to vector<128x1xf32>
    %15 = vector.broadcast %14 : vector<128x1xf32> to vector<128x128xf32>
    %16 = arith.cmpf oeq, %11, %15 : vector<128x128xf32>
    %c128_i32 = arith.constant 128 : i32
    %17 = vector.broadcast %c128_i32 : i32 to vector<128x128xi32>
    %18 = arith.select %16, %12, %17 : vector<128x128xi1>, vector<128x128xi32>
    %cst_4 = arith.constant dense<2147483647> : vector<128xi32>
    %19 = vector.multi_reduction <minsi>, %18, %cst_4 [1] : vector<128x128xi32> to vector<128xi32>
    %20 = vector.shape_cast %19 : vector<128xi32> to vector<128x1xi32>
    %21 = vector.broadcast %20 : vector<128x1xi32> to vector<128x128xi32>
    %22 = arith.cmpi eq, %12, %21 : vector<128x128xi32>
    %cst_5 = arith.constant -1.000000e+00 : f32
    %23 = vector.broadcast %cst_5 : f32 to vector<128x128xf32>
    %24 = arith.select %22, %23, %11 : vector<128x128xi1>, vector<128x128xf32>
    %cst_6 = arith.constant dense<0xFF800000> : vector<128xf32>
    %25 = vector.multi_reduction <maximumf>, %24, %cst_6 [1] : vector<128x128xf32> to vector<128xf32>
    %26 = vector.shape_cast %25 : vector<128xf32> to vector<128x1xf32>
    %27 = vector.broadcast %26 : vector<128x1xf32> to vector<128x128xf32>
    %28 = arith.cmpf oeq, %24, %27 : vector<128x128xf32>
    %c128_i32_7 = arith.constant 128 : i32
    %29 = vector.broadcast %c128_i32_7 : i32 to vector<128x128xi32>
    %30 = arith.select %28, %12, %29 : vector<128x128xi1>, vector<128x128xi32>
    %cst_8 = arith.constant dense<2147483647> : vector<128xi32>
    %31 = vector.multi_reduction <minsi>, %30, %cst_8 [1] : vector<128x128xi32> to vector<128xi32>
    %32 = vector.shape_cast %31 : vector<128xi32> to vector<128x1xi32>
    %33 = arith.addf %14, %26 : vector<128x1xf32>
    %34 = arith.divf %14, %33 : vector<128x1xf32>
    %35 = arith.divf %26, %33 : vector<128x1xf32>
    %36 = tpu.concatenate %34, %35 in 1 : vector<128x1xf32>, vector<128x1xf32> -> vector<128x2xf32>
    %c0_9 = arith.constant 0 : index
    %c0_10 = arith.constant 0 : index
    %37 = vector.load %arg2[%c0_9, %c0_10] : memref<128x2xf32, #tpu.memory_space<vmem>>, vector<128x2xf32>
    tpu.vector_store %arg2[%c0_9, %c0_10], %36 {strides = array<i32>} : memref<128x2xf32, #tpu.memory_space<vmem>>, vector<128x2xf32>,
    %38 = tpu.concatenate %20, %32 in 1 : vector<128x1xi32>, vector<128x1xi32> -> vector<128x2xi32>
    %c0_11 = arith.constant 0 : index
    %c0_12 = arith.constant 0 : index
    %39 = vector.load %arg3[%c0_11, %c0_12] : memref<128x2xi32, #tpu.memory_space<vmem>>, vector<128x2xi32>
    tpu.vector_store %arg3[%c0_11, %c0_12], %38 {strides = array<i32>} : memref<128x2xi32, #tpu.memory_space<vmem>>, vector<128x2xi32>,
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
