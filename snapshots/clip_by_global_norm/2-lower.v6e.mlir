module @clip_by_global_norm_kernel {
  func.func @main(%arg0: i32, %arg1: i32, %arg2: memref<64x256xf32, #tpu.memory_space<vmem>>, %arg3: memref<64x256xf32, #tpu.memory_space<vmem>>, %arg4: memref<1xf32, #tpu.memory_space<smem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<arbitrary>, #tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 2, 4>, scalar_prefetch = 0 : i64, scratch_operands = 1 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 64, 256>}, {transform_indices = @transform_1, window_bounds = array<i64: 64, 256>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg2[%c0, %c0_0] : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi eq, %arg0, %c0_i32 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %2 = arith.cmpi eq, %arg1, %c0_i32_1 : i32
    %3 = arith.andi %1, %2 : i1
    %4 = arith.extui %3 : i1 to i32
    %c0_i32_2 = arith.constant 0 : i32
    %5 = arith.cmpi ne, %4, %c0_i32_2 : i32
    scf.if %5 {
      %cst = arith.constant 0.000000e+00 : f32
      %c0_6 = arith.constant 0 : index
      %12 = memref.load %arg4[%c0_6] : memref<1xf32, #tpu.memory_space<smem>>
      memref.store %cst, %arg4[%c0_6] : memref<1xf32, #tpu.memory_space<smem>>
    } else {
    }
    %c0_i32_3 = arith.constant 0 : i32
    %6 = arith.cmpi eq, %arg0, %c0_i32_3 : i32
    %7 = arith.extui %6 : i1 to i32
    %c0_i32_4 = arith.constant 0 : i32
    %8 = arith.cmpi ne, %7, %c0_i32_4 : i32
    scf.if %8 {
      %c0_6 = arith.constant 0 : index
      %12 = memref.load %arg4[%c0_6] : memref<1xf32, #tpu.memory_space<smem>>
      %13 = arith.mulf %0, %0 : vector<64x256xf32>
      %14 = vector.shape_cast %13 : vector<64x256xf32> to vector<1x64x256xf32>
      %cst = arith.constant dense<0.000000e+00> : vector<1xf32>
      %15 = vector.multi_reduction <add>, %14, %cst [1, 2] : vector<1x64x256xf32> to vector<1xf32>
      %16 = vector.shape_cast %15 : vector<1xf32> to vector<1x1x1xf32>
      %17 = vector.extract %16[0, 0, 0] : f32 from vector<1x1x1xf32>
      %18 = arith.addf %12, %17 : f32
      %c0_7 = arith.constant 0 : index
      %19 = memref.load %arg4[%c0_7] : memref<1xf32, #tpu.memory_space<smem>>
      memref.store %18, %arg4[%c0_7] : memref<1xf32, #tpu.memory_space<smem>>
    } else {
    }
    %c1_i32 = arith.constant 1 : i32
    %9 = arith.cmpi eq, %arg0, %c1_i32 : i32
    %10 = arith.extui %9 : i1 to i32
    %c0_i32_5 = arith.constant 0 : i32
    %11 = arith.cmpi ne, %10, %c0_i32_5 : i32
    scf.if %11 {
      %c0_6 = arith.constant 0 : index
      %12 = memref.load %arg4[%c0_6] : memref<1xf32, #tpu.memory_space<smem>>
      %13 = vector.broadcast %12 : f32 to vector<1x1xf32>
      %14 = math.rsqrt %13 : vector<1x1xf32>
      %cst = arith.constant 1.000000e+00 : f32
      %15 = vector.broadcast %cst : f32 to vector<1x1xf32>
      %16 = arith.mulf %15, %14 : vector<1x1xf32>
      %cst_7 = arith.constant 1.000000e+00 : f32
      %17 = vector.broadcast %cst_7 : f32 to vector<1x1xf32>
      %18 = arith.minimumf %17, %16 : vector<1x1xf32>
      %19 = vector.broadcast %18 : vector<1x1xf32> to vector<64x256xf32>
      %20 = arith.mulf %0, %19 : vector<64x256xf32>
      %c0_8 = arith.constant 0 : index
      %c0_9 = arith.constant 0 : index
      %21 = vector.load %arg3[%c0_8, %c0_9] : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>
      tpu.vector_store %arg3[%c0_8, %c0_9], %20 {strides = array<i32>} : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>,
    } else {
    }
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg1, %c0_i32 : i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %0 = arith.muli %arg0, %arg1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %0, %c0_i32 : i32, i32
  }
}
