"""Grid steps that do not depend on each other, run as one NumPy operation: `plan.py` proves it, `run.py` does it."""
