module @kernel {
  func.func @main(%arg0: tensor<8x128xf32>) -> tensor<8x128xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<8x128xf32>
    %0 = stablehlo.compare GT, %cst, %arg0, FLOAT : (tensor<8x128xf32>, tensor<8x128xf32>) -> tensor<8x128xi1>
    %1 = stablehlo.select %0, %cst, %arg0 : tensor<8x128xi1>, tensor<8x128xf32>
    return %1 : tensor<8x128xf32>
  }
}
