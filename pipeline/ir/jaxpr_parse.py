"""Reads a jaxpr's text: a recursive-descent parser over tokens. The grammar is what `jaxpr_text.py` prints."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple, NoReturn

from pipeline.dtypes import BY_NAME, BY_SHORT, DType
from pipeline.errors import Source, Span, SpecError
from pipeline.ir.jaxpr import (
    Arg,
    Atom,
    Aval,
    Eqn,
    Jaxpr,
    Literal,
    MemorySpace,
    NDIndexer,
    Param,
    Prim,
    RefAval,
    RefBitcast,
    RefReshape,
    ShapedArray,
    Slice,
    Transform,
    Var,
)
from pipeline.ir.jaxpr_text import Shape, replaced_aval, shape_after

_TOKEN = re.compile(
    r"[ \t\r]+|#[^\n]*|(?P<newline>\n)"
    r"|(?P<number>-?(?:inf\b|nan\b|\d+(?:\.\d+)?(?:e[+-]?\d+)?))"
    r'|(?P<string>"(?:[^"\\\n]|\\.)*")'
    r"|(?P<word>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<sign>\.\.\.|<-|->|\+=|[{}\[\]().,:;=<>+*$~@])"
)
_ORIGIN = re.compile(r"# *([^\s:]+:\d+) *$", re.MULTILINE)
_PRIMS = {prim.value: prim for prim in Prim}
_SPACES = {space.value: space for space in MemorySpace}
_MAX_DIGITS = 400  # of one number; 64-bit ints and doubles fit
_MAX_DEPTH = 50  # of nested jaxprs and tuples


class _Token(NamedTuple):
    kind: str  # number, string, word, sign, end
    text: str
    line: int
    column: int
    first: bool  # of its line


class Parser:
    """One pass over one text. `parse` is the entry; every other method reads what its name says, from `at` on."""

    def __init__(self, text: str, span_at: Callable[[int, int, int], Span] | None = None) -> None:
        source = Source("jaxpr", text)
        self.span_at = span_at or (lambda line, column, end: Span(source, line, column, end))
        self.origins = self.find_origins(text)
        self.tokens = self.tokenize(text)
        self.at = 0
        self.depth = 0
        self.scope: dict[str, Var] = {}
        self.binder_spans: list[Span] = []  # of the jaxpr read last, which is the outermost one in the end

    @staticmethod
    def find_origins(text: str) -> list[tuple[int, str]]:
        """(line, origin) of each comment that is one, in order."""
        origins: list[tuple[int, str]] = []
        line, position = 1, 0
        for found in _ORIGIN.finditer(text):
            line += text.count("\n", position, found.start())
            position = found.start()
            origins.append((line, found[1]))
        return origins

    def parse(self) -> Jaxpr:
        """The jaxpr; `binder_spans` are then those of its binders."""
        jaxpr = self.jaxpr()
        if self.peek.kind != "end":
            self.fail(f"{self.peek.text!r} follows the jaxpr's end")
        return jaxpr

    # tokens

    def tokenize(self, text: str) -> list[_Token]:
        tokens: list[_Token] = []
        line, line_start, position, first = 1, 0, 0, True
        for found in _TOKEN.finditer(text):
            if found.start() != position:
                break
            position = found.end()
            kind = found.lastgroup
            if kind == "newline":
                line, line_start, first = line + 1, position, True
            elif kind is not None:
                tokens.append(_Token(kind, found[0], line, found.start() - line_start + 1, first))
                first = False
        column = position - line_start + 1
        if position < len(text):
            raise self.error(f"a jaxpr has no {text[position]!r}", self.span_at(line, column, column + 1))
        tokens.append(_Token("end", "", line, column, True))
        return tokens

    @property
    def peek(self) -> _Token:
        return self.tokens[self.at]

    def ahead(self, count: int) -> _Token:
        return self.tokens[min(self.at + count, len(self.tokens) - 1)]

    def next(self) -> _Token:
        token = self.peek
        if token.kind != "end":
            self.at += 1
        return token

    def span(self, token: _Token) -> Span:
        found = self.span_at(token.line, token.column, token.column + len(token.text))
        at = bisect_right(self.origins, token.line, key=lambda origin: origin[0]) - 1
        return found if at < 0 else replace(found, origin=self.origins[at][1])

    @staticmethod
    def error(message: str, span: Span) -> SpecError:
        return SpecError("T901", message, span, hint="write it as `pipeline show --stage trace` prints jaxprs")

    def fail(self, message: str, token: _Token | None = None) -> NoReturn:
        raise self.error(message, self.span(token or self.peek))

    def skip(self, text: str) -> bool:
        """Step over `text` where it comes next."""
        if self.peek.text == text and self.peek.kind in ("sign", "word"):
            self.at += 1
            return True
        return False

    def on_line(self, text: str) -> bool:
        """Whether `text` comes before the line ends."""
        count = 0
        while not self.ahead(count).first:
            if self.ahead(count).text == text:
                return True
            count += 1
        return False

    def want(self, text: str) -> None:
        if not self.skip(text):
            self.fail(f"{text!r} expected, not {self.peek.text!r}" if self.peek.text else f"{text!r} expected")

    def word(self, what: str) -> _Token:
        if self.peek.kind != "word":
            self.fail(f"{what} expected, not {self.peek.text!r}")
        return self.next()

    def number(self) -> bool | int | float:
        token = self.next()
        if token.kind == "word" and token.text in ("True", "False"):
            return token.text == "True"
        if token.kind != "number" or len(token.text) > _MAX_DIGITS:
            self.fail(f"a number expected, not {token.text[:40]!r}", token)
        text = token.text
        return int(text) if text.lstrip("-").isdigit() else float(text)

    def integer(self) -> int:
        token = self.peek
        value = self.number()
        if isinstance(value, bool) or not isinstance(value, int):
            self.fail(f"an integer expected, not {token.text!r}", token)
        return value

    def nest(self) -> None:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            self.fail(f"nested more than {_MAX_DEPTH} deep")

    # types

    def dtype(self) -> DType:
        token = self.word("a dtype")
        if token.text not in BY_SHORT:
            self.fail(f"no dtype is called {token.text!r} in a jaxpr", token)
        return BY_SHORT[token.text]

    def sizes(self, close: str) -> tuple[int, ...]:
        found: list[int] = []
        while not self.skip(close):
            if found:
                self.want(",")
            found.append(self.integer())
        return tuple(found)

    def array(self) -> ShapedArray:
        weak = self.skip("~")
        dtype = self.dtype()
        self.want("[")
        return ShapedArray(self.sizes("]"), dtype, weak)

    def aval(self) -> Aval:
        if not self.skip("Ref"):
            return self.array()
        space = self.space()
        self.want("{")
        inner = self.array()
        self.want("}")
        return RefAval(inner, space)

    def space(self) -> MemorySpace:
        self.want("<")
        token = self.word("a memory space")
        if token.text not in _SPACES:
            self.fail(f"no memory space is called {token.text!r}", token)
        self.want(">")
        return _SPACES[token.text]

    # jaxprs and equations

    def jaxpr(self) -> Jaxpr:
        outer, self.scope = self.scope, {}
        self.nest()
        self.want("{")
        self.want("lambda")
        self.want(";")
        invars: list[Var] = []
        spans: list[Span] = []
        while not self.skip("."):
            spans.append(self.span(self.peek))
            invars.append(self.bind(self.binder()))
        self.want("let")
        eqns: list[Eqn] = []
        while self.peek.text != "in":
            eqns.append(self.eqn())
        self.want("in")
        self.want("(")
        results: list[Atom] = []
        while not self.skip(")"):
            results.append(self.atom())
            if self.peek.text != ")":
                self.want(",")
        self.want("}")
        self.depth -= 1
        self.scope = outer
        self.binder_spans = spans
        return Jaxpr(tuple(invars), tuple(eqns), tuple(results))

    def binder(self) -> tuple[_Token, Var]:
        token = self.word("a variable")
        self.want(":")
        return token, Var(self.aval())

    def bind(self, named: tuple[_Token, Var]) -> Var:
        token, var = named
        if token.text != "_":
            if token.text in self.scope:
                self.fail(f"{token.text!r} is bound twice", token)
            self.scope[token.text] = var
        return var

    def eqn(self) -> Eqn:
        token = self.peek
        span = self.span(token)
        results: list[tuple[_Token, Var]] = []
        while self.ahead(1).text == ":" and self.peek.kind == "word":
            results.append(self.binder())
        if len(results) == 1 and self.skip("<-"):
            ref, transforms, dynamic = self.ref(1)
            eqn = Eqn(Prim.GET, (ref, *dynamic), (results[0][1],), (("transforms", transforms),), span)
        elif len(results) == 1 and self.skip(","):
            eqn = self.swap(results[0][1], span)
        elif not results and (token.text in self.scope or token.text not in _PRIMS):
            eqn = self.store(span)
        else:
            if results:
                self.want("=")
            eqn = self.application(tuple(var for _, var in results), span)
        for named in results:
            self.bind(named)
        scopes: list[str] = []
        while not self.peek.first and self.skip("@"):
            name = self.next()
            if name.kind not in ("word", "string"):
                self.fail(f"the name of a scope expected, not {name.text!r}", name)
            scopes.append(self.string(name) if name.kind == "string" else name.text)
        if scopes:
            eqn = replace(eqn, scopes=tuple(scopes))
        if not self.peek.first and self.peek.text != "in":
            self.fail(f"{self.peek.text!r} follows the equation's end")
        return eqn

    def swap(self, old: Var, span: Span) -> Eqn:
        """`a[...] <- a[...], v`, after the binder of the old value."""
        target = self.ref(2)
        self.want("<-")
        start = self.peek
        if self.ref(2) != target:
            self.fail("a swap names the same ref on both sides", start)
        self.want(",")
        return Eqn(Prim.SWAP, (target[0], self.atom(), *target[2]), (old,), (("transforms", target[1]),), span)

    def store(self, span: Span) -> Eqn:
        ref, transforms, dynamic = self.ref(2)
        if self.skip("+="):
            return Eqn(Prim.ADDUPDATE, (ref, self.atom(), *dynamic), (), (("transforms", transforms),), span)
        self.want("<-")
        value = self.atom()
        old = Var(replaced_aval(value))
        return Eqn(Prim.SWAP, (ref, value, *dynamic), (old,), (("transforms", transforms),), span)

    def application(self, results: tuple[Var, ...], span: Span) -> Eqn:
        """`prim[params] operands`, and the arrow form of a copy."""
        token = self.word("a primitive")
        if token.text not in _PRIMS:
            self.fail(f"no primitive is called {token.text!r}", token)
        prim = _PRIMS[token.text]
        params: dict[str, Param] = {}
        if prim is Prim.DMA_START and self.skip("("):
            mark = self.word("a priority")
            if not (mark.text[:1] == "p" and mark.text[1:].isdigit()) or len(mark.text) > 10:
                self.fail("a priority is written p0, p1, ..", mark)
            self.want(")")
            return self.copy(prim, {"priority": int(mark.text[1:])}, span)
        if self.peek.text == "[" and not self.peek.first:
            self.want("[")
            while not self.skip("]"):
                key = self.word("a param")
                self.want("=")
                if key.text in params:
                    self.fail(f"the param {key.text!r} is given twice", key)
                params[key.text] = self.param()
        elif prim is Prim.DMA_WAIT and not results and self.on_line("->"):
            return self.copy(prim, {}, span)
        inputs: list[Atom] = []
        chain: tuple[Transform, ...] = ()
        dynamic: tuple[Atom, ...] = ()
        if not self.peek.first and self.peek.kind == "word" and self.ahead(1).text in ("[", "."):
            # the dynamic inputs come after all operands, so count these first
            mark_at = self.at
            self.ref(0)
            count = 1
            while not self.operands_end():
                self.atom()
                count += 1
            self.at = mark_at
            ref, chain, dynamic = self.ref(count)
            if "transforms" in params:
                self.fail("transforms are given both as a param and on the operand", token)
            params["transforms"] = chain
            inputs.append(ref)
        while not self.operands_end():
            inputs.append(self.atom())
        return Eqn(prim, (*inputs, *dynamic), results, tuple(sorted(params.items())), span)

    def operands_end(self) -> bool:
        return self.peek.first or self.peek.text in ("in", "@")

    def copy(self, prim: Prim, params: dict[str, Param], span: Span) -> Eqn:
        src, src_chain, first = self.ref(3)
        self.want("->")
        dst, dst_chain, second = self.ref(3 + len(first))
        semaphore, sem_chain, third = self.ref(3 + len(first) + len(second))
        chains = {"src_transforms": src_chain, "dst_transforms": dst_chain, "semaphore_transforms": sem_chain}
        inputs = (src, dst, semaphore, *first, *second, *third)
        return Eqn(prim, inputs, (), tuple(sorted((params | chains).items())), span)

    # operands

    def var(self) -> Var:
        token = self.word("a variable")
        if token.text not in self.scope:
            self.fail(f"no variable is called {token.text!r} here", token)
        return self.scope[token.text]

    def atom(self) -> Atom:
        if self.peek.kind != "number" and self.peek.text not in ("True", "False"):
            return self.var()
        value = self.number()
        self.want(":")
        return Literal(value, self.array())

    def ref(self, position: int) -> tuple[Var, tuple[Transform, ...], tuple[Atom, ...]]:
        """A ref with its transforms; its dynamic inputs are numbered from `position`."""
        var = self.var()
        shape: Shape | None = var.aval.shape
        chain: list[Transform] = []
        dynamic: list[Atom] = []
        while not self.peek.first and self.peek.text in ("[", "."):
            if self.peek.text == "[" and self.ahead(1).text == "...":  # the whole ref
                self.at += 2
                self.want("]")
                continue
            transform = self.transform(shape, position, dynamic)
            chain.append(transform)
            shape = shape_after(transform, shape, (*[var] * position, *dynamic))
        return var, tuple(chain), tuple(dynamic)

    def transform(self, shape: Shape | None, position: int, dynamic: list[Atom]) -> Transform:
        start = self.next()
        if start.text == ".":
            return self.view(self.word("reshape or bitcast"))
        if shape is None:
            self.fail("a ref indexed by arrays is not indexed again", start)
        indices: list[int | Arg | Slice] = []
        while not self.skip("]"):
            if indices:
                self.want(",")
            size = shape[len(indices)] if len(indices) < len(shape) else None
            indices.append(self.index(size, position, dynamic))
        if len(indices) != len(shape):
            self.fail(f"{len(indices)} indices for a ref of rank {len(shape)}", start)
        return NDIndexer(tuple(indices))

    def view(self, name: _Token) -> Transform:
        self.want("(")
        if name.text == "reshape":
            return RefReshape(self.sizes(")"))
        if name.text != "bitcast":
            self.fail(f"a ref has no view called {name.text!r}", name)
        array = self.array()
        self.want(")")
        return RefBitcast(array.dtype, array.shape)

    def literal_next(self) -> bool:
        """Whether `0:i32[` or `0:~i32[` comes next, rather than the number of a slice."""
        if self.ahead(1).text != ":" or self.ahead(2).text == "~":
            return self.ahead(1).text == ":"
        return self.ahead(2).text in BY_SHORT and self.ahead(3).text == "["

    def index_number(self, position: int, dynamic: list[Atom]) -> int | Arg:
        if self.peek.kind == "number" and not self.literal_next():
            return self.integer()
        dynamic.append(self.atom())
        return Arg(position + len(dynamic) - 1)

    def index(self, size: int | None, position: int, dynamic: list[Atom]) -> int | Arg | Slice:
        token = self.peek
        start: int | Arg = 0
        if token.text != ":":
            start = self.index_number(position, dynamic)
            if self.peek.text != ":":
                return start
        self.want(":")
        if self.peek.text in (",", "]"):
            if size is None:
                self.fail("a slice without an end needs a size that is known", token)
            if isinstance(start, Arg):
                self.fail("a dynamic slice has the form start:start+size", token)
            return Slice(start, size - start)
        again: list[Atom] = []
        second = self.index_number(position, again)
        if not self.skip("+"):
            if isinstance(start, Arg) or isinstance(second, Arg):
                self.fail("a dynamic slice has the form start:start+size", token)
            return Slice(start, second - start)
        same = second == start if isinstance(start, int) else again == dynamic[-1:]
        if not same:
            self.fail("a slice of the form start:start+size names one start twice", token)
        count = self.index_number(position, dynamic)
        return Slice(start, count, self.integer() if self.skip(":") else 1)

    # params

    def param(self) -> Param:
        token = self.peek
        match token:
            case _Token(kind="string"):
                self.next()
                return self.string(token)
            case _Token(kind="number") | _Token(text="True" | "False"):
                return self.number()
            case _Token(text="{"):
                return self.jaxpr()
            case _Token(text="<"):
                return self.space()
            case _Token(text="(" | "["):  # JAX prints some tuples as lists
                close = ")" if token.text == "(" else "]"
                self.nest()
                self.next()
                items: list[Param] = []
                while not self.skip(close):
                    items.append(self.param_item())
                    self.skip(",")
                self.depth -= 1
                return tuple(items)
            case _Token(kind="word"):
                self.next()
                return None if token.text == "None" else BY_NAME.get(token.text, token.text)
            case _:
                self.fail(f"a param's value expected, not {token.text!r}")

    def param_item(self) -> Param:
        """An item of a tuple: a param, or a transform, whose words are reserved."""
        token = self.peek
        if token.text in ("reshape", "bitcast") and self.ahead(1).text == "(":
            self.next()
            return self.view(token)  # type: ignore[return-value]  # tuples of transforms are params
        if token.text == "at" and self.ahead(1).text == "[":
            self.at += 2
            indices: list[int | Arg | Slice] = []
            while not self.skip("]"):
                if indices:
                    self.want(",")
                indices.append(self.generic_index())
            return NDIndexer(tuple(indices))  # type: ignore[return-value]
        return self.param()

    def generic_index(self) -> int | Arg | Slice:
        def number() -> int | Arg:
            return Arg(self.integer()) if self.skip("$") else self.integer()

        start = number()
        if not self.skip("+"):
            return start
        return Slice(start, number(), self.integer() if self.skip("*") else 1)

    def string(self, token: _Token) -> str:
        try:
            return str(json.loads(token.text))
        except ValueError:
            self.fail("a string with a broken escape", token)
