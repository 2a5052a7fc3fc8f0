module @sliding_window_attention_kernel {
  func.func @main(%arg0: i32, %arg1: i32, %arg2: i32, %arg3: memref<1x128x128xbf16, #tpu.memory_space<vmem>>, %arg4: memref<1x128x128xbf16, #tpu.memory_space<vmem>>, %arg5: memref<1x128x128xbf16, #tpu.memory_space<vmem>>, %arg6: memref<1x128x128xbf16, #tpu.memory_space<vmem>>, %arg7: memref<128x128xf32, #tpu.memory_space<vmem>>, %arg8: memref<128x128xf32, #tpu.memory_space<vmem>>, %arg9: memref<128x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 2, 4, 2>, scalar_prefetch = 0 : i64, scratch_operands = 3 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 1, 128, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 1, 128, 128>}, {transform_indices = @transform_2, window_bounds = array<i64: 1, 128, 128>}, {transform_indices = @transform_3, window_bounds = array<i64: 1, 128, 128>}]} {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi eq, %arg2, %c0_i32 : i32
    %1 = arith.extui %0 : i1 to i32
    %c0_i32_0 = arith.constant 0 : i32
    %2 = arith.cmpi ne, %1, %c0_i32_0 : i32
    scf.if %2 {
      %cst = arith.constant -1.000000e+30 : f32
      %10 = vector.broadcast %cst : f32 to vector<128x128xf32>
      %c0 = arith.constant 0 : index
      %c0_4 = arith.constant 0 : index
      %11 = vector.load %arg7[%c0, %c0_4] : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>
      %12 = vector.shape_cast %11 : vector<128x128xf32> to vector<128x128xf32>
      %13 = vector.shape_cast %10 : vector<128x128xf32> to vector<128x128xf32>
      tpu.vector_store %arg7[%c0, %c0_4], %13 {strides = array<i32>} : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>,
      %cst_5 = arith.constant 0.000000e+00 : f32
      %14 = vector.broadcast %cst_5 : f32 to vector<128x128xf32>
      %c0_6 = arith.constant 0 : index
      %c0_7 = arith.constant 0 : index
      %15 = vector.load %arg8[%c0_6, %c0_7] : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>
      %16 = vector.shape_cast %15 : vector<128x128xf32> to vector<128x128xf32>
      %17 = vector.shape_cast %14 : vector<128x128xf32> to vector<128x128xf32>
      tpu.vector_store %arg8[%c0_6, %c0_7], %17 {strides = array<i32>} : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>,
      %cst_8 = arith.constant 0.000000e+00 : f32
      %18 = vector.broadcast %cst_8 : f32 to vector<128x128xf32>
      %c0_9 = arith.constant 0 : index
      %c0_10 = arith.constant 0 : index
      %19 = vector.load %arg9[%c0_9, %c0_10] : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>
      %20 = vector.shape_cast %19 : vector<128x128xf32> to vector<128x128xf32>
      %21 = vector.shape_cast %18 : vector<128x128xf32> to vector<128x128xf32>
      tpu.vector_store %arg9[%c0_9, %c0_10], %21 {strides = array<i32>} : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>,
    } else {
    }
    %3 = arith.addi %arg1, %arg2 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %4 = arith.cmpi sgt, %3, %c0_i32_1 : i32
    %5 = arith.extui %4 : i1 to i32
    %c0_i32_2 = arith.constant 0 : i32
    %6 = arith.cmpi ne, %5, %c0_i32_2 : i32
    scf.if %6 {
      %c0 = arith.constant 0 : index
      %c0_4 = arith.constant 0 : index
      %c0_5 = arith.constant 0 : index
      %10 = vector.load %arg3[%c0, %c0_4, %c0_5] : memref<1x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>
      %11 = vector.shape_cast %10 : vector<1x128x128xbf16> to vector<128x128xbf16>
      %c0_6 = arith.constant 0 : index
      %c0_7 = arith.constant 0 : index
      %c0_8 = arith.constant 0 : index
      %12 = vector.load %arg4[%c0_6, %c0_7, %c0_8] : memref<1x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>
      %13 = vector.shape_cast %12 : vector<1x128x128xbf16> to vector<128x128xbf16>
      "tpu.trace_start"() <{level = 10 : i32, message = "qd,kd->qk"}> : () -> ()
      %cst = arith.constant dense<0.000000e+00> : vector<128x128xf32>
      %14 = tpu.matmul %11, %13, %cst {dimension_numbers = #tpu.dot_dimension_numbers<[1], [1], [0], [0], [0, 0, 1, 0], [], []>, transpose_lhs_hint = false} : vector<128x128xbf16>, vector<128x128xbf16>, vector<128x128xf32> -> vector<128x128xf32>
      "tpu.trace_stop"() : () -> ()
      %15 = tpu.iota {dimensions = array<i32: 0>} : vector<128x128xi32>
      %c128_i32 = arith.constant 128 : i32
      %16 = vector.broadcast %c128_i32 : i32 to vector<128x128xi32>
      %17 = arith.addi %16, %15 : vector<128x128xi32>
      %c128_i32_9 = arith.constant 128 : i32
      %18 = arith.muli %arg2, %c128_i32_9 : i32
      %19 = tpu.iota {dimensions = array<i32: 1>} : vector<128x128xi32>
      %20 = vector.broadcast %18 : i32 to vector<128x128xi32>
      %21 = arith.addi %20, %19 : vector<128x128xi32>
      %22 = arith.cmpi sle, %21, %17 : vector<128x128xi32>
      %c128_i32_10 = arith.constant 128 : i32
      %23 = vector.broadcast %c128_i32_10 : i32 to vector<128x128xi32>
      %24 = arith.subi %17, %23 : vector<128x128xi32>
      %25 = arith.cmpi sgt, %21, %24 : vector<128x128xi32>
      %26 = arith.andi %22, %25 : vector<128x128xi1>
      %cst_11 = arith.constant 0.0883883461 : f32
      %27 = vector.broadcast %cst_11 : f32 to vector<128x128xf32>
      %28 = arith.mulf %14, %27 : vector<128x128xf32>
      %cst_12 = arith.constant -1.000000e+30 : f32
      %29 = vector.broadcast %cst_12 : f32 to vector<128x128xf32>
      %30 = arith.select %26, %28, %29 : vector<128x128xi1>, vector<128x128xf32>
      %c0_13 = arith.constant 0 : index
      %c0_14 = arith.constant 0 : index
      %31 = vector.load %arg7[%c0_13, %c0_14] : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>
      %cst_15 = arith.constant dense<0xFF800000> : vector<128xf32>
      %32 = vector.multi_reduction <maximumf>, %30, %cst_15 [1] : vector<128x128xf32> to vector<128xf32>
      %33 = vector.shape_cast %32 : vector<128xf32> to vector<128x1xf32>
      %34 = vector.broadcast %33 : vector<128x1xf32> to vector<128x128xf32>
      %35 = arith.maximumf %31, %34 : vector<128x128xf32>
      %36 = arith.subf %31, %35 : vector<128x128xf32>
      %37 = math.exp %36 : vector<128x128xf32>
      %38 = vector.extract_strided_slice %35 {offsets = [0, 0], sizes = [128, 1], strides = [1, 1]} : vector<128x128xf32> to vector<128x1xf32>
      %39 = vector.broadcast %38 : vector<128x1xf32> to vector<128x128xf32>
      %40 = arith.subf %30, %39 : vector<128x128xf32>
      %41 = math.exp %40 : vector<128x128xf32>
      %cst_16 = arith.constant 0.000000e+00 : f32
      %42 = vector.broadcast %cst_16 : f32 to vector<128x128xf32>
      %43 = arith.select %26, %41, %42 : vector<128x128xi1>, vector<128x128xf32>
      %c0_17 = arith.constant 0 : index
      %c0_18 = arith.constant 0 : index
      %44 = vector.load %arg8[%c0_17, %c0_18] : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>
      %45 = arith.mulf %37, %44 : vector<128x128xf32>
      %cst_19 = arith.constant dense<0.000000e+00> : vector<128xf32>
      %46 = vector.multi_reduction <add>, %43, %cst_19 [1] : vector<128x128xf32> to vector<128xf32>
      %47 = vector.shape_cast %46 : vector<128xf32> to vector<128x1xf32>
      %48 = vector.broadcast %47 : vector<128x1xf32> to vector<128x128xf32>
      %49 = arith.addf %45, %48 : vector<128x128xf32>
      %c0_20 = arith.constant 0 : index
      %c0_21 = arith.constant 0 : index
      %50 = vector.load %arg8[%c0_20, %c0_21] : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>
      %51 = vector.shape_cast %50 : vector<128x128xf32> to vector<128x128xf32>
      %52 = vector.shape_cast %49 : vector<128x128xf32> to vector<128x128xf32>
      tpu.vector_store %arg8[%c0_20, %c0_21], %52 {strides = array<i32>} : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>,
      %53 = arith.truncf %43 : vector<128x128xf32> to vector<128x128xbf16>
      %c0_22 = arith.constant 0 : index
      %c0_23 = arith.constant 0 : index
      %c0_24 = arith.constant 0 : index
      %54 = vector.load %arg5[%c0_22, %c0_23, %c0_24] : memref<1x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>
      %55 = vector.shape_cast %54 : vector<1x128x128xbf16> to vector<128x128xbf16>
      %cst_25 = arith.constant dense<0.000000e+00> : vector<128x128xf32>
      %56 = tpu.matmul %53, %55, %cst_25 {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<128x128xbf16>, vector<128x128xbf16>, vector<128x128xf32> -> vector<128x128xf32>
      %c0_26 = arith.constant 0 : index
      %c0_27 = arith.constant 0 : index
      %57 = vector.load %arg9[%c0_26, %c0_27] : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>
      %58 = vector.extract_strided_slice %37 {offsets = [0, 0], sizes = [128, 1], strides = [1, 1]} : vector<128x128xf32> to vector<128x1xf32>
      %59 = vector.broadcast %58 : vector<128x1xf32> to vector<128x128xf32>
      %60 = arith.mulf %57, %59 : vector<128x128xf32>
      %61 = arith.addf %60, %56 : vector<128x128xf32>
      %c0_28 = arith.constant 0 : index
      %c0_29 = arith.constant 0 : index
      %62 = vector.load %arg9[%c0_28, %c0_29] : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>
      %63 = vector.shape_cast %62 : vector<128x128xf32> to vector<128x128xf32>
      %64 = vector.shape_cast %61 : vector<128x128xf32> to vector<128x128xf32>
      tpu.vector_store %arg9[%c0_28, %c0_29], %64 {strides = array<i32>} : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>,
      %c0_30 = arith.constant 0 : index
      %c0_31 = arith.constant 0 : index
      %65 = vector.load %arg7[%c0_30, %c0_31] : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>
      %66 = vector.shape_cast %65 : vector<128x128xf32> to vector<128x128xf32>
      %67 = vector.shape_cast %35 : vector<128x128xf32> to vector<128x128xf32>
      tpu.vector_store %arg7[%c0_30, %c0_31], %67 {strides = array<i32>} : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>,
    } else {
    }
    %c1_i32 = arith.constant 1 : i32
    %7 = arith.cmpi eq, %arg2, %c1_i32 : i32
    %8 = arith.extui %7 : i1 to i32
    %c0_i32_3 = arith.constant 0 : i32
    %9 = arith.cmpi ne, %8, %c0_i32_3 : i32
    scf.if %9 {
      %c0 = arith.constant 0 : index
      %c0_4 = arith.constant 0 : index
      %10 = vector.load %arg9[%c0, %c0_4] : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>
      %c0_5 = arith.constant 0 : index
      %c0_6 = arith.constant 0 : index
      %11 = vector.load %arg8[%c0_5, %c0_6] : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x1xf32>
      %12 = tpu.reciprocal %11 : vector<128x1xf32> -> vector<128x1xf32>
      %13 = vector.broadcast %12 : vector<128x1xf32> to vector<128x128xf32>
      %14 = arith.mulf %10, %13 : vector<128x128xf32>
      %15 = arith.truncf %14 : vector<128x128xf32> to vector<128x128xbf16>
      %c0_7 = arith.constant 0 : index
      %c0_8 = arith.constant 0 : index
      %c0_9 = arith.constant 0 : index
      %16 = vector.load %arg6[%c0_7, %c0_8, %c0_9] : memref<1x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>
      %17 = vector.shape_cast %16 : vector<1x128x128xbf16> to vector<128x128xbf16>
      %18 = vector.shape_cast %15 : vector<128x128xbf16> to vector<1x128x128xbf16>
      tpu.vector_store %arg6[%c0_7, %c0_8, %c0_9], %18 {strides = array<i32>} : memref<1x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>,
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
    %0 = arith.addi %arg1, %arg2 : i32
    %c1_i32 = arith.constant 1 : i32
    %1 = arith.subi %0, %c1_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %2 = arith.maxsi %1, %c0_i32 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg0, %2, %c0_i32_0 : i32, i32, i32
  }
  func.func @transform_2(%arg0: i32, %arg1: i32, %arg2: i32) -> (i32, i32, i32) {
    %0 = arith.addi %arg1, %arg2 : i32
    %c1_i32 = arith.constant 1 : i32
    %1 = arith.subi %0, %c1_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %2 = arith.maxsi %1, %c0_i32 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg0, %2, %c0_i32_0 : i32, i32, i32
  }
  func.func @transform_3(%arg0: i32, %arg1: i32, %arg2: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %arg1, %c0_i32 : i32, i32, i32
  }
}
