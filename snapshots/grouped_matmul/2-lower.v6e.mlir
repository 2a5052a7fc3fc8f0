module @grouped_matmul_kernel {
  func.func @main(%arg0: i32, %arg1: i32, %arg2: memref<6xi32, #tpu.memory_space<smem>>, %arg3: memref<6xi32, #tpu.memory_space<smem>>, %arg4: memref<5xi32, #tpu.memory_space<smem>>, %arg5: memref<128x256xbf16, #tpu.memory_space<vmem>>, %arg6: memref<1x256x128xbf16, #tpu.memory_space<vmem>>, %arg7: memref<128x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 2, 6>, scalar_prefetch = 3 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 128, 256>}, {transform_indices = @transform_1, window_bounds = array<i64: 1, 256, 128>}, {transform_indices = @transform_2, window_bounds = array<i64: 128, 128>}]} {
    %0 = arith.index_cast %arg1 : i32 to index
    %1 = memref.load %arg3[%0] : memref<6xi32, #tpu.memory_space<smem>>
    %2 = arith.index_cast %arg1 : i32 to index
    %3 = memref.load %arg2[%2] : memref<6xi32, #tpu.memory_space<smem>>
    %c128_i32 = arith.constant 128 : i32
    %4 = arith.muli %3, %c128_i32 : i32
    %5 = tpu.iota {dimensions = array<i32: 0>} : vector<128x1xi32>
    %6 = vector.broadcast %4 : i32 to vector<128x1xi32>
    %7 = arith.addi %6, %5 : vector<128x1xi32>
    %8 = arith.index_cast %1 : i32 to index
    %9 = memref.load %arg4[%8] : memref<5xi32, #tpu.memory_space<smem>>
    %10 = vector.broadcast %9 : i32 to vector<128x1xi32>
    %11 = arith.cmpi sge, %7, %10 : vector<128x1xi32>
    %c1_i32 = arith.constant 1 : i32
    %12 = arith.addi %1, %c1_i32 : i32
    %13 = arith.index_cast %12 : i32 to index
    %14 = memref.load %arg4[%13] : memref<5xi32, #tpu.memory_space<smem>>
    %15 = vector.broadcast %14 : i32 to vector<128x1xi32>
    %16 = arith.cmpi slt, %7, %15 : vector<128x1xi32>
    %17 = arith.andi %11, %16 : vector<128x1xi1>
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %18 = vector.load %arg5[%c0, %c0_0] : memref<128x256xbf16, #tpu.memory_space<vmem>>, vector<128x256xbf16>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %19 = vector.load %arg6[%c0_1, %c0_2, %c0_3] : memref<1x256x128xbf16, #tpu.memory_space<vmem>>, vector<1x256x128xbf16>
    %20 = vector.shape_cast %19 : vector<1x256x128xbf16> to vector<256x128xbf16>
    %cst = arith.constant dense<0.000000e+00> : vector<128x128xf32>
    %21 = tpu.matmul %18, %20, %cst {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<128x256xbf16>, vector<256x128xbf16>, vector<128x128xf32> -> vector<128x128xf32>
    %c0_i32 = arith.constant 0 : i32
    %22 = arith.cmpi eq, %arg1, %c0_i32 : i32
    %c1_i32_4 = arith.constant 1 : i32
    %23 = arith.subi %arg1, %c1_i32_4 : i32
    %c0_i32_5 = arith.constant 0 : i32
    %24 = arith.maxsi %23, %c0_i32_5 : i32
    %25 = arith.index_cast %24 : i32 to index
    %26 = memref.load %arg2[%25] : memref<6xi32, #tpu.memory_space<smem>>
    %27 = arith.cmpi ne, %3, %26 : i32
    %28 = arith.ori %22, %27 : i1
    %c0_6 = arith.constant 0 : index
    %c0_7 = arith.constant 0 : index
    %29 = vector.load %arg7[%c0_6, %c0_7] : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>
    %30 = vector.shape_cast %29 : vector<128x128xf32> to vector<128x128xf32>
    %cst_8 = arith.constant 0.000000e+00 : f32
    %31 = vector.broadcast %cst_8 : f32 to vector<128x128xf32>
    %32 = arith.select %28, %31, %30 : vector<128x128xf32>
    %33 = vector.shape_cast %17 : vector<128x1xi1> to vector<128x1xi1>
    %34 = vector.broadcast %33 : vector<128x1xi1> to vector<128x128xi1>
    %35 = arith.select %34, %21, %32 : vector<128x128xi1>, vector<128x128xf32>
    %c0_9 = arith.constant 0 : index
    %c0_10 = arith.constant 0 : index
    %36 = vector.load %arg7[%c0_9, %c0_10] : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>
    tpu.vector_store %arg7[%c0_9, %c0_10], %35 {strides = array<i32>} : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>,
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: i32, %arg2: memref<6xi32, #tpu.memory_space<smem>>, %arg3: memref<6xi32, #tpu.memory_space<smem>>, %arg4: memref<5xi32, #tpu.memory_space<smem>>) -> (i32, i32) {
    %0 = arith.index_cast %arg1 : i32 to index
    %1 = memref.load %arg2[%0] : memref<6xi32, #tpu.memory_space<smem>>
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %1, %c0_i32 : i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: i32, %arg2: memref<6xi32, #tpu.memory_space<smem>>, %arg3: memref<6xi32, #tpu.memory_space<smem>>, %arg4: memref<5xi32, #tpu.memory_space<smem>>) -> (i32, i32, i32) {
    %0 = arith.index_cast %arg1 : i32 to index
    %1 = memref.load %arg3[%0] : memref<6xi32, #tpu.memory_space<smem>>
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %1, %c0_i32, %arg0 : i32, i32, i32
  }
  func.func @transform_2(%arg0: i32, %arg1: i32, %arg2: memref<6xi32, #tpu.memory_space<smem>>, %arg3: memref<6xi32, #tpu.memory_space<smem>>, %arg4: memref<5xi32, #tpu.memory_space<smem>>) -> (i32, i32) {
    %0 = arith.index_cast %arg1 : i32 to index
    %1 = memref.load %arg2[%0] : memref<6xi32, #tpu.memory_space<smem>>
    %c0_i32 = arith.constant 0 : i32
    return %1, %arg0 : i32, i32
  }
}
