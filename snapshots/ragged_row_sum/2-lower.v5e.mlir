module @ragged_row_sum_kernel {
  func.func @main(%arg0: i32, %arg1: memref<5xi32, #tpu.memory_space<smem>>, %arg2: memref<64x256xf32, #tpu.memory_space<vmem>>, %arg3: memref<1x1x256xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 4>, scalar_prefetch = 1 : i64, scratch_operands = 0 : i64, window_params = [{pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_0, window_bounds = array<i64: 64, 256>}, {transform_indices = @transform_1, window_bounds = array<i64: 1, 1, 256>}]} {
    %0 = arith.index_cast %arg0 : i32 to index
    %1 = memref.load %arg1[%0] : memref<5xi32, #tpu.memory_space<smem>>
    %c1_i32 = arith.constant 1 : i32
    %2 = arith.addi %arg0, %c1_i32 : i32
    %3 = arith.index_cast %2 : i32 to index
    %4 = memref.load %arg1[%3] : memref<5xi32, #tpu.memory_space<smem>>
    %cst = arith.constant 0.000000e+00 : f32
    %5 = vector.broadcast %cst : f32 to vector<1x256xf32>
    %6 = arith.subi %4, %1 : i32
    %7 = arith.addi %1, %6 : i32
    %c1_i32_0 = arith.constant 1 : i32
    %8 = arith.divsi %6, %c1_i32_0 : i32
    %9 = arith.muli %8, %c1_i32_0 : i32
    %10 = arith.addi %1, %9 : i32
    %c1_i32_1 = arith.constant 1 : i32
    %11 = scf.for %arg4 = %1 to %10 step %c1_i32_1 iter_args(%arg5 = %5) -> (vector<1x256xf32>)  : i32 {
      %16 = arith.index_cast %arg4 : i32 to index
      %c0_5 = arith.constant 0 : index
      %17 = vector.load %arg2[%16, %c0_5] : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<1x256xf32>
      %18 = arith.addf %arg5, %17 : vector<1x256xf32>
      scf.yield %18 : vector<1x256xf32>
    }
    %c1_i32_2 = arith.constant 1 : i32
    %12 = scf.for %arg4 = %10 to %7 step %c1_i32_2 iter_args(%arg5 = %11) -> (vector<1x256xf32>)  : i32 {
      %16 = arith.index_cast %arg4 : i32 to index
      %c0_5 = arith.constant 0 : index
      %17 = vector.load %arg2[%16, %c0_5] : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<1x256xf32>
      %18 = arith.addf %arg5, %17 : vector<1x256xf32>
      scf.yield %18 : vector<1x256xf32>
    }
    %c0 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    %13 = vector.load %arg3[%c0, %c0_3, %c0_4] : memref<1x1x256xf32, #tpu.memory_space<vmem>>, vector<1x1x256xf32>
    %14 = vector.shape_cast %13 : vector<1x1x256xf32> to vector<1x256xf32>
    %15 = vector.shape_cast %12 : vector<1x256xf32> to vector<1x1x256xf32>
    tpu.vector_store %arg3[%c0, %c0_3, %c0_4], %15 {strides = array<i32>} : memref<1x1x256xf32, #tpu.memory_space<vmem>>, vector<1x1x256xf32>,
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: memref<5xi32, #tpu.memory_space<smem>>) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %c0_i32, %c0_i32_0 : i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: memref<5xi32, #tpu.memory_space<smem>>) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0 : i32, i32, i32
  }
}
