module @emit_pipeline_kernel {
  func.func @main(%arg0: tensor<64x256xf32>, %arg1: tensor<64x256xf32>) -> tensor<64x256xf32> {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<64x256xf32>
    %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<2x16x128xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %c_2 = stablehlo.constant dense<2> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<ui32>
    %c_4 = stablehlo.constant dense<2> : tensor<ui32>
    %0 = stablehlo.remainder %c_3, %c_4 : tensor<ui32>
    %1 = stablehlo.slice %arg0 [0:16, 0:128] : (tensor<64x256xf32>) -> tensor<16x128xf32>
    %2 = stablehlo.reshape %1 : (tensor<16x128xf32>) -> tensor<1x16x128xf32>
    %3 = stablehlo.convert %0 : (tensor<ui32>) -> tensor<i32>
    %4 = stablehlo.compare LT, %3, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %5 = stablehlo.add %3, %c_2 : tensor<i32>
    %6 = stablehlo.select %4, %5, %3 : tensor<i1>, tensor<i32>
    %7 = stablehlo.dynamic_update_slice %cst_0, %2, %6, %c, %c : (tensor<2x16x128xf32>, tensor<1x16x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x128xf32>
    %c_5 = stablehlo.constant dense<1> : tensor<ui32>
    %8 = stablehlo.add %c_3, %c_5 : tensor<ui32>
    %9 = stablehlo.select %c_1, %8, %c_3 : tensor<i1>, tensor<ui32>
    %10 = stablehlo.remainder %c_3, %c_4 : tensor<ui32>
    %11 = stablehlo.slice %arg1 [0:16, 0:128] : (tensor<64x256xf32>) -> tensor<16x128xf32>
    %12 = stablehlo.reshape %11 : (tensor<16x128xf32>) -> tensor<1x16x128xf32>
    %13 = stablehlo.convert %10 : (tensor<ui32>) -> tensor<i32>
    %14 = stablehlo.compare LT, %13, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %15 = stablehlo.add %13, %c_2 : tensor<i32>
    %16 = stablehlo.select %14, %15, %13 : tensor<i1>, tensor<i32>
    %17 = stablehlo.dynamic_update_slice %cst_0, %12, %16, %c, %c : (tensor<2x16x128xf32>, tensor<1x16x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x128xf32>
    %18 = stablehlo.add %c_3, %c_5 : tensor<ui32>
    %19 = stablehlo.select %c_1, %18, %c_3 : tensor<i1>, tensor<ui32>
    %20:14 = stablehlo.while(%iterArg = %c, %iterArg_6 = %c, %iterArg_7 = %9, %iterArg_8 = %c_3, %iterArg_9 = %19, %iterArg_10 = %c_3, %iterArg_11 = %c_3, %iterArg_12 = %c_3, %iterArg_13 = %c, %iterArg_14 = %c, %iterArg_15 = %7, %iterArg_16 = %17, %iterArg_17 = %cst_0, %iterArg_18 = %cst) : tensor<i32>, tensor<i32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<i32>, tensor<i32>, tensor<2x16x128xf32>, tensor<2x16x128xf32>, tensor<2x16x128xf32>, tensor<64x256xf32>
    cond {
      %c_19 = stablehlo.constant dense<8> : tensor<i32>
      %21 = stablehlo.compare LT, %iterArg, %c_19, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %21 : tensor<i1>
    } do {
      %c_19 = stablehlo.constant dense<1> : tensor<i32>
      %21 = stablehlo.add %iterArg_6, %c_19 : tensor<i32>
      %c_20 = stablehlo.constant dense<0> : tensor<i32>
      %22 = stablehlo.compare EQ, %iterArg_6, %c_20, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_21 = stablehlo.constant dense<7> : tensor<i32>
      %23 = stablehlo.compare EQ, %iterArg_6, %c_21, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %24 = stablehlo.add %iterArg_13, %c_20 : tensor<i32>
      %25 = stablehlo.add %iterArg_14, %c_20 : tensor<i32>
      %26 = stablehlo.subtract %iterArg_14, %c_19 : tensor<i32>
      %c_22 = stablehlo.constant dense<true> : tensor<i1>
      %27 = stablehlo.select %c_22, %26, %iterArg_14 : tensor<i1>, tensor<i32>
      %c_23 = stablehlo.constant dense<-1> : tensor<i32>
      %28 = stablehlo.compare EQ, %27, %c_23, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %29 = stablehlo.select %28, %c_19, %27 : tensor<i1>, tensor<i32>
      %30 = stablehlo.subtract %iterArg_13, %c_19 : tensor<i32>
      %31 = stablehlo.select %28, %30, %iterArg_13 : tensor<i1>, tensor<i32>
      %32 = stablehlo.compare EQ, %31, %c_23, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_24 = stablehlo.constant dense<3> : tensor<i32>
      %33 = stablehlo.select %32, %c_24, %31 : tensor<i1>, tensor<i32>
      %34 = stablehlo.add %33, %c_20 : tensor<i32>
      %35 = stablehlo.add %29, %c_20 : tensor<i32>
      %36 = stablehlo.add %iterArg_14, %c_19 : tensor<i32>
      %37 = stablehlo.select %c_22, %36, %iterArg_14 : tensor<i1>, tensor<i32>
      %c_25 = stablehlo.constant dense<2> : tensor<i32>
      %38 = stablehlo.compare EQ, %37, %c_25, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %39 = stablehlo.select %38, %c_20, %37 : tensor<i1>, tensor<i32>
      %40 = stablehlo.add %iterArg_13, %c_19 : tensor<i32>
      %41 = stablehlo.select %38, %40, %iterArg_13 : tensor<i1>, tensor<i32>
      %c_26 = stablehlo.constant dense<4> : tensor<i32>
      %42 = stablehlo.compare EQ, %41, %c_26, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %43 = stablehlo.select %42, %c_20, %41 : tensor<i1>, tensor<i32>
      %44 = stablehlo.add %43, %c_20 : tensor<i32>
      %45 = stablehlo.add %39, %c_20 : tensor<i32>
      %46 = stablehlo.compare NE, %24, %44, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %47 = stablehlo.compare NE, %25, %45, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_27 = stablehlo.constant dense<false> : tensor<i1>
      %48 = stablehlo.or %c_27, %46 : tensor<i1>
      %49 = stablehlo.or %48, %47 : tensor<i1>
      %50 = stablehlo.compare GE, %iterArg_6, %c_21, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %51 = stablehlo.not %50 : tensor<i1>
      %52 = stablehlo.and %49, %51 : tensor<i1>
      %53 = stablehlo.convert %52 : (tensor<i1>) -> tensor<i32>
      %54 = stablehlo.clamp %c_20, %53, %c_19 : tensor<i32>
      %55 = "stablehlo.case"(%54) ({
        stablehlo.return %iterArg_15 : tensor<2x16x128xf32>
      }, {
        %c_31 = stablehlo.constant dense<2> : tensor<ui32>
        %138 = stablehlo.remainder %iterArg_7, %c_31 : tensor<ui32>
        %c_32 = stablehlo.constant dense<16> : tensor<i32>
        %139 = stablehlo.multiply %c_32, %44 : tensor<i32>
        %c_33 = stablehlo.constant dense<128> : tensor<i32>
        %140 = stablehlo.multiply %c_33, %45 : tensor<i32>
        %c_34 = stablehlo.constant dense<0> : tensor<i32>
        %141 = stablehlo.compare LT, %139, %c_34, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %c_35 = stablehlo.constant dense<64> : tensor<i32>
        %142 = stablehlo.add %139, %c_35 : tensor<i32>
        %143 = stablehlo.select %141, %142, %139 : tensor<i1>, tensor<i32>
        %144 = stablehlo.compare LT, %140, %c_34, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %c_36 = stablehlo.constant dense<256> : tensor<i32>
        %145 = stablehlo.add %140, %c_36 : tensor<i32>
        %146 = stablehlo.select %144, %145, %140 : tensor<i1>, tensor<i32>
        %147 = stablehlo.dynamic_slice %arg0, %143, %146, sizes = [16, 128] : (tensor<64x256xf32>, tensor<i32>, tensor<i32>) -> tensor<16x128xf32>
        %148 = stablehlo.reshape %147 : (tensor<16x128xf32>) -> tensor<1x16x128xf32>
        %149 = stablehlo.convert %138 : (tensor<ui32>) -> tensor<i32>
        %150 = stablehlo.compare LT, %149, %c_34, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %c_37 = stablehlo.constant dense<2> : tensor<i32>
        %151 = stablehlo.add %149, %c_37 : tensor<i32>
        %152 = stablehlo.select %150, %151, %149 : tensor<i1>, tensor<i32>
        %153 = stablehlo.dynamic_update_slice %iterArg_15, %148, %152, %c_34, %c_34 : (tensor<2x16x128xf32>, tensor<1x16x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x128xf32>
        stablehlo.return %153 : tensor<2x16x128xf32>
      }) : (tensor<i32>) -> tensor<2x16x128xf32>
      %56 = stablehlo.and %52, %c_22 : tensor<i1>
      %c_28 = stablehlo.constant dense<1> : tensor<ui32>
      %57 = stablehlo.add %iterArg_7, %c_28 : tensor<ui32>
      %58 = stablehlo.select %56, %57, %iterArg_7 : tensor<i1>, tensor<ui32>
      %59 = stablehlo.compare NE, %24, %44, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %60 = stablehlo.compare NE, %25, %45, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %61 = stablehlo.or %c_27, %59 : tensor<i1>
      %62 = stablehlo.or %61, %60 : tensor<i1>
      %63 = stablehlo.compare GE, %iterArg_6, %c_21, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %64 = stablehlo.not %63 : tensor<i1>
      %65 = stablehlo.and %62, %64 : tensor<i1>
      %66 = stablehlo.convert %65 : (tensor<i1>) -> tensor<i32>
      %67 = stablehlo.clamp %c_20, %66, %c_19 : tensor<i32>
      %68 = "stablehlo.case"(%67) ({
        stablehlo.return %iterArg_16 : tensor<2x16x128xf32>
      }, {
        %c_31 = stablehlo.constant dense<2> : tensor<ui32>
        %138 = stablehlo.remainder %iterArg_9, %c_31 : tensor<ui32>
        %c_32 = stablehlo.constant dense<16> : tensor<i32>
        %139 = stablehlo.multiply %c_32, %44 : tensor<i32>
        %c_33 = stablehlo.constant dense<128> : tensor<i32>
        %140 = stablehlo.multiply %c_33, %45 : tensor<i32>
        %c_34 = stablehlo.constant dense<0> : tensor<i32>
        %141 = stablehlo.compare LT, %139, %c_34, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %c_35 = stablehlo.constant dense<64> : tensor<i32>
        %142 = stablehlo.add %139, %c_35 : tensor<i32>
        %143 = stablehlo.select %141, %142, %139 : tensor<i1>, tensor<i32>
        %144 = stablehlo.compare LT, %140, %c_34, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %c_36 = stablehlo.constant dense<256> : tensor<i32>
        %145 = stablehlo.add %140, %c_36 : tensor<i32>
        %146 = stablehlo.select %144, %145, %140 : tensor<i1>, tensor<i32>
        %147 = stablehlo.dynamic_slice %arg1, %143, %146, sizes = [16, 128] : (tensor<64x256xf32>, tensor<i32>, tensor<i32>) -> tensor<16x128xf32>
        %148 = stablehlo.reshape %147 : (tensor<16x128xf32>) -> tensor<1x16x128xf32>
        %149 = stablehlo.convert %138 : (tensor<ui32>) -> tensor<i32>
        %150 = stablehlo.compare LT, %149, %c_34, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %c_37 = stablehlo.constant dense<2> : tensor<i32>
        %151 = stablehlo.add %149, %c_37 : tensor<i32>
        %152 = stablehlo.select %150, %151, %149 : tensor<i1>, tensor<i32>
        %153 = stablehlo.dynamic_update_slice %iterArg_16, %148, %152, %c_34, %c_34 : (tensor<2x16x128xf32>, tensor<1x16x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x128xf32>
        stablehlo.return %153 : tensor<2x16x128xf32>
      }) : (tensor<i32>) -> tensor<2x16x128xf32>
      %69 = stablehlo.and %65, %c_22 : tensor<i1>
      %70 = stablehlo.add %iterArg_9, %c_28 : tensor<ui32>
      %71 = stablehlo.select %69, %70, %iterArg_9 : tensor<i1>, tensor<ui32>
      %c_29 = stablehlo.constant dense<2> : tensor<ui32>
      %72 = stablehlo.remainder %iterArg_8, %c_29 : tensor<ui32>
      %73 = stablehlo.remainder %iterArg_10, %c_29 : tensor<ui32>
      %74 = stablehlo.remainder %iterArg_11, %c_29 : tensor<ui32>
      %75 = stablehlo.convert %72 : (tensor<ui32>) -> tensor<i32>
      %76 = stablehlo.compare LT, %75, %c_20, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %77 = stablehlo.add %75, %c_25 : tensor<i32>
      %78 = stablehlo.select %76, %77, %75 : tensor<i1>, tensor<i32>
      %79 = stablehlo.dynamic_slice %55, %78, %c_20, %c_20, sizes = [1, 16, 128] : (tensor<2x16x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x128xf32>
      %80 = stablehlo.reshape %79 : (tensor<1x16x128xf32>) -> tensor<16x128xf32>
      %cst_30 = stablehlo.constant dense<2.000000e+00> : tensor<16x128xf32>
      %81 = stablehlo.multiply %80, %cst_30 : tensor<16x128xf32>
      %82 = stablehlo.convert %73 : (tensor<ui32>) -> tensor<i32>
      %83 = stablehlo.compare LT, %82, %c_20, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %84 = stablehlo.add %82, %c_25 : tensor<i32>
      %85 = stablehlo.select %83, %84, %82 : tensor<i1>, tensor<i32>
      %86 = stablehlo.dynamic_slice %68, %85, %c_20, %c_20, sizes = [1, 16, 128] : (tensor<2x16x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x128xf32>
      %87 = stablehlo.reshape %86 : (tensor<1x16x128xf32>) -> tensor<16x128xf32>
      %88 = stablehlo.add %81, %87 : tensor<16x128xf32>
      %89 = stablehlo.reshape %88 : (tensor<16x128xf32>) -> tensor<1x16x128xf32>
      %90 = stablehlo.convert %74 : (tensor<ui32>) -> tensor<i32>
      %91 = stablehlo.compare LT, %90, %c_20, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %92 = stablehlo.add %90, %c_25 : tensor<i32>
      %93 = stablehlo.select %91, %92, %90 : tensor<i1>, tensor<i32>
      %94 = stablehlo.dynamic_update_slice %iterArg_17, %89, %93, %c_20, %c_20 : (tensor<2x16x128xf32>, tensor<1x16x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x128xf32>
      %95 = stablehlo.compare NE, %24, %44, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %96 = stablehlo.compare NE, %25, %45, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %97 = stablehlo.or %c_27, %95 : tensor<i1>
      %98 = stablehlo.or %97, %96 : tensor<i1>
      %99 = stablehlo.or %98, %23 : tensor<i1>
      %100 = stablehlo.convert %99 : (tensor<i1>) -> tensor<i32>
      %101 = stablehlo.clamp %c_20, %100, %c_19 : tensor<i32>
      %102 = "stablehlo.case"(%101) ({
        stablehlo.return %iterArg_18 : tensor<64x256xf32>
      }, {
        %c_31 = stablehlo.constant dense<2> : tensor<ui32>
        %138 = stablehlo.remainder %iterArg_11, %c_31 : tensor<ui32>
        %c_32 = stablehlo.constant dense<16> : tensor<i32>
        %139 = stablehlo.multiply %c_32, %24 : tensor<i32>
        %c_33 = stablehlo.constant dense<128> : tensor<i32>
        %140 = stablehlo.multiply %c_33, %25 : tensor<i32>
        %141 = stablehlo.convert %138 : (tensor<ui32>) -> tensor<i32>
        %c_34 = stablehlo.constant dense<0> : tensor<i32>
        %142 = stablehlo.compare LT, %141, %c_34, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %c_35 = stablehlo.constant dense<2> : tensor<i32>
        %143 = stablehlo.add %141, %c_35 : tensor<i32>
        %144 = stablehlo.select %142, %143, %141 : tensor<i1>, tensor<i32>
        %145 = stablehlo.dynamic_slice %94, %144, %c_34, %c_34, sizes = [1, 16, 128] : (tensor<2x16x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x128xf32>
        %146 = stablehlo.reshape %145 : (tensor<1x16x128xf32>) -> tensor<16x128xf32>
        %147 = stablehlo.compare LT, %139, %c_34, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %c_36 = stablehlo.constant dense<64> : tensor<i32>
        %148 = stablehlo.add %139, %c_36 : tensor<i32>
        %149 = stablehlo.select %147, %148, %139 : tensor<i1>, tensor<i32>
        %150 = stablehlo.compare LT, %140, %c_34, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %c_37 = stablehlo.constant dense<256> : tensor<i32>
        %151 = stablehlo.add %140, %c_37 : tensor<i32>
        %152 = stablehlo.select %150, %151, %140 : tensor<i1>, tensor<i32>
        %153 = stablehlo.dynamic_update_slice %iterArg_18, %146, %149, %152 : (tensor<64x256xf32>, tensor<16x128xf32>, tensor<i32>, tensor<i32>) -> tensor<64x256xf32>
        stablehlo.return %153 : tensor<64x256xf32>
      }) : (tensor<i32>) -> tensor<64x256xf32>
      %103 = stablehlo.and %99, %c_22 : tensor<i1>
      %104 = stablehlo.add %iterArg_11, %c_28 : tensor<ui32>
      %105 = stablehlo.select %103, %104, %iterArg_11 : tensor<i1>, tensor<ui32>
      %106 = stablehlo.compare NE, %24, %34, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %107 = stablehlo.compare NE, %25, %35, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %108 = stablehlo.or %c_27, %106 : tensor<i1>
      %109 = stablehlo.or %108, %107 : tensor<i1>
      %110 = stablehlo.not %22 : tensor<i1>
      %111 = stablehlo.and %109, %110 : tensor<i1>
      %112 = stablehlo.and %111, %c_22 : tensor<i1>
      %113 = stablehlo.add %iterArg_12, %c_28 : tensor<ui32>
      %114 = stablehlo.select %112, %113, %iterArg_12 : tensor<i1>, tensor<ui32>
      %115 = stablehlo.compare NE, %24, %44, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %116 = stablehlo.compare NE, %25, %45, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %117 = stablehlo.or %c_27, %115 : tensor<i1>
      %118 = stablehlo.or %117, %116 : tensor<i1>
      %119 = stablehlo.or %118, %23 : tensor<i1>
      %120 = stablehlo.add %iterArg_8, %c_28 : tensor<ui32>
      %121 = stablehlo.select %119, %120, %iterArg_8 : tensor<i1>, tensor<ui32>
      %122 = stablehlo.compare NE, %24, %44, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %123 = stablehlo.compare NE, %25, %45, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %124 = stablehlo.or %c_27, %122 : tensor<i1>
      %125 = stablehlo.or %124, %123 : tensor<i1>
      %126 = stablehlo.or %125, %23 : tensor<i1>
      %127 = stablehlo.add %iterArg_10, %c_28 : tensor<ui32>
      %128 = stablehlo.select %126, %127, %iterArg_10 : tensor<i1>, tensor<ui32>
      %129 = stablehlo.add %iterArg_14, %c_19 : tensor<i32>
      %130 = stablehlo.select %c_22, %129, %iterArg_14 : tensor<i1>, tensor<i32>
      %131 = stablehlo.compare EQ, %130, %c_25, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %132 = stablehlo.select %131, %c_20, %130 : tensor<i1>, tensor<i32>
      %133 = stablehlo.add %iterArg_13, %c_19 : tensor<i32>
      %134 = stablehlo.select %131, %133, %iterArg_13 : tensor<i1>, tensor<i32>
      %135 = stablehlo.compare EQ, %134, %c_26, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %136 = stablehlo.select %135, %c_20, %134 : tensor<i1>, tensor<i32>
      %137 = stablehlo.add %iterArg, %c_19 : tensor<i32>
      stablehlo.return %137, %21, %58, %121, %71, %128, %105, %114, %136, %132, %55, %68, %94, %102 : tensor<i32>, tensor<i32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<i32>, tensor<i32>, tensor<2x16x128xf32>, tensor<2x16x128xf32>, tensor<2x16x128xf32>, tensor<64x256xf32>
    }
    return %20#13 : tensor<64x256xf32>
  }
}
