module @kernel {
  func.func @main(%arg0: i32, %arg1: memref<8x128xf32, #tpu.memory_space<vmem>>, %arg2: memref<8x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 2>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 8, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 8, 128>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg1[%c0, %c0_0] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    %cst = arith.constant 2.000000e+00 : f32
    %1 = vector.broadcast %cst : f32 to vector<8x128xf32>
    %2 = arith.mulf %0, %1 : vector<8x128xf32>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %3 = vector.load %arg2[%c0_1, %c0_2] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    tpu.vector_store %arg2[%c0_1, %c0_2], %2 {strides = array<i32>} : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>,
    return
  }
  func.func @transform_0(%arg0: i32) -> (i32, i32) {
    %c2_i32 = arith.constant 2 : i32
    %0 = arith.muli %arg0, %c2_i32 : i32
    %c2_i32_0 = arith.constant 2 : i32
    %1 = arith.divsi %0, %c2_i32_0 : i32
    %c0_i32 = arith.constant 0 : i32
    %2 = arith.cmpi sgt, %0, %c0_i32 : i32
    %3 = arith.extui %2 : i1 to i32
    %c0_i32_1 = arith.constant 0 : i32
    %4 = arith.cmpi slt, %0, %c0_i32_1 : i32
    %5 = arith.extui %4 : i1 to i32
    %6 = arith.subi %3, %5 : i32
    %c0_i32_2 = arith.constant 0 : i32
    %7 = arith.cmpi sgt, %c2_i32_0, %c0_i32_2 : i32
    %8 = arith.extui %7 : i1 to i32
    %c0_i32_3 = arith.constant 0 : i32
    %9 = arith.cmpi slt, %c2_i32_0, %c0_i32_3 : i32
    %10 = arith.extui %9 : i1 to i32
    %11 = arith.subi %8, %10 : i32
    %12 = arith.cmpi ne, %6, %11 : i32
    %13 = arith.remsi %0, %c2_i32_0 : i32
    %c0_i32_4 = arith.constant 0 : i32
    %14 = arith.cmpi ne, %13, %c0_i32_4 : i32
    %15 = arith.andi %12, %14 : i1
    %c1_i32 = arith.constant 1 : i32
    %16 = arith.subi %1, %c1_i32 : i32
    %17 = arith.select %15, %16, %1 : i32
    %c0_i32_5 = arith.constant 0 : i32
    %c0_i32_6 = arith.constant 0 : i32
    return %17, %c0_i32_5 : i32, i32
  }
  func.func @transform_1(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
}
