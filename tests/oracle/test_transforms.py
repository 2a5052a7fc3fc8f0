"""JAX makes jvp and vmap of the kernels that we say it does, and the batched call is ours. All are in the record."""

from __future__ import annotations

import pytest

from pipeline.oracles.shipped import spec_id
from pipeline.oracles.transforms import SIZE, askable, batched_call, jax_batched_call, takes
from pipeline.spec.spec import Spec
from pipeline.trace.trace import trace
from pipeline.transforms.verdict import verdicts
from pipeline.transforms.vmap import vmap

SPECS = askable()


@pytest.mark.parametrize("spec", SPECS[3::5], ids=spec_id)
def test_verdicts(spec: Spec) -> None:
    ours = {verdict.transform: verdict.possible for verdict in verdicts(trace(spec))}
    assert takes(spec) == {"jvp": ours["jvp"], "vmap": ours["vmap"]}


@pytest.mark.parametrize("spec", SPECS[1::4], ids=spec_id)
def test_batched_calls(spec: Spec) -> None:
    assert jax_batched_call(spec) == batched_call(vmap(trace(spec), SIZE))


def test_no_kernel_is_turned_around() -> None:
    import jax

    from pipeline.oracles.spec_to_jax import spec_to_jax

    [spec] = [one for one in SPECS if one.name == "softmax"]
    fn, args = spec_to_jax(spec, True)
    with pytest.raises(ValueError):
        jax.eval_shape(jax.grad(lambda x: fn(x).astype("float32").sum()), *args)
