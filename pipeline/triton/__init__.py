"""Would JAX's Triton path take this call? A verdict with its reasons; there is no lowering here."""
