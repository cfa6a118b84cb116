"""True quantiles and the gap of private ones, in records. Confidential."""

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidData
from dpviz.core.grid import nearest_on_grid
from dpviz.core.quantiles import QuantileSet, floor_guarded
from dpviz.mechanisms.quantiles.protocol import Quantiles


def true_quantiles(column: Column, quantiles: Quantiles) -> FloatArray:
    """The record that ⌊q n⌋ others precede, for each quantile as asked, shape (k,).

    Raises: InvalidData for an empty column, which has no quantiles.
    Source: Kaplan, Schnapp and Stemmer 2021, section 3.2.
    """
    if column.n == 0:
        raise InvalidData("The column has no records left, so it has no quantiles.")
    rank = np.minimum(_ranks(column, quantiles), column.n - 1)
    return column.of_rank(rank)


def gaps(column: Column, quantiles: Quantiles, values: ArrayLike) -> FloatArray:
    """Records by which values miss their quantiles, shape (..., k) like values.

    The distance from ⌊q n⌋ to the interval [#{x < v}, #{x ≤ v}], so that a value that is tied
    with the true quantile misses nothing; with a declared resolution v stands for the grid value
    nearest to it. Without ties and resolution it is |#{x < v} − ⌊q n⌋|.
    Source: Kaplan, Schnapp and Stemmer 2021, section 3.2, made safe for ties.
    """
    wanted = _ranks(column, quantiles)
    at, reach = np.asarray(values, dtype=np.float64), 0.0
    if column.resolution > 0:
        at, reach = nearest_on_grid(at, column.resolution), column.resolution * 0.499
    under = column.count_below(at - reach) - wanted
    over = wanted - column.count_up_to(at + reach)
    return np.maximum(np.maximum(under, over), 0.0)


def reach(column: Column, quantiles: Quantiles, records: float) -> FloatArray:
    """How far a value can lie from its quantile while its gap is at most so many records, (k,).

    Where so many records do not stand on a side, values reach to the declared bound there.
    Raises: InvalidData for an empty column, which has no quantiles.
    """
    true, rank = true_quantiles(column, quantiles), _ranks(column, quantiles)
    most = column.n - 1
    above, below = rank + np.floor(records), rank - np.floor(records) - 1
    high = np.where(above > most, column.bounds.high, column.of_rank(np.clip(above, 0, most)))
    low = np.where(below < 0, column.bounds.low, column.of_rank(np.clip(below, 0, most)))
    far: FloatArray = np.maximum(high - true, true - low)
    return far


def printed_gaps(column: Column, quantiles: Quantiles, values: ArrayLike) -> FloatArray:
    """|#{x < v} − ⌊q n⌋| as the paper prints it, which charges the ties at v in full."""
    return np.abs(column.count_below(values) - _ranks(column, quantiles))


def records_between(column: Column, quantiles: Quantiles, values: ArrayLike) -> FloatArray:
    """Records strictly between each value and its interpolated quantile, shape (..., k).

    The quantile is numpy's default, between two records where none is at its rank. Records equal to
    the value or to the quantile count for nothing, so that ties hide misses.
    Raises: InvalidData for an empty column.
    Source: missed_points_error in the program of Kaplan, Schnapp and Stemmer 2021.
    """
    if column.n == 0:
        raise InvalidData("The column has no records left, so it has no quantiles.")
    place = QuantileSet.of(quantiles).asked * (column.n - 1)
    under, over = column.of_rank(np.floor(place)), column.of_rank(np.ceil(place))
    true = under + (over - under) * (place - np.floor(place))
    found = np.asarray(values, dtype=np.float64)
    before = column.count_below(np.maximum(found, true))
    between: FloatArray = np.maximum(before - column.count_up_to(np.minimum(found, true)), 0.0)
    return between


def _ranks(column: Column, quantiles: Quantiles) -> FloatArray:
    return floor_guarded(QuantileSet.of(quantiles).asked * column.n)
