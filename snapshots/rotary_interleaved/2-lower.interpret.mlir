module @rotary_interleaved_kernel {
  func.func @main(%arg0: tensor<2xi32>, %arg1: tensor<2x256x128xf32>, %arg2: tensor<1x128xf32>) -> tensor<2x256x128xf32> {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<2x256x128xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:4 = stablehlo.while(%iterArg = %c, %iterArg_0 = %c, %iterArg_1 = %c, %iterArg_2 = %cst) : tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x256x128xf32>
    cond {
      %c_3 = stablehlo.constant dense<8> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %c_3 = stablehlo.constant dense<0> : tensor<i32>
      %c_4 = stablehlo.constant dense<64> : tensor<i32>
      %1 = stablehlo.multiply %iterArg_1, %c_4 : tensor<i32>
      %2 = stablehlo.dynamic_slice %arg1, %iterArg_0, %1, %c_3, sizes = [1, 64, 128] : (tensor<2x256x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x128xf32>
      %3 = stablehlo.reshape %2 : (tensor<1x64x128xf32>) -> tensor<64x128xf32>
      %4 = stablehlo.dynamic_slice %arg0, %iterArg_0, sizes = [1] : (tensor<2xi32>, tensor<i32>) -> tensor<1xi32>
      %5 = stablehlo.reshape %4 : (tensor<1xi32>) -> tensor<i32>
      %6 = stablehlo.multiply %iterArg_1, %c_4 : tensor<i32>
      %7 = stablehlo.add %5, %6 : tensor<i32>
      %8 = stablehlo.iota dim = 0 : tensor<64x128xi32>
      %9 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<i32>) -> tensor<64x128xi32>
      %10 = stablehlo.add %9, %8 : tensor<64x128xi32>
      %11 = stablehlo.convert %10 : (tensor<64x128xi32>) -> tensor<64x128xf32>
      %12 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1] : (tensor<1x128xf32>) -> tensor<64x128xf32>
      %13 = stablehlo.multiply %11, %12 : tensor<64x128xf32>
      %14 = stablehlo.iota dim = 1 : tensor<64x128xi32>
      %c_5 = stablehlo.constant dense<2> : tensor<i32>
      %15 = stablehlo.compare EQ, %c_5, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_6 = stablehlo.constant dense<1> : tensor<i32>
      %16 = stablehlo.select %15, %c_6, %c_5 : tensor<i1>, tensor<i32>
      %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<i32>) -> tensor<64x128xi32>
      %18 = stablehlo.remainder %14, %17 : tensor<64x128xi32>
      %c_7 = stablehlo.constant dense<0> : tensor<64x128xi32>
      %19 = stablehlo.compare NE, %18, %c_7, SIGNED : (tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi1>
      %20 = stablehlo.compare LT, %18, %c_7, SIGNED : (tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi1>
      %21 = stablehlo.compare LT, %16, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %22 = stablehlo.broadcast_in_dim %21, dims = [] : (tensor<i1>) -> tensor<64x128xi1>
      %23 = stablehlo.compare NE, %20, %22, UNSIGNED : (tensor<64x128xi1>, tensor<64x128xi1>) -> tensor<64x128xi1>
      %24 = stablehlo.and %23, %19 : tensor<64x128xi1>
      %25 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<i32>) -> tensor<64x128xi32>
      %26 = stablehlo.add %18, %25 : tensor<64x128xi32>
      %27 = stablehlo.select %24, %26, %18 : tensor<64x128xi1>, tensor<64x128xi32>
      %28 = stablehlo.compare EQ, %27, %c_7, SIGNED : (tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi1>
      %c_8 = stablehlo.constant dense<127> : tensor<i32>
      %c_9 = stablehlo.constant dense<128> : tensor<i32>
      %29 = stablehlo.negate %c_8 : tensor<i32>
      %30 = stablehlo.remainder %29, %c_9 : tensor<i32>
      %31 = stablehlo.add %30, %c_9 : tensor<i32>
      %32 = stablehlo.remainder %31, %c_9 : tensor<i32>
      %33 = stablehlo.concatenate %3, %3, dim = 1 : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x256xf32>
      %34 = stablehlo.dynamic_slice %33, %c_3, %32, sizes = [64, 128] : (tensor<64x256xf32>, tensor<i32>, tensor<i32>) -> tensor<64x128xf32>
      %35 = stablehlo.negate %34 : tensor<64x128xf32>
      %36 = stablehlo.negate %c_6 : tensor<i32>
      %37 = stablehlo.remainder %36, %c_9 : tensor<i32>
      %38 = stablehlo.add %37, %c_9 : tensor<i32>
      %39 = stablehlo.remainder %38, %c_9 : tensor<i32>
      %40 = stablehlo.concatenate %3, %3, dim = 1 : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x256xf32>
      %41 = stablehlo.dynamic_slice %40, %c_3, %39, sizes = [64, 128] : (tensor<64x256xf32>, tensor<i32>, tensor<i32>) -> tensor<64x128xf32>
      %42 = stablehlo.select %28, %35, %41 : tensor<64x128xi1>, tensor<64x128xf32>
      %43 = stablehlo.cosine %13 : tensor<64x128xf32>
      %44 = stablehlo.multiply %3, %43 : tensor<64x128xf32>
      %45 = stablehlo.sine %13 : tensor<64x128xf32>
      %46 = stablehlo.multiply %42, %45 : tensor<64x128xf32>
      %47 = stablehlo.add %44, %46 : tensor<64x128xf32>
      %48 = stablehlo.reshape %47 : (tensor<64x128xf32>) -> tensor<1x64x128xf32>
      %49 = stablehlo.dynamic_update_slice %iterArg_2, %48, %iterArg_0, %1, %c_3 : (tensor<2x256x128xf32>, tensor<1x64x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x256x128xf32>
      %50 = stablehlo.add %iterArg_1, %c_6 : tensor<i32>
      %c_10 = stablehlo.constant dense<4> : tensor<i32>
      %51 = stablehlo.compare EQ, %50, %c_10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %52 = stablehlo.select %51, %c_3, %50 : tensor<i1>, tensor<i32>
      %53 = stablehlo.add %iterArg_0, %c_6 : tensor<i32>
      %54 = stablehlo.select %51, %53, %iterArg_0 : tensor<i1>, tensor<i32>
      %55 = stablehlo.add %iterArg, %c_6 : tensor<i32>
      stablehlo.return %55, %54, %52, %49 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x256x128xf32>
    }
    return %0#3 : tensor<2x256x128xf32>
  }
}
