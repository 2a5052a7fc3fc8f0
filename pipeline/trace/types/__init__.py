"""Shape and dtype rules of the primitives, one file for each op family."""
