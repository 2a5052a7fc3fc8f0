module @escape_counts_kernel {
  func.func @main(%arg0: i32, %arg1: memref<16x128xf32, #tpu.memory_space<vmem>>, %arg2: memref<16x128xf32, #tpu.memory_space<vmem>>, %arg3: memref<16x128xi32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 16, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 16, 128>}, {transform_indices = @transform_2, window_bounds = array<i64: 16, 128>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg1[%c0, %c0_0] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %1 = vector.load %arg2[%c0_1, %c0_2] : memref<16x128xf32, #tpu.memory_space<vmem>>, vector<16x128xf32>
    %c0_i32 = arith.constant 0 : i32
    %2 = vector.broadcast %c0_i32 : i32 to vector<16x128xi32>
    %c0_i32_3 = arith.constant 0 : i32
    %3:4 = scf.while (%arg4 = %c0_i32_3, %arg5 = %0, %arg6 = %1, %arg7 = %2) : (i32, vector<16x128xf32>, vector<16x128xf32>, vector<16x128xi32>) -> (i32, vector<16x128xf32>, vector<16x128xf32>, vector<16x128xi32>) {
      %c3_i32 = arith.constant 3 : i32
      %5 = arith.cmpi slt, %arg4, %c3_i32 : i32
      %6 = arith.mulf %arg5, %arg5 : vector<16x128xf32>
      %7 = arith.mulf %arg6, %arg6 : vector<16x128xf32>
      %8 = arith.addf %6, %7 : vector<16x128xf32>
      %cst = arith.constant 4.000000e+00 : f32
      %9 = vector.broadcast %cst : f32 to vector<16x128xf32>
      %10 = arith.cmpf ole, %8, %9 : vector<16x128xf32>
      %11 = arith.extui %10 : vector<16x128xi1> to vector<16x128xi32>
      %12 = vector.shape_cast %11 : vector<16x128xi32> to vector<1x16x128xi32>
      %cst_6 = arith.constant dense<-2147483648> : vector<1xi32>
      %13 = vector.multi_reduction <maxsi>, %12, %cst_6 [1, 2] : vector<1x16x128xi32> to vector<1xi32>
      %14 = vector.shape_cast %13 : vector<1xi32> to vector<1x1x1xi32>
      %15 = vector.extract %14[0, 0, 0] : i32 from vector<1x1x1xi32>
      %c0_i32_7 = arith.constant 0 : i32
      %16 = arith.cmpi sgt, %15, %c0_i32_7 : i32
      %17 = arith.andi %5, %16 : i1
      scf.condition(%17) %arg4, %arg5, %arg6, %arg7 : i32, vector<16x128xf32>, vector<16x128xf32>, vector<16x128xi32>
    } do {
    ^bb0(%arg4: i32, %arg5: vector<16x128xf32>, %arg6: vector<16x128xf32>, %arg7: vector<16x128xi32>):
      %5 = arith.mulf %arg5, %arg5 : vector<16x128xf32>
      %6 = arith.mulf %arg6, %arg6 : vector<16x128xf32>
      %7 = arith.addf %5, %6 : vector<16x128xf32>
      %cst = arith.constant 4.000000e+00 : f32
      %8 = vector.broadcast %cst : f32 to vector<16x128xf32>
      %9 = arith.cmpf ole, %7, %8 : vector<16x128xf32>
      %10 = arith.extui %9 : vector<16x128xi1> to vector<16x128xi32>
      %11 = arith.mulf %arg5, %arg5 : vector<16x128xf32>
      %12 = arith.mulf %arg6, %arg6 : vector<16x128xf32>
      %13 = arith.subf %11, %12 : vector<16x128xf32>
      %14 = arith.addf %13, %0 : vector<16x128xf32>
      %cst_6 = arith.constant 2.000000e+00 : f32
      %15 = vector.broadcast %cst_6 : f32 to vector<16x128xf32>
      %16 = arith.mulf %15, %arg5 : vector<16x128xf32>
      %17 = arith.mulf %16, %arg6 : vector<16x128xf32>
      %18 = arith.addf %17, %1 : vector<16x128xf32>
      %c1_i32 = arith.constant 1 : i32
      %19 = arith.addi %arg4, %c1_i32 : i32
      %c0_i32_7 = arith.constant 0 : i32
      %20 = vector.broadcast %c0_i32_7 : i32 to vector<16x128xi32>
      %21 = arith.cmpi sgt, %10, %20 : vector<16x128xi32>
      %22 = arith.select %21, %14, %arg5 : vector<16x128xi1>, vector<16x128xf32>
      %c0_i32_8 = arith.constant 0 : i32
      %23 = vector.broadcast %c0_i32_8 : i32 to vector<16x128xi32>
      %24 = arith.cmpi sgt, %10, %23 : vector<16x128xi32>
      %25 = arith.select %24, %18, %arg6 : vector<16x128xi1>, vector<16x128xf32>
      %26 = arith.addi %arg7, %10 : vector<16x128xi32>
      scf.yield %19, %22, %25, %26 : i32, vector<16x128xf32>, vector<16x128xf32>, vector<16x128xi32>
    }
    %c0_4 = arith.constant 0 : index
    %c0_5 = arith.constant 0 : index
    %4 = vector.load %arg3[%c0_4, %c0_5] : memref<16x128xi32, #tpu.memory_space<vmem>>, vector<16x128xi32>
    tpu.vector_store %arg3[%c0_4, %c0_5], %3#3 {strides = array<i32>} : memref<16x128xi32, #tpu.memory_space<vmem>>, vector<16x128xi32>,
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
