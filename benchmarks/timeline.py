"""Time of a timeline by the size of the grid, counted and step by step: `python benchmarks/timeline.py`.

The kernel is a grouped attention's: one operand moves with `i // 8`, which only a table tells. Both sides have the same
pipeline; the one that steps is asked only while that is bearable. The last column says whether they give the same.
"""

from __future__ import annotations

import time
from pathlib import Path

from pipeline.chips.load import load_chip
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.schedule.schedule import schedule
from pipeline.simulate.play import Player
from pipeline.simulate.timing import make_timeline
from pipeline.spec.load import parse_candidate
from pipeline.trace.trace import trace

GRIDS = ((8, 8, 8), (40, 50, 50), (80, 100, 100), (400, 500, 500), (1000, 1000, 1000))
MOST = 100_000  # steps that are walked
SPEC = """
name = "grouped"
targets = ["v5e"]

[kernel]
source = '''
def grouped(q_ref, k_ref, o_ref):
    o_ref[...] = q_ref[...] + k_ref[...]
'''

[grid]
shape = {grid}

[[inputs]]
name = "q"
shape = [8192, 1024]
dtype = "float32"
block = [8, 128]
index_map = "lambda i, j, k: (i, j % 8)"

[[inputs]]
name = "k"
shape = [8192, 1024]
dtype = "float32"
block = [8, 128]
index_map = "lambda i, j, k: (i // 8, 0)"

[[outputs]]
name = "o"
shape = [8192, 1024]
dtype = "float32"
block = [8, 128]
index_map = "lambda i, j, k: (i, j % 8)"
"""


def main() -> None:
    chip = load_chip("v5e")
    print("| steps | plan and count | step by step | ratio | same cycles |\n|---|---|---|---|---|")
    for grid in GRIDS:
        call = trace(parse_candidate(SPEC.format(grid=list(grid)), Path("grouped.toml"), None, {}))
        module = lower(call, chip)
        start = time.perf_counter()
        made = schedule(call, module, chip)
        timeline = make_timeline(made, chip)
        counted = time.perf_counter() - start
        assert timeline is not None and timeline.exact
        row = f"| {timeline.steps:,} | {1000 * counted:.0f} ms "
        if timeline.steps > MOST:
            print(row + "| | | |")
            continue
        player = Player(call, made, chip)
        start = time.perf_counter()
        play = player.first(player.loop)
        stepped = time.perf_counter() - start
        moved = sum(player.windows[copy.window].copy_bytes for one in play.iterations for copy in one.copies)
        same = (play.end, moved) == (timeline.total, timeline.hbm_bytes)
        print(row + f"| {1000 * stepped:.0f} ms | {stepped / counted:.0f} | {'yes' if same else 'NO'} |")


if __name__ == "__main__":
    main()
