module @cumsum_matmul_kernel {
  func.func @main(%arg0: i32, %arg1: i32, %arg2: memref<32x128xf32, #tpu.memory_space<vmem>>, %arg3: memref<32x128xf32, #tpu.memory_space<vmem>>, %arg4: memref<32x1xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 2, 4>, scalar_prefetch = 0 : i64, scratch_operands = 1 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 32, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 32, 128>}]} {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi eq, %arg1, %c0_i32 : i32
    %1 = arith.extui %0 : i1 to i32
    %c0_i32_0 = arith.constant 0 : i32
    %2 = arith.cmpi ne, %1, %c0_i32_0 : i32
    scf.if %2 {
      %cst_8 = arith.constant 0.000000e+00 : f32
      %18 = vector.broadcast %cst_8 : f32 to vector<32x1xf32>
      %c0_9 = arith.constant 0 : index
      %c0_10 = arith.constant 0 : index
      %19 = vector.load %arg4[%c0_9, %c0_10] : memref<32x1xf32, #tpu.memory_space<vmem>>, vector<32x1xf32>
      %20 = vector.shape_cast %19 : vector<32x1xf32> to vector<32x1xf32>
      %21 = vector.shape_cast %18 : vector<32x1xf32> to vector<32x1xf32>
      tpu.vector_store %arg4[%c0_9, %c0_10], %21 {strides = array<i32>} : memref<32x1xf32, #tpu.memory_space<vmem>>, vector<32x1xf32>,
    } else {
    }
    %3 = tpu.iota {dimensions = array<i32: 0>} : vector<128x128xi32>
    %4 = tpu.iota {dimensions = array<i32: 1>} : vector<128x128xi32>
    %5 = arith.cmpi sle, %3, %4 : vector<128x128xi32>
    %6 = arith.extui %5 : vector<128x128xi1> to vector<128x128xi32>
    %7 = arith.sitofp %6 : vector<128x128xi32> to vector<128x128xf32>
    %c0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %8 = vector.load %arg2[%c0, %c0_1] : memref<32x128xf32, #tpu.memory_space<vmem>>, vector<32x128xf32>
    %cst = arith.constant dense<0.000000e+00> : vector<32x128xf32>
    %9 = tpu.matmul %8, %7, %cst {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, precision = #tpu.contract_precision<fp32>, transpose_lhs_hint = false} : vector<32x128xf32>, vector<128x128xf32>, vector<32x128xf32> -> vector<32x128xf32>
    %c0_2 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %10 = vector.load %arg4[%c0_2, %c0_3] : memref<32x1xf32, #tpu.memory_space<vmem>>, vector<32x1xf32>
    %11 = vector.broadcast %10 : vector<32x1xf32> to vector<32x128xf32>
    %12 = arith.addf %9, %11 : vector<32x128xf32>
    %c0_4 = arith.constant 0 : index
    %c0_5 = arith.constant 0 : index
    %13 = vector.load %arg3[%c0_4, %c0_5] : memref<32x128xf32, #tpu.memory_space<vmem>>, vector<32x128xf32>
    tpu.vector_store %arg3[%c0_4, %c0_5], %12 {strides = array<i32>} : memref<32x128xf32, #tpu.memory_space<vmem>>, vector<32x128xf32>,
    %14 = vector.extract_strided_slice %12 {offsets = [0, 127], sizes = [32, 1], strides = [1, 1]} : vector<32x128xf32> to vector<32x1xf32>
    %c0_6 = arith.constant 0 : index
    %c0_7 = arith.constant 0 : index
    %15 = vector.load %arg4[%c0_6, %c0_7] : memref<32x1xf32, #tpu.memory_space<vmem>>, vector<32x1xf32>
    %16 = vector.shape_cast %15 : vector<32x1xf32> to vector<32x1xf32>
    %17 = vector.shape_cast %14 : vector<32x1xf32> to vector<32x1xf32>
    tpu.vector_store %arg4[%c0_6, %c0_7], %17 {strides = array<i32>} : memref<32x1xf32, #tpu.memory_space<vmem>>, vector<32x1xf32>,
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    return %arg0, %arg1 : i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    return %arg0, %arg1 : i32, i32
  }
}
