module @mean_of_group_kernel {
  func.func @main(%arg0: i32, %arg1: memref<8x128xi32, #tpu.memory_space<vmem>>, %arg2: memref<8x128xi32, #tpu.memory_space<vmem>>, %arg3: memref<8x128xi32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 8, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 8, 128>}, {transform_indices = @transform_2, window_bounds = array<i64: 8, 128>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg1[%c0, %c0_0] : memref<8x128xi32, #tpu.memory_space<vmem>>, vector<8x128xi32>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %1 = vector.load %arg2[%c0_1, %c0_2] : memref<8x128xi32, #tpu.memory_space<vmem>>, vector<8x128xi32>
    %c1_i32 = arith.constant 1 : i32
    %2 = vector.broadcast %c1_i32 : i32 to vector<8x128xi32>
    %3 = arith.maxsi %1, %2 : vector<8x128xi32>
    %4 = arith.divsi %0, %3 : vector<8x128xi32>
    %c0_i32 = arith.constant 0 : i32
    %5 = vector.broadcast %c0_i32 : i32 to vector<8x128xi32>
    %6 = arith.cmpi sgt, %0, %5 : vector<8x128xi32>
    %7 = arith.extui %6 : vector<8x128xi1> to vector<8x128xi32>
    %c0_i32_3 = arith.constant 0 : i32
    %8 = vector.broadcast %c0_i32_3 : i32 to vector<8x128xi32>
    %9 = arith.cmpi slt, %0, %8 : vector<8x128xi32>
    %10 = arith.extui %9 : vector<8x128xi1> to vector<8x128xi32>
    %11 = arith.subi %7, %10 : vector<8x128xi32>
    %c0_i32_4 = arith.constant 0 : i32
    %12 = vector.broadcast %c0_i32_4 : i32 to vector<8x128xi32>
    %13 = arith.cmpi sgt, %3, %12 : vector<8x128xi32>
    %14 = arith.extui %13 : vector<8x128xi1> to vector<8x128xi32>
    %c0_i32_5 = arith.constant 0 : i32
    %15 = vector.broadcast %c0_i32_5 : i32 to vector<8x128xi32>
    %16 = arith.cmpi slt, %3, %15 : vector<8x128xi32>
    %17 = arith.extui %16 : vector<8x128xi1> to vector<8x128xi32>
    %18 = arith.subi %14, %17 : vector<8x128xi32>
    %19 = arith.cmpi ne, %11, %18 : vector<8x128xi32>
    %20 = arith.remsi %0, %3 : vector<8x128xi32>
    %c0_i32_6 = arith.constant 0 : i32
    %21 = vector.broadcast %c0_i32_6 : i32 to vector<8x128xi32>
    %22 = arith.cmpi ne, %20, %21 : vector<8x128xi32>
    %23 = arith.andi %19, %22 : vector<8x128xi1>
    %c1_i32_7 = arith.constant 1 : i32
    %24 = vector.broadcast %c1_i32_7 : i32 to vector<8x128xi32>
    %25 = arith.subi %4, %24 : vector<8x128xi32>
    %26 = arith.select %23, %25, %4 : vector<8x128xi1>, vector<8x128xi32>
    %c0_8 = arith.constant 0 : index
    %c0_9 = arith.constant 0 : index
    %27 = vector.load %arg3[%c0_8, %c0_9] : memref<8x128xi32, #tpu.memory_space<vmem>>, vector<8x128xi32>
    tpu.vector_store %arg3[%c0_8, %c0_9], %26 {strides = array<i32>} : memref<8x128xi32, #tpu.memory_space<vmem>>, vector<8x128xi32>,
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
