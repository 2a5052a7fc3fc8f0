module @masked_mean_kernel {
  func.func @main(%arg0: i32, %arg1: memref<4xi32, #tpu.memory_space<smem>>, %arg2: memref<1x128x256xbf16, #tpu.memory_space<vmem>>, %arg3: memref<1x1x256xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 4>, scalar_prefetch = 1 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 1, 128, 256>}, {transform_indices = @transform_1, window_bounds = array<i64: 1, 1, 256>}]} {
    %0 = arith.index_cast %arg0 : i32 to index
    %1 = memref.load %arg1[%0] : memref<4xi32, #tpu.memory_space<smem>>
    %2 = tpu.iota {dimensions = array<i32: 0>} : vector<128x256xi32>
    %3 = vector.broadcast %1 : i32 to vector<128x256xi32>
    %4 = arith.cmpi slt, %2, %3 : vector<128x256xi32>
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %5 = vector.load %arg2[%c0, %c0_0, %c0_1] : memref<1x128x256xbf16, #tpu.memory_space<vmem>>, vector<1x128x256xbf16>
    %6 = vector.shape_cast %5 : vector<1x128x256xbf16> to vector<128x256xbf16>
    %7 = arith.extf %6 : vector<128x256xbf16> to vector<128x256xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %8 = vector.broadcast %cst : f32 to vector<128x256xf32>
    %9 = arith.select %4, %7, %8 : vector<128x256xi1>, vector<128x256xf32>
    %cst_2 = arith.constant dense<0.000000e+00> : vector<256xf32>
    %10 = vector.multi_reduction <add>, %9, %cst_2 [0] : vector<128x256xf32> to vector<256xf32>
    %11 = vector.shape_cast %10 : vector<256xf32> to vector<1x256xf32>
    %12 = arith.sitofp %1 : i32 to f32
    %13 = vector.broadcast %12 : f32 to vector<1x256xf32>
    %14 = arith.divf %11, %13 : vector<1x256xf32>
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    %c0_5 = arith.constant 0 : index
    %15 = vector.load %arg3[%c0_3, %c0_4, %c0_5] : memref<1x1x256xf32, #tpu.memory_space<vmem>>, vector<1x1x256xf32>
    %16 = vector.shape_cast %15 : vector<1x1x256xf32> to vector<1x256xf32>
    %17 = vector.shape_cast %14 : vector<1x256xf32> to vector<1x1x256xf32>
    tpu.vector_store %arg3[%c0_3, %c0_4, %c0_5], %17 {strides = array<i32>} : memref<1x1x256xf32, #tpu.memory_space<vmem>>, vector<1x1x256xf32>,
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
}
