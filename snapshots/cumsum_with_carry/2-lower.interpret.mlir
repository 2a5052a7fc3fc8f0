module @cumsum_with_carry_kernel {
  func.func @main(%arg0: tensor<256x256xf32>) -> tensor<256x256xf32> {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<256x256xf32>
    %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<1x128xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:5 = stablehlo.while(%iterArg = %c, %iterArg_1 = %c, %iterArg_2 = %c, %iterArg_3 = %cst, %iterArg_4 = %cst_0) : tensor<i32>, tensor<i32>, tensor<i32>, tensor<256x256xf32>, tensor<1x128xf32>
    cond {
      %c_5 = stablehlo.constant dense<8> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %c_5 = stablehlo.constant dense<64> : tensor<i32>
      %1 = stablehlo.multiply %iterArg_2, %c_5 : tensor<i32>
      %c_6 = stablehlo.constant dense<128> : tensor<i32>
      %2 = stablehlo.multiply %iterArg_1, %c_6 : tensor<i32>
      %3 = stablehlo.dynamic_slice %arg0, %1, %2, sizes = [64, 128] : (tensor<256x256xf32>, tensor<i32>, tensor<i32>) -> tensor<64x128xf32>
      %c_7 = stablehlo.constant dense<0> : tensor<i32>
      %4 = stablehlo.compare EQ, %iterArg_2, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %5 = stablehlo.convert %4 : (tensor<i1>) -> tensor<i32>
      %c_8 = stablehlo.constant dense<1> : tensor<i32>
      %6 = stablehlo.clamp %c_7, %5, %c_8 : tensor<i32>
      %7 = "stablehlo.case"(%6) ({
        stablehlo.return %iterArg_4 : tensor<1x128xf32>
      }, {
        %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<1x128xf32>
        stablehlo.return %cst_21 : tensor<1x128xf32>
      }) : (tensor<i32>) -> tensor<1x128xf32>
      %8 = stablehlo.iota dim = 0 : tensor<64x128xi32>
      %c_9 = stablehlo.constant dense<1> : tensor<64x128xi32>
      %9 = stablehlo.compare GE, %8, %c_9, SIGNED : (tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi1>
      %10 = stablehlo.negate %c_8 : tensor<i32>
      %11 = stablehlo.remainder %10, %c_5 : tensor<i32>
      %12 = stablehlo.add %11, %c_5 : tensor<i32>
      %13 = stablehlo.remainder %12, %c_5 : tensor<i32>
      %14 = stablehlo.concatenate %3, %3, dim = 0 : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<128x128xf32>
      %15 = stablehlo.dynamic_slice %14, %13, %c_7, sizes = [64, 128] : (tensor<128x128xf32>, tensor<i32>, tensor<i32>) -> tensor<64x128xf32>
      %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %16 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<64x128xf32>
      %17 = stablehlo.select %9, %15, %16 : tensor<64x128xi1>, tensor<64x128xf32>
      %18 = stablehlo.add %3, %17 : tensor<64x128xf32>
      %c_11 = stablehlo.constant dense<2> : tensor<64x128xi32>
      %19 = stablehlo.compare GE, %8, %c_11, SIGNED : (tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi1>
      %c_12 = stablehlo.constant dense<2> : tensor<i32>
      %20 = stablehlo.negate %c_12 : tensor<i32>
      %21 = stablehlo.remainder %20, %c_5 : tensor<i32>
      %22 = stablehlo.add %21, %c_5 : tensor<i32>
      %23 = stablehlo.remainder %22, %c_5 : tensor<i32>
      %24 = stablehlo.concatenate %18, %18, dim = 0 : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<128x128xf32>
      %25 = stablehlo.dynamic_slice %24, %23, %c_7, sizes = [64, 128] : (tensor<128x128xf32>, tensor<i32>, tensor<i32>) -> tensor<64x128xf32>
      %26 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<64x128xf32>
      %27 = stablehlo.select %19, %25, %26 : tensor<64x128xi1>, tensor<64x128xf32>
      %28 = stablehlo.add %18, %27 : tensor<64x128xf32>
      %c_13 = stablehlo.constant dense<4> : tensor<64x128xi32>
      %29 = stablehlo.compare GE, %8, %c_13, SIGNED : (tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi1>
      %c_14 = stablehlo.constant dense<4> : tensor<i32>
      %30 = stablehlo.negate %c_14 : tensor<i32>
      %31 = stablehlo.remainder %30, %c_5 : tensor<i32>
      %32 = stablehlo.add %31, %c_5 : tensor<i32>
      %33 = stablehlo.remainder %32, %c_5 : tensor<i32>
      %34 = stablehlo.concatenate %28, %28, dim = 0 : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<128x128xf32>
      %35 = stablehlo.dynamic_slice %34, %33, %c_7, sizes = [64, 128] : (tensor<128x128xf32>, tensor<i32>, tensor<i32>) -> tensor<64x128xf32>
      %36 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<64x128xf32>
      %37 = stablehlo.select %29, %35, %36 : tensor<64x128xi1>, tensor<64x128xf32>
      %38 = stablehlo.add %28, %37 : tensor<64x128xf32>
      %c_15 = stablehlo.constant dense<8> : tensor<64x128xi32>
      %39 = stablehlo.compare GE, %8, %c_15, SIGNED : (tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi1>
      %c_16 = stablehlo.constant dense<8> : tensor<i32>
      %40 = stablehlo.negate %c_16 : tensor<i32>
      %41 = stablehlo.remainder %40, %c_5 : tensor<i32>
      %42 = stablehlo.add %41, %c_5 : tensor<i32>
      %43 = stablehlo.remainder %42, %c_5 : tensor<i32>
      %44 = stablehlo.concatenate %38, %38, dim = 0 : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<128x128xf32>
      %45 = stablehlo.dynamic_slice %44, %43, %c_7, sizes = [64, 128] : (tensor<128x128xf32>, tensor<i32>, tensor<i32>) -> tensor<64x128xf32>
      %46 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<64x128xf32>
      %47 = stablehlo.select %39, %45, %46 : tensor<64x128xi1>, tensor<64x128xf32>
      %48 = stablehlo.add %38, %47 : tensor<64x128xf32>
      %c_17 = stablehlo.constant dense<16> : tensor<64x128xi32>
      %49 = stablehlo.compare GE, %8, %c_17, SIGNED : (tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi1>
      %c_18 = stablehlo.constant dense<16> : tensor<i32>
      %50 = stablehlo.negate %c_18 : tensor<i32>
      %51 = stablehlo.remainder %50, %c_5 : tensor<i32>
      %52 = stablehlo.add %51, %c_5 : tensor<i32>
      %53 = stablehlo.remainder %52, %c_5 : tensor<i32>
      %54 = stablehlo.concatenate %48, %48, dim = 0 : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<128x128xf32>
      %55 = stablehlo.dynamic_slice %54, %53, %c_7, sizes = [64, 128] : (tensor<128x128xf32>, tensor<i32>, tensor<i32>) -> tensor<64x128xf32>
      %56 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<64x128xf32>
      %57 = stablehlo.select %49, %55, %56 : tensor<64x128xi1>, tensor<64x128xf32>
      %58 = stablehlo.add %48, %57 : tensor<64x128xf32>
      %c_19 = stablehlo.constant dense<32> : tensor<64x128xi32>
      %59 = stablehlo.compare GE, %8, %c_19, SIGNED : (tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi1>
      %c_20 = stablehlo.constant dense<32> : tensor<i32>
      %60 = stablehlo.negate %c_20 : tensor<i32>
      %61 = stablehlo.remainder %60, %c_5 : tensor<i32>
      %62 = stablehlo.add %61, %c_5 : tensor<i32>
      %63 = stablehlo.remainder %62, %c_5 : tensor<i32>
      %64 = stablehlo.concatenate %58, %58, dim = 0 : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<128x128xf32>
      %65 = stablehlo.dynamic_slice %64, %63, %c_7, sizes = [64, 128] : (tensor<128x128xf32>, tensor<i32>, tensor<i32>) -> tensor<64x128xf32>
      %66 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<64x128xf32>
      %67 = stablehlo.select %59, %65, %66 : tensor<64x128xi1>, tensor<64x128xf32>
      %68 = stablehlo.add %58, %67 : tensor<64x128xf32>
      %69 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x128xf32>) -> tensor<64x128xf32>
      %70 = stablehlo.add %68, %69 : tensor<64x128xf32>
      %71 = stablehlo.slice %70 [63:64, 0:128] : (tensor<64x128xf32>) -> tensor<1x128xf32>
      %72 = stablehlo.dynamic_update_slice %iterArg_3, %70, %1, %2 : (tensor<256x256xf32>, tensor<64x128xf32>, tensor<i32>, tensor<i32>) -> tensor<256x256xf32>
      %73 = stablehlo.add %iterArg_2, %c_8 : tensor<i32>
      %74 = stablehlo.compare EQ, %73, %c_14, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %75 = stablehlo.select %74, %c_7, %73 : tensor<i1>, tensor<i32>
      %76 = stablehlo.add %iterArg_1, %c_8 : tensor<i32>
      %77 = stablehlo.select %74, %76, %iterArg_1 : tensor<i1>, tensor<i32>
      %78 = stablehlo.add %iterArg, %c_8 : tensor<i32>
      stablehlo.return %78, %77, %75, %72, %71 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<256x256xf32>, tensor<1x128xf32>
    }
    return %0#3 : tensor<256x256xf32>
  }
}
