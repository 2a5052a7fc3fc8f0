"""Small Pallas kernels, one idea each, whose Mosaic modules JAX has been asked for. Needs JAX; `record.py` imports it.

`CASES` maps a name to a function of no arguments that returns a JAX function around one `pallas_call`, and its avals.
The files fill it when they are imported, in this order.
"""

from corpus import elementwise, shape, memory, grids, control, further  # isort: skip
from corpus.making import CASES

__all__ = ["CASES", "control", "elementwise", "further", "grids", "memory", "shape"]
