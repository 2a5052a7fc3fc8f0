module @block_sparse_matmul_kernel {
  func.func @main(%arg0: i32, %arg1: i32, %arg2: i32, %arg3: memref<4xi32, #tpu.memory_space<smem>>, %arg4: memref<4x3xi32, #tpu.memory_space<smem>>, %arg5: memref<128x128xbf16, #tpu.memory_space<vmem>>, %arg6: memref<1x1x128x128xbf16, #tpu.memory_space<vmem>>, %arg7: memref<128x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 2, 4, 3>, scalar_prefetch = 2 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 128, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 1, 1, 128, 128>}, {transform_indices = @transform_2, window_bounds = array<i64: 128, 128>}]} {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi eq, %arg2, %c0_i32 : i32
    %1 = arith.extui %0 : i1 to i32
    %c0_i32_0 = arith.constant 0 : i32
    %2 = arith.cmpi ne, %1, %c0_i32_0 : i32
    scf.if %2 {
      %cst = arith.constant 0.000000e+00 : f32
      %8 = vector.broadcast %cst : f32 to vector<128x128xf32>
      %c0 = arith.constant 0 : index
      %c0_2 = arith.constant 0 : index
      %9 = vector.load %arg7[%c0, %c0_2] : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>
      tpu.vector_store %arg7[%c0, %c0_2], %8 {strides = array<i32>} : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>,
    } else {
    }
    %3 = arith.index_cast %arg1 : i32 to index
    %4 = memref.load %arg3[%3] : memref<4xi32, #tpu.memory_space<smem>>
    %5 = arith.cmpi slt, %arg2, %4 : i32
    %6 = arith.extui %5 : i1 to i32
    %c0_i32_1 = arith.constant 0 : i32
    %7 = arith.cmpi ne, %6, %c0_i32_1 : i32
    scf.if %7 {
      %c0 = arith.constant 0 : index
      %c0_2 = arith.constant 0 : index
      %8 = vector.load %arg7[%c0, %c0_2] : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>
      %9 = vector.shape_cast %8 : vector<128x128xf32> to vector<128x128xf32>
      %c0_3 = arith.constant 0 : index
      %c0_4 = arith.constant 0 : index
      %10 = vector.load %arg5[%c0_3, %c0_4] : memref<128x128xbf16, #tpu.memory_space<vmem>>, vector<128x128xbf16>
      %c0_5 = arith.constant 0 : index
      %c0_6 = arith.constant 0 : index
      %c0_7 = arith.constant 0 : index
      %c0_8 = arith.constant 0 : index
      %11 = vector.load %arg6[%c0_5, %c0_6, %c0_7, %c0_8] : memref<1x1x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x1x128x128xbf16>
      %12 = vector.shape_cast %11 : vector<1x1x128x128xbf16> to vector<128x128xbf16>
      %cst = arith.constant dense<0.000000e+00> : vector<128x128xf32>
      %13 = tpu.matmul %10, %12, %cst {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<128x128xbf16>, vector<128x128xbf16>, vector<128x128xf32> -> vector<128x128xf32>
      %14 = arith.addf %9, %13 : vector<128x128xf32>
      %c0_9 = arith.constant 0 : index
      %c0_10 = arith.constant 0 : index
      %15 = vector.load %arg7[%c0_9, %c0_10] : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>
      tpu.vector_store %arg7[%c0_9, %c0_10], %14 {strides = array<i32>} : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>,
    } else {
    }
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: i32, %arg2: i32, %arg3: memref<4xi32, #tpu.memory_space<smem>>, %arg4: memref<4x3xi32, #tpu.memory_space<smem>>) -> (i32, i32) {
    %0 = arith.index_cast %arg1 : i32 to index
    %1 = arith.index_cast %arg2 : i32 to index
    %2 = memref.load %arg4[%0, %1] : memref<4x3xi32, #tpu.memory_space<smem>>
    %c0_i32 = arith.constant 0 : i32
    return %arg0, %2 : i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: i32, %arg2: i32, %arg3: memref<4xi32, #tpu.memory_space<smem>>, %arg4: memref<4x3xi32, #tpu.memory_space<smem>>) -> (i32, i32, i32, i32) {
    %0 = arith.index_cast %arg1 : i32 to index
    %1 = memref.load %arg3[%0] : memref<4xi32, #tpu.memory_space<smem>>
    %c1_i32 = arith.constant 1 : i32
    %2 = arith.subi %1, %c1_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %3 = arith.maxsi %2, %c0_i32 : i32
    %4 = arith.minsi %arg2, %3 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %c0_i32_2 = arith.constant 0 : i32
    return %arg1, %4, %c0_i32_0, %c0_i32_1 : i32, i32, i32, i32
  }
  func.func @transform_2(%arg0: i32, %arg1: i32, %arg2: i32, %arg3: memref<4xi32, #tpu.memory_space<smem>>, %arg4: memref<4x3xi32, #tpu.memory_space<smem>>) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    return %arg0, %arg1 : i32, i32
  }
}
