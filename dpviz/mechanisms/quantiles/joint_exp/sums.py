"""Sums over a window that moves along rows of positive numbers: nothing is subtracted."""

from __future__ import annotations

import numpy as np

from dpviz.core.arrays import FloatArray


def shifted(rows: FloatArray, by: int, length: int, *, hold: bool = False) -> FloatArray:
    """rows[:, i + by] for i < length, 0 outside; with hold, the last entry beyond the end.

    May be a view.
    """
    first, stop = max(0, -by), min(length, rows.shape[1] - by)
    if first == 0 and stop == length:
        return rows[:, by : by + length]
    moved = np.zeros((rows.shape[0], length))
    if first < stop:
        moved[:, first:stop] = rows[:, first + by : stop + by]
    if hold:
        moved[:, max(stop, 0) :] = rows[:, -1:]
    return moved


def sums_before(rows: FloatArray, by: int, sums: FloatArray) -> None:
    """Write Σ of rows[:, p] over p < i + by to sums[:, i], for each i; nothing is 0."""
    length, begin = sums.shape[1], 1 - by  # sums[:, begin] is rows[:, 0] alone
    if begin < 0:
        opening = np.zeros((rows.shape[0], rows.shape[1] + 1))
        np.cumsum(rows, axis=1, out=opening[:, 1:])
        sums[:] = shifted(opening, by, length, hold=True)
        return
    stop = min(length, begin + rows.shape[1])
    sums[:, :begin] = 0.0
    if begin < stop:
        np.cumsum(rows[:, : stop - begin], axis=1, out=sums[:, begin:stop])
        sums[:, stop:] = sums[:, stop - 1 : stop]


def window_sums(rows: FloatArray, size: int, by: int, length: int) -> FloatArray:
    """Σ of rows[:, p : p + size] at p = i + by for i < length, entries outside being 0; size ≥ 1.

    Sums of 1, 2, 4, … entries by doubling; a window as long as the row is one end of it or all.
    """
    if size >= rows.shape[1]:
        return _sums_of_ends(rows, size, by, length)
    power, span = shifted(rows, by, length + size - 1), 1  # power[:, i]: the sum of span entries
    sums, summed = None, 0
    while True:
        if size & span:
            part = power[:, summed : summed + length]
            sums = part if sums is None else sums + part
            summed += span
        if sums is not None and 2 * span > size:
            return sums
        power = power[:, :-span] + power[:, span:]
        span *= 2


def _sums_of_ends(rows: FloatArray, size: int, by: int, length: int) -> FloatArray:
    opening = np.zeros((rows.shape[0], rows.shape[1] + 1))
    np.cumsum(rows, axis=1, out=opening[:, 1:])
    closing = np.cumsum(rows[:, ::-1], axis=1)[:, ::-1]
    sums = shifted(closing, by, length).copy()
    before = min(length, max(0, -by))  # windows that begin before the row
    sums[:, :before] = shifted(opening, by + size, before, hold=True)
    return sums
