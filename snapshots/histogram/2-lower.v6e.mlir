module @histogram_kernel {
  func.func @main(%arg0: i32, %arg1: memref<128x1xi32, #tpu.memory_space<vmem>>, %arg2: memref<1x128xi32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 8>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 128, 1>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_1, window_bounds = array<i64: 1, 128>}]} {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi eq, %arg0, %c0_i32 : i32
    %1 = arith.extui %0 : i1 to i32
    %c0_i32_0 = arith.constant 0 : i32
    %2 = arith.cmpi ne, %1, %c0_i32_0 : i32
    scf.if %2 {
      %c0_i32_6 = arith.constant 0 : i32
      %14 = vector.broadcast %c0_i32_6 : i32 to vector<1x128xi32>
      %c0_7 = arith.constant 0 : index
      %c0_8 = arith.constant 0 : index
      %15 = vector.load %arg2[%c0_7, %c0_8] : memref<1x128xi32, #tpu.memory_space<vmem>>, vector<1x128xi32>
      tpu.vector_store %arg2[%c0_7, %c0_8], %14 {strides = array<i32>} : memref<1x128xi32, #tpu.memory_space<vmem>>, vector<1x128xi32>,
    } else {
    }
    %3 = tpu.iota {dimensions = array<i32: 1>} : vector<128x128xi32>
    %c0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %4 = vector.load %arg2[%c0, %c0_1] : memref<1x128xi32, #tpu.memory_space<vmem>>, vector<1x128xi32>
    %5 = vector.shape_cast %4 : vector<1x128xi32> to vector<1x128xi32>
    %c0_2 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %6 = vector.load %arg1[%c0_2, %c0_3] : memref<128x1xi32, #tpu.memory_space<vmem>>, vector<128x1xi32>
    %7 = vector.broadcast %6 : vector<128x1xi32> to vector<128x128xi32>
    %8 = arith.cmpi eq, %7, %3 : vector<128x128xi32>
    %9 = arith.extui %8 : vector<128x128xi1> to vector<128x128xi32>
    %cst = arith.constant dense<0> : vector<128xi32>
    %10 = vector.multi_reduction <add>, %9, %cst [0] : vector<128x128xi32> to vector<128xi32>
    %11 = vector.shape_cast %10 : vector<128xi32> to vector<1x128xi32>
    %12 = arith.addi %5, %11 : vector<1x128xi32>
    %c0_4 = arith.constant 0 : index
    %c0_5 = arith.constant 0 : index
    %13 = vector.load %arg2[%c0_4, %c0_5] : memref<1x128xi32, #tpu.memory_space<vmem>>, vector<1x128xi32>
    tpu.vector_store %arg2[%c0_4, %c0_5], %12 {strides = array<i32>} : memref<1x128xi32, #tpu.memory_space<vmem>>, vector<1x128xi32>,
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
