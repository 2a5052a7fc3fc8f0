module @sum_to_scalar_kernel {
  func.func @main(%arg0: i32, %arg1: memref<64x256xf32, #tpu.memory_space<vmem>>, %arg2: memref<2xf32, #tpu.memory_space<smem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 8>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 64, 256>}, {transform_indices = @transform_1, window_bounds = array<i64: 2>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg1[%c0, %c0_0] : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>
    %1 = vector.shape_cast %0 : vector<64x256xf32> to vector<1x64x256xf32>
    %cst = arith.constant dense<0.000000e+00> : vector<1xf32>
    %2 = vector.multi_reduction <add>, %1, %cst [1, 2] : vector<1x64x256xf32> to vector<1xf32>
    %3 = vector.shape_cast %2 : vector<1xf32> to vector<1x1x1xf32>
    %4 = vector.extract %3[0, 0, 0] : f32 from vector<1x1x1xf32>
    %5 = math.absf %0 : vector<64x256xf32>
    %6 = vector.shape_cast %5 : vector<64x256xf32> to vector<1x64x256xf32>
    %cst_1 = arith.constant dense<0xFF800000> : vector<1xf32>
    %7 = vector.multi_reduction <maximumf>, %6, %cst_1 [1, 2] : vector<1x64x256xf32> to vector<1xf32>
    %8 = vector.shape_cast %7 : vector<1xf32> to vector<1x1x1xf32>
    %9 = vector.extract %8[0, 0, 0] : f32 from vector<1x1x1xf32>
    %c0_i32 = arith.constant 0 : i32
    %10 = arith.cmpi eq, %arg0, %c0_i32 : i32
    %11 = arith.extui %10 : i1 to i32
    %c0_i32_2 = arith.constant 0 : i32
    %12 = arith.cmpi ne, %11, %c0_i32_2 : i32
    scf.if %12 {
      %c0_5 = arith.constant 0 : index
      %16 = memref.load %arg2[%c0_5] : memref<2xf32, #tpu.memory_space<smem>>
      memref.store %4, %arg2[%c0_5] : memref<2xf32, #tpu.memory_space<smem>>
      %c1 = arith.constant 1 : index
      %17 = memref.load %arg2[%c1] : memref<2xf32, #tpu.memory_space<smem>>
      memref.store %9, %arg2[%c1] : memref<2xf32, #tpu.memory_space<smem>>
    } else {
    }
    %c0_i32_3 = arith.constant 0 : i32
    %13 = arith.cmpi sgt, %arg0, %c0_i32_3 : i32
    %14 = arith.extui %13 : i1 to i32
    %c0_i32_4 = arith.constant 0 : i32
    %15 = arith.cmpi ne, %14, %c0_i32_4 : i32
    scf.if %15 {
      %c0_5 = arith.constant 0 : index
      %16 = memref.load %arg2[%c0_5] : memref<2xf32, #tpu.memory_space<smem>>
      %17 = arith.addf %16, %4 : f32
      %c0_6 = arith.constant 0 : index
      %18 = memref.load %arg2[%c0_6] : memref<2xf32, #tpu.memory_space<smem>>
      memref.store %17, %arg2[%c0_6] : memref<2xf32, #tpu.memory_space<smem>>
      %c1 = arith.constant 1 : index
      %19 = memref.load %arg2[%c1] : memref<2xf32, #tpu.memory_space<smem>>
      %20 = arith.maximumf %19, %9 : f32
      %c1_7 = arith.constant 1 : index
      %21 = memref.load %arg2[%c1_7] : memref<2xf32, #tpu.memory_space<smem>>
      memref.store %20, %arg2[%c1_7] : memref<2xf32, #tpu.memory_space<smem>>
    } else {
    }
    return
  }
  func.func @transform_0(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
  func.func @transform_1(%arg0: i32) -> i32 {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %c0_i32 : i32
  }
}
