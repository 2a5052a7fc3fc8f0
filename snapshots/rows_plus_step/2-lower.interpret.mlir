module @add_step_kernel {
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
      %3 = stablehlo.convert %iterArg_0 : (tensor<i32>) -> tensor<f32>
      %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<8x128xf32>
      %5 = stablehlo.add %2, %4 : tensor<8x128xf32>
      %6 = stablehlo.dynamic_update_slice %iterArg_1, %5, %1, %c_2 : (tensor<32x128xf32>, tensor<8x128xf32>, tensor<i32>, tensor<i32>) -> tensor<32x128xf32>
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %7 = stablehlo.add %iterArg_0, %c_4 : tensor<i32>
      %8 = stablehlo.add %iterArg, %c_4 : tensor<i32>
      stablehlo.return %8, %7, %6 : tensor<i32>, tensor<i32>, tensor<32x128xf32>
    }
    return %0#2 : tensor<32x128xf32>
  }
}
