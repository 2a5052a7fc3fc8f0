module @embedding_bag_kernel {
  func.func @main(%arg0: i32, %arg1: i32, %arg2: memref<8x4xi32, #tpu.memory_space<smem>>, %arg3: memref<1x1x256xf32, #tpu.memory_space<vmem>>, %arg4: memref<1x1x256xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 8, 4>, scalar_prefetch = 1 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 1, 1, 256>}, {transform_indices = @transform_1, window_bounds = array<i64: 1, 1, 256>}]} {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi eq, %arg1, %c0_i32 : i32
    %1 = arith.extui %0 : i1 to i32
    %c0_i32_0 = arith.constant 0 : i32
    %2 = arith.cmpi ne, %1, %c0_i32_0 : i32
    scf.if %2 {
      %c0 = arith.constant 0 : index
      %c0_3 = arith.constant 0 : index
      %c0_4 = arith.constant 0 : index
      %6 = vector.load %arg3[%c0, %c0_3, %c0_4] : memref<1x1x256xf32, #tpu.memory_space<vmem>>, vector<1x1x256xf32>
      %7 = vector.shape_cast %6 : vector<1x1x256xf32> to vector<1x256xf32>
      %c0_5 = arith.constant 0 : index
      %c0_6 = arith.constant 0 : index
      %c0_7 = arith.constant 0 : index
      %8 = vector.load %arg4[%c0_5, %c0_6, %c0_7] : memref<1x1x256xf32, #tpu.memory_space<vmem>>, vector<1x1x256xf32>
      %9 = vector.shape_cast %8 : vector<1x1x256xf32> to vector<1x256xf32>
      %10 = vector.shape_cast %7 : vector<1x256xf32> to vector<1x1x256xf32>
      tpu.vector_store %arg4[%c0_5, %c0_6, %c0_7], %10 {strides = array<i32>} : memref<1x1x256xf32, #tpu.memory_space<vmem>>, vector<1x1x256xf32>,
    } else {
    }
    %c0_i32_1 = arith.constant 0 : i32
    %3 = arith.cmpi sgt, %arg1, %c0_i32_1 : i32
    %4 = arith.extui %3 : i1 to i32
    %c0_i32_2 = arith.constant 0 : i32
    %5 = arith.cmpi ne, %4, %c0_i32_2 : i32
    scf.if %5 {
      %c0 = arith.constant 0 : index
      %c0_3 = arith.constant 0 : index
      %c0_4 = arith.constant 0 : index
      %6 = vector.load %arg4[%c0, %c0_3, %c0_4] : memref<1x1x256xf32, #tpu.memory_space<vmem>>, vector<1x1x256xf32>
      %7 = vector.shape_cast %6 : vector<1x1x256xf32> to vector<1x256xf32>
      %c0_5 = arith.constant 0 : index
      %c0_6 = arith.constant 0 : index
      %c0_7 = arith.constant 0 : index
      %8 = vector.load %arg3[%c0_5, %c0_6, %c0_7] : memref<1x1x256xf32, #tpu.memory_space<vmem>>, vector<1x1x256xf32>
      %9 = vector.shape_cast %8 : vector<1x1x256xf32> to vector<1x256xf32>
      %10 = arith.addf %7, %9 : vector<1x256xf32>
      %c0_8 = arith.constant 0 : index
      %c0_9 = arith.constant 0 : index
      %c0_10 = arith.constant 0 : index
      %11 = vector.load %arg4[%c0_8, %c0_9, %c0_10] : memref<1x1x256xf32, #tpu.memory_space<vmem>>, vector<1x1x256xf32>
      %12 = vector.shape_cast %11 : vector<1x1x256xf32> to vector<1x256xf32>
      %13 = vector.shape_cast %10 : vector<1x256xf32> to vector<1x1x256xf32>
      tpu.vector_store %arg4[%c0_8, %c0_9, %c0_10], %13 {strides = array<i32>} : memref<1x1x256xf32, #tpu.memory_space<vmem>>, vector<1x1x256xf32>,
    } else {
    }
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: i32, %arg2: memref<8x4xi32, #tpu.memory_space<smem>>) -> (i32, i32, i32) {
    %0 = arith.index_cast %arg0 : i32 to index
    %1 = arith.index_cast %arg1 : i32 to index
    %2 = memref.load %arg2[%0, %1] : memref<8x4xi32, #tpu.memory_space<smem>>
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %2, %c0_i32, %c0_i32_0 : i32, i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: i32, %arg2: memref<8x4xi32, #tpu.memory_space<smem>>) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0 : i32, i32, i32
  }
}
