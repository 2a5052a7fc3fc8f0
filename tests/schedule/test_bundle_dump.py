"""Reading the compiler's dumps of packed bundles: texts of our own in their form, counts that can be done by hand."""

from __future__ import annotations

import pytest

from pipeline.oracles.bundle_dump import Count, Loop, count_step, find_loops, read_bundles
from pipeline.oracles.libtpu_bundles import grid_is_looped, kernel_dump

# a grid's loop of 5 trips from 0x2 on, and inside it one of 8 trips at 0x4, whose branch is followed by work
NESTED = """
LB: loop body
     0   :  { %s1_s0 = smov 0 }
   0x1   :  { %s2_s1 = smov 0  ;;  %s3_s2 = smov 2 /* a note /* with one
inside */ sbr.rel target bundleno = 0 */ }
   0x2 LB: > { %s4_s0 = sphi %s1_s0, %s5_s0  ;;  %s5_s0 = sadd.s32 1, %s4_s0 }
   0x3   : > { %6 = dma.hbm_to_vmem [thread:$0]  %s1, 64 /*
shape: (8, 128) */ }
   0x4 LB: >> { %s7_s2 = sphi %s3_s2, %s8_s2  ;;  %v1 = vld [vmem:[#a] sm:$0xff] }
   0x5   : >> { %s8_s2 = sadd.s32 (%p9_p1), 2, %s7_s2 }
   0x6   : >> { %p9_p1 = scmp.ge.s32.totalorder (%p8), %s8_s2, 17 }
   0x7   : > { %10 = sbr.rel (!%p9_p1) target bundleno = 4 (0x4), region = 9 }
   0x8   : >> { %11 = vst [vmem:[#b] sm:$0xff] %v1 }
   0x9   : >> {}
   0xa   : >> {}
   0xb   : >> {}
   0xc PF: > { %p12_p0 = scmp.ge.s32.totalorder %s5_s0, 5 }
   0xd   : > { %13 = sbr.rel (!%p12_p0) target bundleno = 2 (0x2), region = 8 }
   0xe   :  {}
   0xf   :  {}
  0x10   :  {}
  0x11   :  { end }
  0x12   :  { %14 = vsyncpa [#s], 1 }
"""
INNER, OUTER = 8, 16


def test_bundles_keep_their_addresses_and_lose_their_comments() -> None:
    bundles = read_bundles(NESTED)
    assert [bundle.address for bundle in bundles] == list(range(0x13))
    assert [bundle.address for bundle in bundles if bundle.label == "LB"] == [2, 4]
    assert "sbr" not in bundles[1].text
    assert bundles[3].text.endswith("64  }")
    assert read_bundles("no bundle\n  here") == []


def test_loops_are_the_branches_back_with_their_delay_slots() -> None:
    assert find_loops(read_bundles(NESTED), 4) == [Loop(2, 0x11, 5), Loop(4, 0xB, 8)]
    forward = NESTED.replace("target bundleno = 4 (0x4)", "target bundleno = 12 (0xc)")
    assert find_loops(read_bundles(forward), 4) == [Loop(2, 0x11, 5)]


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("%s8_s2, 17", "%s8_s2, %s20"),  # a bound that is no constant
        ("%s3_s2 = smov 2", "%s3_s2 = sld [smem:[#t]]"),  # a start that is none
        ("sadd.s32 (%p9_p1), 2, %s7_s2", "sshll.u32 %s7_s2, 1"),  # no counter
        ("scmp.ge.s32.totalorder (%p8)", "scmp.ne.s32.totalorder (%p8)"),
    ],
)
def test_a_loop_without_a_counter_between_constants_has_no_trips(was: str, now: str) -> None:
    text = NESTED.replace(was, now)
    assert text != NESTED
    assert find_loops(read_bundles(text), 4)[1] == Loop(4, 0xB, None)
    assert count_step(text, looped=True, delay=4) == Count(OUTER, 1)


def test_a_step_is_a_trip_of_the_longest_loop_with_all_trips_of_those_inside() -> None:
    assert count_step(NESTED, looped=True, delay=4) == Count(OUTER - INNER + 8 * INNER, 0)


def test_a_shorter_delay_makes_shorter_loops() -> None:
    assert find_loops(read_bundles(NESTED), 1) == [Loop(2, 0xE, 5), Loop(4, 0x8, 8)]
    assert count_step(NESTED, looped=True, delay=1) == Count(8 + 8 * 5, 0)


def test_without_a_grid_the_step_is_the_kernel() -> None:
    assert count_step(NESTED, looped=False, delay=4) == Count(0x13 - OUTER + 5 * (OUTER - INNER + 8 * INNER), 0)


def test_no_loop_is_no_step_of_a_grid() -> None:
    straight = NESTED.replace("target bundleno", "goal bundleno")
    assert count_step(straight, looped=True, delay=4) is None
    assert count_step(straight, looped=False, delay=4) == Count(0x13, 0)
    assert count_step("", looped=False, delay=4) is None


def test_the_kernels_dump_is_not_that_of_a_copy() -> None:
    names = [
        "17-copy.2-59-packed-bundles-post-ra.txt",
        "18-_lambda_.1-64-packed-bundles-post-ra.txt",
        "18-_lambda_.1-64-final_bundles.txt",
        "18-_lambda_.1-66-schedule-analysis_packed-bundles-post-ra.txt",
    ]
    assert kernel_dump(names) == names[1]
    assert kernel_dump(names[:1]) is None


@pytest.mark.parametrize(
    ("bounds", "looped"), [("", False), ("1", False), ("1, 1", False), ("2", True), ("1, 3", True), ("-9, 1", True)]
)
def test_a_grid_of_a_step_is_no_loop(bounds: str, looped: bool) -> None:
    assert grid_is_looped(f"attributes {{iteration_bounds = array<i64: {bounds}>}}") == looped
    assert not grid_is_looped("module @k {}")
