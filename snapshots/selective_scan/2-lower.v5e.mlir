module @selective_scan_kernel {
  func.func @main(%arg0: i32, %arg1: memref<16x128xf32, #tpu.memory_space<vmem>>, %arg2: memref<16x128xf32, #tpu.memory_space<vmem>>, %arg3: memref<16x128xf32, #tpu.memory_space<vmem>>, %arg4: memref<16x16x1xf32, #tpu.memory_space<vmem>>, %arg5: memref<16x16x1xf32, #tpu.memory_space<vmem>>, %arg6: memref<16x128xf32, #tpu.memory_space<vmem>>, %arg7: memref<16x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 1 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 16, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 16, 128>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_2, window_bounds = array<i64: 16, 128>}, {transform_indices = @transform_3, window_bounds = array<i64: 16, 16, 1>}, {transform_indices = @transform_4, window_bounds = array<i64: 16, 16, 1>}, {transform_indices = @transform_5, window_bounds = array<i64: 16, 128>}]} {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi eq, %arg0, %c0_i32 : i32
    %1 = arith.extui %0 : i1 to i32
    %c0_i32_0 = arith.constant 0 : i32
    %2 = arith.cmpi ne, %1, %c0_i32_0 : i32
    scf.if %2 {
      %cst = arith.constant 0.000000e+00 : f32
      %9 = vector.broadcast %cst : f32 to vector<16x128xf32>
      %c0_6 = arith.constant 0 : index
      %c0_7 = arith.constant 0 : index
      %10 = vector.load %arg7[%c0_6, %c0_7] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>
      %11 = vector.shape_cast %10 : vector<16x128xf32> to vector<16x128xf32>
      %12 = vector.shape_cast %9 : vector<16x128xf32> to vector<16x128xf32>
      tpu.vector_store %arg7[%c0_6, %c0_7], %12 {strides = array<i32>} : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>,
    } else {
    }
    %c0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %3 = vector.load %arg7[%c0, %c0_1] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>
    %c0_i32_2 = arith.constant 0 : i32
    %c16_i32 = arith.constant 16 : i32
    %4 = arith.addi %c0_i32_2, %c16_i32 : i32
    %c4_i32 = arith.constant 4 : i32
    %5 = scf.for %arg8 = %c0_i32_2 to %4 step %c4_i32 iter_args(%arg9 = %3) -> (vector<16x128xf32>)  : i32 {
      %9 = arith.index_cast %arg8 : i32 to index
      %c0_6 = arith.constant 0 : index
      %10 = vector.load %arg2[%9, %c0_6] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>
      %c0_7 = arith.constant 0 : index
      %c0_8 = arith.constant 0 : index
      %11 = vector.load %arg3[%c0_7, %c0_8] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>
      %12 = vector.broadcast %10 : vector<1x128xf32> to vector<16x128xf32>
      %13 = arith.mulf %12, %11 : vector<16x128xf32>
      %14 = math.exp %13 : vector<16x128xf32>
      %15 = arith.mulf %14, %arg9 : vector<16x128xf32>
      %16 = arith.index_cast %arg8 : i32 to index
      %c0_9 = arith.constant 0 : index
      %17 = vector.load %arg1[%16, %c0_9] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>
      %18 = arith.mulf %10, %17 : vector<1x128xf32>
      %19 = arith.index_cast %arg8 : i32 to index
      %c0_10 = arith.constant 0 : index
      %c0_11 = arith.constant 0 : index
      %20 = vector.load %arg4[%19, %c0_10, %c0_11] : memref<16x16x1xf32, #tpu.memory_space<vmem>>, vector<1x16x1xf32>
      %21 = vector.shape_cast %20 : vector<1x16x1xf32> to vector<16x1xf32>
      %22 = vector.broadcast %18 : vector<1x128xf32> to vector<16x128xf32>
      %23 = vector.broadcast %21 : vector<16x1xf32> to vector<16x128xf32>
      %24 = arith.mulf %22, %23 : vector<16x128xf32>
      %25 = arith.addf %15, %24 : vector<16x128xf32>
      %26 = arith.index_cast %arg8 : i32 to index
      %c0_12 = arith.constant 0 : index
      %c0_13 = arith.constant 0 : index
      %27 = vector.load %arg5[%26, %c0_12, %c0_13] : memref<16x16x1xf32, #tpu.memory_space<vmem>>, vector<1x16x1xf32>
      %28 = vector.shape_cast %27 : vector<1x16x1xf32> to vector<16x1xf32>
      %29 = vector.broadcast %28 : vector<16x1xf32> to vector<16x128xf32>
      %30 = arith.mulf %25, %29 : vector<16x128xf32>
      %cst = arith.constant dense<0.000000e+00> : vector<128xf32>
      %31 = vector.multi_reduction <add>, %30, %cst [0] : vector<16x128xf32> to vector<128xf32>
      %32 = vector.shape_cast %31 : vector<128xf32> to vector<1x128xf32>
      %33 = arith.index_cast %arg8 : i32 to index
      %c0_14 = arith.constant 0 : index
      %34 = vector.load %arg6[%33, %c0_14] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>
      tpu.vector_store %arg6[%33, %c0_14], %32 {strides = array<i32>} : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>,
      %c1_i32 = arith.constant 1 : i32
      %35 = arith.addi %arg8, %c1_i32 : i32
      %36 = arith.index_cast %35 : i32 to index
      %c0_15 = arith.constant 0 : index
      %37 = vector.load %arg2[%36, %c0_15] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>
      %c0_16 = arith.constant 0 : index
      %c0_17 = arith.constant 0 : index
      %38 = vector.load %arg3[%c0_16, %c0_17] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>
      %39 = vector.broadcast %37 : vector<1x128xf32> to vector<16x128xf32>
      %40 = arith.mulf %39, %38 : vector<16x128xf32>
      %41 = math.exp %40 : vector<16x128xf32>
      %42 = arith.mulf %41, %25 : vector<16x128xf32>
      %43 = arith.index_cast %35 : i32 to index
      %c0_18 = arith.constant 0 : index
      %44 = vector.load %arg1[%43, %c0_18] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>
      %45 = arith.mulf %37, %44 : vector<1x128xf32>
      %46 = arith.index_cast %35 : i32 to index
      %c0_19 = arith.constant 0 : index
      %c0_20 = arith.constant 0 : index
      %47 = vector.load %arg4[%46, %c0_19, %c0_20] : memref<16x16x1xf32, #tpu.memory_space<vmem>>, vector<1x16x1xf32>
      %48 = vector.shape_cast %47 : vector<1x16x1xf32> to vector<16x1xf32>
      %49 = vector.broadcast %45 : vector<1x128xf32> to vector<16x128xf32>
      %50 = vector.broadcast %48 : vector<16x1xf32> to vector<16x128xf32>
      %51 = arith.mulf %49, %50 : vector<16x128xf32>
      %52 = arith.addf %42, %51 : vector<16x128xf32>
      %53 = arith.index_cast %35 : i32 to index
      %c0_21 = arith.constant 0 : index
      %c0_22 = arith.constant 0 : index
      %54 = vector.load %arg5[%53, %c0_21, %c0_22] : memref<16x16x1xf32, #tpu.memory_space<vmem>>, vector<1x16x1xf32>
      %55 = vector.shape_cast %54 : vector<1x16x1xf32> to vector<16x1xf32>
      %56 = vector.broadcast %55 : vector<16x1xf32> to vector<16x128xf32>
      %57 = arith.mulf %52, %56 : vector<16x128xf32>
      %cst_23 = arith.constant dense<0.000000e+00> : vector<128xf32>
      %58 = vector.multi_reduction <add>, %57, %cst_23 [0] : vector<16x128xf32> to vector<128xf32>
      %59 = vector.shape_cast %58 : vector<128xf32> to vector<1x128xf32>
      %60 = arith.index_cast %35 : i32 to index
      %c0_24 = arith.constant 0 : index
      %61 = vector.load %arg6[%60, %c0_24] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>
      tpu.vector_store %arg6[%60, %c0_24], %59 {strides = array<i32>} : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>,
      %c2_i32 = arith.constant 2 : i32
      %62 = arith.addi %arg8, %c2_i32 : i32
      %63 = arith.index_cast %62 : i32 to index
      %c0_25 = arith.constant 0 : index
      %64 = vector.load %arg2[%63, %c0_25] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>
      %c0_26 = arith.constant 0 : index
      %c0_27 = arith.constant 0 : index
      %65 = vector.load %arg3[%c0_26, %c0_27] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>
      %66 = vector.broadcast %64 : vector<1x128xf32> to vector<16x128xf32>
      %67 = arith.mulf %66, %65 : vector<16x128xf32>
      %68 = math.exp %67 : vector<16x128xf32>
      %69 = arith.mulf %68, %52 : vector<16x128xf32>
      %70 = arith.index_cast %62 : i32 to index
      %c0_28 = arith.constant 0 : index
      %71 = vector.load %arg1[%70, %c0_28] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>
      %72 = arith.mulf %64, %71 : vector<1x128xf32>
      %73 = arith.index_cast %62 : i32 to index
      %c0_29 = arith.constant 0 : index
      %c0_30 = arith.constant 0 : index
      %74 = vector.load %arg4[%73, %c0_29, %c0_30] : memref<16x16x1xf32, #tpu.memory_space<vmem>>, vector<1x16x1xf32>
      %75 = vector.shape_cast %74 : vector<1x16x1xf32> to vector<16x1xf32>
      %76 = vector.broadcast %72 : vector<1x128xf32> to vector<16x128xf32>
      %77 = vector.broadcast %75 : vector<16x1xf32> to vector<16x128xf32>
      %78 = arith.mulf %76, %77 : vector<16x128xf32>
      %79 = arith.addf %69, %78 : vector<16x128xf32>
      %80 = arith.index_cast %62 : i32 to index
      %c0_31 = arith.constant 0 : index
      %c0_32 = arith.constant 0 : index
      %81 = vector.load %arg5[%80, %c0_31, %c0_32] : memref<16x16x1xf32, #tpu.memory_space<vmem>>, vector<1x16x1xf32>
      %82 = vector.shape_cast %81 : vector<1x16x1xf32> to vector<16x1xf32>
      %83 = vector.broadcast %82 : vector<16x1xf32> to vector<16x128xf32>
      %84 = arith.mulf %79, %83 : vector<16x128xf32>
      %cst_33 = arith.constant dense<0.000000e+00> : vector<128xf32>
      %85 = vector.multi_reduction <add>, %84, %cst_33 [0] : vector<16x128xf32> to vector<128xf32>
      %86 = vector.shape_cast %85 : vector<128xf32> to vector<1x128xf32>
      %87 = arith.index_cast %62 : i32 to index
      %c0_34 = arith.constant 0 : index
      %88 = vector.load %arg6[%87, %c0_34] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>
      tpu.vector_store %arg6[%87, %c0_34], %86 {strides = array<i32>} : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>,
      %c3_i32 = arith.constant 3 : i32
      %89 = arith.addi %arg8, %c3_i32 : i32
      %90 = arith.index_cast %89 : i32 to index
      %c0_35 = arith.constant 0 : index
      %91 = vector.load %arg2[%90, %c0_35] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>
      %c0_36 = arith.constant 0 : index
      %c0_37 = arith.constant 0 : index
      %92 = vector.load %arg3[%c0_36, %c0_37] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>
      %93 = vector.broadcast %91 : vector<1x128xf32> to vector<16x128xf32>
      %94 = arith.mulf %93, %92 : vector<16x128xf32>
      %95 = math.exp %94 : vector<16x128xf32>
      %96 = arith.mulf %95, %79 : vector<16x128xf32>
      %97 = arith.index_cast %89 : i32 to index
      %c0_38 = arith.constant 0 : index
      %98 = vector.load %arg1[%97, %c0_38] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>
      %99 = arith.mulf %91, %98 : vector<1x128xf32>
      %100 = arith.index_cast %89 : i32 to index
      %c0_39 = arith.constant 0 : index
      %c0_40 = arith.constant 0 : index
      %101 = vector.load %arg4[%100, %c0_39, %c0_40] : memref<16x16x1xf32, #tpu.memory_space<vmem>>, vector<1x16x1xf32>
      %102 = vector.shape_cast %101 : vector<1x16x1xf32> to vector<16x1xf32>
      %103 = vector.broadcast %99 : vector<1x128xf32> to vector<16x128xf32>
      %104 = vector.broadcast %102 : vector<16x1xf32> to vector<16x128xf32>
      %105 = arith.mulf %103, %104 : vector<16x128xf32>
      %106 = arith.addf %96, %105 : vector<16x128xf32>
      %107 = arith.index_cast %89 : i32 to index
      %c0_41 = arith.constant 0 : index
      %c0_42 = arith.constant 0 : index
      %108 = vector.load %arg5[%107, %c0_41, %c0_42] : memref<16x16x1xf32, #tpu.memory_space<vmem>>, vector<1x16x1xf32>
      %109 = vector.shape_cast %108 : vector<1x16x1xf32> to vector<16x1xf32>
      %110 = vector.broadcast %109 : vector<16x1xf32> to vector<16x128xf32>
      %111 = arith.mulf %106, %110 : vector<16x128xf32>
      %cst_43 = arith.constant dense<0.000000e+00> : vector<128xf32>
      %112 = vector.multi_reduction <add>, %111, %cst_43 [0] : vector<16x128xf32> to vector<128xf32>
      %113 = vector.shape_cast %112 : vector<128xf32> to vector<1x128xf32>
      %114 = arith.index_cast %89 : i32 to index
      %c0_44 = arith.constant 0 : index
      %115 = vector.load %arg6[%114, %c0_44] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>
      tpu.vector_store %arg6[%114, %c0_44], %113 {strides = array<i32>} : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>,
      scf.yield %106 : vector<16x128xf32>
    }
    %c16_i32_3 = arith.constant 16 : i32
    %c0_4 = arith.constant 0 : index
    %c0_5 = arith.constant 0 : index
    %6 = vector.load %arg7[%c0_4, %c0_5] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>
    %7 = vector.shape_cast %6 : vector<16x128xf32> to vector<16x128xf32>
    %8 = vector.shape_cast %5 : vector<16x128xf32> to vector<16x128xf32>
    tpu.vector_store %arg7[%c0_4, %c0_5], %8 {strides = array<i32>} : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>,
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
    %c0_i32_1 = arith.constant 0 : i32
    return %c0_i32, %c0_i32_0 : i32, i32
  }
  func.func @transform_3(%arg0: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0 : i32, i32, i32
  }
  func.func @transform_4(%arg0: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0 : i32, i32, i32
  }
  func.func @transform_5(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
}
