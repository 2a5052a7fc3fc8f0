module @flash_attention_kernel {
  func.func @main(%arg0: i32, %arg1: i32, %arg2: i32, %arg3: memref<1x256x128xbf16, #tpu.memory_space<vmem>>, %arg4: memref<1x256x128xbf16, #tpu.memory_space<vmem>>, %arg5: memref<1x256x128xbf16, #tpu.memory_space<vmem>>, %arg6: memref<1x256x128xbf16, #tpu.memory_space<vmem>>, %arg7: memref<256x128xf32, #tpu.memory_space<vmem>>, %arg8: memref<256x128xf32, #tpu.memory_space<vmem>>, %arg9: memref<256x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 2, 2, 2>, scalar_prefetch = 0 : i64, scratch_operands = 3 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 1, 256, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 1, 256, 128>}, {transform_indices = @transform_2, window_bounds = array<i64: 1, 256, 128>}, {transform_indices = @transform_3, window_bounds = array<i64: 1, 256, 128>}]} {
    %c256_i32 = arith.constant 256 : i32
    %0 = arith.muli %arg1, %c256_i32 : i32
    %c256_i32_0 = arith.constant 256 : i32
    %1 = arith.muli %arg2, %c256_i32_0 : i32
    %c0_i32 = arith.constant 0 : i32
    %2 = arith.cmpi eq, %arg2, %c0_i32 : i32
    %3 = arith.extui %2 : i1 to i32
    %c0_i32_1 = arith.constant 0 : i32
    %4 = arith.cmpi ne, %3, %c0_i32_1 : i32
    scf.if %4 {
      %cst = arith.constant -1.000000e+30 : f32
      %12 = vector.broadcast %cst : f32 to vector<256x128xf32>
      %c0 = arith.constant 0 : index
      %c0_5 = arith.constant 0 : index
      %13 = vector.load %arg7[%c0, %c0_5] : memref<256x128xf32, #tpu.memory_space<vmem>>, vector<256x128xf32>
      %14 = vector.shape_cast %13 : vector<256x128xf32> to vector<256x128xf32>
      %15 = vector.shape_cast %12 : vector<256x128xf32> to vector<256x128xf32>
      tpu.vector_store %arg7[%c0, %c0_5], %15 {strides = array<i32>} : memref<256x128xf32, #tpu.memory_space<vmem>>, vector<256x128xf32>,
      %cst_6 = arith.constant 0.000000e+00 : f32
      %16 = vector.broadcast %cst_6 : f32 to vector<256x128xf32>
      %c0_7 = arith.constant 0 : index
      %c0_8 = arith.constant 0 : index
      %17 = vector.load %arg8[%c0_7, %c0_8] : memref<256x128xf32, #tpu.memory_space<vmem>>, vector<256x128xf32>
      %18 = vector.shape_cast %17 : vector<256x128xf32> to vector<256x128xf32>
      %19 = vector.shape_cast %16 : vector<256x128xf32> to vector<256x128xf32>
      tpu.vector_store %arg8[%c0_7, %c0_8], %19 {strides = array<i32>} : memref<256x128xf32, #tpu.memory_space<vmem>>, vector<256x128xf32>,
      %cst_9 = arith.constant 0.000000e+00 : f32
      %20 = vector.broadcast %cst_9 : f32 to vector<256x128xf32>
      %c0_10 = arith.constant 0 : index
      %c0_11 = arith.constant 0 : index
      %21 = vector.load %arg9[%c0_10, %c0_11] : memref<256x128xf32, #tpu.memory_space<vmem>>, vector<256x128xf32>
      %22 = vector.shape_cast %21 : vector<256x128xf32> to vector<256x128xf32>
      %23 = vector.shape_cast %20 : vector<256x128xf32> to vector<256x128xf32>
      tpu.vector_store %arg9[%c0_10, %c0_11], %23 {strides = array<i32>} : memref<256x128xf32, #tpu.memory_space<vmem>>, vector<256x128xf32>,
    } else {
    }
    %c256_i32_2 = arith.constant 256 : i32
    %5 = arith.addi %0, %c256_i32_2 : i32
    %6 = arith.cmpi slt, %1, %5 : i32
    %7 = arith.extui %6 : i1 to i32
    %c0_i32_3 = arith.constant 0 : i32
    %8 = arith.cmpi ne, %7, %c0_i32_3 : i32
    scf.if %8 {
      %c0 = arith.constant 0 : index
      %c0_5 = arith.constant 0 : index
      %c0_6 = arith.constant 0 : index
      %12 = vector.load %arg3[%c0, %c0_5, %c0_6] : memref<1x256x128xbf16, #tpu.memory_space<vmem>>, vector<1x256x128xbf16>
      %13 = vector.shape_cast %12 : vector<1x256x128xbf16> to vector<256x128xbf16>
      %c0_7 = arith.constant 0 : index
      %c0_8 = arith.constant 0 : index
      %c0_9 = arith.constant 0 : index
      %14 = vector.load %arg4[%c0_7, %c0_8, %c0_9] : memref<1x256x128xbf16, #tpu.memory_space<vmem>>, vector<1x256x128xbf16>
      %15 = vector.shape_cast %14 : vector<1x256x128xbf16> to vector<256x128xbf16>
      %cst = arith.constant dense<0.000000e+00> : vector<256x256xf32>
      %16 = tpu.matmul %13, %15, %cst {dimension_numbers = #tpu.dot_dimension_numbers<[1], [1], [0], [0], [0, 0, 1, 0], [], []>, transpose_lhs_hint = false} : vector<256x128xbf16>, vector<256x128xbf16>, vector<256x256xf32> -> vector<256x256xf32>
      %cst_10 = arith.constant 0.0883883461 : f32
      %17 = vector.broadcast %cst_10 : f32 to vector<256x256xf32>
      %18 = arith.mulf %16, %17 : vector<256x256xf32>
      %19 = tpu.iota {dimensions = array<i32: 0>} : vector<256x256xi32>
      %20 = vector.broadcast %0 : i32 to vector<256x256xi32>
      %21 = arith.addi %20, %19 : vector<256x256xi32>
      %22 = tpu.iota {dimensions = array<i32: 1>} : vector<256x256xi32>
      %23 = vector.broadcast %1 : i32 to vector<256x256xi32>
      %24 = arith.addi %23, %22 : vector<256x256xi32>
      %25 = arith.cmpi sge, %21, %24 : vector<256x256xi32>
      %cst_11 = arith.constant -1.000000e+30 : f32
      %26 = vector.broadcast %cst_11 : f32 to vector<256x256xf32>
      %27 = arith.select %25, %18, %26 : vector<256x256xi1>, vector<256x256xf32>
      %c0_12 = arith.constant 0 : index
      %c0_13 = arith.constant 0 : index
      %28 = vector.load %arg7[%c0_12, %c0_13] : memref<256x128xf32, #tpu.memory_space<vmem>>, vector<256x128xf32>
      %c0_14 = arith.constant 0 : index
      %c0_15 = arith.constant 0 : index
      %29 = vector.load %arg8[%c0_14, %c0_15] : memref<256x128xf32, #tpu.memory_space<vmem>>, vector<256x128xf32>
      %cst_16 = arith.constant dense<0xFF800000> : vector<256xf32>
      %30 = vector.multi_reduction <maximumf>, %27, %cst_16 [1] : vector<256x256xf32> to vector<256xf32>
      %31 = vector.shape_cast %30 : vector<256xf32> to vector<256x1xf32>
      %32 = vector.broadcast %31 : vector<256x1xf32> to vector<256x128xf32>
      %33 = arith.maximumf %28, %32 : vector<256x128xf32>
      %34 = vector.extract_strided_slice %33 {offsets = [0, 0], sizes = [256, 1], strides = [1, 1]} : vector<256x128xf32> to vector<256x1xf32>
      %35 = vector.broadcast %34 : vector<256x1xf32> to vector<256x256xf32>
      %36 = arith.subf %27, %35 : vector<256x256xf32>
      %37 = math.exp %36 : vector<256x256xf32>
      %38 = arith.subf %28, %33 : vector<256x128xf32>
      %39 = math.exp %38 : vector<256x128xf32>
      %40 = arith.mulf %39, %29 : vector<256x128xf32>
      %cst_17 = arith.constant dense<0.000000e+00> : vector<256xf32>
      %41 = vector.multi_reduction <add>, %37, %cst_17 [1] : vector<256x256xf32> to vector<256xf32>
      %42 = vector.shape_cast %41 : vector<256xf32> to vector<256x1xf32>
      %43 = vector.broadcast %42 : vector<256x1xf32> to vector<256x128xf32>
      %44 = arith.addf %40, %43 : vector<256x128xf32>
      %c0_18 = arith.constant 0 : index
      %c0_19 = arith.constant 0 : index
      %45 = vector.load %arg8[%c0_18, %c0_19] : memref<256x128xf32, #tpu.memory_space<vmem>>, vector<256x128xf32>
      %46 = vector.shape_cast %45 : vector<256x128xf32> to vector<256x128xf32>
      %47 = vector.shape_cast %44 : vector<256x128xf32> to vector<256x128xf32>
      tpu.vector_store %arg8[%c0_18, %c0_19], %47 {strides = array<i32>} : memref<256x128xf32, #tpu.memory_space<vmem>>, vector<256x128xf32>,
      %48 = arith.truncf %37 : vector<256x256xf32> to vector<256x256xbf16>
      %c0_20 = arith.constant 0 : index
      %c0_21 = arith.constant 0 : index
      %c0_22 = arith.constant 0 : index
      %49 = vector.load %arg5[%c0_20, %c0_21, %c0_22] : memref<1x256x128xbf16, #tpu.memory_space<vmem>>, vector<1x256x128xbf16>
      %50 = vector.shape_cast %49 : vector<1x256x128xbf16> to vector<256x128xbf16>
      %cst_23 = arith.constant dense<0.000000e+00> : vector<256x128xf32>
      %51 = tpu.matmul %48, %50, %cst_23 {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<256x256xbf16>, vector<256x128xbf16>, vector<256x128xf32> -> vector<256x128xf32>
      %c0_24 = arith.constant 0 : index
      %c0_25 = arith.constant 0 : index
      %52 = vector.load %arg9[%c0_24, %c0_25] : memref<256x128xf32, #tpu.memory_space<vmem>>, vector<256x128xf32>
      %53 = vector.extract_strided_slice %39 {offsets = [0, 0], sizes = [256, 1], strides = [1, 1]} : vector<256x128xf32> to vector<256x1xf32>
      %54 = vector.broadcast %53 : vector<256x1xf32> to vector<256x128xf32>
      %55 = arith.mulf %52, %54 : vector<256x128xf32>
      %56 = arith.addf %55, %51 : vector<256x128xf32>
      %c0_26 = arith.constant 0 : index
      %c0_27 = arith.constant 0 : index
      %57 = vector.load %arg9[%c0_26, %c0_27] : memref<256x128xf32, #tpu.memory_space<vmem>>, vector<256x128xf32>
      %58 = vector.shape_cast %57 : vector<256x128xf32> to vector<256x128xf32>
      %59 = vector.shape_cast %56 : vector<256x128xf32> to vector<256x128xf32>
      tpu.vector_store %arg9[%c0_26, %c0_27], %59 {strides = array<i32>} : memref<256x128xf32, #tpu.memory_space<vmem>>, vector<256x128xf32>,
      %c0_28 = arith.constant 0 : index
      %c0_29 = arith.constant 0 : index
      %60 = vector.load %arg7[%c0_28, %c0_29] : memref<256x128xf32, #tpu.memory_space<vmem>>, vector<256x128xf32>
      %61 = vector.shape_cast %60 : vector<256x128xf32> to vector<256x128xf32>
      %62 = vector.shape_cast %33 : vector<256x128xf32> to vector<256x128xf32>
      tpu.vector_store %arg7[%c0_28, %c0_29], %62 {strides = array<i32>} : memref<256x128xf32, #tpu.memory_space<vmem>>, vector<256x128xf32>,
    } else {
    }
    %c1_i32 = arith.constant 1 : i32
    %9 = arith.cmpi eq, %arg2, %c1_i32 : i32
    %10 = arith.extui %9 : i1 to i32
    %c0_i32_4 = arith.constant 0 : i32
    %11 = arith.cmpi ne, %10, %c0_i32_4 : i32
    scf.if %11 {
      %c0 = arith.constant 0 : index
      %c0_5 = arith.constant 0 : index
      %12 = vector.load %arg9[%c0, %c0_5] : memref<256x128xf32, #tpu.memory_space<vmem>>, vector<256x128xf32>
      %c0_6 = arith.constant 0 : index
      %c0_7 = arith.constant 0 : index
      %13 = vector.load %arg8[%c0_6, %c0_7] : memref<256x128xf32, #tpu.memory_space<vmem>>, vector<256x128xf32>
      %14 = vector.extract_strided_slice %13 {offsets = [0, 0], sizes = [256, 1], strides = [1, 1]} : vector<256x128xf32> to vector<256x1xf32>
      %15 = vector.broadcast %14 : vector<256x1xf32> to vector<256x128xf32>
      %16 = arith.divf %12, %15 : vector<256x128xf32>
      %17 = arith.truncf %16 : vector<256x128xf32> to vector<256x128xbf16>
      %c0_8 = arith.constant 0 : index
      %c0_9 = arith.constant 0 : index
      %c0_10 = arith.constant 0 : index
      %18 = vector.load %arg6[%c0_8, %c0_9, %c0_10] : memref<1x256x128xbf16, #tpu.memory_space<vmem>>, vector<1x256x128xbf16>
      %19 = vector.shape_cast %18 : vector<1x256x128xbf16> to vector<256x128xbf16>
      %20 = vector.shape_cast %17 : vector<256x128xbf16> to vector<1x256x128xbf16>
      tpu.vector_store %arg6[%c0_8, %c0_9, %c0_10], %20 {strides = array<i32>} : memref<1x256x128xbf16, #tpu.memory_space<vmem>>, vector<1x256x128xbf16>,
    } else {
    }
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: i32, %arg2: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %arg1, %c0_i32 : i32, i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: i32, %arg2: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %arg2, %c0_i32 : i32, i32, i32
  }
  func.func @transform_2(%arg0: i32, %arg1: i32, %arg2: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %arg2, %c0_i32 : i32, i32, i32
  }
  func.func @transform_3(%arg0: i32, %arg1: i32, %arg2: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %arg1, %c0_i32 : i32, i32, i32
  }
}
