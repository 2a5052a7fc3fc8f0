"""Codes of what can be wrong with a chip profile."""

CODES: dict[str, tuple[str, str]] = {
    "P001": (
        "unknown chip",
        "A target names a chip that there is no profile of. `pipeline chips` lists the built-in ones; a target with a"
        " slash in it or ending in .toml is the path of a profile of your own, relative to the spec.",
    ),
    "P002": (
        "chip profile cannot be read",
        "The profile's file is missing, is no regular text file in UTF-8, or is larger than a profile may be.",
    ),
    "P003": (
        "chip profile is not TOML",
        "The profile's text is no valid TOML; the message is the parser's.",
    ),
    "P004": (
        "wrong entry in a chip profile",
        "A key that profiles do not have, a value of another type, a unit of another dimension, a number outside its "
        "range, a dtype that does not exist, or a source tag that [sources] does not explain. A fact is written `vmem"
        ' = { value = 16, unit = "MiB", source = "AOT" }`; every tag stands in [sources] of the profile or of one it '
        "extends.",
    ),
    "P005": (
        "chip profiles extend each other without end",
        "`extends` names a profile that extends, directly or through others, the one it started from, or the chain is"
        " longer than eight profiles.",
    ),
    "P006": (
        "chip profile lacks a fact",
        "The stages cannot work without this number and neither the profile nor one it extends states it. Facts that "
        "a chip can do without (latencies, clock, bandwidth) may be missing: what depends on them is then left out.",
    ),
    "P007": (
        "target is no chip",
        "What was asked needs a chip's facts (sizes, clock, bandwidth), and this target, such as `interpret`, is one "
        "that any machine can run: its profile states none. Choose a chip; `pipeline chips list` shows the kinds.",
    ),
}
