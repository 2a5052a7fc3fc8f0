module @int8_matmul_kernel {
  func.func @main(%arg0: i32, %arg1: i32, %arg2: memref<128x256xi8, #tpu.memory_space<vmem>>, %arg3: memref<256x256xi8, #tpu.memory_space<vmem>>, %arg4: memref<128x1xf32, #tpu.memory_space<vmem>>, %arg5: memref<1x256xf32, #tpu.memory_space<vmem>>, %arg6: memref<128x256xbf16, #tpu.memory_space<vmem>>, %arg7: memref<128x256xi32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 2, 2>, scalar_prefetch = 0 : i64, scratch_operands = 1 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 128, 256>}, {transform_indices = @transform_1, window_bounds = array<i64: 256, 256>}, {transform_indices = @transform_2, window_bounds = array<i64: 128, 1>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_3, window_bounds = array<i64: 1, 256>}, {transform_indices = @transform_4, window_bounds = array<i64: 128, 256>}]} {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi eq, %arg1, %c0_i32 : i32
    %1 = arith.extui %0 : i1 to i32
    %c0_i32_0 = arith.constant 0 : i32
    %2 = arith.cmpi ne, %1, %c0_i32_0 : i32
    scf.if %2 {
      %c0_i32_9 = arith.constant 0 : i32
      %14 = vector.broadcast %c0_i32_9 : i32 to vector<128x256xi32>
      %c0_10 = arith.constant 0 : index
      %c0_11 = arith.constant 0 : index
      %15 = vector.load %arg7[%c0_10, %c0_11] : memref<128x256xi32, #tpu.memory_space<vmem>>, vector<128x256xi32>
      %16 = vector.shape_cast %15 : vector<128x256xi32> to vector<128x256xi32>
      %17 = vector.shape_cast %14 : vector<128x256xi32> to vector<128x256xi32>
      tpu.vector_store %arg7[%c0_10, %c0_11], %17 {strides = array<i32>} : memref<128x256xi32, #tpu.memory_space<vmem>>, vector<128x256xi32>,
    } else {
    }
    %c0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %3 = vector.load %arg7[%c0, %c0_1] : memref<128x256xi32, #tpu.memory_space<vmem>>, vector<128x256xi32>
    %c0_2 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %4 = vector.load %arg2[%c0_2, %c0_3] : memref<128x256xi8, #tpu.memory_space<vmem>>, vector<128x256xi8>
    %c0_4 = arith.constant 0 : index
    %c0_5 = arith.constant 0 : index
    %5 = vector.load %arg3[%c0_4, %c0_5] : memref<256x256xi8, #tpu.memory_space<vmem>>, vector<256x256xi8>
    %cst = arith.constant dense<0> : vector<128x256xi32>
    %6 = tpu.matmul %4, %5, %cst {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<128x256xi8>, vector<256x256xi8>, vector<128x256xi32> -> vector<128x256xi32>
    %7 = arith.addi %3, %6 : vector<128x256xi32>
    %c0_6 = arith.constant 0 : index
    %c0_7 = arith.constant 0 : index
    %8 = vector.load %arg7[%c0_6, %c0_7] : memref<128x256xi32, #tpu.memory_space<vmem>>, vector<128x256xi32>
    %9 = vector.shape_cast %8 : vector<128x256xi32> to vector<128x256xi32>
    %10 = vector.shape_cast %7 : vector<128x256xi32> to vector<128x256xi32>
    tpu.vector_store %arg7[%c0_6, %c0_7], %10 {strides = array<i32>} : memref<128x256xi32, #tpu.memory_space<vmem>>, vector<128x256xi32>,
    %c1_i32 = arith.constant 1 : i32
    %11 = arith.cmpi eq, %arg1, %c1_i32 : i32
    %12 = arith.extui %11 : i1 to i32
    %c0_i32_8 = arith.constant 0 : i32
    %13 = arith.cmpi ne, %12, %c0_i32_8 : i32
    scf.if %13 {
      %c0_9 = arith.constant 0 : index
      %c0_10 = arith.constant 0 : index
      %14 = vector.load %arg7[%c0_9, %c0_10] : memref<128x256xi32, #tpu.memory_space<vmem>>, vector<128x256xi32>
      %15 = arith.sitofp %14 : vector<128x256xi32> to vector<128x256xf32>
      %c0_11 = arith.constant 0 : index
      %c0_12 = arith.constant 0 : index
      %16 = vector.load %arg4[%c0_11, %c0_12] : memref<128x1xf32, #tpu.memory_space<vmem>>, vector<128x1xf32>
      %17 = vector.broadcast %16 : vector<128x1xf32> to vector<128x256xf32>
      %18 = arith.mulf %15, %17 : vector<128x256xf32>
      %c0_13 = arith.constant 0 : index
      %c0_14 = arith.constant 0 : index
      %19 = vector.load %arg5[%c0_13, %c0_14] : memref<1x256xf32, #tpu.memory_space<vmem>>, vector<1x256xf32>
      %20 = vector.broadcast %19 : vector<1x256xf32> to vector<128x256xf32>
      %21 = arith.mulf %18, %20 : vector<128x256xf32>
      %22 = arith.truncf %21 : vector<128x256xf32> to vector<128x256xbf16>
      %c0_15 = arith.constant 0 : index
      %c0_16 = arith.constant 0 : index
      %23 = vector.load %arg6[%c0_15, %c0_16] : memref<128x256xbf16, #tpu.memory_space<vmem>>, vector<128x256xbf16>
      tpu.vector_store %arg6[%c0_15, %c0_16], %22 {strides = array<i32>} : memref<128x256xbf16, #tpu.memory_space<vmem>>, vector<128x256xbf16>,
    } else {
    }
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    return %arg0, %arg1 : i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg1, %c0_i32 : i32, i32
  }
  func.func @transform_2(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
  func.func @transform_3(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %c0_i32, %c0_i32_0 : i32, i32
  }
  func.func @transform_4(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
}
