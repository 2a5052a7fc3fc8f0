module @hbm_copy_kernel {
  func.func @main(%arg0: tensor<512x256xf32>) -> tensor<512x256xf32> {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<512x256xf32>
    %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<2x64x256xf32>
    %0 = stablehlo.slice %arg0 [0:64, 0:256] : (tensor<512x256xf32>) -> tensor<64x256xf32>
    %1 = stablehlo.reshape %0 : (tensor<64x256xf32>) -> tensor<1x64x256xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.dynamic_update_slice %cst_0, %1, %c, %c, %c : (tensor<2x64x256xf32>, tensor<1x64x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x64x256xf32>
    %3:4 = stablehlo.while(%iterArg = %c, %iterArg_1 = %c, %iterArg_2 = %2, %iterArg_3 = %cst) : tensor<i32>, tensor<i32>, tensor<2x64x256xf32>, tensor<512x256xf32>
    cond {
      %c_4 = stablehlo.constant dense<8> : tensor<i32>
      %4 = stablehlo.compare LT, %iterArg, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %4 = stablehlo.add %iterArg_1, %c_4 : tensor<i32>
      %c_5 = stablehlo.constant dense<2> : tensor<i32>
      %c_6 = stablehlo.constant dense<0> : tensor<i32>
      %5 = stablehlo.compare EQ, %c_5, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %6 = stablehlo.select %5, %c_4, %c_5 : tensor<i1>, tensor<i32>
      %7 = stablehlo.remainder %iterArg_1, %6 : tensor<i32>
      %8 = stablehlo.compare NE, %7, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %9 = stablehlo.compare LT, %7, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %10 = stablehlo.compare LT, %6, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %11 = stablehlo.compare NE, %9, %10, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %12 = stablehlo.and %11, %8 : tensor<i1>
      %13 = stablehlo.add %7, %6 : tensor<i32>
      %14 = stablehlo.select %12, %13, %7 : tensor<i1>, tensor<i32>
      %15 = stablehlo.add %iterArg_1, %c_4 : tensor<i32>
      %c_7 = stablehlo.constant dense<8> : tensor<i32>
      %16 = stablehlo.compare LT, %15, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %17 = stablehlo.convert %16 : (tensor<i1>) -> tensor<i32>
      %18 = stablehlo.clamp %c_6, %17, %c_4 : tensor<i32>
      %19 = "stablehlo.case"(%18) ({
        stablehlo.return %iterArg_2 : tensor<2x64x256xf32>
      }, {
        %c_9 = stablehlo.constant dense<1> : tensor<i32>
        %c_10 = stablehlo.constant dense<0> : tensor<i32>
        %25 = stablehlo.add %iterArg_1, %c_9 : tensor<i32>
        %26 = stablehlo.subtract %c_9, %14 : tensor<i32>
        %c_11 = stablehlo.constant dense<64> : tensor<i32>
        %27 = stablehlo.multiply %25, %c_11 : tensor<i32>
        %28 = stablehlo.dynamic_slice %arg0, %27, %c_10, sizes = [64, 256] : (tensor<512x256xf32>, tensor<i32>, tensor<i32>) -> tensor<64x256xf32>
        %29 = stablehlo.reshape %28 : (tensor<64x256xf32>) -> tensor<1x64x256xf32>
        %30 = stablehlo.compare LT, %26, %c_10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %c_12 = stablehlo.constant dense<2> : tensor<i32>
        %31 = stablehlo.add %26, %c_12 : tensor<i32>
        %32 = stablehlo.select %30, %31, %26 : tensor<i1>, tensor<i32>
        %33 = stablehlo.dynamic_update_slice %iterArg_2, %29, %32, %c_10, %c_10 : (tensor<2x64x256xf32>, tensor<1x64x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x64x256xf32>
        stablehlo.return %33 : tensor<2x64x256xf32>
      }) : (tensor<i32>) -> tensor<2x64x256xf32>
      %c_8 = stablehlo.constant dense<64> : tensor<i32>
      %20 = stablehlo.multiply %iterArg_1, %c_8 : tensor<i32>
      %21 = stablehlo.dynamic_slice %19, %14, %c_6, %c_6, sizes = [1, 64, 256] : (tensor<2x64x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x256xf32>
      %22 = stablehlo.reshape %21 : (tensor<1x64x256xf32>) -> tensor<64x256xf32>
      %23 = stablehlo.dynamic_update_slice %iterArg_3, %22, %20, %c_6 : (tensor<512x256xf32>, tensor<64x256xf32>, tensor<i32>, tensor<i32>) -> tensor<512x256xf32>
      %24 = stablehlo.add %iterArg, %c_4 : tensor<i32>
      stablehlo.return %24, %4, %19, %23 : tensor<i32>, tensor<i32>, tensor<2x64x256xf32>, tensor<512x256xf32>
    }
    return %3#3 : tensor<512x256xf32>
  }
}
