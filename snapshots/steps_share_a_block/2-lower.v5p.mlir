module @pair_sum_kernel {
  func.func @main(%arg0: i32, %arg1: memref<8x128xf32, #tpu.memory_space<vmem>>, %arg2: memref<8x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 8>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 8, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 8, 128>}]} {
    %c2_i32 = arith.constant 2 : i32
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi eq, %c2_i32, %c0_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    %1 = arith.select %0, %c1_i32, %c2_i32 : i32
    %2 = arith.remsi %arg0, %1 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %3 = arith.cmpi ne, %2, %c0_i32_0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %4 = arith.cmpi slt, %2, %c0_i32_1 : i32
    %c0_i32_2 = arith.constant 0 : i32
    %5 = arith.cmpi slt, %1, %c0_i32_2 : i32
    %6 = arith.xori %4, %5 : i1
    %7 = arith.andi %6, %3 : i1
    %8 = arith.addi %2, %1 : i32
    %9 = arith.select %7, %8, %2 : i32
    %c0_i32_3 = arith.constant 0 : i32
    %10 = arith.cmpi eq, %9, %c0_i32_3 : i32
    %11 = arith.extui %10 : i1 to i32
    %c0_i32_4 = arith.constant 0 : i32
    %12 = arith.cmpi ne, %11, %c0_i32_4 : i32
    scf.if %12 {
      %cst = arith.constant 0.000000e+00 : f32
      %18 = vector.broadcast %cst : f32 to vector<8x128xf32>
      %c0_10 = arith.constant 0 : index
      %c0_11 = arith.constant 0 : index
      %19 = vector.load %arg2[%c0_10, %c0_11] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
      tpu.vector_store %arg2[%c0_10, %c0_11], %18 {strides = array<i32>} : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>,
    } else {
    }
    %c0 = arith.constant 0 : index
    %c0_5 = arith.constant 0 : index
    %13 = vector.load %arg2[%c0, %c0_5] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    %14 = vector.shape_cast %13 : vector<8x128xf32> to vector<8x128xf32>
    %c0_6 = arith.constant 0 : index
    %c0_7 = arith.constant 0 : index
    %15 = vector.load %arg1[%c0_6, %c0_7] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    %16 = arith.addf %14, %15 : vector<8x128xf32>
    %c0_8 = arith.constant 0 : index
    %c0_9 = arith.constant 0 : index
    %17 = vector.load %arg2[%c0_8, %c0_9] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    tpu.vector_store %arg2[%c0_8, %c0_9], %16 {strides = array<i32>} : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>,
    return
  }
  func.func @transform_0(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
  func.func @transform_1(%arg0: i32) -> (i32, i32) {
    %c2_i32 = arith.constant 2 : i32
    %0 = arith.divsi %arg0, %c2_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi sgt, %arg0, %c0_i32 : i32
    %2 = arith.extui %1 : i1 to i32
    %c0_i32_0 = arith.constant 0 : i32
    %3 = arith.cmpi slt, %arg0, %c0_i32_0 : i32
    %4 = arith.extui %3 : i1 to i32
    %5 = arith.subi %2, %4 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %6 = arith.cmpi sgt, %c2_i32, %c0_i32_1 : i32
    %7 = arith.extui %6 : i1 to i32
    %c0_i32_2 = arith.constant 0 : i32
    %8 = arith.cmpi slt, %c2_i32, %c0_i32_2 : i32
    %9 = arith.extui %8 : i1 to i32
    %10 = arith.subi %7, %9 : i32
    %11 = arith.cmpi ne, %5, %10 : i32
    %12 = arith.remsi %arg0, %c2_i32 : i32
    %c0_i32_3 = arith.constant 0 : i32
    %13 = arith.cmpi ne, %12, %c0_i32_3 : i32
    %14 = arith.andi %11, %13 : i1
    %c1_i32 = arith.constant 1 : i32
    %15 = arith.subi %0, %c1_i32 : i32
    %16 = arith.select %14, %15, %0 : i32
    %c0_i32_4 = arith.constant 0 : i32
    %c0_i32_5 = arith.constant 0 : i32
    return %16, %c0_i32_4 : i32, i32
  }
}
