"""`pipeline run`: a kernel executed here, in the modes that hardware leaves open."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from ml_dtypes import bfloat16
from signals import takes_interrupts

from pipeline.cli import main
from pipeline.cli.run_report import Steps, write_outputs
from pipeline.errors import SpecError

SPECS = Path(__file__).parents[2] / "specs"

COPIES = """\
name = "copies"
summary = "Reads a copy's target before or after the wait"
targets = ["v5e"]

[kernel]
source = '''
def kernel(x_ref, o_ref, buffer, sem):
    copy = pltpu.make_async_copy(x_ref, buffer, sem)
    copy.start()
    {first}
    {second}
'''

[[inputs]]
name = "x"
shape = [8, 128]
dtype = "float32"
memory_space = "any"

[[outputs]]
name = "o"
shape = [8, 128]
dtype = "float32"

[[scratch]]
name = "buffer"
kind = "vmem"
shape = [8, 128]
dtype = "float32"

[[scratch]]
name = "sem"
kind = "dma_semaphore"

[simulate]
reference = "lambda x: x"
"""
MESSAGES = """\
name = "messages"
summary = "Says where it is"
targets = ["v5e"]

[kernel]
source = '''
def kernel(x_ref, o_ref):
    pl.debug_print("row {} of {}", pl.program_id(0), pl.num_programs(0))
    o_ref[...] = x_ref[...] + 1.0
'''

[grid]
shape = [3]
semantics = ["parallel"]

[[inputs]]
name = "x"
shape = [24, 128]
dtype = "float32"
block = [8, 128]
index_map = "lambda i: (i, 0)"

[[outputs]]
name = "o"
shape = [24, 128]
dtype = "float32"
block = [8, 128]
index_map = "lambda i: (i, 0)"

[simulate]
reference = "lambda x: x + 1"
"""


def write(folder: Path, name: str, text: str) -> str:
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("order", ["sequential", "reversed", "shuffled", "shuffled:7"])
@pytest.mark.parametrize("spec", ["softmax.toml", "embedding_gather.toml"])
def test_a_right_kernel_passes_in_every_order(spec: str, order: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(SPECS / spec), "--order", order]) == 0
    assert capsys.readouterr().out.endswith("  overall: PASS\n")


@pytest.mark.parametrize("cores", ["2", "3:9"])
def test_a_right_kernel_passes_on_several_cores(cores: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(SPECS / "softmax.toml"), "--cores", cores, "--order", "shuffled"]) == 0
    assert capsys.readouterr().out.endswith("  overall: PASS\n")


def test_an_order_that_no_chip_has_shows_what_needs_its_axis(capsys: pytest.CaptureFixture[str]) -> None:
    """matmul accumulates along an arbitrary axis and starts at its first step."""
    assert main(["run", str(SPECS / "matmul.toml"), "--variant", "k256", "--order", "any:1"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("simulation of matmul_kernel on this machine, order any:1\n") and "error[R323]" in out
    assert main(["run", str(SPECS / "softmax.toml"), "--order", "any:1"]) == 0


def test_checks_are_those_of_the_command_line_and_of_the_spec(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (SPECS / "exhibits" / "mean_of_an_empty_group.toml").read_text(encoding="utf-8")
    divides = write(tmp_path, "mean_of_an_empty_group", text.replace('checks = ["div"]\n', ""))
    assert main(["run", divides]) == 0
    assert "findings:\n  none\n" in capsys.readouterr().out
    for kinds in ("div", "nan,div", "all"):
        assert main(["run", divides, "--checks", kinds, "--cores", "2"]) == 0
        out = capsys.readouterr().out
        assert f"{divides}:12:18: error[R352]: a division by zero at [0, 6] at step (0)" in out
        assert "  12 |     o_ref[...] = x_ref[...] // n_ref[...]\n" in out and "= hint: put another divisor" in out
    assert main(["run", str(SPECS / "softmax.toml"), "--checks", "all", "--order", "reversed"]) == 0
    assert main(["run", divides, "--checks", "nans"]) == 2


@pytest.mark.parametrize("how", ["nan", "zero", "random"])
def test_a_right_kernel_passes_whatever_memory_holds(how: str) -> None:
    assert main(["run", str(SPECS / "matmul.toml"), "--variant", "k256", "--uninitialized", how]) == 0
    assert main(["run", str(SPECS / "hbm_copy.toml"), "--uninitialized", how, "--dma", "eager"]) == 0


def test_messages_name_their_step_in_the_order_of_the_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = write(tmp_path, "messages", MESSAGES)
    assert main(["run", spec]) == 0
    assert capsys.readouterr().out.splitlines()[:3] == [f"step ({i}): row {i} of 3" for i in range(3)]
    assert main(["run", spec, "--order", "reversed"]) == 0
    assert capsys.readouterr().out.splitlines()[:3] == [f"step ({i}): row {i} of 3" for i in (2, 1, 0)]


def test_an_early_read_shows_where_copies_land_late(tmp_path: Path) -> None:
    early = write(tmp_path, "early", COPIES.format(first="o_ref[...] = buffer[...]", second="copy.wait()"))
    right = write(tmp_path, "right", COPIES.format(first="copy.wait()", second="o_ref[...] = buffer[...]"))
    assert [main(["run", early, "--dma", mode]) for mode in ("late", "eager")] == [1, 0]
    assert [main(["run", right, "--dma", mode]) for mode in ("late", "eager")] == [0, 0]


def test_arrays_in_and_out(tmp_path: Path) -> None:
    x = np.random.default_rng(1).normal(size=(2048, 512)).astype(bfloat16)
    np.save(tmp_path / "x.npy", x)
    out = tmp_path / "made" / "here"
    assert main(["run", str(SPECS / "softmax.toml"), "--input", f"x={tmp_path / 'x.npy'}", "-o", str(out)]) == 0
    got = np.load(out / "o.npy").view(bfloat16).astype(np.float64)
    wide = np.exp(x.astype(np.float64))
    np.testing.assert_allclose(got, wide / wide.sum(axis=1, keepdims=True), rtol=2**-6)


def test_wrong_input_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    softmax = str(SPECS / "softmax.toml")
    np.save(tmp_path / "x.npy", np.zeros((2, 2), np.float32))
    assert main(["run", softmax, "--input", "y=y.npy", "--input", "z"]) == 2
    err = capsys.readouterr().err
    assert err.count("error[C112]") == 2 and "the inputs are x" in err
    assert main(["run", softmax, "--input", f"x={tmp_path / 'x.npy'}"]) == 2
    assert "error[R202]: x.npy holds float32 of shape (2, 2)" in capsys.readouterr().err
    assert main(["run", softmax, "--input", "x=gone.npy"]) == 2
    assert main(["run", softmax, "--variant", "no"]) == 2
    assert main(["run", softmax, "-o", str(tmp_path / "x.npy")]) == 2
    assert "error[C113]" in capsys.readouterr().err
    assert main(["run", softmax, "--order", "shuffled:x"]) == 2
    assert main(["run", softmax, "--cores", "0"]) == 2
    assert main(["run", softmax, "--cores", "2:x"]) == 2


def test_an_exhibit_passes_where_it_ends_in_its_error(tmp_path: Path) -> None:
    text = COPIES.format(first="o_ref[...] = buffer[...]", second="copy.wait()")
    expected = write(tmp_path, "early", text + '\n[expect]\nerror = "R301"\n')
    another = write(tmp_path, "other", text + '\n[expect]\nerror = "R302"\n')
    assert main(["run", expected]) == 1  # the numbers are wrong, too: R401 beside it
    assert main(["run", another]) == 1
    out_of_range = SPECS / "exhibits" / "index_map_out_of_range.toml"
    assert main(["run", str(out_of_range)]) == 1  # expects the schedule's own finding, which takes a chip
    text = out_of_range.read_text(encoding="utf-8").replace('error = "P301"', 'error = "R320"')
    assert main(["run", write(tmp_path, "index_map_out_of_range", text)]) == 0


def test_json_is_one_value_and_messages_go_beside_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = write(tmp_path, "messages", MESSAGES)
    assert main(["run", spec, "--format", "json", "-o", str(tmp_path / "out")]) == 0
    told = capsys.readouterr()
    assert told.err.splitlines() == [f"step ({i}): row {i} of 3" for i in range(3)]
    found = json.loads(told.out)
    assert (found["spec"], found["status"], found["passed"]) == ("messages", "ran", True)
    assert [verdict["passed"] for verdict in found["verdicts"]] == [True, True]
    assert found["outputs"][0]["outside_tolerance"] == 0 and found["findings"] == []
    assert found["files"] == [str(tmp_path / "out" / "o.npy")]
    early = write(tmp_path, "early", COPIES.format(first="o_ref[...] = buffer[...]", second="copy.wait()"))
    assert main(["run", early, "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert next(f["code"] for f in found["findings"]) == "R301" and not found["passed"]


def test_outputs_are_written_all_or_none(tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / "b.npy").mkdir(parents=True)
    with pytest.raises(SpecError, match="C113"):
        write_outputs(out, {"a": np.zeros(3), "b": np.zeros(3)})
    assert [path.name for path in out.iterdir() if path.suffix == ".tmp" or path.name.startswith(".")] == []
    (out / "b.npy").rmdir()
    assert write_outputs(out, {"a": np.zeros(3), "b": np.ones(3)}) == [str(out / "a.npy"), str(out / "b.npy")]
    np.testing.assert_array_equal(np.load(out / "b.npy"), np.ones(3))


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_long_run_tells_how_far_it_is_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 0.5, 1.5, 1.6, 3.0, 4.0, 4.0])
    monkeypatch.setattr("pipeline.cli.run_report.time.monotonic", lambda: next(clock))
    monkeypatch.setattr("sys.stderr", Terminal())
    steps = Steps(2000)
    for _ in range(4):
        steps(300)
    steps.clear()
    lines = sys.stderr.getvalue().split("\r\x1b[K")  # type: ignore[attr-defined]
    assert lines == [
        "",
        "600 of 2,000 steps, 400 a second, 4 s left",
        "1,200 of 2,000 steps, 400 a second, 2 s left",
        "",
    ]
    assert Steps(10).line(1.0).startswith("0 of 10 steps")
    monkeypatch.setattr("sys.stderr", io.StringIO())
    Steps(10)(3)
    assert sys.stderr.getvalue() == ""  # type: ignore[attr-defined]


@pytest.mark.parametrize("spec", ["softmax.toml", "hbm_copy.toml", "matmul.toml"])
def test_every_step_is_counted(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether steps run one by one or many at once."""
    made: list[Steps] = []
    monkeypatch.setattr("pipeline.cli.run_kernel.Steps", lambda total: made.append(Steps(total)) or made[-1])
    for order in ("sequential", "reversed"):
        assert main(["run", str(SPECS / spec), "--order", order]) == 0
        assert made[-1].done % made[-1].total == 0 and made[-1].done > 0


def test_an_interrupted_run_writes_nothing(tmp_path: Path) -> None:
    text = MESSAGES.replace("[3]", "[20000]").replace("[24, 128]", "[160000, 128]").replace("[8, 128]", "[8, 128]")
    spec = write(tmp_path, "long", text)
    command = [sys.executable, "-m", "pipeline", "run", spec, "-o", str(tmp_path / "out")]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=takes_interrupts
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "step (0): row 0 of 20000\n"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.startswith("interrupted after ") and err.endswith(" of 20000 steps, nothing is written\n")
    assert err.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_reordered_sums_move_within_the_tolerance(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(SPECS / "matmul.toml"), "--variant", "k256", "--reorder-reductions", "5"]) == 0
    told = capsys.readouterr().out
    assert "\nreordered reductions: seed 5\n  o: " in told and "within the tolerance 2^" in told
    assert main(["run", str(SPECS / "hbm_copy.toml"), "--reorder-reductions"]) == 0
    assert capsys.readouterr().out.endswith("reordered reductions: seed 0\n  o: no element changes\n")
    assert main(["run", str(SPECS / "matmul.toml"), "--reorder-reductions", "x"]) == 2


def test_a_sum_that_cancels_moves_beyond_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """1e8 and its opposite, among small numbers: what is left of those hangs on the order."""
    x = np.random.default_rng(0).normal(size=(8, 128)).astype(np.float32)
    x[:, 3], x[:, 90] = 1e8, -1e8
    np.save(tmp_path / "x.npy", x)
    body = "o_ref[...] = jnp.broadcast_to(jnp.sum(x_ref[...], axis=1, keepdims=True), (8, 128))"
    text = COPIES.format(first="copy.wait()", second=body.replace("x_ref", "buffer"))
    spec = write(tmp_path, "sums", text.replace('reference = "lambda x: x"', ""))
    assert main(["run", spec, "--input", f"x={tmp_path / 'x.npy'}", "--reorder-reductions"]) == 1
    assert "beyond the tolerance" in capsys.readouterr().out
