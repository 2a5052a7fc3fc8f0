"""What `jax.experimental.checkify` says of a spec's kernel: which of its checks fails, in its words.

checkify does not look into a `pallas_call`, whatever interprets it (JAX 0.10.2): no check inside ever fails. Here it is
given the loop over the grid that `interpret=True` runs, in place of the call. JAX is imported inside functions.
"""

from __future__ import annotations

from typing import Any

from pipeline.ir.call import Role
from pipeline.oracles.spec_to_jax import spec_to_jax
from pipeline.simulate.data import make_inputs
from pipeline.spec.spec import Spec

_KINDS = {"OOBError": "bounds", "NaNError": "nan", "DivisionByZeroError": "div", "FailedCheckError": "debug"}


def checkified(spec: Spec) -> dict[str, str]:
    """kind of check (ours) -> the first line of the error, for those that fail."""
    import jax
    from jax._src.pallas import hlo_interpreter
    from jax.experimental import checkify

    fn, avals = spec_to_jax(spec, interpret=True)
    traced = jax.make_jaxpr(fn)(*avals)
    [eqn] = [eqn for eqn in traced.eqns if eqn.primitive.name == "pallas_call"]
    params = {key: value for key, value in eqn.params.items() if key != "interpret"}

    def loop(*operands: Any) -> Any:
        return hlo_interpreter.pallas_call_hlo_interpret(*operands, **params)

    inputs = make_inputs(spec)
    operands = [inputs[o.name] for role in (Role.SCALAR_PREFETCH, Role.INPUT) for o in spec.operands if o.role is role]
    error, _ = jax.jit(checkify.checkify(loop, errors=checkify.all_checks))(*operands)
    found: dict[str, str] = {}
    for effect, failed in error._pred.items():
        if failed:
            text = jax.tree.unflatten(error._metadata[int(error._code[effect])], error._payload[effect])
            found[_KINDS[effect.error_type.__name__]] = str(text).splitlines()[0].strip()
    return dict(sorted(found.items()))
