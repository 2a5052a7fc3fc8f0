"""A declarative, snapshot-tested pipeline for Pallas-style accelerator kernels."""

__version__ = "0.1.0"
