"""Blocks of encoded rows: what the kernels read, stored, drawn from and collapsed."""
