module @embedding_gather_kernel {
  func.func @main(%arg0: tensor<32xi32>, %arg1: tensor<1000x1x512xf32>) -> tensor<32x1x512xf32> {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<32x1x512xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:3 = stablehlo.while(%iterArg = %c, %iterArg_0 = %c, %iterArg_1 = %cst) : tensor<i32>, tensor<i32>, tensor<32x1x512xf32>
    cond {
      %c_2 = stablehlo.constant dense<32> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.dynamic_slice %arg0, %iterArg_0, sizes = [1] : (tensor<32xi32>, tensor<i32>) -> tensor<1xi32>
      %2 = stablehlo.reshape %1 : (tensor<1xi32>) -> tensor<i32>
      %c_2 = stablehlo.constant dense<0> : tensor<i32>
      %3 = stablehlo.dynamic_slice %arg1, %2, %c_2, %c_2, sizes = [1, 1, 512] : (tensor<1000x1x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x512xf32>
      %4 = stablehlo.dynamic_update_slice %iterArg_1, %3, %iterArg_0, %c_2, %c_2 : (tensor<32x1x512xf32>, tensor<1x1x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<32x1x512xf32>
      %c_3 = stablehlo.constant dense<1> : tensor<i32>
      %5 = stablehlo.add %iterArg_0, %c_3 : tensor<i32>
      %6 = stablehlo.add %iterArg, %c_3 : tensor<i32>
      stablehlo.return %6, %5, %4 : tensor<i32>, tensor<i32>, tensor<32x1x512xf32>
    }
    return %0#2 : tensor<32x1x512xf32>
  }
}
