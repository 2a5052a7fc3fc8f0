"""The JSON Schema of spec files, made from the models, for editors; published beside them as schema.json.

It is in draft 4, which TOML's editors check by and YAML's know too; there, as here, 1.0 is not an integer.
"""

from __future__ import annotations

import json
from typing import Any

from pipeline.spec.model import SpecFile

DIALECT = "http://json-schema.org/draft-04/schema#"


def schema() -> dict[str, Any]:
    """The schema as data: keys the file's tables take, their types and words. Ranks, names and files are `load`'s."""
    made = SpecFile.model_json_schema(ref_template="#/definitions/{model}")
    definitions = made.pop("$defs")
    whole = {"$schema": DIALECT, "title": "Kernel pipeline spec", **_plain(made)}
    whole["definitions"] = {name: _plain(one) for name, one in sorted(definitions.items())}
    return whole


def schema_text() -> str:
    """The text of schema.json."""
    return json.dumps(schema(), indent=2) + "\n"


def _plain(node: Any) -> Any:
    """A schema without what pydantic adds for its own use, in draft 4's words."""
    if isinstance(node, list):
        return [_plain(one) for one in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node and len(node) > 1:  # in draft 4 a $ref hides what stands beside it
        rest = {key: value for key, value in node.items() if key != "$ref"}
        return _plain({"allOf": [{"$ref": node["$ref"]}], **rest})
    plain: dict[str, Any] = {}
    for key, value in sorted(node.items()):  # pydantic's own order is nobody's business
        if key == "title" and isinstance(value, str):
            continue
        if key == "const":
            plain["enum"] = [value]
        elif key == "properties":
            plain[key] = {name: _plain(one) for name, one in value.items()}
        elif key == "default" and value is None:
            continue
        else:
            plain[key] = _plain(value)
    return plain
