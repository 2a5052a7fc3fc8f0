module @scale_rows_kernel {
  func.func @main(%arg0: i32, %arg1: memref<1xi32, #tpu.memory_space<smem>>, %arg2: memref<8x256xf32, #tpu.memory_space<vmem>>, %arg3: memref<8x256xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: -9223372036854775808>, scalar_prefetch = 1 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 8, 256>}, {transform_indices = @transform_1, window_bounds = array<i64: 8, 256>}]} {
    %c8_i32 = arith.constant 8 : i32
    %0 = arith.muli %arg0, %c8_i32 : i32
    %1 = tpu.iota {dimensions = array<i32: 0>} : vector<8x256xi32>
    %2 = vector.broadcast %0 : i32 to vector<8x256xi32>
    %3 = arith.addi %2, %1 : vector<8x256xi32>
    %c0 = arith.constant 0 : index
    %4 = memref.load %arg1[%c0] : memref<1xi32, #tpu.memory_space<smem>>
    %5 = vector.broadcast %4 : i32 to vector<8x256xi32>
    %6 = arith.cmpi slt, %3, %5 : vector<8x256xi32>
    %c0_0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %7 = vector.load %arg2[%c0_0, %c0_1] : memref<8x256xf32, #tpu.memory_space<vmem>>, vector<8x256xf32>
    %cst = arith.constant 2.000000e+00 : f32
    %8 = vector.broadcast %cst : f32 to vector<8x256xf32>
    %9 = arith.mulf %8, %7 : vector<8x256xf32>
    %c0_2 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %10 = vector.load %arg2[%c0_2, %c0_3] : memref<8x256xf32, #tpu.memory_space<vmem>>, vector<8x256xf32>
    %11 = arith.select %6, %9, %10 : vector<8x256xi1>, vector<8x256xf32>
    %c0_4 = arith.constant 0 : index
    %c0_5 = arith.constant 0 : index
    %12 = vector.load %arg3[%c0_4, %c0_5] : memref<8x256xf32, #tpu.memory_space<vmem>>, vector<8x256xf32>
    tpu.vector_store %arg3[%c0_4, %c0_5], %11 {strides = array<i32>} : memref<8x256xf32, #tpu.memory_space<vmem>>, vector<8x256xf32>,
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: memref<1xi32, #tpu.memory_space<smem>>) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: memref<1xi32, #tpu.memory_space<smem>>) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
}
