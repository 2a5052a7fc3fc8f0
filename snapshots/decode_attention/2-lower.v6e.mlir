module @decode_attention_kernel {
  func.func @main(%arg0: i32, %arg1: i32, %arg2: memref<4xi32, #tpu.memory_space<smem>>, %arg3: memref<1x8x128xbf16, #tpu.memory_space<vmem>>, %arg4: memref<1x128x128xbf16, #tpu.memory_space<vmem>>, %arg5: memref<1x128x128xbf16, #tpu.memory_space<vmem>>, %arg6: memref<1x8x128xbf16, #tpu.memory_space<vmem>>, %arg7: memref<8x128xf32, #tpu.memory_space<vmem>>, %arg8: memref<8x128xf32, #tpu.memory_space<vmem>>, %arg9: memref<8x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 4, 4>, scalar_prefetch = 1 : i64, scratch_operands = 3 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 1, 8, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 1, 128, 128>}, {transform_indices = @transform_2, window_bounds = array<i64: 1, 128, 128>}, {transform_indices = @transform_3, window_bounds = array<i64: 1, 8, 128>}]} {
    %0 = arith.index_cast %arg0 : i32 to index
    %1 = memref.load %arg2[%0] : memref<4xi32, #tpu.memory_space<smem>>
    %c0_i32 = arith.constant 0 : i32
    %2 = arith.cmpi eq, %arg1, %c0_i32 : i32
    %3 = arith.extui %2 : i1 to i32
    %c0_i32_0 = arith.constant 0 : i32
    %4 = arith.cmpi ne, %3, %c0_i32_0 : i32
    scf.if %4 {
      %cst = arith.constant -1.000000e+30 : f32
      %12 = vector.broadcast %cst : f32 to vector<8x128xf32>
      %c0 = arith.constant 0 : index
      %c0_3 = arith.constant 0 : index
      %13 = vector.load %arg7[%c0, %c0_3] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
      %14 = vector.shape_cast %13 : vector<8x128xf32> to vector<8x128xf32>
      %15 = vector.shape_cast %12 : vector<8x128xf32> to vector<8x128xf32>
      tpu.vector_store %arg7[%c0, %c0_3], %15 {strides = array<i32>} : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>,
      %cst_4 = arith.constant 0.000000e+00 : f32
      %16 = vector.broadcast %cst_4 : f32 to vector<8x128xf32>
      %c0_5 = arith.constant 0 : index
      %c0_6 = arith.constant 0 : index
      %17 = vector.load %arg8[%c0_5, %c0_6] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
      %18 = vector.shape_cast %17 : vector<8x128xf32> to vector<8x128xf32>
      %19 = vector.shape_cast %16 : vector<8x128xf32> to vector<8x128xf32>
      tpu.vector_store %arg8[%c0_5, %c0_6], %19 {strides = array<i32>} : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>,
      %cst_7 = arith.constant 0.000000e+00 : f32
      %20 = vector.broadcast %cst_7 : f32 to vector<8x128xf32>
      %c0_8 = arith.constant 0 : index
      %c0_9 = arith.constant 0 : index
      %21 = vector.load %arg9[%c0_8, %c0_9] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
      %22 = vector.shape_cast %21 : vector<8x128xf32> to vector<8x128xf32>
      %23 = vector.shape_cast %20 : vector<8x128xf32> to vector<8x128xf32>
      tpu.vector_store %arg9[%c0_8, %c0_9], %23 {strides = array<i32>} : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>,
    } else {
    }
    %c128_i32 = arith.constant 128 : i32
    %5 = arith.muli %arg1, %c128_i32 : i32
    %6 = arith.cmpi slt, %5, %1 : i32
    %7 = arith.extui %6 : i1 to i32
    %c0_i32_1 = arith.constant 0 : i32
    %8 = arith.cmpi ne, %7, %c0_i32_1 : i32
    scf.if %8 {
      %c0 = arith.constant 0 : index
      %c0_3 = arith.constant 0 : index
      %c0_4 = arith.constant 0 : index
      %12 = vector.load %arg3[%c0, %c0_3, %c0_4] : memref<1x8x128xbf16, #tpu.memory_space<vmem>>, vector<1x8x128xbf16>
      %13 = vector.shape_cast %12 : vector<1x8x128xbf16> to vector<8x128xbf16>
      %c0_5 = arith.constant 0 : index
      %c0_6 = arith.constant 0 : index
      %c0_7 = arith.constant 0 : index
      %14 = vector.load %arg4[%c0_5, %c0_6, %c0_7] : memref<1x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>
      %15 = vector.shape_cast %14 : vector<1x128x128xbf16> to vector<128x128xbf16>
      %cst = arith.constant dense<0.000000e+00> : vector<8x128xf32>
      %16 = tpu.matmul %13, %15, %cst {dimension_numbers = #tpu.dot_dimension_numbers<[1], [1], [0], [0], [0, 0, 1, 0], [], []>, transpose_lhs_hint = false} : vector<8x128xbf16>, vector<128x128xbf16>, vector<8x128xf32> -> vector<8x128xf32>
      %cst_8 = arith.constant 0.0883883461 : f32
      %17 = vector.broadcast %cst_8 : f32 to vector<8x128xf32>
      %18 = arith.mulf %16, %17 : vector<8x128xf32>
      %c128_i32_9 = arith.constant 128 : i32
      %19 = arith.muli %arg1, %c128_i32_9 : i32
      %20 = tpu.iota {dimensions = array<i32: 1>} : vector<8x128xi32>
      %21 = vector.broadcast %19 : i32 to vector<8x128xi32>
      %22 = arith.addi %21, %20 : vector<8x128xi32>
      %23 = vector.broadcast %1 : i32 to vector<8x128xi32>
      %24 = arith.cmpi slt, %22, %23 : vector<8x128xi32>
      %cst_10 = arith.constant -1.000000e+30 : f32
      %25 = vector.broadcast %cst_10 : f32 to vector<8x128xf32>
      %26 = arith.select %24, %18, %25 : vector<8x128xi1>, vector<8x128xf32>
      %c0_11 = arith.constant 0 : index
      %c0_12 = arith.constant 0 : index
      %27 = vector.load %arg7[%c0_11, %c0_12] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
      %cst_13 = arith.constant dense<0xFF800000> : vector<8xf32>
      %28 = vector.multi_reduction <maximumf>, %26, %cst_13 [1] : vector<8x128xf32> to vector<8xf32>
      %29 = vector.shape_cast %28 : vector<8xf32> to vector<8x1xf32>
      %30 = vector.broadcast %29 : vector<8x1xf32> to vector<8x128xf32>
      %31 = arith.maximumf %27, %30 : vector<8x128xf32>
      %32 = vector.extract_strided_slice %31 {offsets = [0, 0], sizes = [8, 1], strides = [1, 1]} : vector<8x128xf32> to vector<8x1xf32>
      %33 = vector.broadcast %32 : vector<8x1xf32> to vector<8x128xf32>
      %34 = arith.subf %26, %33 : vector<8x128xf32>
      %35 = math.exp %34 : vector<8x128xf32>
      %36 = arith.subf %27, %31 : vector<8x128xf32>
      %37 = math.exp %36 : vector<8x128xf32>
      %c0_14 = arith.constant 0 : index
      %c0_15 = arith.constant 0 : index
      %38 = vector.load %arg8[%c0_14, %c0_15] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
      %39 = arith.mulf %37, %38 : vector<8x128xf32>
      %cst_16 = arith.constant dense<0.000000e+00> : vector<8xf32>
      %40 = vector.multi_reduction <add>, %35, %cst_16 [1] : vector<8x128xf32> to vector<8xf32>
      %41 = vector.shape_cast %40 : vector<8xf32> to vector<8x1xf32>
      %42 = vector.broadcast %41 : vector<8x1xf32> to vector<8x128xf32>
      %43 = arith.addf %39, %42 : vector<8x128xf32>
      %c0_17 = arith.constant 0 : index
      %c0_18 = arith.constant 0 : index
      %44 = vector.load %arg8[%c0_17, %c0_18] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
      %45 = vector.shape_cast %44 : vector<8x128xf32> to vector<8x128xf32>
      %46 = vector.shape_cast %43 : vector<8x128xf32> to vector<8x128xf32>
      tpu.vector_store %arg8[%c0_17, %c0_18], %46 {strides = array<i32>} : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>,
      %c0_19 = arith.constant 0 : index
      %c0_20 = arith.constant 0 : index
      %47 = vector.load %arg9[%c0_19, %c0_20] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
      %48 = vector.extract_strided_slice %37 {offsets = [0, 0], sizes = [8, 1], strides = [1, 1]} : vector<8x128xf32> to vector<8x1xf32>
      %49 = vector.broadcast %48 : vector<8x1xf32> to vector<8x128xf32>
      %50 = arith.mulf %47, %49 : vector<8x128xf32>
      %51 = arith.truncf %35 : vector<8x128xf32> to vector<8x128xbf16>
      %c0_21 = arith.constant 0 : index
      %c0_22 = arith.constant 0 : index
      %c0_23 = arith.constant 0 : index
      %52 = vector.load %arg5[%c0_21, %c0_22, %c0_23] : memref<1x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>
      %53 = vector.shape_cast %52 : vector<1x128x128xbf16> to vector<128x128xbf16>
      %cst_24 = arith.constant dense<0.000000e+00> : vector<8x128xf32>
      %54 = tpu.matmul %51, %53, %cst_24 {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<8x128xbf16>, vector<128x128xbf16>, vector<8x128xf32> -> vector<8x128xf32>
      %55 = arith.addf %50, %54 : vector<8x128xf32>
      %c0_25 = arith.constant 0 : index
      %c0_26 = arith.constant 0 : index
      %56 = vector.load %arg9[%c0_25, %c0_26] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
      %57 = vector.shape_cast %56 : vector<8x128xf32> to vector<8x128xf32>
      %58 = vector.shape_cast %55 : vector<8x128xf32> to vector<8x128xf32>
      tpu.vector_store %arg9[%c0_25, %c0_26], %58 {strides = array<i32>} : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>,
      %c0_27 = arith.constant 0 : index
      %c0_28 = arith.constant 0 : index
      %59 = vector.load %arg7[%c0_27, %c0_28] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
      %60 = vector.shape_cast %59 : vector<8x128xf32> to vector<8x128xf32>
      %61 = vector.shape_cast %31 : vector<8x128xf32> to vector<8x128xf32>
      tpu.vector_store %arg7[%c0_27, %c0_28], %61 {strides = array<i32>} : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>,
    } else {
    }
    %c3_i32 = arith.constant 3 : i32
    %9 = arith.cmpi eq, %arg1, %c3_i32 : i32
    %10 = arith.extui %9 : i1 to i32
    %c0_i32_2 = arith.constant 0 : i32
    %11 = arith.cmpi ne, %10, %c0_i32_2 : i32
    scf.if %11 {
      %c0 = arith.constant 0 : index
      %c0_3 = arith.constant 0 : index
      %12 = vector.load %arg9[%c0, %c0_3] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
      %c0_4 = arith.constant 0 : index
      %c0_5 = arith.constant 0 : index
      %13 = vector.load %arg8[%c0_4, %c0_5] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x1xf32>
      %14 = vector.broadcast %13 : vector<8x1xf32> to vector<8x128xf32>
      %15 = arith.divf %12, %14 : vector<8x128xf32>
      %16 = arith.truncf %15 : vector<8x128xf32> to vector<8x128xbf16>
      %c0_6 = arith.constant 0 : index
      %c0_7 = arith.constant 0 : index
      %c0_8 = arith.constant 0 : index
      %17 = vector.load %arg6[%c0_6, %c0_7, %c0_8] : memref<1x8x128xbf16, #tpu.memory_space<vmem>>, vector<1x8x128xbf16>
      %18 = vector.shape_cast %17 : vector<1x8x128xbf16> to vector<8x128xbf16>
      %19 = vector.shape_cast %16 : vector<8x128xbf16> to vector<1x8x128xbf16>
      tpu.vector_store %arg6[%c0_6, %c0_7, %c0_8], %19 {strides = array<i32>} : memref<1x8x128xbf16, #tpu.memory_space<vmem>>, vector<1x8x128xbf16>,
    } else {
    }
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: i32, %arg2: memref<4xi32, #tpu.memory_space<smem>>) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0 : i32, i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: i32, %arg2: memref<4xi32, #tpu.memory_space<smem>>) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %arg1, %c0_i32 : i32, i32, i32
  }
  func.func @transform_2(%arg0: i32, %arg1: i32, %arg2: memref<4xi32, #tpu.memory_space<smem>>) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %arg1, %c0_i32 : i32, i32, i32
  }
  func.func @transform_3(%arg0: i32, %arg1: i32, %arg2: memref<4xi32, #tpu.memory_space<smem>>) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0 : i32, i32, i32
  }
}
