"""The equations of motion in symbols, derived independently of the compiled kernels."""
