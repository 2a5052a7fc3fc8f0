"""Lowering to StableHLO: the interpret form of a kernel, a loop over its grid that any machine can run."""
