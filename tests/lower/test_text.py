"""The printer: names, floats, strings, the generic form."""

from __future__ import annotations

import pytest
from kernels import V5E, recorded_call

from pipeline.ir.float_text import float_text
from pipeline.ir.module import (
    Dense,
    DictAttr,
    Func,
    IntArray,
    Module,
    Op,
    Raw,
    Region,
    ScalarType,
    SymbolRef,
    TypedInt,
    Value,
    VectorType,
)
from pipeline.ir.module_text import attr_text, print_module, string_text, symbol_text
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.lower.portability import print_portability

F32, I32, I1 = ScalarType("f32"), ScalarType("i32"), ScalarType("i1")

# value, element type, jaxlib 0.10.2's text
FLOATS = [
    (0.0, "f32", "0.000000e+00"),
    (-0.0, "f32", "-0.000000e+00"),
    (1.0, "f32", "1.000000e+00"),
    (0.10000000149011612, "f32", "1.000000e-01"),
    (0.3333333432674408, "f32", "0.333333343"),
    (9.999999747378752e-06, "f32", "9.99999974E-6"),
    (9.999999747378752e-05, "f32", "9.99999974E-5"),
    (87833.40625, "f32", "87833.4062"),
    (706.575927734375, "f32", "706.575927"),
    (975974976.0, "f32", "0x4E68B0C9"),
    (1234567.0, "f32", "0x4996B438"),
    (-9130254336.0, "f32", "-9.13025433E+9"),
    (-9.829999661481459e-12, "f32", "-9.82999966E-12"),
    (-1.0000000150474662e30, "f32", "-1.000000e+30"),
    (1.2345670461654663, "f32", "1.23456705"),
    (float("inf"), "f32", "0x7F800000"),
    (float("-inf"), "f32", "0xFF800000"),
    (float("nan"), "f32", "0x7FC00000"),
    (9.98377799987793e-07, "bf16", "9.983770e-07"),
    (0.9765625, "bf16", "9.765620e-01"),
    (float("inf"), "bf16", "0x7F80"),
    (float("-inf"), "f16", "0xFC00"),
    (-9.484375, "f16", "-9.484370e+00"),
    (1e-06, "f64", "9.9999999999999995E-7"),
    (-86.675, "f64", "-86.674999999999997"),
    (-1e-12, "f64", "-9.9999999999999998E-13"),
]


@pytest.mark.parametrize(("value", "element", "text"), FLOATS)
def test_floats(value: float, element: str, text: str) -> None:
    assert float_text(value, element) == text


def test_strings_and_symbols() -> None:
    assert string_text('a"b\\c\né') == r'"a\22b\\c\0A\C3\A9"'
    assert symbol_text("kernel_1") == "kernel_1"
    assert symbol_text("a-b") == '"a-b"'


def test_attributes() -> None:
    attr = DictAttr((("a", TypedInt(1, "i64")), ("b", IntArray(())), ("c", (SymbolRef("f"), True, "x", Raw("#q<r>")))))
    assert attr_text(attr) == '{a = 1 : i64, b = array<i64>, c = [@f, true, "x", #q<r>]}'
    assert attr_text(Dense(True, I1)) == "true"
    assert attr_text(Dense(-1, VectorType((2,), I32))) == "dense<-1> : vector<2xi32>"


def constant(value: int, type_: ScalarType = I32) -> tuple[Op, Value]:
    result = Value(type_)
    return Op("arith.constant", (), (result,), (("value", Dense(value, type_)),)), result


def test_nested_regions_are_named_after_the_region_around_them() -> None:
    arg, flag = Value(I32), Value(I1)
    inner_one, one = constant(1)
    inner_two, two = constant(1)
    outer, last = constant(1)
    pair = (Value(I32), Value(I32))
    branches = (
        Region((Value(I32),), (inner_one, Op("t.use", (one,)))),
        Region((Value(I32),), (inner_two, Op("t.use", (two,)))),
    )
    body = Region(
        (arg, flag),
        (Op("t.if", (flag,), pair, (("k", "v"),), branches), outer, Op("t.use", (last, *pair))),
    )
    assert print_module(Module("m", (Func("main", body),)), {}).splitlines() == [
        "module @m {",
        "  func.func @main(%arg0: i32, %arg1: i1) {",
        '    %0:2 = "t.if"(%arg1) <{k = "v"}> ({',
        "    ^bb0(%arg2: i32):",
        '      %c1_i32_0 = "arith.constant"() <{value = 1 : i32}> : () -> i32',
        '      "t.use"(%c1_i32_0) : (i32) -> ()',
        "    }, {",
        "    ^bb0(%arg2: i32):",
        '      %c1_i32_0 = "arith.constant"() <{value = 1 : i32}> : () -> i32',
        '      "t.use"(%c1_i32_0) : (i32) -> ()',
        "    }) : (i1) -> (i32, i32)",
        '    %c1_i32 = "arith.constant"() <{value = 1 : i32}> : () -> i32',
        '    "t.use"(%c1_i32, %0#0, %0#1) : (i32, i32, i32) -> ()',
        "  }",
        "}",
    ]


def test_portability_of_softmax() -> None:
    text = print_portability(lower(recorded_call("softmax_kernel"), V5E))
    assert text.splitlines() == [
        "portability of softmax_kernel",
        "",
        "kernel: ops of any vector machine                     20",
        "  arith.constant                                       6",
        "  arith.divf                                           1",
        "  arith.extf                                           1",
        "  arith.subf                                           1",
        "  arith.truncf                                         1",
        "  func.return                                          1",
        "  math.exp                                             1",
        "  vector.broadcast                                     2",
        "  vector.load                                          2",
        "  vector.multi_reduction                               2",
        "  vector.shape_cast                                    2",
        "kernel: ops that name a unit of this one               1",
        "  tpu.vector_store                                     1",
        "",
        "values in a memory space                               2",
        "  vmem                                                 2",
    ]
