module @argmax_rows_kernel {
  func.func @main(%arg0: i32, %arg1: memref<64x512xbf16, #tpu.memory_space<vmem>>, %arg2: memref<64x1xi32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 64, 512>}, {transform_indices = @transform_1, window_bounds = array<i64: 64, 1>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg1[%c0, %c0_0] : memref<64x512xbf16, #tpu.memory_space<vmem>>, vector<64x512xbf16>
    %1 = arith.extf %0 : vector<64x512xbf16> to vector<64x512xf32>
    %cst = arith.constant dense<0xFF800000> : vector<64xf32>
    %2 = vector.multi_reduction <maximumf>, %1, %cst [1] : vector<64x512xf32> to vector<64xf32>
    %3 = vector.shape_cast %2 : vector<64xf32> to vector<64x1xf32>
    %4 = tpu.iota {dimensions = array<i32: 1>} : vector<64x512xi32>
    %5 = vector.broadcast %3 : vector<64x1xf32> to vector<64x512xf32>
    %6 = arith.cmpf oeq, %1, %5 : vector<64x512xf32>
    %c512_i32 = arith.constant 512 : i32
    %7 = vector.broadcast %c512_i32 : i32 to vector<64x512xi32>
    %8 = arith.select %6, %4, %7 : vector<64x512xi1>, vector<64x512xi32>
    %cst_1 = arith.constant dense<2147483647> : vector<64xi32>
    %9 = vector.multi_reduction <minsi>, %8, %cst_1 [1] : vector<64x512xi32> to vector<64xi32>
    %10 = vector.shape_cast %9 : vector<64xi32> to vector<64x1xi32>
    %c0_2 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %11 = vector.load %arg2[%c0_2, %c0_3] : memref<64x1xi32, #tpu.memory_space<vmem>>, vector<64x1xi32>
    tpu.vector_store %arg2[%c0_2, %c0_3], %10 {strides = array<i32>} : memref<64x1xi32, #tpu.memory_space<vmem>>, vector<64x1xi32>,
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
}
