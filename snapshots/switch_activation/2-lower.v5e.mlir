module @switch_activation_kernel {
  func.func @main(%arg0: i32, %arg1: memref<6xi32, #tpu.memory_space<smem>>, %arg2: memref<1x32x256xf32, #tpu.memory_space<vmem>>, %arg3: memref<1x32x256xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 6>, scalar_prefetch = 1 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 1, 32, 256>}, {transform_indices = @transform_1, window_bounds = array<i64: 1, 32, 256>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %0 = vector.load %arg2[%c0, %c0_0, %c0_1] : memref<1x32x256xf32, #tpu.memory_space<vmem>>, vector<1x32x256xf32>
    %1 = vector.shape_cast %0 : vector<1x32x256xf32> to vector<32x256xf32>
    %2 = arith.index_cast %arg0 : i32 to index
    %3 = memref.load %arg1[%2] : memref<6xi32, #tpu.memory_space<smem>>
    %c0_i32 = arith.constant 0 : i32
    %c2_i32 = arith.constant 2 : i32
    %4 = arith.maxsi %3, %c0_i32 : i32
    %5 = arith.minsi %4, %c2_i32 : i32
    %c0_i32_2 = arith.constant 0 : i32
    %6 = arith.cmpi ne, %5, %c0_i32_2 : i32
    %7 = scf.if %6 -> (vector<32x256xf32>) {
      %c1_i32 = arith.constant 1 : i32
      %11 = arith.subi %5, %c1_i32 : i32
      %c0_i32_6 = arith.constant 0 : i32
      %12 = arith.cmpi ne, %11, %c0_i32_6 : i32
      %13 = scf.if %12 -> (vector<32x256xf32>) {
        %14 = arith.negf %1 : vector<32x256xf32>
        %15 = math.exp %14 : vector<32x256xf32>
        %cst = arith.constant 1.000000e+00 : f32
        %16 = vector.broadcast %cst : f32 to vector<32x256xf32>
        %17 = arith.addf %16, %15 : vector<32x256xf32>
        %18 = arith.divf %16, %17 : vector<32x256xf32>
        %19 = arith.mulf %1, %18 : vector<32x256xf32>
        scf.yield %19 : vector<32x256xf32>
      } else {
        %14 = math.tanh %1 : vector<32x256xf32>
        scf.yield %14 : vector<32x256xf32>
      }
      scf.yield %13 : vector<32x256xf32>
    } else {
      %cst = arith.constant 0.000000e+00 : f32
      %11 = vector.broadcast %cst : f32 to vector<32x256xf32>
      %12 = arith.maximumf %1, %11 : vector<32x256xf32>
      scf.yield %12 : vector<32x256xf32>
    }
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    %c0_5 = arith.constant 0 : index
    %8 = vector.load %arg3[%c0_3, %c0_4, %c0_5] : memref<1x32x256xf32, #tpu.memory_space<vmem>>, vector<1x32x256xf32>
    %9 = vector.shape_cast %8 : vector<1x32x256xf32> to vector<32x256xf32>
    %10 = vector.shape_cast %7 : vector<32x256xf32> to vector<1x32x256xf32>
    tpu.vector_store %arg3[%c0_3, %c0_4, %c0_5], %10 {strides = array<i32>} : memref<1x32x256xf32, #tpu.memory_space<vmem>>, vector<1x32x256xf32>,
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: memref<6xi32, #tpu.memory_space<smem>>) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0 : i32, i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: memref<6xi32, #tpu.memory_space<smem>>) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0 : i32, i32, i32
  }
}
