module @kv_cache_update_kernel {
  func.func @main(%arg0: i32, %arg1: memref<4xi32, #tpu.memory_space<smem>>, %arg2: memref<1x1x256xf32, #tpu.memory_space<vmem>>, %arg3: memref<1x8x256xf32, #tpu.memory_space<vmem>>, %arg4: memref<1x8x256xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 4>, scalar_prefetch = 1 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 1, 1, 256>}, {transform_indices = @transform_1, window_bounds = array<i64: 1, 8, 256>}, {transform_indices = @transform_2, window_bounds = array<i64: 1, 8, 256>}]} {
    %0 = arith.index_cast %arg0 : i32 to index
    %1 = memref.load %arg1[%0] : memref<4xi32, #tpu.memory_space<smem>>
    %c8_i32 = arith.constant 8 : i32
    %c0_i32 = arith.constant 0 : i32
    %2 = arith.cmpi eq, %c8_i32, %c0_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    %3 = arith.select %2, %c1_i32, %c8_i32 : i32
    %4 = arith.remsi %1, %3 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %5 = arith.cmpi ne, %4, %c0_i32_0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %6 = arith.cmpi slt, %4, %c0_i32_1 : i32
    %c0_i32_2 = arith.constant 0 : i32
    %7 = arith.cmpi slt, %3, %c0_i32_2 : i32
    %8 = arith.xori %6, %7 : i1
    %9 = arith.andi %8, %5 : i1
    %10 = arith.addi %4, %3 : i32
    %11 = arith.select %9, %10, %4 : i32
    %12 = tpu.iota {dimensions = array<i32: 0>} : vector<8x256xi32>
    %13 = vector.broadcast %11 : i32 to vector<8x256xi32>
    %14 = arith.cmpi eq, %12, %13 : vector<8x256xi32>
    %c0 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    %15 = vector.load %arg2[%c0, %c0_3, %c0_4] : memref<1x1x256xf32, #tpu.memory_space<vmem>>, vector<1x1x256xf32>
    %16 = vector.shape_cast %15 : vector<1x1x256xf32> to vector<1x256xf32>
    %c0_5 = arith.constant 0 : index
    %c0_6 = arith.constant 0 : index
    %c0_7 = arith.constant 0 : index
    %17 = vector.load %arg3[%c0_5, %c0_6, %c0_7] : memref<1x8x256xf32, #tpu.memory_space<vmem>>, vector<1x8x256xf32>
    %18 = vector.shape_cast %17 : vector<1x8x256xf32> to vector<8x256xf32>
    %19 = vector.shape_cast %16 : vector<1x256xf32> to vector<1x256xf32>
    %20 = vector.broadcast %19 : vector<1x256xf32> to vector<8x256xf32>
    %21 = arith.select %14, %20, %18 : vector<8x256xi1>, vector<8x256xf32>
    %c0_8 = arith.constant 0 : index
    %c0_9 = arith.constant 0 : index
    %c0_10 = arith.constant 0 : index
    %22 = vector.load %arg4[%c0_8, %c0_9, %c0_10] : memref<1x8x256xf32, #tpu.memory_space<vmem>>, vector<1x8x256xf32>
    %23 = vector.shape_cast %22 : vector<1x8x256xf32> to vector<8x256xf32>
    %24 = vector.shape_cast %21 : vector<8x256xf32> to vector<1x8x256xf32>
    tpu.vector_store %arg4[%c0_8, %c0_9, %c0_10], %24 {strides = array<i32>} : memref<1x8x256xf32, #tpu.memory_space<vmem>>, vector<1x8x256xf32>,
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: memref<4xi32, #tpu.memory_space<smem>>) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0 : i32, i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: memref<4xi32, #tpu.memory_space<smem>>) -> (i32, i32, i32) {
    %0 = arith.index_cast %arg0 : i32 to index
    %1 = memref.load %arg1[%0] : memref<4xi32, #tpu.memory_space<smem>>
    %c8_i32 = arith.constant 8 : i32
    %2 = arith.divsi %1, %c8_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %3 = arith.cmpi sgt, %1, %c0_i32 : i32
    %4 = arith.extui %3 : i1 to i32
    %c0_i32_0 = arith.constant 0 : i32
    %5 = arith.cmpi slt, %1, %c0_i32_0 : i32
    %6 = arith.extui %5 : i1 to i32
    %7 = arith.subi %4, %6 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %8 = arith.cmpi sgt, %c8_i32, %c0_i32_1 : i32
    %9 = arith.extui %8 : i1 to i32
    %c0_i32_2 = arith.constant 0 : i32
    %10 = arith.cmpi slt, %c8_i32, %c0_i32_2 : i32
    %11 = arith.extui %10 : i1 to i32
    %12 = arith.subi %9, %11 : i32
    %13 = arith.cmpi ne, %7, %12 : i32
    %14 = arith.remsi %1, %c8_i32 : i32
    %c0_i32_3 = arith.constant 0 : i32
    %15 = arith.cmpi ne, %14, %c0_i32_3 : i32
    %16 = arith.andi %13, %15 : i1
    %c1_i32 = arith.constant 1 : i32
    %17 = arith.subi %2, %c1_i32 : i32
    %18 = arith.select %16, %17, %2 : i32
    %c0_i32_4 = arith.constant 0 : i32
    %c0_i32_5 = arith.constant 0 : i32
    return %arg0, %18, %c0_i32_4 : i32, i32, i32
  }
  func.func @transform_2(%arg0: i32, %arg1: memref<4xi32, #tpu.memory_space<smem>>) -> (i32, i32, i32) {
    %0 = arith.index_cast %arg0 : i32 to index
    %1 = memref.load %arg1[%0] : memref<4xi32, #tpu.memory_space<smem>>
    %c8_i32 = arith.constant 8 : i32
    %2 = arith.divsi %1, %c8_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %3 = arith.cmpi sgt, %1, %c0_i32 : i32
    %4 = arith.extui %3 : i1 to i32
    %c0_i32_0 = arith.constant 0 : i32
    %5 = arith.cmpi slt, %1, %c0_i32_0 : i32
    %6 = arith.extui %5 : i1 to i32
    %7 = arith.subi %4, %6 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %8 = arith.cmpi sgt, %c8_i32, %c0_i32_1 : i32
    %9 = arith.extui %8 : i1 to i32
    %c0_i32_2 = arith.constant 0 : i32
    %10 = arith.cmpi slt, %c8_i32, %c0_i32_2 : i32
    %11 = arith.extui %10 : i1 to i32
    %12 = arith.subi %9, %11 : i32
    %13 = arith.cmpi ne, %7, %12 : i32
    %14 = arith.remsi %1, %c8_i32 : i32
    %c0_i32_3 = arith.constant 0 : i32
    %15 = arith.cmpi ne, %14, %c0_i32_3 : i32
    %16 = arith.andi %13, %15 : i1
    %c1_i32 = arith.constant 1 : i32
    %17 = arith.subi %2, %c1_i32 : i32
    %18 = arith.select %16, %17, %2 : i32
    %c0_i32_4 = arith.constant 0 : i32
    %c0_i32_5 = arith.constant 0 : i32
    return %arg0, %18, %c0_i32_4 : i32, i32, i32
  }
}
