module @double_kernel {
  func.func @main(%arg0: tensor<32x128xf32>) -> tensor<32x128xf32> {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<32x128xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:3 = stablehlo.while(%iterArg = %c, %iterArg_0 = %c, %iterArg_1 = %cst) : tensor<i32>, tensor<i32>, tensor<32x128xf32>
    cond {
      %c_2 = stablehlo.constant dense<4> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %c_2 = stablehlo.constant dense<0> : tensor<i32>
      %c_3 = stablehlo.constant dense<8> : tensor<i32>
      %1 = stablehlo.multiply %iterArg_0, %c_3 : tensor<i32>
      %2 = stablehlo.dynamic_slice %arg0, %1, %c_2, sizes = [8, 128] : (tensor<32x128xf32>, tensor<i32>, tensor<i32>) -> tensor<8x128xf32>
      %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<8x128xf32>
      %3 = stablehlo.multiply %2, %cst_4 : tensor<8x128xf32>
      %4 = stablehlo.dynamic_update_slice %iterArg_1, %3, %1, %c_2 : (tensor<32x128xf32>, tensor<8x128xf32>, tensor<i32>, tensor<i32>) -> tensor<32x128xf32>
      %c_5 = stablehlo.constant dense<1> : tensor<i32>
      %5 = stablehlo.add %iterArg_0, %c_5 : tensor<i32>
      %6 = stablehlo.add %iterArg, %c_5 : tensor<i32>
      stablehlo.return %6, %5, %4 : tensor<i32>, tensor<i32>, tensor<32x128xf32>
    }
    return %0#2 : tensor<32x128xf32>
  }
}
