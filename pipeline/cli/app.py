"""The commands' arguments and help, and the guard around them: no run ends in a traceback.

argparse, because it is the quickest to start: help and usage errors answer without pydantic, NumPy or even dataclasses.
Exit status: 0 clean; 1 a capture differs or a verdict fails; 2 the input is wrong; 70 a bug of ours; 130 interrupted.
"""

from __future__ import annotations

import argparse
import atexit
import errno
import gc
import os
import sys
from collections.abc import Sequence

from pipeline import __version__
from pipeline.capture.names import STAGES

_NO_ROOM = (errno.ENOSPC, errno.EIO, errno.EDQUOT)  # of a redirected stdout; captures are reported on their own
_CHECKS = ("bounds", "nan", "div", "uninitialized", "debug", "all")
_BUG, _INTERRUPTED, _BROKEN_PIPE = 70, 130, 141

_MAIN_EPILOG = """\
exit status:
  0  clean
  1  a capture differs from its golden, or a simulation's verdict fails
  2  the input is wrong: every problem found is reported, with file, line and column

examples:
  pipeline build                                   build every spec under specs/
  pipeline build specs/softmax.toml                build one, and write its captures
  pipeline check                                   compare with the goldens; writes nothing (for CI)
  pipeline show specs/softmax.toml --stage lower   print a stage's capture
  pipeline explain P101                            what a diagnostic's code means

environment:
  NO_COLOR         if set, no colors; without it, only on a terminal
  PIPELINE_DEBUG   set to 1 for the traceback of an internal error
"""

_BUILD_EPILOG = """\
Each spec is taken through trace, lower, schedule and simulate, and a capture of each stage is written to
SNAPSHOTS/NAME[/VARIANT]/, e.g. snapshots/softmax/2-lower.v5e.mlir. A spec with an error keeps the goldens of the
stages that failed. Specs that have not changed since the last build are not run again.

In a run over whole folders (no SPEC, or folders beside the snapshots folder), captures that no spec makes are
reported; --prune removes them.

examples:
  pipeline build
  pipeline build specs/softmax.toml --target v5e
  pipeline build -j 4 --prune
"""

_IMPORT_EPILOG = """\
Traces a Python function with JAX (the extra [jax]) and writes every Pallas kernel that it calls as a spec: the kernel
and its index maps as jaxpr text, blocks, grid, scratch, aliases, and the integers that the code around it computes.
From then on JAX is not needed. Several kernels become NAME_1.toml, NAME_2.toml, ..

The function's module is imported and the function is called, on abstract values: this runs its code.

examples:
  pipeline import mypackage.attention:forward --args "bf16[8,1024,128] bf16[8,1024,128]" -o specs/attention.toml
  pipeline import ops.py:paged --args "f32[4,128] i32[4]=integers(1,512)" --static pages=4 -o specs/paged.toml
"""

_VERIFY_EPILOG = """\
Holds specs against the real compilers (the extra [oracle]). jax: JAX traces and lowers the same kernel; the jaxprs and
the Mosaic modules have to be equal, else the first difference is told. libtpu: Google's TPU compiler, ahead of time and
without a TPU, has to accept our module, and to make as many bundles of it as of JAX's own. xla: XLA runs the kernel's
interpret form on the CPU, and has to get the numbers of the functional run. jax-interpret, tpu-interpret: JAX's own
interpreters run the kernel on the spec's data; the numbers have to be ours, and no fault may be seen that we miss.

Exit status: 0 equal, 1 a difference, 2 it cannot be told.

examples:
  pipeline verify specs/softmax.toml --against jax
  pipeline verify specs --against libtpu --target v5e --format json
  pipeline verify specs --against xla
"""

_RUN_EPILOG = """\
Executes the kernel over its grid, in NumPy, on the spec's data; prints its debug messages with their steps, then what
the functional run found. Hardware may take parallel steps in any order and land a copy at any time up to its wait: a
right kernel passes in every mode.

Exit status: 0 it passes, or ends in the error that its spec expects; 1 a verdict fails; 2 the input is wrong.

examples:
  pipeline run specs/softmax.toml --order shuffled:7
  pipeline run specs/matmul.toml --variant k256 --input a=a.npy --output results
  pipeline run specs/softmax.toml --reorder-reductions 3 --format json
"""

_CHECK_EPILOG = """\
Runs what `build` runs and compares with the captures on disk: a readable diff of each that differs, exit status 1.
Captures that are missing, and in a run over whole folders those that no spec makes, differ too.

examples:
  pipeline check
  pipeline check specs/softmax.toml --format json
"""

_TRANSFORM_EPILOG = """\
Says of jvp, grad and vmap whether JAX makes them of the kernel, and every reason why not. With --vmap N it prints the
call that vmap makes over N of everything: a new leading grid axis, and the blocks and index maps that go with it.

examples:
  pipeline transform specs/softmax.toml
  pipeline transform specs/softmax.toml --vmap 4
"""

_FIX_EPILOG = """\
Every finding proposes the smallest change that mends it, where there is one that needs no thought: a legal block with
the grid that goes with it, a limit, an index, the order of the grid, a dtype to compute in, a start rounded down to its
tile. `fix` makes these changes in the spec's text, judges the new text, and goes on until there is none left to make.
It prints the difference, and to stderr what is left; --write writes the file. Blocks, limits and order change nothing
that the kernel computes; a start that is rounded down does, and so does a dtype of an array.

Exit status: 0 nothing is left, 1 findings are left that have no fix.

examples:
  pipeline fix specs/softmax.toml
  pipeline fix specs/softmax.toml --warnings --write
"""

_SHOW_EPILOG = """\
Prints exactly what the stage's capture holds. Without --stage, every stage with its file's name above it. With
several targets or variants, the first is shown unless --target or --variant says otherwise; --target takes any chip,
also one that the spec does not declare, or the path of a profile.

examples:
  pipeline show specs/softmax.toml --stage trace
  pipeline show specs/softmax.toml --stage schedule --target v6e
  pipeline show specs/matmul.toml --stage lower --variant k512 > matmul.mlir
"""


_TIMELINE_EPILOG = """\
Writes trace events: bodies, what each unit does in the first of them, copies and the blocks that buffer slots hold.
Open the file at https://ui.perfetto.dev or chrome://tracing.

examples:
  pipeline timeline specs/softmax.toml --target v5e -o softmax.json
  pipeline timeline specs/softmax.toml --target v5e -o softmax.svg
  pipeline timeline specs/matmul.toml --variant k512 --steps 100 -o matmul.json.gz
"""


_SWEEP_EPILOG = """\
Every combination of the values is traced and held against the chip's rules; what is refused is told with its code, the
rest is lowered, scheduled and ranked on each chip by the predicted cycles of the whole call. Numerics are not run.
A range is written 64..512 (doubled) or 64..512:64 (added to). A grid axis follows a block that it counts, and so do
other blocks of that size along it.

examples:
  pipeline sweep specs/matmul.toml --vary BM=128,256,512 --vary BK=256,512 --target v5e
  pipeline sweep specs/softmax.toml --vary block.x.0=64..512 --vary buffers.x=1,2
  pipeline sweep specs/flash_attention.toml --vary BQ=128,256 --vary BK=128,256 --format csv
  pipeline sweep specs/matmul.toml --vary BM=64,128,256 --resume matmul.sweep.jsonl
"""


class _Parser(argparse.ArgumentParser):
    """An ArgumentParser whose help keeps the line breaks of examples."""

    def __init__(self, **options: object) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(**options)  # type: ignore[arg-type]


def run(argv: Sequence[str] | None = None) -> int:
    """Parse and run one command line; returns the exit status. Errors: none."""
    gc.set_threshold(100_000, 20, 20)  # many small nodes, few cycles: the default takes a fifth of the time
    # Nobody's plugin takes part, and its loader need not read the metadata of every installed package.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")
    # A spec's products of blocks are small, and builds of many specs have a process per core already: a BLAS thread
    # pool would only cost NumPy's import its start.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    atexit.register(gc.freeze)  # what the end of the process frees anyway need not be searched for cycles first
    _plain_streams()
    try:
        args = make_parser().parse_args(argv)
        status = _dispatch(args)
        sys.stdout.flush()
        return status
    except SystemExit as stop:  # argparse: help and version (0), usage errors (2)
        return stop.code if isinstance(stop.code, int) else 2
    except BrokenPipeError:
        # The reader has gone (`| head`). Python would complain again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _BROKEN_PIPE
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return _INTERRUPTED
    except FileNotFoundError as error:
        try:
            os.getcwd()
        except FileNotFoundError:
            print("pipeline: the current folder is not there any more", file=sys.stderr)
            return 2
        return _bug(error, argv)
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _NO_ROOM:
            print(f"pipeline: cannot write the output: {error.strerror}", file=sys.stderr)
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 2
        return _bug(error, argv)


def _bug(error: Exception, argv: Sequence[str] | None) -> int:
    from pipeline.cli.report import print_bug

    print_bug(f"pipeline {' '.join(sys.argv[1:] if argv is None else argv)}", error)
    return _BUG


def make_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = _Parser(
        prog="pipeline",
        description="Takes a kernel's spec file through trace, lower, schedule and simulate; keeps each stage as text.",
        epilog=_MAIN_EPILOG,
    )
    parser.add_argument("--version", action="version", version=f"pipeline {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=_Parser)

    build = commands.add_parser("build", help="run specs and write their captures", epilog=_BUILD_EPILOG)
    _add_run_options(build)
    build.add_argument("--prune", action="store_true", help="remove captures that no spec makes (whole folders only)")

    check = commands.add_parser("check", help="run specs and compare with their captures", epilog=_CHECK_EPILOG)
    _add_run_options(check)

    show = commands.add_parser("show", help="print a stage of one spec", epilog=_SHOW_EPILOG)
    show.add_argument("spec", metavar="SPEC", help="a spec file (.toml, .yaml, .yml)")
    show.add_argument("--stage", choices=STAGES, help="the stage to print (default: all)")
    show.add_argument("--target", metavar="T", help="a chip's name or a profile's path (default: the spec's first)")
    show.add_argument("--variant", metavar="V", help="a variant's name (default: the spec's first)")
    _add_format(show)

    timeline = commands.add_parser(
        "timeline", help="write a timeline for Perfetto, or as a picture", epilog=_TIMELINE_EPILOG
    )
    timeline.add_argument("spec", metavar="SPEC", help="a spec file (.toml, .yaml, .yml)")
    timeline.add_argument("--target", metavar="T", help="a chip's name or a profile's path (default: the spec's first)")
    timeline.add_argument("--variant", metavar="V", help="a variant's name (default: the spec's first)")
    timeline.add_argument(
        "--steps", metavar="N", type=_steps, default=1000, help="loop trips in a FILE.json (default: 1000)"
    )
    timeline.add_argument("-o", "--output", metavar="FILE", required=True, help="FILE.json, FILE.json.gz or FILE.svg")

    sweep = commands.add_parser("sweep", help="rank a spec at other params", epilog=_SWEEP_EPILOG)
    sweep.add_argument("spec", metavar="SPEC", help="a spec file (.toml, .yaml, .yml)")
    sweep.add_argument(
        "--vary",
        metavar="NAME=A,B,..",
        action="append",
        default=[],
        help="a param, or block.OPERAND[.AXIS], buffers.OPERAND, grid.AXIS, vmem_limit_bytes; lists and ranges "
        "(repeatable; default: the spec's [sweep])",
    )
    sweep.add_argument("--variant", metavar="V", help="the variant to start from (default: the spec's first)")
    sweep.add_argument("--target", metavar="T", action="append", default=[], help="a chip (default: the spec's)")
    sweep.add_argument("--resume", metavar="FILE", help="keep rows in FILE, and do not try again what is there")
    sweep.add_argument("-j", "--jobs", metavar="N", type=_jobs, help="processes (default: by number of candidates)")
    sweep.add_argument("--dask", metavar="ADDRESS", help="try candidates on a Dask cluster (extra [dask])")
    sweep.add_argument("--format", choices=("text", "json", "csv"), default="text", help="default: a table")

    chips = commands.add_parser("chips", help="list, print and check chip profiles")
    actions = chips.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=_Parser)
    listing = actions.add_parser("list", help="the built-in profiles")
    _add_format(listing)
    printing = actions.add_parser("show", help="print a profile with its sources")
    printing.add_argument("chip", metavar="CHIP", help="a built-in profile's name or a path")
    matrix = actions.add_parser("matrix", help="print which op takes which dtype on each chip")
    matrix.add_argument("chip", metavar="CHIP", nargs="*", help="names or paths (default: the built-in profiles)")
    checking = actions.add_parser("check", help="validate profiles")
    checking.add_argument("chip", metavar="CHIP", nargs="*", help="names or paths (default: the built-in profiles)")
    _add_format(checking)

    importing = commands.add_parser("import", help="write a Python function's kernels as specs", epilog=_IMPORT_EPILOG)
    importing.add_argument("function", metavar="MODULE:FUNCTION", help="a function, or FILE.py:FUNCTION")
    importing.add_argument("--args", metavar="AVALS", default="", help='its arguments: "bf16[8,128] i32[4]=iota"')
    importing.add_argument(
        "--static", metavar="NAME=VALUE", action="append", default=[], help="a keyword argument (repeatable)"
    )
    importing.add_argument("-o", "--output", metavar="FILE", required=True, help="the spec file, NAME.toml")
    importing.add_argument("--target", metavar="T", action="append", help="a chip (repeatable; default: v5e, v6e)")
    importing.add_argument("--force", action="store_true", help="write over files that are there")

    verify = commands.add_parser("verify", help="hold specs against the real compilers", epilog=_VERIFY_EPILOG)
    verify.add_argument("specs", metavar="SPEC|DIR", nargs="*", help="spec files, or folders of them (default: specs)")
    verify.add_argument(
        "--against", choices=("jax", "libtpu", "xla", "jax-interpret", "tpu-interpret"), required=True,
        help="the compiler or interpreter to ask",
    )  # fmt: skip
    verify.add_argument("--target", metavar="T", action="append", default=[], help="only this target (repeatable)")
    _add_format(verify)

    running = commands.add_parser("run", help="execute a kernel here and check its numbers", epilog=_RUN_EPILOG)
    running.add_argument("spec", metavar="SPEC", help="a spec file (.toml, .yaml, .yml)")
    running.add_argument("--variant", metavar="V", help="a variant's name (default: the spec's first)")
    running.add_argument(
        "--input", metavar="NAME=FILE", action="append", default=[], help="a .npy in place of an input's own data"
    )
    running.add_argument("-o", "--output", metavar="DIR", help="write each output as DIR/NAME.npy")
    running.add_argument(
        "--order",
        type=_order,
        default="sequential",
        metavar="sequential|reversed|shuffled[:SEED]|any[:SEED]",
        help="of the grid axes that are parallel; any shuffles the others, too, as no chip does",
    )
    running.add_argument(
        "--cores",
        type=_cores,
        default="1",
        metavar="N[:SEED]",
        help="cores that share the parallel steps, their turns drawn with the seed (default: 1)",
    )
    running.add_argument(
        "--dma", choices=("late", "eager"), default="late", help="when a copy lands: at its wait, or at its start"
    )
    running.add_argument(
        "--uninitialized", choices=("nan", "zero", "random"), default="nan", help="what memory holds before it is set"
    )
    running.add_argument(
        "--checks",
        type=_checks,
        default=None,
        metavar="KIND,..",
        help=f"look for more: {', '.join(_CHECKS)} (default: what the spec says)",
    )

    running.add_argument(
        "--reorder-reductions", metavar="SEED", type=_seed, nargs="?", const=0,
        help="run again with sums and contractions in another order, and tell how far the outputs move",
    )  # fmt: skip
    _add_format(running)

    fix = commands.add_parser("fix", help="make the changes that findings propose", epilog=_FIX_EPILOG)
    fix.add_argument("spec", metavar="SPEC", help="a spec file (.toml, .yaml, .yml)")
    fix.add_argument("--write", action="store_true", help="write the file; default: only print the difference")
    fix.add_argument("--warnings", action="store_true", help="mend warnings, too")

    transform = commands.add_parser(
        "transform", help="which JAX transformations a kernel takes", epilog=_TRANSFORM_EPILOG
    )
    transform.add_argument("spec", metavar="SPEC", help="a spec file (.toml, .yaml, .yml)")
    transform.add_argument("--variant", metavar="V", help="a variant's name (default: the spec's first)")
    transform.add_argument("--vmap", metavar="N", type=_steps, help="print the call batched over N")

    commands.add_parser("schema", help="print the JSON Schema of spec files")
    explain = commands.add_parser("explain", help="say what a diagnostic's code means")
    explain.add_argument("code", metavar="CODE", nargs="?", help="e.g. P101 (default: list all codes)")
    return parser


def _add_run_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("specs", metavar="SPEC|DIR", nargs="*", help="spec files, or folders of them (default: specs)")
    parser.add_argument("--target", metavar="T", action="append", default=[], help="only this target (repeatable)")
    parser.add_argument(
        "--snapshots", metavar="DIR", default="snapshots", help="folder of captures (default: %(default)s)"
    )
    parser.add_argument("-j", "--jobs", metavar="N", type=_jobs, help="processes (default: by number of specs)")
    parser.add_argument(
        "--no-cache", action="store_true", help="run specs also if nothing has changed since the last build"
    )
    level = parser.add_mutually_exclusive_group()
    level.add_argument("-v", "--verbose", action="store_true", help="unchanged captures and their warnings too")
    level.add_argument("-q", "--quiet", action="store_true", help="only problems")
    _add_format(parser)


def _add_format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=("text", "json"), default="text", help="json: a list of records on stdout")


def _order(text: str) -> str:
    word, colon, seed = text.partition(":")
    plain = word in ("sequential", "reversed", "shuffled", "any") and not colon
    if not plain and not (word in ("shuffled", "any") and _is_seed(seed)):
        raise argparse.ArgumentTypeError(f"takes sequential, reversed, shuffled[:SEED] or any[:SEED], not {text!r}")
    return text


def _cores(text: str) -> str:
    number, colon, seed = text.partition(":")
    if not (_is_seed(number) and 1 <= int(number) <= 64) or (colon and not _is_seed(seed)):
        raise argparse.ArgumentTypeError(f"takes a number from 1 to 64, or N:SEED, not {text!r}")
    return text


def _checks(text: str) -> str:
    for word in text.split(","):
        if word not in _CHECKS:
            raise argparse.ArgumentTypeError(f"takes a list of {', '.join(_CHECKS)}, not {word!r}")
    return text


def _is_seed(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def _seed(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"takes a number of up to 9 digits, not {text!r}")
    return int(text)


def _jobs(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:6]) <= 1024):
        raise argparse.ArgumentTypeError(f"takes a number from 1 to 1024, not {text!r}")
    return int(text)


def _steps(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= 100_000):
        raise argparse.ArgumentTypeError(f"takes a number from 1 to 100000, not {text!r}")
    return int(text)


def _dispatch(args: argparse.Namespace) -> int:
    match args.command:
        case "build" | "check":
            from pipeline.cli.build import run_build

            return run_build(args)
        case "show":
            from pipeline.cli.show import run_show

            return run_show(args)
        case "timeline":
            from pipeline.cli.timeline import run_timeline

            return run_timeline(args)
        case "transform":
            from pipeline.cli.transform import run_transform

            return run_transform(args)
        case "fix":
            from pipeline.cli.fix import run_fix

            return run_fix(args)
        case "sweep":
            from pipeline.cli.sweep import run_sweep

            return run_sweep(args)
        case "chips":
            from pipeline.cli.chips import run_chips

            return run_chips(args)
        case "import":
            from pipeline.cli.import_kernels import run_import

            return run_import(args)
        case "verify":
            from pipeline.cli.verify import run_verify

            return run_verify(args)
        case "run":
            from pipeline.cli.run_kernel import run_kernel

            return run_kernel(args)
        case "schema":
            from pipeline.spec.schema import schema_text

            sys.stdout.write(schema_text())
            return 0
        case "explain":
            from pipeline.cli.explain import run_explain

            return run_explain(args.code)
        case command:
            raise AssertionError(command)


def _plain_streams() -> None:
    """Captures are UTF-8 with `\\n` on every system, piped or redirected; what cannot be encoded is escaped. What goes
    to a stream that is closed (`>&-`) is for nobody, and no file that is opened later may take its place."""
    for name, number in (("stdin", 0), ("stdout", 1), ("stderr", 2)):
        if getattr(sys, name) is None:
            try:
                os.fstat(number)
                continue
            except OSError:
                pass
            if os.open(os.devnull, os.O_RDWR) == number:
                setattr(sys, name, os.fdopen(number, "r" if number == 0 else "w"))
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)  # a test's stand-in has none
        if reconfigure is not None:  # by lines: what goes to one file from both streams keeps its order
            reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n", line_buffering=True)
