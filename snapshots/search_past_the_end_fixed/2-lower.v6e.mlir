module @search_kernel {
  func.func @main(%arg0: memref<64xi32, #tpu.memory_space<smem>>, %arg1: memref<8xi32, #tpu.memory_space<smem>>, %arg2: memref<8xi32, #tpu.memory_space<smem>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 0 : i64} {
    %c0_i32 = arith.constant 0 : i32
    %c8_i32 = arith.constant 8 : i32
    %0 = arith.addi %c0_i32, %c8_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    scf.for %arg3 = %c0_i32 to %0 step %c1_i32  : i32 {
      %c1_i32_1 = arith.constant 1 : i32
      %1 = arith.muli %arg3, %c1_i32_1 : i32
      %c0_i32_2 = arith.constant 0 : i32
      %2 = arith.addi %c0_i32_2, %1 : i32
      %c0_i32_3 = arith.constant 0 : i32
      %c64_i32 = arith.constant 64 : i32
      %c0_i32_4 = arith.constant 0 : i32
      %c7_i32 = arith.constant 7 : i32
      %3 = arith.addi %c0_i32_4, %c7_i32 : i32
      %c1_i32_5 = arith.constant 1 : i32
      %4:2 = scf.for %arg4 = %c0_i32_4 to %3 step %c1_i32_5 iter_args(%arg5 = %c0_i32_3, %arg6 = %c64_i32) -> (i32, i32)  : i32 {
        %7 = arith.addi %arg5, %arg6 : i32
        %c2_i32 = arith.constant 2 : i32
        %8 = arith.divsi %7, %c2_i32 : i32
        %c0_i32_6 = arith.constant 0 : i32
        %9 = arith.cmpi sgt, %7, %c0_i32_6 : i32
        %10 = arith.extui %9 : i1 to i32
        %c0_i32_7 = arith.constant 0 : i32
        %11 = arith.cmpi slt, %7, %c0_i32_7 : i32
        %12 = arith.extui %11 : i1 to i32
        %13 = arith.subi %10, %12 : i32
        %c0_i32_8 = arith.constant 0 : i32
        %14 = arith.cmpi sgt, %c2_i32, %c0_i32_8 : i32
        %15 = arith.extui %14 : i1 to i32
        %c0_i32_9 = arith.constant 0 : i32
        %16 = arith.cmpi slt, %c2_i32, %c0_i32_9 : i32
        %17 = arith.extui %16 : i1 to i32
        %18 = arith.subi %15, %17 : i32
        %19 = arith.cmpi ne, %13, %18 : i32
        %20 = arith.remsi %7, %c2_i32 : i32
        %c0_i32_10 = arith.constant 0 : i32
        %21 = arith.cmpi ne, %20, %c0_i32_10 : i32
        %22 = arith.andi %19, %21 : i1
        %c1_i32_11 = arith.constant 1 : i32
        %23 = arith.subi %8, %c1_i32_11 : i32
        %24 = arith.select %22, %23, %8 : i32
        %c63_i32 = arith.constant 63 : i32
        %25 = arith.minsi %24, %c63_i32 : i32
        %26 = arith.index_cast %25 : i32 to index
        %27 = memref.load %arg0[%26] : memref<64xi32, #tpu.memory_space<smem>>
        %28 = arith.index_cast %2 : i32 to index
        %29 = memref.load %arg1[%28] : memref<8xi32, #tpu.memory_space<smem>>
        %30 = arith.cmpi slt, %27, %29 : i32
        %c1_i32_12 = arith.constant 1 : i32
        %31 = arith.addi %24, %c1_i32_12 : i32
        %32 = arith.select %30, %31, %arg5 : i32
        %33 = arith.select %30, %arg6, %24 : i32
        scf.yield %32, %33 : i32, i32
      }
      %5 = arith.index_cast %2 : i32 to index
      %6 = memref.load %arg2[%5] : memref<8xi32, #tpu.memory_space<smem>>
      memref.store %4#0, %arg2[%5] : memref<8xi32, #tpu.memory_space<smem>>
    }
    %c8_i32_0 = arith.constant 8 : i32
    return
  }
}
