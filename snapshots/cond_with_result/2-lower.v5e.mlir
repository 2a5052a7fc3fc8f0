module @cond_with_result_kernel {
  func.func @main(%arg0: memref<8x128xf32, #tpu.memory_space<vmem>>, %arg1: memref<8x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 0 : i64} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg0[%c0, %c0_0] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    %cst = arith.constant 4.000000e-01 : f32
    %c0_i32 = arith.constant 0 : i32
    %c40_i32 = arith.constant 40 : i32
    %1 = arith.addi %c0_i32, %c40_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    %2:2 = scf.for %arg2 = %c0_i32 to %1 step %c1_i32 iter_args(%arg3 = %0, %arg4 = %cst) -> (vector<8x128xf32>, f32)  : i32 {
      %cst_3 = arith.constant 4.000000e+00 : f32
      %4 = arith.mulf %arg4, %cst_3 : f32
      %5 = vector.broadcast %4 : f32 to vector<8x128xf32>
      %6 = arith.mulf %5, %arg3 : vector<8x128xf32>
      %7 = arith.mulf %arg3, %arg3 : vector<8x128xf32>
      %cst_4 = arith.constant 2.000000e+00 : f32
      %8 = vector.broadcast %cst_4 : f32 to vector<8x128xf32>
      %9 = arith.subf %7, %8 : vector<8x128xf32>
      %10 = arith.mulf %6, %9 : vector<8x128xf32>
      %11 = arith.subf %arg3, %10 : vector<8x128xf32>
      %12 = arith.mulf %11, %11 : vector<8x128xf32>
      %cst_5 = arith.constant 2.000000e+00 : f32
      %13 = vector.broadcast %cst_5 : f32 to vector<8x128xf32>
      %14 = arith.subf %12, %13 : vector<8x128xf32>
      %15 = arith.mulf %14, %14 : vector<8x128xf32>
      %16 = vector.shape_cast %15 : vector<8x128xf32> to vector<1x8x128xf32>
      %cst_6 = arith.constant dense<0.000000e+00> : vector<1xf32>
      %17 = vector.multi_reduction <add>, %16, %cst_6 [1, 2] : vector<1x8x128xf32> to vector<1xf32>
      %18 = vector.shape_cast %17 : vector<1xf32> to vector<1x1x1xf32>
      %19 = vector.extract %18[0, 0, 0] : f32 from vector<1x1x1xf32>
      %20 = arith.mulf %arg3, %arg3 : vector<8x128xf32>
      %cst_7 = arith.constant 2.000000e+00 : f32
      %21 = vector.broadcast %cst_7 : f32 to vector<8x128xf32>
      %22 = arith.subf %20, %21 : vector<8x128xf32>
      %23 = arith.mulf %22, %22 : vector<8x128xf32>
      %24 = vector.shape_cast %23 : vector<8x128xf32> to vector<1x8x128xf32>
      %cst_8 = arith.constant dense<0.000000e+00> : vector<1xf32>
      %25 = vector.multi_reduction <add>, %24, %cst_8 [1, 2] : vector<1x8x128xf32> to vector<1xf32>
      %26 = vector.shape_cast %25 : vector<1xf32> to vector<1x1x1xf32>
      %27 = vector.extract %26[0, 0, 0] : f32 from vector<1x1x1xf32>
      %28 = arith.cmpf olt, %19, %27 : f32
      %29 = arith.extui %28 : i1 to i32
      %c0_i32_9 = arith.constant 0 : i32
      %30 = arith.cmpi ne, %29, %c0_i32_9 : i32
      %31:2 = scf.if %30 -> (vector<8x128xf32>, f32) {
        scf.yield %11, %arg4 : vector<8x128xf32>, f32
      } else {
        %cst_10 = arith.constant 5.000000e-01 : f32
        %32 = arith.mulf %arg4, %cst_10 : f32
        scf.yield %arg3, %32 : vector<8x128xf32>, f32
      }
      scf.yield %31#0, %31#1 : vector<8x128xf32>, f32
    }
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %3 = vector.load %arg1[%c0_1, %c0_2] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    tpu.vector_store %arg1[%c0_1, %c0_2], %2#0 {strides = array<i32>} : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>,
    return
  }
}
