module @lookup_kernel {
  func.func @main(%arg0: i32, %arg1: memref<8x128xf32, #tpu.memory_space<vmem>>, %arg2: memref<8x128xi32, #tpu.memory_space<vmem>>, %arg3: memref<8x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 8, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 8, 128>}, {transform_indices = @transform_2, window_bounds = array<i64: 8, 128>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg1[%c0, %c0_0] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %1 = vector.load %arg2[%c0_1, %c0_2] : memref<8x128xi32, #tpu.memory_space<vmem>>, vector<8x128xi32>
    %c127_i32 = arith.constant 127 : i32
    %2 = vector.broadcast %c127_i32 : i32 to vector<8x128xi32>
    %3 = arith.minsi %1, %2 : vector<8x128xi32>
    %c0_i32 = arith.constant 0 : i32
    %4 = vector.broadcast %c0_i32 : i32 to vector<8x128xi32>
    %5 = arith.cmpi slt, %3, %4 : vector<8x128xi32>
    %c128_i32 = arith.constant 128 : i32
    %6 = vector.broadcast %c128_i32 : i32 to vector<8x128xi32>
    %7 = arith.addi %3, %6 : vector<8x128xi32>
    %8 = arith.select %5, %7, %3 : vector<8x128xi1>, vector<8x128xi32>
    %9 = vector.shape_cast %8 : vector<8x128xi32> to vector<8x128x1xi32>
    %10 = vector.shape_cast %9 : vector<8x128x1xi32> to vector<8x128xi32>
    %11 = tpu.dynamic_gather %0[%10] in [1] : vector<8x128xf32>, vector<8x128xi32> -> vector<8x128xf32>
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    %12 = vector.load %arg3[%c0_3, %c0_4] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    tpu.vector_store %arg3[%c0_3, %c0_4], %11 {strides = array<i32>} : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>,
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
    return %arg0, %c0_i32 : i32, i32
  }
}
