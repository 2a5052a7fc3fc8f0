module @softmax_kernel {
  func.func @main(%arg0: tensor<2048x512xbf16>) -> tensor<2048x512xbf16> {
    %cst = stablehlo.constant dense<0x7FC0> : tensor<2048x512xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:3 = stablehlo.while(%iterArg = %c, %iterArg_0 = %c, %iterArg_1 = %cst) : tensor<i32>, tensor<i32>, tensor<2048x512xbf16>
    cond {
      %c_2 = stablehlo.constant dense<8> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %c_2 = stablehlo.constant dense<0> : tensor<i32>
      %c_3 = stablehlo.constant dense<256> : tensor<i32>
      %1 = stablehlo.multiply %iterArg_0, %c_3 : tensor<i32>
      %2 = stablehlo.dynamic_slice %arg0, %1, %c_2, sizes = [256, 512] : (tensor<2048x512xbf16>, tensor<i32>, tensor<i32>) -> tensor<256x512xbf16>
      %3 = stablehlo.convert %2 : (tensor<256x512xbf16>) -> tensor<256x512xf32>
      %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %4 = stablehlo.reduce(%3 init: %cst_4) applies stablehlo.maximum across dimensions = [1] : (tensor<256x512xf32>, tensor<f32>) -> tensor<256xf32>
      %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<256xf32>) -> tensor<256x1xf32>
      %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<256x1xf32>) -> tensor<256x512xf32>
      %7 = stablehlo.subtract %3, %6 : tensor<256x512xf32>
      %8 = stablehlo.exponential %7 : tensor<256x512xf32>
      %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %9 = stablehlo.reduce(%8 init: %cst_5) applies stablehlo.add across dimensions = [1] : (tensor<256x512xf32>, tensor<f32>) -> tensor<256xf32>
      %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<256xf32>) -> tensor<256x1xf32>
      %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<256x1xf32>) -> tensor<256x512xf32>
      %12 = stablehlo.divide %8, %11 : tensor<256x512xf32>
      %13 = stablehlo.convert %12 : (tensor<256x512xf32>) -> tensor<256x512xbf16>
      %14 = stablehlo.dynamic_update_slice %iterArg_1, %13, %1, %c_2 : (tensor<2048x512xbf16>, tensor<256x512xbf16>, tensor<i32>, tensor<i32>) -> tensor<2048x512xbf16>
      %c_6 = stablehlo.constant dense<1> : tensor<i32>
      %15 = stablehlo.add %iterArg_0, %c_6 : tensor<i32>
      %16 = stablehlo.add %iterArg, %c_6 : tensor<i32>
      stablehlo.return %16, %15, %14 : tensor<i32>, tensor<i32>, tensor<2048x512xbf16>
    }
    return %0#2 : tensor<2048x512xbf16>
  }
}
