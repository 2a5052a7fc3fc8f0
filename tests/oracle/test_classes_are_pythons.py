"""What is recorded of classes, patterns and trees in a kernel's source, against Python and JAX themselves."""

from __future__ import annotations

import jax

from tests.trace.test_classes import CLASSES, SAID


def test_python_says_the_same() -> None:
    scope: dict[str, object] = {"jax": jax, "__name__": "kernel"}
    exec(compile(CLASSES, "<kernel>", "exec", dont_inherit=True), scope)
    for expression, value in SAID:
        assert str(eval(expression, scope)) == value, expression
