module @masked_store_kernel {
  func.func @main(%arg0: i32, %arg1: memref<4xi32, #tpu.memory_space<smem>>, %arg2: memref<1x32x256xf32, #tpu.memory_space<vmem>>, %arg3: memref<1x32x256xf32, #tpu.memory_space<vmem>>, %arg4: memref<1x32x256xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 4>, scalar_prefetch = 1 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 1, 32, 256>}, {transform_indices = @transform_1, window_bounds = array<i64: 1, 32, 256>}, {transform_indices = @transform_2, window_bounds = array<i64: 1, 32, 256>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %0 = vector.load %arg3[%c0, %c0_0, %c0_1] : memref<1x32x256xf32, #tpu.memory_space<vmem>>, vector<1x32x256xf32>
    %1 = vector.shape_cast %0 : vector<1x32x256xf32> to vector<32x256xf32>
    %c0_2 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    %2 = vector.load %arg4[%c0_2, %c0_3, %c0_4] : memref<1x32x256xf32, #tpu.memory_space<vmem>>, vector<1x32x256xf32>
    %3 = vector.shape_cast %2 : vector<1x32x256xf32> to vector<32x256xf32>
    %4 = vector.shape_cast %1 : vector<32x256xf32> to vector<1x32x256xf32>
    tpu.vector_store %arg4[%c0_2, %c0_3, %c0_4], %4 {strides = array<i32>} : memref<1x32x256xf32, #tpu.memory_space<vmem>>, vector<1x32x256xf32>,
    %5 = tpu.iota {dimensions = array<i32: 0>} : vector<32x256xi32>
    %c0_5 = arith.constant 0 : index
    %c0_6 = arith.constant 0 : index
    %c0_7 = arith.constant 0 : index
    %6 = vector.load %arg2[%c0_5, %c0_6, %c0_7] : memref<1x32x256xf32, #tpu.memory_space<vmem>>, vector<1x32x256xf32>
    %7 = vector.shape_cast %6 : vector<1x32x256xf32> to vector<32x256xf32>
    %cst = arith.constant 2.000000e+00 : f32
    %8 = vector.broadcast %cst : f32 to vector<32x256xf32>
    %9 = arith.mulf %8, %7 : vector<32x256xf32>
    %10 = arith.index_cast %arg0 : i32 to index
    %11 = memref.load %arg1[%10] : memref<4xi32, #tpu.memory_space<smem>>
    %12 = vector.broadcast %11 : i32 to vector<32x256xi32>
    %13 = arith.cmpi slt, %5, %12 : vector<32x256xi32>
    %c0_8 = arith.constant 0 : index
    %c0_9 = arith.constant 0 : index
    %c0_10 = arith.constant 0 : index
    %14 = vector.load %arg4[%c0_8, %c0_9, %c0_10] : memref<1x32x256xf32, #tpu.memory_space<vmem>>, vector<1x32x256xf32>
    %15 = vector.shape_cast %14 : vector<1x32x256xf32> to vector<32x256xf32>
    %16 = vector.shape_cast %9 : vector<32x256xf32> to vector<1x32x256xf32>
    %17 = vector.shape_cast %13 : vector<32x256xi1> to vector<1x32x256xi1>
    tpu.vector_store %arg4[%c0_8, %c0_9, %c0_10], %16 masked %17 {strides = array<i32>} : memref<1x32x256xf32, #tpu.memory_space<vmem>>, vector<1x32x256xf32>, vector<1x32x256xi1>
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: memref<4xi32, #tpu.memory_space<smem>>) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0 : i32, i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: memref<4xi32, #tpu.memory_space<smem>>) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0 : i32, i32, i32
  }
  func.func @transform_2(%arg0: i32, %arg1: memref<4xi32, #tpu.memory_space<smem>>) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0 : i32, i32, i32
  }
}
