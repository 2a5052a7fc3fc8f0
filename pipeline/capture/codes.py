"""Codes of the captures and of the run as a whole: code -> (title, explanation)."""

from __future__ import annotations

CODES: dict[str, tuple[str, str]] = {
    "C101": (
        "the expected diagnostic does not occur",
        'A spec with `[expect] error = "CODE"` is an exhibit: it must end in that error, on every target it declares, '
        'and its golden capture is the diagnostic; with `warning = "CODE"` it passes with that warning. Here the '
        "stages passed, or failed with other codes only.\n"
        "Either the spec no longer shows what it is meant to show (adapt it, or take out targets on which it is "
        "legal), or the pipeline has lost a check.",
    ),
    "C102": (
        "two specs have one name",
        "A spec's name is the folder of its captures, so two spec files of one run with the same `name` would "
        "overwrite each other's goldens. Names that differ only in upper and lower case clash too, since some file "
        "systems do not tell them apart.\nRename one of them.",
    ),
    "C103": (
        "a name cannot be part of a file name",
        "The names of spec, variant and target become folder and file names under the snapshots folder: letters, "
        "digits and `_`, after the first also `.`, `-`, `+` and `=`, at most 100 characters. For a target given by a "
        "path, the name is the file's name without its extension.",
    ),
    "C104": (
        "two targets have one name",
        "Captures are named by target, e.g. `2-lower.v5e.mlir`. A built-in profile and a profile of your own with the "
        "same file name would write the same captures. Rename your profile's file.",
    ),
    "C105": (
        "no spec makes this file",
        "Below the snapshots folder stands a file that no spec of this run writes: a spec, variant or target was "
        "renamed or removed and its golden stayed behind. It would never be compared again.\n"
        "Remove it, or let `pipeline build --prune` do so. Hidden files (`.name`) are not looked at. The check is made "
        "only in runs over a whole folder of specs: no arguments, or folders beside the snapshots folder.",
    ),
    "C106": (
        "a capture cannot be read or written",
        "The operating system refused: no permission, a full disk, a folder where a file should be. Captures already "
        "in place are whole: each is written to a temporary file first and renamed.",
    ),
    "C107": (
        "a capture would leave the snapshots folder",
        "A folder between the snapshots folder and the capture is a symbolic link, so writing there would write "
        "somewhere else. Replace the link by a folder. The snapshots folder itself may be a link.",
    ),
    "C108": (
        "no specs found",
        "The folder holds no spec file (`.toml`, `.yaml`, `.yml`). It is searched with its subfolders; hidden folders "
        "and folders named `chips` (which hold chip profiles) are left out.",
    ),
    "C109": (
        "no spec declares this target",
        "`--target` selects among the targets that the specs declare, and none of this run declares the one asked "
        "for. `pipeline show --target` lowers a spec for any chip.",
    ),
    "C110": (
        "no such variant",
        "`--variant` names one of the variants that the spec's matrix or `[[variants]]` makes.",
    ),
    "C111": (
        "stage does not apply to this target",
        "A target such as `interpret` is no chip: it has a lowered form and the functional run, but no schedule and no"
        " timing; `triton` has a verdict in place of a schedule, and nothing else. A spec has the stage `transform` if "
        "it names transforms. Ask for a stage that is there, or for a chip.",
    ),
    "C112": (
        "no such input",
        "`--input NAME=FILE.npy` puts an array in the place of an input's own data; NAME is the name of a "
        "scalar-prefetch or input operand in the spec.",
    ),
    "C113": (
        "a result cannot be written",
        "`run --output DIR` writes a .npy for each output below DIR, which it makes where there is none; `timeline -o` "
        "writes one file, `sweep --resume` keeps its rows in one and takes none that is something else. "
        "The system said no: a file of that name, a missing folder, no permission, no room.",
    ),
    "C114": (
        "nothing of that name to vary, or no value for it",
        "`pipeline sweep --vary NAME=A,B` changes a param, or by path a block (`block.x=128x512`, `block.x.0=64..512`),"
        " the buffer slots of an operand (`buffers.x=1,2`), the steps of a grid axis (`grid.1=4,8`), or"
        " `vmem_limit_bytes`; `[sweep]` of the spec names the same. Lists and ranges are taken: `64..512` doubles,"
        " `64..512:64` adds. A grid axis follows the blocks that it counts, and with it other blocks of that size.",
    ),
    "C115": (
        "too many or no candidates",
        "A sweep tries every combination of the values given; there have to be some, and not more than 10,000.",
    ),
    "C116": (
        "target without a timeline",
        "A timeline needs a chip whose profile states a clock and an HBM bandwidth; a target such as `interpret` is no"
        " chip. Ask for another target with `--target`.",
    ),
    "C117": (
        "no Dask cluster",
        "`pipeline sweep --dask ADDRESS` hands candidates to the workers of a Dask cluster whose scheduler listens at"
        " ADDRESS, e.g. tcp://10.0.0.1:8786. It needs the extra `[dask]` here, and this package on the workers.",
    ),
}
