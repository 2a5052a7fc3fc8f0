module @long_softmax_kernel {
  func.func @main(%arg0: i32, %arg1: i32, %arg2: i32, %arg3: memref<64x512xbf16, #tpu.memory_space<vmem>>, %arg4: memref<64x512xbf16, #tpu.memory_space<vmem>>, %arg5: memref<64x1xf32, #tpu.memory_space<vmem>>, %arg6: memref<64x1xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<arbitrary>, #tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 2, 2, 4>, scalar_prefetch = 0 : i64, scratch_operands = 2 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 64, 512>}, {transform_indices = @transform_1, window_bounds = array<i64: 64, 512>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg3[%c0, %c0_0] : memref<64x512xbf16, #tpu.memory_space<vmem>>, vector<64x512xbf16>
    %1 = arith.extf %0 : vector<64x512xbf16> to vector<64x512xf32>
    %c0_i32 = arith.constant 0 : i32
    %2 = arith.cmpi eq, %arg1, %c0_i32 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %3 = arith.cmpi eq, %arg2, %c0_i32_1 : i32
    %4 = arith.andi %2, %3 : i1
    %5 = arith.extui %4 : i1 to i32
    %c0_i32_2 = arith.constant 0 : i32
    %6 = arith.cmpi ne, %5, %c0_i32_2 : i32
    scf.if %6 {
      %cst = arith.constant 0xFF800000 : f32
      %13 = vector.broadcast %cst : f32 to vector<64x1xf32>
      %c0_6 = arith.constant 0 : index
      %c0_7 = arith.constant 0 : index
      %14 = vector.load %arg5[%c0_6, %c0_7] : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>
      %15 = vector.shape_cast %14 : vector<64x1xf32> to vector<64x1xf32>
      %16 = vector.shape_cast %13 : vector<64x1xf32> to vector<64x1xf32>
      tpu.vector_store %arg5[%c0_6, %c0_7], %16 {strides = array<i32>} : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>,
      %cst_8 = arith.constant 0.000000e+00 : f32
      %17 = vector.broadcast %cst_8 : f32 to vector<64x1xf32>
      %c0_9 = arith.constant 0 : index
      %c0_10 = arith.constant 0 : index
      %18 = vector.load %arg6[%c0_9, %c0_10] : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>
      %19 = vector.shape_cast %18 : vector<64x1xf32> to vector<64x1xf32>
      %20 = vector.shape_cast %17 : vector<64x1xf32> to vector<64x1xf32>
      tpu.vector_store %arg6[%c0_9, %c0_10], %20 {strides = array<i32>} : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>,
    } else {
    }
    %c0_i32_3 = arith.constant 0 : i32
    %7 = arith.cmpi eq, %arg1, %c0_i32_3 : i32
    %8 = arith.extui %7 : i1 to i32
    %c0_i32_4 = arith.constant 0 : i32
    %9 = arith.cmpi ne, %8, %c0_i32_4 : i32
    scf.if %9 {
      %c0_6 = arith.constant 0 : index
      %c0_7 = arith.constant 0 : index
      %13 = vector.load %arg5[%c0_6, %c0_7] : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>
      %cst = arith.constant dense<0xFF800000> : vector<64xf32>
      %14 = vector.multi_reduction <maximumf>, %1, %cst [1] : vector<64x512xf32> to vector<64xf32>
      %15 = vector.shape_cast %14 : vector<64xf32> to vector<64x1xf32>
      %16 = arith.maximumf %13, %15 : vector<64x1xf32>
      %c0_8 = arith.constant 0 : index
      %c0_9 = arith.constant 0 : index
      %17 = vector.load %arg6[%c0_8, %c0_9] : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>
      %c0_10 = arith.constant 0 : index
      %c0_11 = arith.constant 0 : index
      %18 = vector.load %arg5[%c0_10, %c0_11] : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>
      %19 = arith.subf %18, %16 : vector<64x1xf32>
      %20 = math.exp %19 : vector<64x1xf32>
      %21 = arith.mulf %17, %20 : vector<64x1xf32>
      %22 = vector.broadcast %16 : vector<64x1xf32> to vector<64x512xf32>
      %23 = arith.subf %1, %22 : vector<64x512xf32>
      %24 = math.exp %23 : vector<64x512xf32>
      %cst_12 = arith.constant dense<0.000000e+00> : vector<64xf32>
      %25 = vector.multi_reduction <add>, %24, %cst_12 [1] : vector<64x512xf32> to vector<64xf32>
      %26 = vector.shape_cast %25 : vector<64xf32> to vector<64x1xf32>
      %27 = arith.addf %21, %26 : vector<64x1xf32>
      %c0_13 = arith.constant 0 : index
      %c0_14 = arith.constant 0 : index
      %28 = vector.load %arg6[%c0_13, %c0_14] : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>
      %29 = vector.shape_cast %28 : vector<64x1xf32> to vector<64x1xf32>
      %30 = vector.shape_cast %27 : vector<64x1xf32> to vector<64x1xf32>
      tpu.vector_store %arg6[%c0_13, %c0_14], %30 {strides = array<i32>} : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>,
      %c0_15 = arith.constant 0 : index
      %c0_16 = arith.constant 0 : index
      %31 = vector.load %arg5[%c0_15, %c0_16] : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>
      %32 = vector.shape_cast %31 : vector<64x1xf32> to vector<64x1xf32>
      %33 = vector.shape_cast %16 : vector<64x1xf32> to vector<64x1xf32>
      tpu.vector_store %arg5[%c0_15, %c0_16], %33 {strides = array<i32>} : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>,
    } else {
    }
    %c1_i32 = arith.constant 1 : i32
    %10 = arith.cmpi eq, %arg1, %c1_i32 : i32
    %11 = arith.extui %10 : i1 to i32
    %c0_i32_5 = arith.constant 0 : i32
    %12 = arith.cmpi ne, %11, %c0_i32_5 : i32
    scf.if %12 {
      %c0_6 = arith.constant 0 : index
      %c0_7 = arith.constant 0 : index
      %13 = vector.load %arg5[%c0_6, %c0_7] : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>
      %14 = vector.broadcast %13 : vector<64x1xf32> to vector<64x512xf32>
      %15 = arith.subf %1, %14 : vector<64x512xf32>
      %16 = math.exp %15 : vector<64x512xf32>
      %c0_8 = arith.constant 0 : index
      %c0_9 = arith.constant 0 : index
      %17 = vector.load %arg6[%c0_8, %c0_9] : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>
      %18 = vector.broadcast %17 : vector<64x1xf32> to vector<64x512xf32>
      %19 = arith.divf %16, %18 : vector<64x512xf32>
      %20 = arith.truncf %19 : vector<64x512xf32> to vector<64x512xbf16>
      %c0_10 = arith.constant 0 : index
      %c0_11 = arith.constant 0 : index
      %21 = vector.load %arg4[%c0_10, %c0_11] : memref<64x512xbf16, #tpu.memory_space<vmem>>, vector<64x512xbf16>
      tpu.vector_store %arg4[%c0_10, %c0_11], %20 {strides = array<i32>} : memref<64x512xbf16, #tpu.memory_space<vmem>>, vector<64x512xbf16>,
    } else {
    }
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: i32, %arg2: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    return %arg0, %arg2 : i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: i32, %arg2: i32) -> (i32, i32) {
    %0 = arith.muli %arg1, %arg2 : i32
    %c0_i32 = arith.constant 0 : i32
    return %arg0, %0 : i32, i32
  }
}
