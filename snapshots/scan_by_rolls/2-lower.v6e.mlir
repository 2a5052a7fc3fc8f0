module @scan_by_rolls_kernel {
  func.func @main(%arg0: i32, %arg1: memref<16x256xf32, #tpu.memory_space<vmem>>, %arg2: memref<16x256xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 16, 256>}, {transform_indices = @transform_1, window_bounds = array<i64: 16, 256>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg1[%c0, %c0_0] : memref<16x256xf32, #tpu.memory_space<vmem>>, vector<16x256xf32>
    %1 = tpu.iota {dimensions = array<i32: 1>} : vector<16x256xi32>
    %c1_i32 = arith.constant 1 : i32
    %2 = vector.broadcast %c1_i32 : i32 to vector<16x256xi32>
    %3 = arith.cmpi sge, %1, %2 : vector<16x256xi32>
    %c1_i32_1 = arith.constant 1 : i32
    %4 = tpu.dynamic_rotate %0 by %c1_i32_1 dim 1 : vector<16x256xf32>, i32 -> vector<16x256xf32>
    %5 = arith.maximumf %0, %4 : vector<16x256xf32>
    %6 = arith.select %3, %5, %0 : vector<16x256xi1>, vector<16x256xf32>
    %c2_i32 = arith.constant 2 : i32
    %7 = vector.broadcast %c2_i32 : i32 to vector<16x256xi32>
    %8 = arith.cmpi sge, %1, %7 : vector<16x256xi32>
    %c2_i32_2 = arith.constant 2 : i32
    %9 = tpu.dynamic_rotate %6 by %c2_i32_2 dim 1 : vector<16x256xf32>, i32 -> vector<16x256xf32>
    %10 = arith.maximumf %6, %9 : vector<16x256xf32>
    %11 = arith.select %8, %10, %6 : vector<16x256xi1>, vector<16x256xf32>
    %c4_i32 = arith.constant 4 : i32
    %12 = vector.broadcast %c4_i32 : i32 to vector<16x256xi32>
    %13 = arith.cmpi sge, %1, %12 : vector<16x256xi32>
    %c4_i32_3 = arith.constant 4 : i32
    %14 = tpu.dynamic_rotate %11 by %c4_i32_3 dim 1 : vector<16x256xf32>, i32 -> vector<16x256xf32>
    %15 = arith.maximumf %11, %14 : vector<16x256xf32>
    %16 = arith.select %13, %15, %11 : vector<16x256xi1>, vector<16x256xf32>
    %c8_i32 = arith.constant 8 : i32
    %17 = vector.broadcast %c8_i32 : i32 to vector<16x256xi32>
    %18 = arith.cmpi sge, %1, %17 : vector<16x256xi32>
    %c8_i32_4 = arith.constant 8 : i32
    %19 = tpu.dynamic_rotate %16 by %c8_i32_4 dim 1 : vector<16x256xf32>, i32 -> vector<16x256xf32>
    %20 = arith.maximumf %16, %19 : vector<16x256xf32>
    %21 = arith.select %18, %20, %16 : vector<16x256xi1>, vector<16x256xf32>
    %c16_i32 = arith.constant 16 : i32
    %22 = vector.broadcast %c16_i32 : i32 to vector<16x256xi32>
    %23 = arith.cmpi sge, %1, %22 : vector<16x256xi32>
    %c16_i32_5 = arith.constant 16 : i32
    %24 = tpu.dynamic_rotate %21 by %c16_i32_5 dim 1 : vector<16x256xf32>, i32 -> vector<16x256xf32>
    %25 = arith.maximumf %21, %24 : vector<16x256xf32>
    %26 = arith.select %23, %25, %21 : vector<16x256xi1>, vector<16x256xf32>
    %c32_i32 = arith.constant 32 : i32
    %27 = vector.broadcast %c32_i32 : i32 to vector<16x256xi32>
    %28 = arith.cmpi sge, %1, %27 : vector<16x256xi32>
    %c32_i32_6 = arith.constant 32 : i32
    %29 = tpu.dynamic_rotate %26 by %c32_i32_6 dim 1 : vector<16x256xf32>, i32 -> vector<16x256xf32>
    %30 = arith.maximumf %26, %29 : vector<16x256xf32>
    %31 = arith.select %28, %30, %26 : vector<16x256xi1>, vector<16x256xf32>
    %c64_i32 = arith.constant 64 : i32
    %32 = vector.broadcast %c64_i32 : i32 to vector<16x256xi32>
    %33 = arith.cmpi sge, %1, %32 : vector<16x256xi32>
    %c64_i32_7 = arith.constant 64 : i32
    %34 = tpu.dynamic_rotate %31 by %c64_i32_7 dim 1 : vector<16x256xf32>, i32 -> vector<16x256xf32>
    %35 = arith.maximumf %31, %34 : vector<16x256xf32>
    %36 = arith.select %33, %35, %31 : vector<16x256xi1>, vector<16x256xf32>
    %c128_i32 = arith.constant 128 : i32
    %37 = vector.broadcast %c128_i32 : i32 to vector<16x256xi32>
    %38 = arith.cmpi sge, %1, %37 : vector<16x256xi32>
    %c128_i32_8 = arith.constant 128 : i32
    %39 = tpu.dynamic_rotate %36 by %c128_i32_8 dim 1 : vector<16x256xf32>, i32 -> vector<16x256xf32>
    %40 = arith.maximumf %36, %39 : vector<16x256xf32>
    %41 = arith.select %38, %40, %36 : vector<16x256xi1>, vector<16x256xf32>
    %c0_9 = arith.constant 0 : index
    %c0_10 = arith.constant 0 : index
    %42 = vector.load %arg2[%c0_9, %c0_10] : memref<16x256xf32, #tpu.memory_space<vmem>>, vector<16x256xf32>
    tpu.vector_store %arg2[%c0_9, %c0_10], %41 {strides = array<i32>} : memref<16x256xf32, #tpu.memory_space<vmem>>, vector<16x256xf32>,
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
