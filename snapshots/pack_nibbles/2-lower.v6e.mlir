module @pack_nibbles_kernel {
  func.func @main(%arg0: i32, %arg1: memref<8x32x256xi32, #tpu.memory_space<vmem>>, %arg2: memref<32x256xi32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 8, 32, 256>}, {transform_indices = @transform_1, window_bounds = array<i64: 32, 256>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %0 = vector.load %arg1[%c0, %c0_0, %c0_1] : memref<8x32x256xi32, #tpu.memory_space<vmem>>, vector<1x32x256xi32>
    %1 = vector.shape_cast %0 : vector<1x32x256xi32> to vector<32x256xi32>
    %c15_i32 = arith.constant 15 : i32
    %2 = vector.broadcast %c15_i32 : i32 to vector<32x256xi32>
    %3 = arith.andi %1, %2 : vector<32x256xi32>
    %c1 = arith.constant 1 : index
    %c0_2 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %4 = vector.load %arg1[%c1, %c0_2, %c0_3] : memref<8x32x256xi32, #tpu.memory_space<vmem>>, vector<1x32x256xi32>
    %5 = vector.shape_cast %4 : vector<1x32x256xi32> to vector<32x256xi32>
    %c15_i32_4 = arith.constant 15 : i32
    %6 = vector.broadcast %c15_i32_4 : i32 to vector<32x256xi32>
    %7 = arith.andi %5, %6 : vector<32x256xi32>
    %c4_i32 = arith.constant 4 : i32
    %8 = vector.broadcast %c4_i32 : i32 to vector<32x256xi32>
    %9 = arith.shli %7, %8 : vector<32x256xi32>
    %10 = arith.ori %3, %9 : vector<32x256xi32>
    %c2 = arith.constant 2 : index
    %c0_5 = arith.constant 0 : index
    %c0_6 = arith.constant 0 : index
    %11 = vector.load %arg1[%c2, %c0_5, %c0_6] : memref<8x32x256xi32, #tpu.memory_space<vmem>>, vector<1x32x256xi32>
    %12 = vector.shape_cast %11 : vector<1x32x256xi32> to vector<32x256xi32>
    %c15_i32_7 = arith.constant 15 : i32
    %13 = vector.broadcast %c15_i32_7 : i32 to vector<32x256xi32>
    %14 = arith.andi %12, %13 : vector<32x256xi32>
    %c8_i32 = arith.constant 8 : i32
    %15 = vector.broadcast %c8_i32 : i32 to vector<32x256xi32>
    %16 = arith.shli %14, %15 : vector<32x256xi32>
    %17 = arith.ori %10, %16 : vector<32x256xi32>
    %c3 = arith.constant 3 : index
    %c0_8 = arith.constant 0 : index
    %c0_9 = arith.constant 0 : index
    %18 = vector.load %arg1[%c3, %c0_8, %c0_9] : memref<8x32x256xi32, #tpu.memory_space<vmem>>, vector<1x32x256xi32>
    %19 = vector.shape_cast %18 : vector<1x32x256xi32> to vector<32x256xi32>
    %c15_i32_10 = arith.constant 15 : i32
    %20 = vector.broadcast %c15_i32_10 : i32 to vector<32x256xi32>
    %21 = arith.andi %19, %20 : vector<32x256xi32>
    %c12_i32 = arith.constant 12 : i32
    %22 = vector.broadcast %c12_i32 : i32 to vector<32x256xi32>
    %23 = arith.shli %21, %22 : vector<32x256xi32>
    %24 = arith.ori %17, %23 : vector<32x256xi32>
    %c4 = arith.constant 4 : index
    %c0_11 = arith.constant 0 : index
    %c0_12 = arith.constant 0 : index
    %25 = vector.load %arg1[%c4, %c0_11, %c0_12] : memref<8x32x256xi32, #tpu.memory_space<vmem>>, vector<1x32x256xi32>
    %26 = vector.shape_cast %25 : vector<1x32x256xi32> to vector<32x256xi32>
    %c15_i32_13 = arith.constant 15 : i32
    %27 = vector.broadcast %c15_i32_13 : i32 to vector<32x256xi32>
    %28 = arith.andi %26, %27 : vector<32x256xi32>
    %c16_i32 = arith.constant 16 : i32
    %29 = vector.broadcast %c16_i32 : i32 to vector<32x256xi32>
    %30 = arith.shli %28, %29 : vector<32x256xi32>
    %31 = arith.ori %24, %30 : vector<32x256xi32>
    %c5 = arith.constant 5 : index
    %c0_14 = arith.constant 0 : index
    %c0_15 = arith.constant 0 : index
    %32 = vector.load %arg1[%c5, %c0_14, %c0_15] : memref<8x32x256xi32, #tpu.memory_space<vmem>>, vector<1x32x256xi32>
    %33 = vector.shape_cast %32 : vector<1x32x256xi32> to vector<32x256xi32>
    %c15_i32_16 = arith.constant 15 : i32
    %34 = vector.broadcast %c15_i32_16 : i32 to vector<32x256xi32>
    %35 = arith.andi %33, %34 : vector<32x256xi32>
    %c20_i32 = arith.constant 20 : i32
    %36 = vector.broadcast %c20_i32 : i32 to vector<32x256xi32>
    %37 = arith.shli %35, %36 : vector<32x256xi32>
    %38 = arith.ori %31, %37 : vector<32x256xi32>
    %c6 = arith.constant 6 : index
    %c0_17 = arith.constant 0 : index
    %c0_18 = arith.constant 0 : index
    %39 = vector.load %arg1[%c6, %c0_17, %c0_18] : memref<8x32x256xi32, #tpu.memory_space<vmem>>, vector<1x32x256xi32>
    %40 = vector.shape_cast %39 : vector<1x32x256xi32> to vector<32x256xi32>
    %c15_i32_19 = arith.constant 15 : i32
    %41 = vector.broadcast %c15_i32_19 : i32 to vector<32x256xi32>
    %42 = arith.andi %40, %41 : vector<32x256xi32>
    %c24_i32 = arith.constant 24 : i32
    %43 = vector.broadcast %c24_i32 : i32 to vector<32x256xi32>
    %44 = arith.shli %42, %43 : vector<32x256xi32>
    %45 = arith.ori %38, %44 : vector<32x256xi32>
    %c7 = arith.constant 7 : index
    %c0_20 = arith.constant 0 : index
    %c0_21 = arith.constant 0 : index
    %46 = vector.load %arg1[%c7, %c0_20, %c0_21] : memref<8x32x256xi32, #tpu.memory_space<vmem>>, vector<1x32x256xi32>
    %47 = vector.shape_cast %46 : vector<1x32x256xi32> to vector<32x256xi32>
    %c15_i32_22 = arith.constant 15 : i32
    %48 = vector.broadcast %c15_i32_22 : i32 to vector<32x256xi32>
    %49 = arith.andi %47, %48 : vector<32x256xi32>
    %c28_i32 = arith.constant 28 : i32
    %50 = vector.broadcast %c28_i32 : i32 to vector<32x256xi32>
    %51 = arith.shli %49, %50 : vector<32x256xi32>
    %52 = arith.ori %45, %51 : vector<32x256xi32>
    %c0_23 = arith.constant 0 : index
    %c0_24 = arith.constant 0 : index
    %53 = vector.load %arg2[%c0_23, %c0_24] : memref<32x256xi32, #tpu.memory_space<vmem>>, vector<32x256xi32>
    tpu.vector_store %arg2[%c0_23, %c0_24], %52 {strides = array<i32>} : memref<32x256xi32, #tpu.memory_space<vmem>>, vector<32x256xi32>,
    return
  }
  func.func @transform_0(%arg0: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %c0_i32, %arg0, %c0_i32_0 : i32, i32, i32
  }
  func.func @transform_1(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
}
