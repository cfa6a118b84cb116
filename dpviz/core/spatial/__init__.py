"""Partitions of a box: rectangles, the Hilbert curve, and what a decomposition releases."""
