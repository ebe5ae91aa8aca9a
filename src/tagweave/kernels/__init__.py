"""The arithmetic of one iteration, row by row: compiled once, kept on disk, on all cores, in the precision given.

Each kernel does in one pass what a line or two of NumPy and SciPy say elsewhere, and is tested against them. They know
arrays only; `model.rowwise` puts a problem into these.
"""
