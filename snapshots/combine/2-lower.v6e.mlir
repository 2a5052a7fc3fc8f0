module @combine_kernel {
  func.func @main(%arg0: i32, %arg1: memref<16x2xi32, #tpu.memory_space<smem>>, %arg2: memref<16x2xf32, #tpu.memory_space<smem>>, %arg3: memref<1x1x256xf32, #tpu.memory_space<vmem>>, %arg4: memref<1x1x256xf32, #tpu.memory_space<vmem>>, %arg5: memref<1x1x256xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 16>, scalar_prefetch = 2 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 1, 1, 256>}, {transform_indices = @transform_1, window_bounds = array<i64: 1, 1, 256>}, {transform_indices = @transform_2, window_bounds = array<i64: 1, 1, 256>}]} {
    %0 = arith.index_cast %arg0 : i32 to index
    %c0 = arith.constant 0 : index
    %1 = memref.load %arg2[%0, %c0] : memref<16x2xf32, #tpu.memory_space<smem>>
    %c0_0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %2 = vector.load %arg3[%c0_0, %c0_1, %c0_2] : memref<1x1x256xf32, #tpu.memory_space<vmem>>, vector<1x1x256xf32>
    %3 = vector.shape_cast %2 : vector<1x1x256xf32> to vector<1x256xf32>
    %4 = vector.broadcast %1 : f32 to vector<1x256xf32>
    %5 = arith.mulf %4, %3 : vector<1x256xf32>
    %6 = arith.index_cast %arg0 : i32 to index
    %c1 = arith.constant 1 : index
    %7 = memref.load %arg2[%6, %c1] : memref<16x2xf32, #tpu.memory_space<smem>>
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    %c0_5 = arith.constant 0 : index
    %8 = vector.load %arg4[%c0_3, %c0_4, %c0_5] : memref<1x1x256xf32, #tpu.memory_space<vmem>>, vector<1x1x256xf32>
    %9 = vector.shape_cast %8 : vector<1x1x256xf32> to vector<1x256xf32>
    %10 = vector.broadcast %7 : f32 to vector<1x256xf32>
    %11 = arith.mulf %10, %9 : vector<1x256xf32>
    %12 = arith.addf %5, %11 : vector<1x256xf32>
    %c0_6 = arith.constant 0 : index
    %c0_7 = arith.constant 0 : index
    %c0_8 = arith.constant 0 : index
    %13 = vector.load %arg5[%c0_6, %c0_7, %c0_8] : memref<1x1x256xf32, #tpu.memory_space<vmem>>, vector<1x1x256xf32>
    %14 = vector.shape_cast %13 : vector<1x1x256xf32> to vector<1x256xf32>
    %15 = vector.shape_cast %12 : vector<1x256xf32> to vector<1x1x256xf32>
    tpu.vector_store %arg5[%c0_6, %c0_7, %c0_8], %15 {strides = array<i32>} : memref<1x1x256xf32, #tpu.memory_space<vmem>>, vector<1x1x256xf32>,
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: memref<16x2xi32, #tpu.memory_space<smem>>, %arg2: memref<16x2xf32, #tpu.memory_space<smem>>) -> (i32, i32, i32) {
    %0 = arith.index_cast %arg0 : i32 to index
    %c0 = arith.constant 0 : index
    %1 = memref.load %arg1[%0, %c0] : memref<16x2xi32, #tpu.memory_space<smem>>
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %1, %c0_i32, %c0_i32_0 : i32, i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: memref<16x2xi32, #tpu.memory_space<smem>>, %arg2: memref<16x2xf32, #tpu.memory_space<smem>>) -> (i32, i32, i32) {
    %0 = arith.index_cast %arg0 : i32 to index
    %c1 = arith.constant 1 : index
    %1 = memref.load %arg1[%0, %c1] : memref<16x2xi32, #tpu.memory_space<smem>>
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %1, %c0_i32, %c0_i32_0 : i32, i32, i32
  }
  func.func @transform_2(%arg0: i32, %arg1: memref<16x2xi32, #tpu.memory_space<smem>>, %arg2: memref<16x2xf32, #tpu.memory_space<smem>>) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0 : i32, i32, i32
  }
}
