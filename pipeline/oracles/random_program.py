"""Random programs over the language, as spec text: operands of every dtype in every memory, blocks whole, partial and
squeezed, prefetched tables, aliases, scratch, copies, gathers and scatters, products, loops and branches, several
outputs, some of them accumulated over revisits.

`choose(options)` picks one; every choice is made by it, so that hypothesis can make and shrink the programs. What two
executors may compute a last bit apart is not asked a question whose answer is all or nothing (`exact`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

Choose = Callable[[Sequence[Any]], Any]

FLOATS = ("float32", "float32", "bfloat16", "float16")
NARROW = ("float8_e4m3fn", "float8_e5m2")
INTEGERS = ("int32", "int8", "uint8", "int16", "uint16", "uint32")
_KINDS = {**dict.fromkeys((*FLOATS, *NARROW), "float"), **dict.fromkeys(INTEGERS, "integer"), "bool": "bool"}


class Value(NamedTuple):
    """A name of the kernel that stands for an array of the block's shape. exact: executors agree on its last bit."""

    name: str
    dtype: str
    exact: bool

    @property
    def kind(self) -> str:
        return _KINDS[self.dtype]


# template -> dtype of the result ("" for that of `{a}`); `{a}`, `{b}` are values of one dtype, `{i}` a program id,
# `{k}` an array of small integers, `{t}` another dtype, `{z}` the dtype of `{a}`, `{w}` its bits
_ANY: dict[str, str] = {
    **dict.fromkeys((
        "jnp.where({k} > 1, {a}, {b})", "{a}[::-1, :]", "jnp.concatenate([{a}[2:, :], {b}[:2, :]], axis=0)",
        "{a}.reshape(-1)[None, :].reshape({a}.shape)", "jnp.broadcast_to({a}[0:1, :], {a}.shape)",
        "jnp.transpose(jnp.transpose({a}))", "jnp.take_along_axis({a}, {k}, axis=1)",
        "jnp.tile({a}[:, :4], (1, C // 4))", "jax.lax.select(n[{i}] > 0, {a}, {b})",
        "jnp.stack([{a}, {b}])[n[{i}] % 2]", "jnp.roll({a}, 3, axis=1)",
        "jnp.split({a}, 2, axis=0)[1].repeat(2, axis=0)", "jax.lax.cond(n[{i}] > 1, lambda: {a}, lambda: {b})",
        "jax.lax.switch(n[{i}], [lambda v: v, lambda v: v[::-1], lambda v: v[:, ::-1]], {a})",
        "jax.lax.fori_loop(0, 3, lambda q, c: jnp.where({k} == q, {a}, c), {b})", "jnp.squeeze({a}[None], 0)",
        "jax.lax.dynamic_slice(jnp.concatenate([{a}, {b}], axis=0), (n[{i}], 0), {a}.shape)",
        "jax.lax.dynamic_update_slice({a}, {b}[0:2, :], (n[{i}], 0))", "jnp.pad({a}[:, 1:], ((0, 0), (1, 0)))",
    ), ""),
    "{a} == {b}": "bool",
    "{a} != {b}": "bool",
}  # fmt: skip
_NUMBER: dict[str, str] = {
    **dict.fromkeys((
        "{a} + {b}", "{a} - {b}", "{a} * {b}", "jnp.maximum({a}, {b})", "jnp.minimum({a}, {b})",
        "jnp.clip({a}, 1, 3)", "jnp.square({a})", "{a} ** 3", "{a} * 2", "jnp.abs({a})",
        "jax.lax.fori_loop(0, 3, lambda q, c: c + {a}, {b})", "jnp.sign({a})",
        "jnp.max({a}, axis=1, keepdims=True) + {a}", "jnp.min({a}, axis=0, keepdims=True) - {a}",
        "jnp.sort({a}, axis=1)", "jax.lax.cummax({a}, axis=0)", "jax.lax.cummin({a}, axis=1, reverse=True)", "-{a}",
        "jax.lax.clamp({b}, {a}, {b})", "{a} + pl.num_programs(0)", "pltpu.roll({a}, n[{i}], 1)",
    ), ""),
    "{a}.astype(jnp.{t})": "{t}",
    "{a} < {b}": "bool",
    "{a} <= {b}": "bool",
    "{a} > {b}": "bool",
    "{a} >= {b}": "bool",
    "jnp.sum({a}.astype(jnp.int32), axis=0, keepdims=True) + {k}": "int32",
    "jnp.argmax({a}, axis=1)[:, None] + {k}": "int32",
    "jnp.argmin({a}, axis=0)[None, :] + {k}": "int32",
}  # fmt: skip
_FLOAT: dict[str, str] = {
    **dict.fromkeys((
        "jnp.exp(-jnp.abs({a}))", "jnp.tanh({a})", "jax.nn.sigmoid({a})", "jnp.sin({a})", "jnp.cos({a})",
        "jax.lax.rsqrt(jnp.abs({a}) + 1)", "jnp.sqrt(jnp.abs({a}))", "jnp.log1p(jnp.abs({a}))",
        "jnp.log(jnp.abs({a}) + 1)", "jax.lax.erf({a})", "{a} / (1 + jnp.abs({b}))", "jnp.floor({a})",
        "jnp.ceil({a})", "jnp.round({a})", "jax.lax.round({a})", "jnp.exp2(-jnp.abs({a}))",
        "jax.nn.softmax({a}, axis=-1)", "jnp.mean({a}, axis=1, keepdims=True) + {b}", "jnp.expm1(-jnp.abs({a}))",
        "jnp.cumsum({a}, axis=1)", "jax.lax.reduce_precision({a}, 8, 3)",
        "jnp.prod(jnp.tanh({a}[:, :3]), axis=1, keepdims=True) + {b}",
        "jax.lax.fori_loop(0, n[{i}], lambda q, c: c * jnp.{z}(0.5) + {a}, {b})", "pl.reciprocal(1 + jnp.abs({a}))",
        "jax.lax.while_loop(lambda c: c[0] < {i}, lambda c: (c[0] + 1, c[1] * jnp.{z}(0.5)), (0, {a}))[1]",
        "jnp.nan_to_num({a})", "pltpu.bitcast(pltpu.bitcast({a}, jnp.int{w}), jnp.{z})",
        "jax.nn.relu({a})", "jax.nn.silu({a})", "jnp.tan({a} * jnp.{z}(0.125))",
        "jax.lax.cbrt({a})",        "jax.lax.erf_inv({a} * jnp.{z}(0.125))", "jnp.power(1 + jnp.abs({a}), {b})",
        "jnp.arctan2({a}, 1 + jnp.abs({b}))", "jax.lax.stop_gradient({a})",
    ), ""),
    "jnp.isfinite({a})": "bool",
    "jnp.isnan({a})": "bool",
    "jnp.dot({a}, {b}.T, preferred_element_type=jnp.float32)[:, 0:1] + jnp.zeros({a}.shape, jnp.float32)": "float32",
    "jax.lax.dot_general({a}, {b}, (((0,), (0,)), ((), ())), preferred_element_type=jnp.float32)[0:1] + {k}":
        "float32",
    "jax.lax.bitcast_convert_type({a}, jnp.int{w})": "int{w}",
}  # fmt: skip
_INTEGER: dict[str, str] = {
    **dict.fromkeys((
        "{a} & {b}", "{a} | {b}", "{a} ^ {b}", "~{a}", "{a} << 1", "{a} >> 1", "{a} // 3", "{a} % 3",
        "jax.lax.div({a}, {b})", "jax.lax.rem({a}, {b})", "jax.lax.shift_right_logical({a}, {b})",
        "jax.lax.shift_right_arithmetic({a}, {b})", "jax.lax.shift_left({a}, {b})", "jax.lax.population_count({a})",
        "jax.lax.clz({a})",
    ), ""),
    "jnp.dot({a}, {b}.T, preferred_element_type=jnp.int32)[:, 0:1] + {k}": "int32",
}  # fmt: skip
_BOOL: dict[str, str] = {
    **dict.fromkeys((
        "{a} & {b}", "{a} | {b}", "~{a}", "{a} ^ {b}", "jnp.any({a}, axis=1, keepdims=True) & {b}",
        "jnp.all({a}, axis=0, keepdims=True) | {b}",
    ), ""),
    "{a}.astype(jnp.{t})": "{t}",
    "jnp.where({a}, {k}, 0)": "int32",
}  # fmt: skip
# these give all or nothing where their operand is a last bit off
_ASKS_ALL = (
    "{a} ==", "{a} !=", "{a} <", "{a} >", "floor", "ceil", "round", "sign(", "sort", "argmax", "argmin", "bitcast",
    "isfinite", "isnan", "reduce_precision", "nan_to_num", ".astype(jnp.int", ".astype(jnp.uint", ".astype(jnp.float8",
)  # fmt: skip
# these are the same bits everywhere, of operands that are
_KEEPS = (
    *_ANY, "jnp.maximum({a}, {b})", "jnp.minimum({a}, {b})", "jnp.clip({a}, 1, 3)", "jnp.abs({a})", "{a} * 2", "-{a}",
    "{a}.astype(jnp.{t})", "jnp.sign({a})", "jnp.sort({a}, axis=1)", "jax.lax.cummax({a}, axis=0)",
    "jax.lax.cummin({a}, axis=1, reverse=True)", "jnp.floor({a})", "jnp.ceil({a})", "jnp.round({a})",
)  # fmt: skip
# stores: `{o}` is an output or scratch, `{v}` a value of its dtype, `{k}` small integers
_STORES = (
    "{o}[...] = {v}", "{o}[0:2, :] = {v}[0:2, :]", "{o}[pl.ds(n[{i}], 2), :] = {v}[0:2, :]", "{o}[n[{i}], :] = {v}[0]",
    "@pl.when({i} == 1)\ndef _():\n    {o}[...] = {v}", "{o}[pl.ds(0, 2, 2), :] = {v}[0:2, :]",
    "{o}[{k}[0, 0:4], :] = {v}[0:4, :]",
    "pltpu.store({o}, {v}, mask={k} > 0)", "def scoped(t):\n    t[...] = {v}\n    {o}[...] = t[...]\n"
    "pl.run_scoped(scoped, pltpu.VMEM({o}.shape, {o}.dtype))",
    "def body(q, c):\n    {o}[q, :] = {v}[q]\n    return c + q\njax.lax.fori_loop(0, n[{i}] + 1, body, 0)",
    "{o}.at[1:3].at[n[{i}] % 2][...] = {v}[0]", "pl.debug_check(n[0] < 9, 'the table')",
    "@pl.loop(0, 3)\ndef _(q):\n    pl.debug_print('round {{}}', q)",
)  # fmt: skip
_ADDITIONS = (
    "jax.ref.addupdate({o}, ({k}[:, 0], pl.ds(0, C)), {v})",
    "{o}[...] += {v}",
    "jax.ref.addupdate({o}, ..., {v})",
    "@pl.when(n[{i}] > 0)\ndef _():\n    {o}[...] += {v}",
)
_COPIES = (
    "copy = pltpu.make_async_copy({h}.at[pl.ds(n[{i}], 4)], {s}.at[pl.ds(0, 4)], sem)\ncopy.start()\ncopy.wait()",
    "copy = pltpu.make_async_copy({h}.at[pl.ds({i}, R)], {s}, sem)\ncopy.start()\ncopy.wait()",
    "@pl.when({i} != 1)\ndef _():\n    pltpu.sync_copy({h}.at[pl.ds(n[{i}], R)], {s})",
    "@pl.loop(0, 2)\ndef _(q):\n    copy = pltpu.make_async_copy({h}.at[pl.ds(q * 2, 2)], {s}.at[pl.ds(q, 2)], sem)\n"
    "    copy.start()\n    copy.wait()",
)  # fmt: skip


def random_program(choose: Choose) -> str:
    """The text of a spec. What it says may be wrong, in which case it has findings."""
    return _Program(choose).text()


class _Program:
    def __init__(self, choose: Choose) -> None:
        self.choose = choose
        self.rank = choose((1, 2))
        self.grid = [choose((1, 2, 3)) for _ in range(self.rank)]
        self.rows, self.columns = choose((4, 8)), choose((8, 12))
        self.axes = ["i", "j"][: self.rank]
        self.values: list[Value] = []
        self.lines: list[str] = []
        self.tables: list[str] = []

    def text(self) -> str:
        choose = self.choose
        inputs = [
            (f"x{number}", choose((*FLOATS, *INTEGERS, *NARROW, "bool"))) for number in range(choose((1, 2, 2, 3)))
        ]
        outputs = [(f"o{number}", choose((*FLOATS, *INTEGERS, "bool"))) for number in range(choose((1, 1, 2)))]
        held = choose(("", *FLOATS, *INTEGERS))
        moved = choose(("", *FLOATS, *INTEGERS))
        smem = choose((False, True))
        alias = choose((False, False, True))
        if alias:
            outputs[0] = (outputs[0][0], inputs[0][1])
        self._tables(inputs, outputs, held, moved, smem, alias)
        self._body(inputs, outputs, held, moved, smem)
        names = ["n", *(name for name, _ in inputs), *(["m"] if smem else []), *(["h"] if moved else [])]
        names += [*(name for name, _ in outputs), "u", "w", *(["s"] if held else []), *(["t", "sem"] if moved else [])]
        body = "".join(f"    {line}\n" for statement in self.lines for line in statement.split("\n"))
        grid = f"[grid]\nshape = {self.grid}\n"
        table = '[[scalar_prefetch]]\nname = "n"\nshape = [4]\ndtype = "int32"\n'
        table += 'data = { kind = "values", values = [0, 2, 1, 1] }\n'
        kernel = f"[kernel]\nsource = '''\ndef kernel({', '.join(names)}):\n{body}'''\n"
        return "\n".join(
            ['name = "random"\nsummary = "random"\ntargets = ["v5e"]\n', kernel, grid, table, *self.tables]
        )

    # --- operands
    def _tables(
        self, inputs: list[tuple[str, str]], outputs: list[tuple[str, str]], held: str, moved: str, smem: bool,
        alias: bool,
    ) -> None:  # fmt: skip
        window = self._window(False)
        for number, (name, dtype) in enumerate(inputs):
            shape, lines = window if number == 0 else self._window(False)
            self._table("inputs", name, shape, lines, dtype, _data(dtype))
        if smem:
            self._table(
                "inputs", "m", [6], 'memory_space = "smem"', "int32", 'kind = "integers", low = 0, high = 3, seed = 7'
            )
        if moved:
            self._table("inputs", "h", [16, self.columns], 'memory_space = "any"', moved, _data(moved))
        for number, (name, dtype) in enumerate(outputs):
            shape, lines = window if alias and number == 0 else self._window(True)
            self._table("outputs", name, shape, lines + ('\nalias = "x0"' if alias and number == 0 else ""), dtype)
        for name, dtype in (("u", "float32"), ("w", "int32")):
            self._table("outputs", name, *self._apart(), dtype)
        block = [self.rows, self.columns]
        if held:
            self._table("scratch", "s", block, 'kind = "vmem"', held)
        if moved:
            self._table("scratch", "t", block, 'kind = "vmem"', moved)
            self.tables.append('[[scratch]]\nname = "sem"\nkind = "dma_semaphore"\n')

    def _apart(self) -> tuple[list[int], str]:
        """An output of which each step has a block of its own."""
        shape = [self.grid[0] * self.rows, (self.grid[1] if self.rank > 1 else 1) * self.columns]
        block = f"block = [{self.rows}, {self.columns}]\n"
        place = "i, j" if self.rank > 1 else "i, 0"
        return shape, f'{block}index_map = "lambda {", ".join(self.axes)}, n: ({place})"'

    def _table(self, table: str, name: str, shape: list[int], lines: str, dtype: str, data: str = "") -> None:
        said = f"data = {{ {data} }}\n" if data else ""
        self.tables.append(f'[[{table}]]\nname = "{name}"\nshape = {shape}\ndtype = "{dtype}"\n{said}{lines}\n')

    def _window(self, is_output: bool) -> tuple[list[int], str]:
        """Shape of an array and the lines of its block, of the kernel's rows and columns, perhaps out of more axes."""
        choose = self.choose
        squeezed = choose((False, False, True))
        shape, entries = [], []
        for size in ([1] if squeezed else []) + [self.rows, self.columns]:
            axis = choose(range(self.rank))
            options = [("0", 1), (self.axes[axis], self.grid[axis]), (self.axes[0], self.grid[0])]
            options.append((f"{self.axes[-1]} // 2", (self.grid[-1] + 1) // 2))
            if not is_output:
                options += [
                    (f"n[{self.axes[axis]}]", 3),
                    (f"{self.grid[axis] - 1} - {self.axes[axis]}", self.grid[axis]),
                ]
            if self.rank > 1:
                options.append((f"i * {self.grid[1]} + j", self.grid[0] * self.grid[1]))
            entry, count = choose(options)
            entries.append(entry)
            cut = 0 if size == 1 else choose((0, 0, 0, 1))
            shape.append(max(1, count * size - cut))
        block = '["squeezed", ' if squeezed else "["
        lines = f"block = {block}{self.rows}, {self.columns}]\n"
        return shape, f'{lines}index_map = "lambda {", ".join(self.axes)}, n: ({", ".join(entries)})"'

    # --- the kernel
    def _body(
        self, inputs: list[tuple[str, str]], outputs: list[tuple[str, str]], held: str, moved: str, smem: bool
    ) -> None:
        choose = self.choose
        self.lines += [f"R, C = {self.rows}, {self.columns}"]
        self.lines += [f"p{axis} = pl.program_id({axis})" for axis in range(self.rank)]  # no loop may ask for it
        if held:
            cleared = f"@pl.when(p{self.rank - 1} == 0)\ndef _():\n    s[...] = jnp.zeros_like(s)"
            self.lines.append(choose(("pass", "s[...] = jnp.zeros_like(s)", cleared)))
        if moved:
            self.lines.append("t[...] = jnp.zeros_like(t)")
        small = [f"jax.lax.broadcasted_iota(jnp.int32, (R, C), {choose((0, 1))}) % 4"]
        small += ["(n[p0] + jax.lax.broadcasted_iota(jnp.int32, (R, C), 1)) % 4"]
        small += ["(m[p0] + jax.lax.broadcasted_iota(jnp.int32, (R, C), 0)) % 4"] if smem else []
        self.lines.append(f"k = {choose(small)}")
        self.values.append(Value("k", "int32", True))
        for name, dtype in inputs:
            masked = f"jnp.where(k > 0, pltpu.load({name}, mask=k > 0), {name}[...])"
            self._define(choose((f"{name}[...]", f"{name}[...]", masked)), dtype, True)
        if moved and choose((False, True, True)):
            self._copy()
            self._define("t[...]", moved, True)
        for _ in range(choose((1, 2, 3, 4, 5))):
            self._statement()
        refs = [*outputs, *([("s", held)] if held else [])]
        for name, dtype in outputs:
            self.lines.append(choose(("pass", f"{name}[...] = jnp.zeros({name}.shape, {name}.dtype)")))
            if choose((True, True, False)):
                self._store(name, dtype, ("{o}[...] = {v}",))
        for _ in range(choose((0, 1, 2, 3))):
            name, dtype = choose(refs)
            self._store(name, dtype, _STORES + (() if dtype == "bool" else _ADDITIONS))
        if held and choose((False, True)):
            self._define("s[...]", held, False)
        self._keep()

    def _keep(self) -> None:
        """What nobody reads, a tracer drops: it goes into further outputs, integers where its bits are the same."""
        text = "\n".join(self.lines)
        unread = [v for v in self.values if len(re.findall(rf"\b{v.name}\b", text)) == 1]
        for name, dtype, exact in (("u", "float32", False), ("w", "int32", True)):
            values = [v for v in unread if (v.exact or v.kind != "float") == exact]
            total = " + ".join(f"{v.name}.astype(jnp.{dtype})" for v in values)
            self.lines.append(
                f"{name}[...] = {total}" if total else f"{name}[...] = jnp.zeros({name}.shape, jnp.{dtype})"
            )

    def _define(self, text: str, dtype: str, exact: bool) -> None:
        name = f"v{len(self.values)}"
        self.lines.append(f"{name} = {text}")
        self.values.append(Value(name, dtype, exact))

    def _copy(self) -> None:
        text = self.choose(_COPIES)
        self.lines.append(text.format(h="h", s="t", i=self._id()))

    def _id(self) -> str:
        return f"p{self.choose(range(self.rank))}"

    def _statement(self) -> None:
        first = self.choose(self.values[:-3:-1] + self.values)  # rather what was just made
        templates = {
            "float": {**_ANY, **_NUMBER, **_FLOAT}, "integer": {**_ANY, **_NUMBER, **_INTEGER},
            "bool": {**_ANY, **_BOOL},
        }[first.kind]  # fmt: skip
        template = self.choose([t for t in templates if self._suits(first, t)])
        others = [v for v in self.values if v.dtype == first.dtype and (v.exact or not _asks(template))]
        second = self.choose(others)
        other = self._other(first, template)
        width = {"float32": 32, "bfloat16": 16, "float16": 16}.get(first.dtype, 8)
        index = "k" if first.name != "k" else self.choose(("k", "(k + 1) % 4"))
        text = template.format(a=first.name, b=second.name, i=self._id(), k=index, t=other, z=first.dtype, w=width)
        dtype = templates[template].format(t=other, w=width) or first.dtype
        exact = first.exact and second.exact and (first.kind != "float" or template in _KEEPS or _asks(template))
        if "astype(jnp.{t})" in template and (_KINDS[other], first.kind) == ("float", "float") and not first.exact:
            exact = False
        self._define(text, dtype, exact)

    def _suits(self, value: Value, template: str) -> bool:
        if value.dtype in NARROW and template not in _ANY and "astype" not in template:
            return template in ("{a} + {b}", "{a} * {b}", "jnp.maximum({a}, {b})", "jnp.minimum({a}, {b})", "-{a}")
        if value.dtype.startswith("uint") and template in ("-{a}", "jnp.abs({a})", "jnp.sign({a})"):
            return False
        return value.exact or not _asks(template) or value.kind != "float"

    def _other(self, value: Value, template: str) -> str:
        if "{t}" not in template:
            return "float32"
        options = (*FLOATS, *INTEGERS, *NARROW) if value.exact else FLOATS
        other: str = self.choose([dtype for dtype in options if dtype != value.dtype])
        return other

    def _store(self, name: str, dtype: str, templates: Sequence[str]) -> None:
        value = self.choose(self.values)
        text = value.name
        if value.dtype != dtype:
            text = f"({text} != 0)" if dtype == "bool" and value.kind != "bool" else f"{text}.astype(jnp.{dtype})"
            if value.kind == "float" and not value.exact and _KINDS[dtype] != "float":
                text = f"k.astype(jnp.{dtype})" if dtype != "bool" else "(k > 1)"
        self.lines.append(self.choose(templates).format(o=name, v=text, i=self._id(), k="k"))


def _asks(template: str) -> bool:
    return any(word in template for word in _ASKS_ALL)


def _data(dtype: str) -> str:
    match _KINDS[dtype]:
        case "float":
            return 'kind = "normal", seed = 3'
        case "bool":
            return 'kind = "integers", low = 0, high = 1, seed = 3'
        case _:
            low = 0 if dtype.startswith("u") else -100
            return f'kind = "integers", low = {low}, high = 100, seed = 3'
