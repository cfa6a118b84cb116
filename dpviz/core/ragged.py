"""Rows of different lengths, laid one behind the other in flat arrays."""

import numpy as np

from dpviz.core.arrays import BoolArray, FloatArray, IntArray


def ragged(lengths: IntArray) -> tuple[IntArray, IntArray]:
    """Row and position within the row of every entry, each (Σ lengths,)."""
    row = np.repeat(np.arange(lengths.size), lengths)
    return row, np.arange(row.size) - np.repeat(offsets(lengths)[:-1], lengths)


def offsets(lengths: IntArray) -> IntArray:
    """Where each row begins, and where the last one ends, (rows + 1,)."""
    return np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(lengths, dtype=np.int64)))


def row_max(values: FloatArray, begins: IntArray) -> FloatArray:
    """The largest entry of every row, (rows,); −∞ for an empty one. begins is of offsets."""
    largest = np.full(begins.size - 1, -np.inf)
    filled = np.flatnonzero(begins[1:] > begins[:-1])
    if filled.size:
        largest[filled] = np.maximum.reduceat(values, begins[filled])
    return largest


def first_true(flags: BoolArray, begins: IntArray) -> IntArray:
    """The flat index of the first true entry at or after the begin of every row, (rows,).

    flags is flat; every row must hold a true one.
    """
    hits = np.flatnonzero(flags)
    return np.asarray(hits[np.searchsorted(hits, begins[:-1], side="left")])
