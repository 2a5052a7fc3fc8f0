"""The lowered module is JAX's: same ops, wiring, types and attributes in the same order, for each target."""

from __future__ import annotations

import pytest

from pipeline.chips.load import load_chip
from pipeline.errors import SpecError
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.lower.mosaic_tpu.text import print_mosaic
from pipeline.oracles.agreement import LOWERING
from pipeline.oracles.compare_mosaic import module_difference
from pipeline.oracles.jax_mosaic import emit, reprint
from pipeline.oracles.random_legality import CHIPS, EARLY_CHIPS
from pipeline.oracles.shipped import chip_targets, is_lowered, shipped_specs, spec_id
from pipeline.oracles.spec_to_jax import spec_to_jax
from pipeline.spec.spec import Spec
from pipeline.trace.trace import trace

# blocks off the lattice and the like: JAX refuses them before it has a module; we refuse them with one
SPECS = shipped_specs()
OURS = [spec for spec in SPECS if not (spec.expect or "").startswith("L")]
# what is lowered for no target of its own may be off the lattice of all chips
LOWERABLE = [spec for spec in OURS if spec.expect not in LOWERING and is_lowered(spec)]
REFUSED = [spec for spec in SPECS if (spec.expect or "").startswith("L")]
FOR_EARLY = LOWERABLE[::8]  # what differs for early chips is the sign of bfloat16
PAIRS = [
    pytest.param(spec, chip, id=f"{spec_id(spec)}-{chip}")
    for specs, chips in ((LOWERABLE, CHIPS), (FOR_EARLY, EARLY_CHIPS))
    for spec in specs
    for chip in chips
]


@pytest.mark.parametrize(("spec", "chip"), PAIRS)
def test_same_module(spec: Spec, chip: str) -> None:
    text = print_mosaic(lower(trace(spec), load_chip(chip)))
    [theirs] = emit(*spec_to_jax(spec), chip)
    difference = module_difference(text, theirs)
    assert difference is None


@pytest.mark.parametrize("spec", REFUSED, ids=spec_id)
def test_both_refuse_to_lower(spec: Spec) -> None:
    from jax._src.pallas.mosaic.error_handling import MosaicError
    from jax._src.pallas.mosaic.lowering import LoweringException

    for target in chip_targets(spec):
        with pytest.raises(SpecError) as ours:
            lower(trace(spec), load_chip(target))
        assert ours.value.diagnostics[0].code == spec.expect
        with pytest.raises((MosaicError, LoweringException, NotImplementedError, ValueError)):
            emit(*spec_to_jax(spec), target.name)


@pytest.mark.parametrize("spec", [spec for spec in OURS if chip_targets(spec)], ids=spec_id)
def test_text_is_in_the_form_that_mlir_prints(spec: Spec) -> None:
    """jaxlib parses and verifies our text, and prints the same characters back."""
    text = print_mosaic(lower(trace(spec), load_chip(chip_targets(spec)[0])))
    assert reprint(text) == text
