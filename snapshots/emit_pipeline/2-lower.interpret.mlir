module @emit_pipeline_kernel {
  func.func @main(%arg0: tensor<64x256xf32>, %arg1: tensor<64x256xf32>) -> tensor<64x256xf32> {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<64x256xf32>
    %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<2x16x128xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %c_2 = stablehlo.constant dense<0> : tensor<ui32>
    %c_3 = stablehlo.constant dense<2> : tensor<ui32>
    %0 = stablehlo.remainder %c_2, %c_3 : tensor<ui32>
    %1 = stablehlo.slice %arg0 [0:16, 0:128] : (tensor<64x256xf32>) -> tensor<16x128xf32>
    %2 = stablehlo.reshape %1 : (tensor<16x128xf32>) -> tensor<1x16x128xf32>
    %3 = stablehlo.convert %0 : (tensor<ui32>) -> tensor<i32>
    %4 = stablehlo.dynamic_update_slice %cst_0, %2, %3, %c, %c : (tensor<2x16x128xf32>, tensor<1x16x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x128xf32>
    %c_4 = stablehlo.constant dense<1> : tensor<ui32>
    %5 = stablehlo.add %c_2, %c_4 : tensor<ui32>
    %6 = stablehlo.select %c_1, %5, %c_2 : tensor<i1>, tensor<ui32>
    %7 = stablehlo.remainder %c_2, %c_3 : tensor<ui32>
    %8 = stablehlo.slice %arg1 [0:16, 0:128] : (tensor<64x256xf32>) -> tensor<16x128xf32>
    %9 = stablehlo.reshape %8 : (tensor<16x128xf32>) -> tensor<1x16x128xf32>
    %10 = stablehlo.convert %7 : (tensor<ui32>) -> tensor<i32>
    %11 = stablehlo.dynamic_update_slice %cst_0, %9, %10, %c, %c : (tensor<2x16x128xf32>, tensor<1x16x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x128xf32>
    %12 = stablehlo.add %c_2, %c_4 : tensor<ui32>
    %13 = stablehlo.select %c_1, %12, %c_2 : tensor<i1>, tensor<ui32>
    %14:14 = stablehlo.while(%iterArg = %c, %iterArg_5 = %c, %iterArg_6 = %6, %iterArg_7 = %c_2, %iterArg_8 = %13, %iterArg_9 = %c_2, %iterArg_10 = %c_2, %iterArg_11 = %c_2, %iterArg_12 = %c, %iterArg_13 = %c, %iterArg_14 = %4, %iterArg_15 = %11, %iterArg_16 = %cst_0, %iterArg_17 = %cst) : tensor<i32>, tensor<i32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<i32>, tensor<i32>, tensor<2x16x128xf32>, tensor<2x16x128xf32>, tensor<2x16x128xf32>, tensor<64x256xf32>
    cond {
      %c_18 = stablehlo.constant dense<8> : tensor<i32>
      %15 = stablehlo.compare LT, %iterArg, %c_18, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %15 : tensor<i1>
    } do {
      %c_18 = stablehlo.constant dense<1> : tensor<i32>
      %15 = stablehlo.add %iterArg_5, %c_18 : tensor<i32>
      %c_19 = stablehlo.constant dense<0> : tensor<i32>
      %16 = stablehlo.compare EQ, %iterArg_5, %c_19, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_20 = stablehlo.constant dense<7> : tensor<i32>
      %17 = stablehlo.compare EQ, %iterArg_5, %c_20, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %18 = stablehlo.add %iterArg_12, %c_19 : tensor<i32>
      %19 = stablehlo.add %iterArg_13, %c_19 : tensor<i32>
      %20 = stablehlo.subtract %iterArg_13, %c_18 : tensor<i32>
      %c_21 = stablehlo.constant dense<true> : tensor<i1>
      %21 = stablehlo.select %c_21, %20, %iterArg_13 : tensor<i1>, tensor<i32>
      %c_22 = stablehlo.constant dense<-1> : tensor<i32>
      %22 = stablehlo.compare EQ, %21, %c_22, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %23 = stablehlo.select %22, %c_18, %21 : tensor<i1>, tensor<i32>
      %24 = stablehlo.subtract %iterArg_12, %c_18 : tensor<i32>
      %25 = stablehlo.select %22, %24, %iterArg_12 : tensor<i1>, tensor<i32>
      %26 = stablehlo.compare EQ, %25, %c_22, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_23 = stablehlo.constant dense<3> : tensor<i32>
      %27 = stablehlo.select %26, %c_23, %25 : tensor<i1>, tensor<i32>
      %28 = stablehlo.add %27, %c_19 : tensor<i32>
      %29 = stablehlo.add %23, %c_19 : tensor<i32>
      %30 = stablehlo.add %iterArg_13, %c_18 : tensor<i32>
      %31 = stablehlo.select %c_21, %30, %iterArg_13 : tensor<i1>, tensor<i32>
      %c_24 = stablehlo.constant dense<2> : tensor<i32>
      %32 = stablehlo.compare EQ, %31, %c_24, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %33 = stablehlo.select %32, %c_19, %31 : tensor<i1>, tensor<i32>
      %34 = stablehlo.add %iterArg_12, %c_18 : tensor<i32>
      %35 = stablehlo.select %32, %34, %iterArg_12 : tensor<i1>, tensor<i32>
      %c_25 = stablehlo.constant dense<4> : tensor<i32>
      %36 = stablehlo.compare EQ, %35, %c_25, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %37 = stablehlo.select %36, %c_19, %35 : tensor<i1>, tensor<i32>
      %38 = stablehlo.add %37, %c_19 : tensor<i32>
      %39 = stablehlo.add %33, %c_19 : tensor<i32>
      %40 = stablehlo.compare NE, %18, %38, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %41 = stablehlo.compare NE, %19, %39, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_26 = stablehlo.constant dense<false> : tensor<i1>
      %42 = stablehlo.or %c_26, %40 : tensor<i1>
      %43 = stablehlo.or %42, %41 : tensor<i1>
      %44 = stablehlo.compare GE, %iterArg_5, %c_20, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %45 = stablehlo.not %44 : tensor<i1>
      %46 = stablehlo.and %43, %45 : tensor<i1>
      %47 = stablehlo.convert %46 : (tensor<i1>) -> tensor<i32>
      %48 = stablehlo.clamp %c_19, %47, %c_18 : tensor<i32>
      %49 = "stablehlo.case"(%48) ({
        stablehlo.return %iterArg_14 : tensor<2x16x128xf32>
      }, {
        %c_30 = stablehlo.constant dense<2> : tensor<ui32>
        %123 = stablehlo.remainder %iterArg_6, %c_30 : tensor<ui32>
        %c_31 = stablehlo.constant dense<16> : tensor<i32>
        %124 = stablehlo.multiply %c_31, %38 : tensor<i32>
        %c_32 = stablehlo.constant dense<128> : tensor<i32>
        %125 = stablehlo.multiply %c_32, %39 : tensor<i32>
        %126 = stablehlo.dynamic_slice %arg0, %124, %125, sizes = [16, 128] : (tensor<64x256xf32>, tensor<i32>, tensor<i32>) -> tensor<16x128xf32>
        %127 = stablehlo.reshape %126 : (tensor<16x128xf32>) -> tensor<1x16x128xf32>
        %128 = stablehlo.convert %123 : (tensor<ui32>) -> tensor<i32>
        %c_33 = stablehlo.constant dense<0> : tensor<i32>
        %129 = stablehlo.dynamic_update_slice %iterArg_14, %127, %128, %c_33, %c_33 : (tensor<2x16x128xf32>, tensor<1x16x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x128xf32>
        stablehlo.return %129 : tensor<2x16x128xf32>
      }) : (tensor<i32>) -> tensor<2x16x128xf32>
      %50 = stablehlo.and %46, %c_21 : tensor<i1>
      %c_27 = stablehlo.constant dense<1> : tensor<ui32>
      %51 = stablehlo.add %iterArg_6, %c_27 : tensor<ui32>
      %52 = stablehlo.select %50, %51, %iterArg_6 : tensor<i1>, tensor<ui32>
      %53 = stablehlo.compare NE, %18, %38, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %54 = stablehlo.compare NE, %19, %39, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %55 = stablehlo.or %c_26, %53 : tensor<i1>
      %56 = stablehlo.or %55, %54 : tensor<i1>
      %57 = stablehlo.compare GE, %iterArg_5, %c_20, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %58 = stablehlo.not %57 : tensor<i1>
      %59 = stablehlo.and %56, %58 : tensor<i1>
      %60 = stablehlo.convert %59 : (tensor<i1>) -> tensor<i32>
      %61 = stablehlo.clamp %c_19, %60, %c_18 : tensor<i32>
      %62 = "stablehlo.case"(%61) ({
        stablehlo.return %iterArg_15 : tensor<2x16x128xf32>
      }, {
        %c_30 = stablehlo.constant dense<2> : tensor<ui32>
        %123 = stablehlo.remainder %iterArg_8, %c_30 : tensor<ui32>
        %c_31 = stablehlo.constant dense<16> : tensor<i32>
        %124 = stablehlo.multiply %c_31, %38 : tensor<i32>
        %c_32 = stablehlo.constant dense<128> : tensor<i32>
        %125 = stablehlo.multiply %c_32, %39 : tensor<i32>
        %126 = stablehlo.dynamic_slice %arg1, %124, %125, sizes = [16, 128] : (tensor<64x256xf32>, tensor<i32>, tensor<i32>) -> tensor<16x128xf32>
        %127 = stablehlo.reshape %126 : (tensor<16x128xf32>) -> tensor<1x16x128xf32>
        %128 = stablehlo.convert %123 : (tensor<ui32>) -> tensor<i32>
        %c_33 = stablehlo.constant dense<0> : tensor<i32>
        %129 = stablehlo.dynamic_update_slice %iterArg_15, %127, %128, %c_33, %c_33 : (tensor<2x16x128xf32>, tensor<1x16x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x128xf32>
        stablehlo.return %129 : tensor<2x16x128xf32>
      }) : (tensor<i32>) -> tensor<2x16x128xf32>
      %63 = stablehlo.and %59, %c_21 : tensor<i1>
      %64 = stablehlo.add %iterArg_8, %c_27 : tensor<ui32>
      %65 = stablehlo.select %63, %64, %iterArg_8 : tensor<i1>, tensor<ui32>
      %c_28 = stablehlo.constant dense<2> : tensor<ui32>
      %66 = stablehlo.remainder %iterArg_7, %c_28 : tensor<ui32>
      %67 = stablehlo.remainder %iterArg_9, %c_28 : tensor<ui32>
      %68 = stablehlo.remainder %iterArg_10, %c_28 : tensor<ui32>
      %69 = stablehlo.convert %66 : (tensor<ui32>) -> tensor<i32>
      %70 = stablehlo.dynamic_slice %49, %69, %c_19, %c_19, sizes = [1, 16, 128] : (tensor<2x16x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x128xf32>
      %71 = stablehlo.reshape %70 : (tensor<1x16x128xf32>) -> tensor<16x128xf32>
      %cst_29 = stablehlo.constant dense<2.000000e+00> : tensor<16x128xf32>
      %72 = stablehlo.multiply %71, %cst_29 : tensor<16x128xf32>
      %73 = stablehlo.convert %67 : (tensor<ui32>) -> tensor<i32>
      %74 = stablehlo.dynamic_slice %62, %73, %c_19, %c_19, sizes = [1, 16, 128] : (tensor<2x16x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x128xf32>
      %75 = stablehlo.reshape %74 : (tensor<1x16x128xf32>) -> tensor<16x128xf32>
      %76 = stablehlo.add %72, %75 : tensor<16x128xf32>
      %77 = stablehlo.reshape %76 : (tensor<16x128xf32>) -> tensor<1x16x128xf32>
      %78 = stablehlo.convert %68 : (tensor<ui32>) -> tensor<i32>
      %79 = stablehlo.dynamic_update_slice %iterArg_16, %77, %78, %c_19, %c_19 : (tensor<2x16x128xf32>, tensor<1x16x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x128xf32>
      %80 = stablehlo.compare NE, %18, %38, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %81 = stablehlo.compare NE, %19, %39, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %82 = stablehlo.or %c_26, %80 : tensor<i1>
      %83 = stablehlo.or %82, %81 : tensor<i1>
      %84 = stablehlo.or %83, %17 : tensor<i1>
      %85 = stablehlo.convert %84 : (tensor<i1>) -> tensor<i32>
      %86 = stablehlo.clamp %c_19, %85, %c_18 : tensor<i32>
      %87 = "stablehlo.case"(%86) ({
        stablehlo.return %iterArg_17 : tensor<64x256xf32>
      }, {
        %c_30 = stablehlo.constant dense<2> : tensor<ui32>
        %123 = stablehlo.remainder %iterArg_10, %c_30 : tensor<ui32>
        %c_31 = stablehlo.constant dense<16> : tensor<i32>
        %124 = stablehlo.multiply %c_31, %18 : tensor<i32>
        %c_32 = stablehlo.constant dense<128> : tensor<i32>
        %125 = stablehlo.multiply %c_32, %19 : tensor<i32>
        %126 = stablehlo.convert %123 : (tensor<ui32>) -> tensor<i32>
        %c_33 = stablehlo.constant dense<0> : tensor<i32>
        %127 = stablehlo.dynamic_slice %79, %126, %c_33, %c_33, sizes = [1, 16, 128] : (tensor<2x16x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x128xf32>
        %128 = stablehlo.reshape %127 : (tensor<1x16x128xf32>) -> tensor<16x128xf32>
        %129 = stablehlo.dynamic_update_slice %iterArg_17, %128, %124, %125 : (tensor<64x256xf32>, tensor<16x128xf32>, tensor<i32>, tensor<i32>) -> tensor<64x256xf32>
        stablehlo.return %129 : tensor<64x256xf32>
      }) : (tensor<i32>) -> tensor<64x256xf32>
      %88 = stablehlo.and %84, %c_21 : tensor<i1>
      %89 = stablehlo.add %iterArg_10, %c_27 : tensor<ui32>
      %90 = stablehlo.select %88, %89, %iterArg_10 : tensor<i1>, tensor<ui32>
      %91 = stablehlo.compare NE, %18, %28, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %92 = stablehlo.compare NE, %19, %29, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %93 = stablehlo.or %c_26, %91 : tensor<i1>
      %94 = stablehlo.or %93, %92 : tensor<i1>
      %95 = stablehlo.not %16 : tensor<i1>
      %96 = stablehlo.and %94, %95 : tensor<i1>
      %97 = stablehlo.and %96, %c_21 : tensor<i1>
      %98 = stablehlo.add %iterArg_11, %c_27 : tensor<ui32>
      %99 = stablehlo.select %97, %98, %iterArg_11 : tensor<i1>, tensor<ui32>
      %100 = stablehlo.compare NE, %18, %38, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %101 = stablehlo.compare NE, %19, %39, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %102 = stablehlo.or %c_26, %100 : tensor<i1>
      %103 = stablehlo.or %102, %101 : tensor<i1>
      %104 = stablehlo.or %103, %17 : tensor<i1>
      %105 = stablehlo.add %iterArg_7, %c_27 : tensor<ui32>
      %106 = stablehlo.select %104, %105, %iterArg_7 : tensor<i1>, tensor<ui32>
      %107 = stablehlo.compare NE, %18, %38, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %108 = stablehlo.compare NE, %19, %39, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %109 = stablehlo.or %c_26, %107 : tensor<i1>
      %110 = stablehlo.or %109, %108 : tensor<i1>
      %111 = stablehlo.or %110, %17 : tensor<i1>
      %112 = stablehlo.add %iterArg_9, %c_27 : tensor<ui32>
      %113 = stablehlo.select %111, %112, %iterArg_9 : tensor<i1>, tensor<ui32>
      %114 = stablehlo.add %iterArg_13, %c_18 : tensor<i32>
      %115 = stablehlo.select %c_21, %114, %iterArg_13 : tensor<i1>, tensor<i32>
      %116 = stablehlo.compare EQ, %115, %c_24, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %117 = stablehlo.select %116, %c_19, %115 : tensor<i1>, tensor<i32>
      %118 = stablehlo.add %iterArg_12, %c_18 : tensor<i32>
      %119 = stablehlo.select %116, %118, %iterArg_12 : tensor<i1>, tensor<i32>
      %120 = stablehlo.compare EQ, %119, %c_25, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %121 = stablehlo.select %120, %c_19, %119 : tensor<i1>, tensor<i32>
      %122 = stablehlo.add %iterArg, %c_18 : tensor<i32>
      stablehlo.return %122, %15, %52, %106, %65, %113, %90, %99, %121, %117, %49, %62, %79, %87 : tensor<i32>, tensor<i32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<i32>, tensor<i32>, tensor<2x16x128xf32>, tensor<2x16x128xf32>, tensor<2x16x128xf32>, tensor<64x256xf32>
    }
    return %14#13 : tensor<64x256xf32>
  }
}
