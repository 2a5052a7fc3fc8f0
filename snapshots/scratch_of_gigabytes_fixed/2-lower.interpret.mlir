module @kernel {
  func.func @main(%arg0: tensor<8x128xf32>) -> tensor<8x128xf32> {
    %0 = stablehlo.reshape %arg0 : (tensor<8x128xf32>) -> tensor<1x8x128xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x128xf32>) -> tensor<8x128xf32>
    return %1 : tensor<8x128xf32>
  }
}
