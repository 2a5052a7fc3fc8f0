"""The capture of the stage, whole, for a small call: each line is a fact."""

from __future__ import annotations

from schedule_calls import affine_map, call, operand, scratch

from pipeline.chips.load import load_chip
from pipeline.dtypes import BF16, DMA_SEM
from pipeline.ir.call import Role
from pipeline.ir.jaxpr import MemorySpace
from pipeline.ir.jaxpr_text import parse_jaxpr
from pipeline.schedule.schedule import schedule
from pipeline.schedule.text import print_schedule

EXPECTED = """schedule of kernel on v5e

grid: 4 x 2
steps: 8

window x: input in vmem
  array: bf16[64, 256]
  block: [16, 128]
  tile: (8,128)
  bytes: 4096 a slot, 4096 without padding
  buffer slots: 2, double buffered
  blocks: 8 of 8 visited
  copies: 8 of 4096 B
  steps that keep the block: 0

window t: input in vmem
  array: f32[64, 128]
  block: [8, 128]
  tile: (8,128)
  bytes: 4096 a slot, 4096 without padding
  buffer slots: 2, double buffered
  blocks: 8
  copies: at most 4 of 4096 B  (the index map reads data)
  steps that keep the block: at least 4

window o: output in vmem
  array: f32[64, 128]
  block: [16, 128]
  tile: (8,128)
  bytes: 8192 a slot, 8192 without padding
  buffer slots: 2, double buffered
  blocks: 4 of 4 visited
  copies: 4 of 8192 B
  steps that keep the block: 4

vmem:
  x: 8192 B, window, 2 x 4096 B, double buffered
  t: 8192 B, window, 2 x 4096 B, double buffered
  o: 16384 B, window, 2 x 8192 B, double buffered
  acc: 8192 B, scratch, f32[16,100], 6400 B before padding
  x at 0
  t at 8192
  o at 16384
  acc at 32768
  used: 40960 B (40 KiB)
  limit: 16777216 B (16 MiB), default
  physical: 134217728 B (128 MiB)
  headroom: 16736256 B
  not counted: spilled registers, the compiler's internal scratch

smem:
  used: 0 B (0 B)
  limit: 1048432 B (1048432 B), default
  physical: 1048576 B (1 MiB)
  headroom: 1048432 B

semaphores:
  sem: 12 B, semaphores, 3 of 4 B
  x: 8 B, semaphores, one for each buffer slot
  t: 8 B, semaphores, one for each buffer slot
  o: 8 B, semaphores, one for each buffer slot
  sem at 0
  x at 12
  t at 20
  o at 28
  used: 36 B (36 B)
  limit: 1972 B (1972 B), default
  physical: 2048 B (2 KiB)
  headroom: 1936 B

pipeline: 10 iterations, copies overlap the body
prologue:
  start copy in x: once, 1 in all
  start copy in t: once, 1 in all
steady state:
  start copy in x: every step, 7 in all
  start copy in t: when its block changes, at most, 3 in all
  wait copy in x: every step, 8 in all
  wait copy in t: when its block changes, at most, 4 in all
  run body: every step, 8 in all
  start copy out o: when its block changes, 3 in all
  wait copy out o: when its block changes, 3 in all
epilogue:
  start copy out o: once, 1 in all
  wait copy out o: once, 1 in all
hbm read: 49152 B
hbm written: 32768 B

findings:
  none
"""


def test_a_capture_in_full() -> None:
    reads = parse_jaxpr("{ lambda ; a:i32[] b:i32[] c:Ref<smem>{i32[4]}. let d:i32[] <- c[a] in (d, 0:i32[]) }")
    x = operand("x", (64, 256), (16, 128), affine_map(2, [(0, [1, 0]), (0, [0, 1])]), dtype=BF16)
    t = operand("t", (64, 128), (8, 128), reads)
    o = operand("o", (64, 128), (16, 128), affine_map(2, [(0, [1, 0]), (0, [0, 0])]), role=Role.OUTPUT)
    scratches = [scratch("acc", (16, 100)), scratch("sem", (3,), DMA_SEM, MemorySpace.SEMAPHORE)]
    assert print_schedule(schedule(call([x, t, o], (4, 2), scratches), None, load_chip("v5e"))) == EXPECTED


def test_a_single_step_overlaps_nothing() -> None:
    x = operand("x", (16, 128), (16, 128), affine_map(0, [(0, []), (0, [])]))
    text = print_schedule(schedule(call([x]), None, load_chip("v5e")))
    assert "grid: none\n" in text
    assert "pipeline: 1 iterations, nothing overlaps\n" in text
    assert "  buffer slots: 1, one step\n" in text
