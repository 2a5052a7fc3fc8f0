module @kernel {
  func.func @main(%arg0: tensor<8x128xf32>) -> tensor<8x128xf32> {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<1048576x8x128xf32>
    %0 = stablehlo.reshape %arg0 : (tensor<8x128xf32>) -> tensor<1x8x128xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %cst, %0, %c, %c, %c : (tensor<1048576x8x128xf32>, tensor<1x8x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1048576x8x128xf32>
    %2 = stablehlo.slice %1 [0:1, 0:8, 0:128] : (tensor<1048576x8x128xf32>) -> tensor<1x8x128xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x8x128xf32>) -> tensor<8x128xf32>
    return %3 : tensor<8x128xf32>
  }
}
