module @rotary_interleaved_kernel {
  func.func @main(%arg0: i32, %arg1: i32, %arg2: memref<2xi32, #tpu.memory_space<smem>>, %arg3: memref<1x64x128xf32, #tpu.memory_space<vmem>>, %arg4: memref<1x128xf32, #tpu.memory_space<vmem>>, %arg5: memref<1x64x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 2, 4>, scalar_prefetch = 1 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 1, 64, 128>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_1, window_bounds = array<i64: 1, 128>}, {transform_indices = @transform_2, window_bounds = array<i64: 1, 64, 128>}]} {
    %0 = arith.index_cast %arg0 : i32 to index
    %1 = memref.load %arg2[%0] : memref<2xi32, #tpu.memory_space<smem>>
    %c64_i32 = arith.constant 64 : i32
    %2 = arith.muli %arg1, %c64_i32 : i32
    %3 = arith.addi %1, %2 : i32
    %4 = tpu.iota {dimensions = array<i32: 0>} : vector<64x128xi32>
    %5 = vector.broadcast %3 : i32 to vector<64x128xi32>
    %6 = arith.addi %5, %4 : vector<64x128xi32>
    %7 = arith.sitofp %6 : vector<64x128xi32> to vector<64x128xf32>
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %8 = vector.load %arg4[%c0, %c0_0] : memref<1x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>
    %9 = vector.broadcast %8 : vector<1x128xf32> to vector<64x128xf32>
    %10 = arith.mulf %7, %9 : vector<64x128xf32>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %11 = vector.load %arg3[%c0_1, %c0_2, %c0_3] : memref<1x64x128xf32, #tpu.memory_space<vmem>>, vector<1x64x128xf32>
    %12 = vector.shape_cast %11 : vector<1x64x128xf32> to vector<64x128xf32>
    %13 = tpu.iota {dimensions = array<i32: 1>} : vector<64x128xi32>
    %c2_i32 = arith.constant 2 : i32
    %c0_i32 = arith.constant 0 : i32
    %14 = arith.cmpi eq, %c2_i32, %c0_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    %15 = arith.select %14, %c1_i32, %c2_i32 : i32
    %16 = vector.broadcast %15 : i32 to vector<64x128xi32>
    %17 = arith.remsi %13, %16 : vector<64x128xi32>
    %c0_i32_4 = arith.constant 0 : i32
    %18 = vector.broadcast %c0_i32_4 : i32 to vector<64x128xi32>
    %19 = arith.cmpi ne, %17, %18 : vector<64x128xi32>
    %c0_i32_5 = arith.constant 0 : i32
    %20 = vector.broadcast %c0_i32_5 : i32 to vector<64x128xi32>
    %21 = arith.cmpi slt, %17, %20 : vector<64x128xi32>
    %c0_i32_6 = arith.constant 0 : i32
    %22 = arith.cmpi slt, %15, %c0_i32_6 : i32
    %23 = vector.broadcast %22 : i1 to vector<64x128xi1>
    %24 = vector.broadcast %23 : vector<64x128xi1> to vector<64x128xi1>
    %25 = arith.xori %21, %24 : vector<64x128xi1>
    %26 = arith.andi %25, %19 : vector<64x128xi1>
    %27 = vector.broadcast %15 : i32 to vector<64x128xi32>
    %28 = arith.addi %17, %27 : vector<64x128xi32>
    %29 = arith.select %26, %28, %17 : vector<64x128xi1>, vector<64x128xi32>
    %c0_i32_7 = arith.constant 0 : i32
    %30 = vector.broadcast %c0_i32_7 : i32 to vector<64x128xi32>
    %31 = arith.cmpi eq, %29, %30 : vector<64x128xi32>
    %c127_i32 = arith.constant 127 : i32
    %32 = tpu.dynamic_rotate %12 by %c127_i32 dim 1 : vector<64x128xf32>, i32 -> vector<64x128xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %33 = vector.broadcast %cst : f32 to vector<64x128xf32>
    %34 = arith.subf %33, %32 : vector<64x128xf32>
    %c1_i32_8 = arith.constant 1 : i32
    %35 = tpu.dynamic_rotate %12 by %c1_i32_8 dim 1 : vector<64x128xf32>, i32 -> vector<64x128xf32>
    %36 = arith.select %31, %34, %35 : vector<64x128xi1>, vector<64x128xf32>
    %37 = math.cos %10 : vector<64x128xf32>
    %38 = arith.mulf %12, %37 : vector<64x128xf32>
    %39 = math.sin %10 : vector<64x128xf32>
    %40 = arith.mulf %36, %39 : vector<64x128xf32>
    %41 = arith.addf %38, %40 : vector<64x128xf32>
    %c0_9 = arith.constant 0 : index
    %c0_10 = arith.constant 0 : index
    %c0_11 = arith.constant 0 : index
    %42 = vector.load %arg5[%c0_9, %c0_10, %c0_11] : memref<1x64x128xf32, #tpu.memory_space<vmem>>, vector<1x64x128xf32>
    %43 = vector.shape_cast %42 : vector<1x64x128xf32> to vector<64x128xf32>
    %44 = vector.shape_cast %41 : vector<64x128xf32> to vector<1x64x128xf32>
    tpu.vector_store %arg5[%c0_9, %c0_10, %c0_11], %44 {strides = array<i32>} : memref<1x64x128xf32, #tpu.memory_space<vmem>>, vector<1x64x128xf32>,
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: i32, %arg2: memref<2xi32, #tpu.memory_space<smem>>) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %arg1, %c0_i32 : i32, i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: i32, %arg2: memref<2xi32, #tpu.memory_space<smem>>) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %c0_i32, %c0_i32_0 : i32, i32
  }
  func.func @transform_2(%arg0: i32, %arg1: i32, %arg2: memref<2xi32, #tpu.memory_space<smem>>) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %arg1, %c0_i32 : i32, i32, i32
  }
}
