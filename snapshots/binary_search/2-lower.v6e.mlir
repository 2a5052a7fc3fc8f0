module @binary_search_kernel {
  func.func @main(%arg0: memref<64xi32, #tpu.memory_space<smem>>, %arg1: memref<32xi32, #tpu.memory_space<smem>>, %arg2: memref<32xi32, #tpu.memory_space<smem>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 0 : i64} {
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %0 = arith.addi %c0_i32, %c32_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    scf.for %arg3 = %c0_i32 to %0 step %c1_i32  : i32 {
      %c1_i32_1 = arith.constant 1 : i32
      %1 = arith.muli %arg3, %c1_i32_1 : i32
      %c0_i32_2 = arith.constant 0 : i32
      %2 = arith.addi %c0_i32_2, %1 : i32
      %3 = arith.index_cast %2 : i32 to index
      %4 = memref.load %arg1[%3] : memref<32xi32, #tpu.memory_space<smem>>
      %c0_i32_3 = arith.constant 0 : i32
      %c64_i32 = arith.constant 64 : i32
      %c0_i32_4 = arith.constant 0 : i32
      %c7_i32 = arith.constant 7 : i32
      %5 = arith.addi %c0_i32_4, %c7_i32 : i32
      %c1_i32_5 = arith.constant 1 : i32
      %6:2 = scf.for %arg4 = %c0_i32_4 to %5 step %c1_i32_5 iter_args(%arg5 = %c0_i32_3, %arg6 = %c64_i32) -> (i32, i32)  : i32 {
        %9 = arith.addi %arg5, %arg6 : i32
        %c2_i32 = arith.constant 2 : i32
        %10 = arith.divsi %9, %c2_i32 : i32
        %c0_i32_6 = arith.constant 0 : i32
        %11 = arith.cmpi sgt, %9, %c0_i32_6 : i32
        %12 = arith.extui %11 : i1 to i32
        %c0_i32_7 = arith.constant 0 : i32
        %13 = arith.cmpi slt, %9, %c0_i32_7 : i32
        %14 = arith.extui %13 : i1 to i32
        %15 = arith.subi %12, %14 : i32
        %c0_i32_8 = arith.constant 0 : i32
        %16 = arith.cmpi sgt, %c2_i32, %c0_i32_8 : i32
        %17 = arith.extui %16 : i1 to i32
        %c0_i32_9 = arith.constant 0 : i32
        %18 = arith.cmpi slt, %c2_i32, %c0_i32_9 : i32
        %19 = arith.extui %18 : i1 to i32
        %20 = arith.subi %17, %19 : i32
        %21 = arith.cmpi ne, %15, %20 : i32
        %22 = arith.remsi %9, %c2_i32 : i32
        %c0_i32_10 = arith.constant 0 : i32
        %23 = arith.cmpi ne, %22, %c0_i32_10 : i32
        %24 = arith.andi %21, %23 : i1
        %c1_i32_11 = arith.constant 1 : i32
        %25 = arith.subi %10, %c1_i32_11 : i32
        %26 = arith.select %24, %25, %10 : i32
        %c63_i32 = arith.constant 63 : i32
        %27 = arith.minsi %26, %c63_i32 : i32
        %28 = arith.index_cast %27 : i32 to index
        %29 = memref.load %arg0[%28] : memref<64xi32, #tpu.memory_space<smem>>
        %30 = arith.cmpi slt, %29, %4 : i32
        %c1_i32_12 = arith.constant 1 : i32
        %31 = arith.addi %27, %c1_i32_12 : i32
        %32 = arith.select %30, %31, %arg5 : i32
        %33 = arith.select %30, %arg6, %27 : i32
        scf.yield %32, %33 : i32, i32
      }
      %7 = arith.index_cast %2 : i32 to index
      %8 = memref.load %arg2[%7] : memref<32xi32, #tpu.memory_space<smem>>
      memref.store %6#0, %arg2[%7] : memref<32xi32, #tpu.memory_space<smem>>
    }
    %c32_i32_0 = arith.constant 32 : i32
    return
  }
}
