module @copy_even_kernel {
  func.func @main(%arg0: i32, %arg1: memref<16x128xf32, #tpu.memory_space<vmem>>, %arg2: memref<16x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 16, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 16, 128>}]} {
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
      %c0 = arith.constant 0 : index
      %c0_13 = arith.constant 0 : index
      %26 = vector.load %arg1[%c0, %c0_13] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>
      %c0_14 = arith.constant 0 : index
      %c0_15 = arith.constant 0 : index
      %27 = vector.load %arg2[%c0_14, %c0_15] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>
      tpu.vector_store %arg2[%c0_14, %c0_15], %26 {strides = array<i32>} : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>,
    } else {
    }
    %c2_i32_5 = arith.constant 2 : i32
    %c0_i32_6 = arith.constant 0 : i32
    %13 = arith.cmpi eq, %c2_i32_5, %c0_i32_6 : i32
    %c1_i32_7 = arith.constant 1 : i32
    %14 = arith.select %13, %c1_i32_7, %c2_i32_5 : i32
    %15 = arith.remsi %arg0, %14 : i32
    %c0_i32_8 = arith.constant 0 : i32
    %16 = arith.cmpi ne, %15, %c0_i32_8 : i32
    %c0_i32_9 = arith.constant 0 : i32
    %17 = arith.cmpi slt, %15, %c0_i32_9 : i32
    %c0_i32_10 = arith.constant 0 : i32
    %18 = arith.cmpi slt, %14, %c0_i32_10 : i32
    %19 = arith.xori %17, %18 : i1
    %20 = arith.andi %19, %16 : i1
    %21 = arith.addi %15, %14 : i32
    %22 = arith.select %20, %21, %15 : i32
    %c1_i32_11 = arith.constant 1 : i32
    %23 = arith.cmpi eq, %22, %c1_i32_11 : i32
    %24 = arith.extui %23 : i1 to i32
    %c0_i32_12 = arith.constant 0 : i32
    %25 = arith.cmpi ne, %24, %c0_i32_12 : i32
    scf.if %25 {
      %cst = arith.constant 0.000000e+00 : f32
      %26 = vector.broadcast %cst : f32 to vector<16x128xf32>
      %c0 = arith.constant 0 : index
      %c0_13 = arith.constant 0 : index
      %27 = vector.load %arg2[%c0, %c0_13] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>
      tpu.vector_store %arg2[%c0, %c0_13], %26 {strides = array<i32>} : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>,
    } else {
    }
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
