module @column_sum_kernel {
  func.func @main(%arg0: i32, %arg1: memref<64x128xf32, #tpu.memory_space<vmem>>, %arg2: memref<1x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 64, 128>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_1, window_bounds = array<i64: 1, 128>}]} {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi eq, %arg0, %c0_i32 : i32
    %1 = arith.extui %0 : i1 to i32
    %c0_i32_0 = arith.constant 0 : i32
    %2 = arith.cmpi ne, %1, %c0_i32_0 : i32
    scf.if %2 {
      %cst_7 = arith.constant 0.000000e+00 : f32
      %18 = vector.broadcast %cst_7 : f32 to vector<1x128xf32>
      %c0_8 = arith.constant 0 : index
      %c0_9 = arith.constant 0 : index
      %19 = vector.load %arg2[%c0_8, %c0_9] : memref<1x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>
      tpu.vector_store %arg2[%c0_8, %c0_9], %18 {strides = array<i32>} : memref<1x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>,
    } else {
    }
    %c64_i32 = arith.constant 64 : i32
    %3 = arith.muli %arg0, %c64_i32 : i32
    %4 = tpu.iota {dimensions = array<i32: 0>} : vector<64x128xi32>
    %5 = vector.broadcast %3 : i32 to vector<64x128xi32>
    %6 = arith.addi %5, %4 : vector<64x128xi32>
    %c0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %7 = vector.load %arg2[%c0, %c0_1] : memref<1x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>
    %8 = vector.shape_cast %7 : vector<1x128xf32> to vector<1x128xf32>
    %c200_i32 = arith.constant 200 : i32
    %9 = vector.broadcast %c200_i32 : i32 to vector<64x128xi32>
    %10 = arith.cmpi slt, %6, %9 : vector<64x128xi32>
    %c0_2 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %11 = vector.load %arg1[%c0_2, %c0_3] : memref<64x128xf32, #tpu.memory_space<vmem>>, vector<64x128xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %12 = vector.broadcast %cst : f32 to vector<64x128xf32>
    %13 = arith.select %10, %11, %12 : vector<64x128xi1>, vector<64x128xf32>
    %cst_4 = arith.constant dense<0.000000e+00> : vector<128xf32>
    %14 = vector.multi_reduction <add>, %13, %cst_4 [0] : vector<64x128xf32> to vector<128xf32>
    %15 = vector.shape_cast %14 : vector<128xf32> to vector<1x128xf32>
    %16 = arith.addf %8, %15 : vector<1x128xf32>
    %c0_5 = arith.constant 0 : index
    %c0_6 = arith.constant 0 : index
    %17 = vector.load %arg2[%c0_5, %c0_6] : memref<1x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>
    tpu.vector_store %arg2[%c0_5, %c0_6], %16 {strides = array<i32>} : memref<1x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>,
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
    %c0_i32_1 = arith.constant 0 : i32
    return %c0_i32, %c0_i32_0 : i32, i32
  }
}
