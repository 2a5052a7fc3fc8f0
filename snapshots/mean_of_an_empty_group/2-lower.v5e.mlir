module @mean_of_group_kernel {
  func.func @main(%arg0: i32, %arg1: memref<8x128xi32, #tpu.memory_space<vmem>>, %arg2: memref<8x128xi32, #tpu.memory_space<vmem>>, %arg3: memref<8x128xi32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 8, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 8, 128>}, {transform_indices = @transform_2, window_bounds = array<i64: 8, 128>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg1[%c0, %c0_0] : memref<8x128xi32, #tpu.memory_space<vmem>>, vector<8x128xi32>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %1 = vector.load %arg2[%c0_1, %c0_2] : memref<8x128xi32, #tpu.memory_space<vmem>>, vector<8x128xi32>
    %2 = arith.divsi %0, %1 : vector<8x128xi32>
    %c0_i32 = arith.constant 0 : i32
    %3 = vector.broadcast %c0_i32 : i32 to vector<8x128xi32>
    %4 = arith.cmpi sgt, %0, %3 : vector<8x128xi32>
    %5 = arith.extui %4 : vector<8x128xi1> to vector<8x128xi32>
    %c0_i32_3 = arith.constant 0 : i32
    %6 = vector.broadcast %c0_i32_3 : i32 to vector<8x128xi32>
    %7 = arith.cmpi slt, %0, %6 : vector<8x128xi32>
    %8 = arith.extui %7 : vector<8x128xi1> to vector<8x128xi32>
    %9 = arith.subi %5, %8 : vector<8x128xi32>
    %c0_i32_4 = arith.constant 0 : i32
    %10 = vector.broadcast %c0_i32_4 : i32 to vector<8x128xi32>
    %11 = arith.cmpi sgt, %1, %10 : vector<8x128xi32>
    %12 = arith.extui %11 : vector<8x128xi1> to vector<8x128xi32>
    %c0_i32_5 = arith.constant 0 : i32
    %13 = vector.broadcast %c0_i32_5 : i32 to vector<8x128xi32>
    %14 = arith.cmpi slt, %1, %13 : vector<8x128xi32>
    %15 = arith.extui %14 : vector<8x128xi1> to vector<8x128xi32>
    %16 = arith.subi %12, %15 : vector<8x128xi32>
    %17 = arith.cmpi ne, %9, %16 : vector<8x128xi32>
    %18 = arith.remsi %0, %1 : vector<8x128xi32>
    %c0_i32_6 = arith.constant 0 : i32
    %19 = vector.broadcast %c0_i32_6 : i32 to vector<8x128xi32>
    %20 = arith.cmpi ne, %18, %19 : vector<8x128xi32>
    %21 = arith.andi %17, %20 : vector<8x128xi1>
    %c1_i32 = arith.constant 1 : i32
    %22 = vector.broadcast %c1_i32 : i32 to vector<8x128xi32>
    %23 = arith.subi %2, %22 : vector<8x128xi32>
    %24 = arith.select %21, %23, %2 : vector<8x128xi1>, vector<8x128xi32>
    %c0_7 = arith.constant 0 : index
    %c0_8 = arith.constant 0 : index
    %25 = vector.load %arg3[%c0_7, %c0_8] : memref<8x128xi32, #tpu.memory_space<vmem>>, vector<8x128xi32>
    tpu.vector_store %arg3[%c0_7, %c0_8], %24 {strides = array<i32>} : memref<8x128xi32, #tpu.memory_space<vmem>>, vector<8x128xi32>,
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
