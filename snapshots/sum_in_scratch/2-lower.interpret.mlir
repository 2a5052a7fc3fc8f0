module @sum_kernel {
  func.func @main(%arg0: tensor<32x128xf32>) -> tensor<8x128xf32> {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<8x128xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:4 = stablehlo.while(%iterArg = %c, %iterArg_0 = %c, %iterArg_1 = %cst, %iterArg_2 = %cst) : tensor<i32>, tensor<i32>, tensor<8x128xf32>, tensor<8x128xf32>
    cond {
      %c_3 = stablehlo.constant dense<4> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %c_3 = stablehlo.constant dense<0> : tensor<i32>
      %c_4 = stablehlo.constant dense<8> : tensor<i32>
      %1 = stablehlo.multiply %iterArg_0, %c_4 : tensor<i32>
      %2 = stablehlo.dynamic_slice %arg0, %1, %c_3, sizes = [8, 128] : (tensor<32x128xf32>, tensor<i32>, tensor<i32>) -> tensor<8x128xf32>
      %3 = stablehlo.compare EQ, %iterArg_0, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %4 = stablehlo.convert %3 : (tensor<i1>) -> tensor<i32>
      %c_5 = stablehlo.constant dense<1> : tensor<i32>
      %5 = stablehlo.clamp %c_3, %4, %c_5 : tensor<i32>
      %6 = "stablehlo.case"(%5) ({
        stablehlo.return %iterArg_2 : tensor<8x128xf32>
      }, {
        %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<8x128xf32>
        stablehlo.return %cst_6 : tensor<8x128xf32>
      }) : (tensor<i32>) -> tensor<8x128xf32>
      %7 = stablehlo.add %6, %2 : tensor<8x128xf32>
      %8 = stablehlo.add %iterArg_0, %c_5 : tensor<i32>
      %9 = stablehlo.add %iterArg, %c_5 : tensor<i32>
      stablehlo.return %9, %8, %7, %7 : tensor<i32>, tensor<i32>, tensor<8x128xf32>, tensor<8x128xf32>
    }
    return %0#2 : tensor<8x128xf32>
  }
}
