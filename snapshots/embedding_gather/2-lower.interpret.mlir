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
      %3 = stablehlo.compare LT, %2, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_3 = stablehlo.constant dense<1000> : tensor<i32>
      %4 = stablehlo.add %2, %c_3 : tensor<i32>
      %5 = stablehlo.select %3, %4, %2 : tensor<i1>, tensor<i32>
      %6 = stablehlo.dynamic_slice %arg1, %5, %c_2, %c_2, sizes = [1, 1, 512] : (tensor<1000x1x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x512xf32>
      %7 = stablehlo.dynamic_update_slice %iterArg_1, %6, %iterArg_0, %c_2, %c_2 : (tensor<32x1x512xf32>, tensor<1x1x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<32x1x512xf32>
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %8 = stablehlo.add %iterArg_0, %c_4 : tensor<i32>
      %9 = stablehlo.add %iterArg, %c_4 : tensor<i32>
      stablehlo.return %9, %8, %7 : tensor<i32>, tensor<i32>, tensor<32x1x512xf32>
    }
    return %0#2 : tensor<32x1x512xf32>
  }
}
