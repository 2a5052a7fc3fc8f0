"""The instructions of a chip's vector core, from its profile: one `Kind` for each thing the lowering emits."""

from __future__ import annotations

from pipeline.chips.chip import Chip
from pipeline.schedule.bundles.graph import Kind

_INT_RESULTS = ("max", "min", "and", "or", "xor", "shl", "shr", "addi", "subi")
_SHORT = ("to vector", "select", "cmp", "mask")  # one cycle to the result
# what only some of the vector ALUs do, where a chip has a slot for it; an exponential's and a logarithm's factor
_PORTS = {
    "valu_add": ("addf", "subf", "negf", "add", "shl", "shr"),
    "valu_mul": ("mulf", "mul", "math.exp", "math.log"),
}


class Machine:
    """Kinds by name, and the capacities the packing needs."""

    def __init__(self, chip: Chip) -> None:
        self.chip = chip
        self.cycles = dict(chip.cycles)
        self.slots = dict(chip.slots)
        self.ports = {port: names for port, names in _PORTS.items() if port in self.slots}
        one = self.get("load")
        self.push_cycles = self.get("transcendental_op")
        xlu = self.get("xlu_op")
        self.load = Kind("load", "vload", one)
        # rows a whole register apart take another load's slot, where there is one
        self.far_load = Kind("load", "vload", one, min(2, self.slots.get("vload") or 1))
        self.store = Kind("store", "vstore", 1)
        self.pop = Kind("pop", "vpop", 1)
        self.reduce = Kind("lane reduce", "xlu", self.get("lane_reduce"), xlu, "reduce")
        self.permute = Kind("lane permute", "xlu", self.get("lane_permute"), xlu, "permute")
        self.rotate = Kind("lane rotate", "xlu", self.get("lane_rotate"), xlu, "permute")
        self.transpose = Kind("transpose", "xlu", self.get("transpose"), xlu, "transpose")
        self.transpose_packed = Kind("transpose", "xlu", self.get("transpose_packed"), xlu, "transpose")
        self.mask = Kind("mask", "mask", 1)
        self._valu: dict[str, Kind] = {}
        self._eup: dict[tuple[str, bool], Kind] = {}

    def get(self, name: str) -> int:
        """A latency of the profile; an unknown one counts as a cycle."""
        return self.cycles.get(name, 1)

    def valu(self, name: str) -> Kind:
        """A vector ALU instruction that does `name`."""
        found = self._valu.get(name)
        if found is None:
            base = name.removeprefix("arith.")
            if base.startswith(_SHORT):
                latency = self.get("select")
            else:
                latency = self.get("int_op" if base.startswith(_INT_RESULTS) else "float_op")
            port = next((p for p, names in self.ports.items() if base.partition("(")[0] in names), "")
            found = self._valu[name] = Kind(name, "valu", latency, mode=port)
        return found

    def eup(self, name: str, packed: bool) -> Kind:
        """A push to the transcendental unit; its result is popped."""
        found = self._eup.get((name, packed))
        if found is None:
            suffix = "_packed" if packed else ""
            hold = self.get(f"transcendental{suffix}_op")
            found = self._eup[name, packed] = Kind(name, "eup", self.get(f"transcendental{suffix}"), hold)
        return found
