"""`python -m pipeline`, the same as the `pipeline` command."""

from __future__ import annotations

import sys

from pipeline.cli import main

if __name__ == "__main__":  # worker processes import this module too
    sys.exit(main())
