module @cross_entropy_kernel {
  func.func @main(%arg0: i32, %arg1: i32, %arg2: memref<64x1xi32, #tpu.memory_space<vmem>>, %arg3: memref<64x512xbf16, #tpu.memory_space<vmem>>, %arg4: memref<64x1xf32, #tpu.memory_space<vmem>>, %arg5: memref<64x1xf32, #tpu.memory_space<vmem>>, %arg6: memref<64x1xf32, #tpu.memory_space<vmem>>, %arg7: memref<64x1xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 2, 4>, scalar_prefetch = 0 : i64, scratch_operands = 3 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 64, 1>}, {transform_indices = @transform_1, window_bounds = array<i64: 64, 512>}, {transform_indices = @transform_2, window_bounds = array<i64: 64, 1>}]} {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi eq, %arg1, %c0_i32 : i32
    %1 = arith.extui %0 : i1 to i32
    %c0_i32_0 = arith.constant 0 : i32
    %2 = arith.cmpi ne, %1, %c0_i32_0 : i32
    scf.if %2 {
      %cst_20 = arith.constant 0xFF800000 : f32
      %44 = vector.broadcast %cst_20 : f32 to vector<64x1xf32>
      %c0_21 = arith.constant 0 : index
      %c0_22 = arith.constant 0 : index
      %45 = vector.load %arg5[%c0_21, %c0_22] : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>
      %46 = vector.shape_cast %45 : vector<64x1xf32> to vector<64x1xf32>
      %47 = vector.shape_cast %44 : vector<64x1xf32> to vector<64x1xf32>
      tpu.vector_store %arg5[%c0_21, %c0_22], %47 {strides = array<i32>} : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>,
      %cst_23 = arith.constant 0.000000e+00 : f32
      %48 = vector.broadcast %cst_23 : f32 to vector<64x1xf32>
      %c0_24 = arith.constant 0 : index
      %c0_25 = arith.constant 0 : index
      %49 = vector.load %arg6[%c0_24, %c0_25] : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>
      %50 = vector.shape_cast %49 : vector<64x1xf32> to vector<64x1xf32>
      %51 = vector.shape_cast %48 : vector<64x1xf32> to vector<64x1xf32>
      tpu.vector_store %arg6[%c0_24, %c0_25], %51 {strides = array<i32>} : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>,
      %cst_26 = arith.constant 0.000000e+00 : f32
      %52 = vector.broadcast %cst_26 : f32 to vector<64x1xf32>
      %c0_27 = arith.constant 0 : index
      %c0_28 = arith.constant 0 : index
      %53 = vector.load %arg7[%c0_27, %c0_28] : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>
      %54 = vector.shape_cast %53 : vector<64x1xf32> to vector<64x1xf32>
      %55 = vector.shape_cast %52 : vector<64x1xf32> to vector<64x1xf32>
      tpu.vector_store %arg7[%c0_27, %c0_28], %55 {strides = array<i32>} : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>,
    } else {
    }
    %c0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %3 = vector.load %arg3[%c0, %c0_1] : memref<64x512xbf16, #tpu.memory_space<vmem>>, vector<64x512xbf16>
    %4 = arith.extf %3 : vector<64x512xbf16> to vector<64x512xf32>
    %c0_2 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %5 = vector.load %arg5[%c0_2, %c0_3] : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>
    %cst = arith.constant dense<0xFF800000> : vector<64xf32>
    %6 = vector.multi_reduction <maximumf>, %4, %cst [1] : vector<64x512xf32> to vector<64xf32>
    %7 = vector.shape_cast %6 : vector<64xf32> to vector<64x1xf32>
    %8 = arith.maximumf %5, %7 : vector<64x1xf32>
    %c0_4 = arith.constant 0 : index
    %c0_5 = arith.constant 0 : index
    %9 = vector.load %arg6[%c0_4, %c0_5] : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>
    %10 = arith.subf %5, %8 : vector<64x1xf32>
    %11 = math.exp %10 : vector<64x1xf32>
    %12 = arith.mulf %9, %11 : vector<64x1xf32>
    %13 = vector.broadcast %8 : vector<64x1xf32> to vector<64x512xf32>
    %14 = arith.subf %4, %13 : vector<64x512xf32>
    %15 = math.exp %14 : vector<64x512xf32>
    %cst_6 = arith.constant dense<0.000000e+00> : vector<64xf32>
    %16 = vector.multi_reduction <add>, %15, %cst_6 [1] : vector<64x512xf32> to vector<64xf32>
    %17 = vector.shape_cast %16 : vector<64xf32> to vector<64x1xf32>
    %18 = arith.addf %12, %17 : vector<64x1xf32>
    %c0_7 = arith.constant 0 : index
    %c0_8 = arith.constant 0 : index
    %19 = vector.load %arg6[%c0_7, %c0_8] : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>
    %20 = vector.shape_cast %19 : vector<64x1xf32> to vector<64x1xf32>
    %21 = vector.shape_cast %18 : vector<64x1xf32> to vector<64x1xf32>
    tpu.vector_store %arg6[%c0_7, %c0_8], %21 {strides = array<i32>} : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>,
    %c0_9 = arith.constant 0 : index
    %c0_10 = arith.constant 0 : index
    %22 = vector.load %arg5[%c0_9, %c0_10] : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>
    %23 = vector.shape_cast %22 : vector<64x1xf32> to vector<64x1xf32>
    %24 = vector.shape_cast %8 : vector<64x1xf32> to vector<64x1xf32>
    tpu.vector_store %arg5[%c0_9, %c0_10], %24 {strides = array<i32>} : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>,
    %c512_i32 = arith.constant 512 : i32
    %25 = arith.muli %arg1, %c512_i32 : i32
    %26 = tpu.iota {dimensions = array<i32: 1>} : vector<64x512xi32>
    %27 = vector.broadcast %25 : i32 to vector<64x512xi32>
    %28 = arith.addi %27, %26 : vector<64x512xi32>
    %c0_11 = arith.constant 0 : index
    %c0_12 = arith.constant 0 : index
    %29 = vector.load %arg7[%c0_11, %c0_12] : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>
    %c0_13 = arith.constant 0 : index
    %c0_14 = arith.constant 0 : index
    %30 = vector.load %arg2[%c0_13, %c0_14] : memref<64x1xi32, #tpu.memory_space<vmem>>, vector<64x1xi32>
    %31 = vector.broadcast %30 : vector<64x1xi32> to vector<64x512xi32>
    %32 = arith.cmpi eq, %28, %31 : vector<64x512xi32>
    %cst_15 = arith.constant 0.000000e+00 : f32
    %33 = vector.broadcast %cst_15 : f32 to vector<64x512xf32>
    %34 = arith.select %32, %4, %33 : vector<64x512xi1>, vector<64x512xf32>
    %cst_16 = arith.constant dense<0.000000e+00> : vector<64xf32>
    %35 = vector.multi_reduction <add>, %34, %cst_16 [1] : vector<64x512xf32> to vector<64xf32>
    %36 = vector.shape_cast %35 : vector<64xf32> to vector<64x1xf32>
    %37 = arith.addf %29, %36 : vector<64x1xf32>
    %c0_17 = arith.constant 0 : index
    %c0_18 = arith.constant 0 : index
    %38 = vector.load %arg7[%c0_17, %c0_18] : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>
    %39 = vector.shape_cast %38 : vector<64x1xf32> to vector<64x1xf32>
    %40 = vector.shape_cast %37 : vector<64x1xf32> to vector<64x1xf32>
    tpu.vector_store %arg7[%c0_17, %c0_18], %40 {strides = array<i32>} : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>,
    %c3_i32 = arith.constant 3 : i32
    %41 = arith.cmpi eq, %arg1, %c3_i32 : i32
    %42 = arith.extui %41 : i1 to i32
    %c0_i32_19 = arith.constant 0 : i32
    %43 = arith.cmpi ne, %42, %c0_i32_19 : i32
    scf.if %43 {
      %c0_20 = arith.constant 0 : index
      %c0_21 = arith.constant 0 : index
      %44 = vector.load %arg5[%c0_20, %c0_21] : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>
      %c0_22 = arith.constant 0 : index
      %c0_23 = arith.constant 0 : index
      %45 = vector.load %arg6[%c0_22, %c0_23] : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>
      %46 = math.log %45 : vector<64x1xf32>
      %47 = arith.addf %44, %46 : vector<64x1xf32>
      %c0_24 = arith.constant 0 : index
      %c0_25 = arith.constant 0 : index
      %48 = vector.load %arg7[%c0_24, %c0_25] : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>
      %49 = arith.subf %47, %48 : vector<64x1xf32>
      %c0_26 = arith.constant 0 : index
      %c0_27 = arith.constant 0 : index
      %50 = vector.load %arg4[%c0_26, %c0_27] : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>
      tpu.vector_store %arg4[%c0_26, %c0_27], %49 {strides = array<i32>} : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>,
    } else {
    }
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    return %arg0, %arg1 : i32, i32
  }
  func.func @transform_2(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
}
