"""A complete small spec as text, edited copies of it, and a writer of TOML."""

from __future__ import annotations

import json
from typing import Any

BASE = """\
name = "softmax"
summary = "Row softmax"
targets = ["v5e", "v6e"]

[params]
M = 4096
BM = 256
OUT = "bfloat16"

[kernel]
source = '''
def softmax_kernel(x_ref, o_ref):
    x = x_ref[...].astype(jnp.float32)
    o_ref[...] = x.astype(o_ref.dtype)
'''

[grid]
shape = ["M // BM"]
semantics = ["parallel"]

[[inputs]]
name = "x"
shape = ["M", 512]
dtype = "bfloat16"
block = ["BM", 512]
index_map = "lambda i: (i, 0)"
data = { kind = "normal", seed = 0 }      # or a .npy beside the spec

[[outputs]]
name = "o"
shape = ["M", 512]
dtype = "OUT"
block = ["BM", 512]
index_map = "lambda i: (i, 0)"

[simulate]
reference = "lambda x: softmax(x.astype(float32), axis=1)"
"""

Edit = tuple[str, str]


def edited(*edits: Edit) -> str:
    """BASE with each `old` replaced by `new`, at its first place; an edit that doesn't apply is a wrong test."""
    text = BASE
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def toml_value(value: Any) -> str:
    """A value as inline TOML."""
    match value:
        case dict():
            return "{ " + ", ".join(f"{toml_key(key)} = {toml_value(one)}" for key, one in value.items()) + " }"
        case list():
            return "[" + ", ".join(map(toml_value, value)) + "]"
        case bool():
            return str(value).lower()
        case str():
            return json.dumps(value)
        case float():
            text = repr(value)
            return text if "." in text or "e" not in text else text.replace("e", ".0e")
    return str(value)


def toml_key(key: str) -> str:
    bare = key and all(c.isascii() and (c.isalnum() or c in "-_") for c in key)
    return key if bare else json.dumps(key)


def toml_file(data: dict[str, Any]) -> str:
    """A TOML file that writes tables under headers."""
    plain = "".join(f"{toml_key(key)} = {toml_value(one)}\n" for key, one in data.items() if not tables_of(one))
    for key, one in data.items():
        for table in tables_of(one):
            header = f"[[{toml_key(key)}]]" if isinstance(one, list) else f"[ {toml_key(key)} ] # comment"
            plain += header + "\n\n" + "".join(f"  {toml_key(k)}\t= {toml_value(v)}\n" for k, v in table.items())
    return plain


def tables_of(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, dict):
        return [value]
    return value if isinstance(value, list) and value and all(isinstance(one, dict) for one in value) else []
