"""Records which modules XLA has run to the right numbers: `python tests/stablehlo/record.py` (the `oracle` extra).

Runs tests/oracle/test_stablehlo_runs.py first, which compares the numbers, and writes nothing if one of them fails.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import jaxlib
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from stablehlo_cases import TESTS, VERIFIED, digest, modules

from pipeline.lower.stablehlo.text import print_stablehlo

if __name__ == "__main__":
    status = pytest.main([str(TESTS / "oracle" / "test_stablehlo_runs.py"), "-q"])
    if status == 0:
        found = {name: digest(print_stablehlo(module)) for name, module in modules()}
        record = {"jaxlib": jaxlib.__version__, "modules": found}
        VERIFIED.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    sys.exit(int(status))
