"""Made-up neighbours on which a mechanism loses all the privacy that it may. Nothing is data."""

import numpy as np
from scipy.special import expit, logit

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Neighbours
from dpviz.core.data.column import Column
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.neighbours import Pair
from dpviz.experiments.privacy.quantile_query import QuantileQuery
from dpviz.experiments.privacy.single_queries import Query

MOST_RECORDS = 2_000
NARROWEST = 1e-9  # share of the range; narrower intervals would get lost in rounding


def hard_pair(query: Query, bounds: Bounds, relation: Neighbours, epsilon: float) -> Pair:
    """Two columns between which log ratios of a noticeable share of the outputs come near ±ε."""
    if isinstance(query, CountQuery):
        return counted_pair(query, bounds, relation, 1)
    n, low, new_n, new_low = _split_counts(query, relation)
    gain = float(_gains(query.quantile, n, np.array(low)))
    new_gain = float(_gains(query.quantile, new_n, np.array(new_low)))
    eta = epsilon / (2 * _sensitivity(query, relation))
    rare = float(np.clip(0.1 * np.exp(-epsilon), 0.002, 0.1))  # the event's chance on other
    # the event is the lower interval if it gains by going from other to one, else the upper
    sign = 1.0 if gain > new_gain else -1.0
    share = expit(sign * (logit(rare) - sign * eta * new_gain))
    cut = bounds.low + float(np.clip(share, NARROWEST, 1 - NARROWEST)) * bounds.width
    return _pair(_values(n, low, cut, bounds), _values(new_n, new_low, cut, bounds), bounds)


def counted_pair(query: CountQuery, bounds: Bounds, relation: Neighbours, count: int) -> Pair:
    """So many records that are counted, and the same with one of them gone, or not counted."""
    inside, outside = bounds.low, bounds.high
    if query.above > -np.inf:
        inside, outside = outside, inside
    rest = [] if relation is Neighbours.ADD_REMOVE else [outside]
    return _pair([inside] * count, [inside] * (count - 1) + rest, bounds)


def _sensitivity(query: QuantileQuery, relation: Neighbours) -> float:
    if relation is Neighbours.REPLACE_ONE:
        return 1.0
    return max(query.quantile, 1 - query.quantile)


def _split_counts(query: QuantileQuery, relation: Neighbours) -> tuple[int, int, int, int]:
    """Records, and those at the lower bound, of both columns of the pair that differs most.

    One record lies inside, the others on the bounds, so that only two intervals have width and
    the mechanism is a randomised response between them.
    """
    best, found = -1.0, (1, 0, 0, 0)
    for n in range(2, MOST_RECORDS):
        low = np.arange(n)
        if relation is Neighbours.REPLACE_ONE:  # a record goes from the upper bound to the lower
            moves = [(low[:-1], n, low[:-1] + 1)]
        else:  # one goes from the upper bound, or from the lower
            moves = [(low[:-1], n - 1, low[:-1]), (low[1:], n - 1, low[1:] - 1)]
        for old, new_n, new in moves:
            differs = np.abs(_gains(query.quantile, n, old) - _gains(query.quantile, new_n, new))
            at = int(differs.argmax())
            if differs[at] > best + 1e-9:
                best, found = float(differs[at]), (n, int(old[at]), new_n, int(new[at]))
        if best >= 2 * _sensitivity(query, relation) - 1e-9:
            break
    return found


def _gains(q: float, n: int, low: IntArray) -> FloatArray:
    """By how many η the lower interval outweighs the upper one, for each number at the bound."""
    gains: FloatArray = np.abs(low + 1 - q * n) - np.abs(low - q * n)
    return gains


def _values(n: int, low: int, cut: float, bounds: Bounds) -> list[float]:
    return [bounds.low] * low + [cut] + [bounds.high] * (n - 1 - low)


def _pair(one: list[float], other: list[float], bounds: Bounds) -> Pair:
    removed = next((value for value in one if one.count(value) > other.count(value)), None)
    added = next((value for value in other if other.count(value) > one.count(value)), None)
    return Pair(Column.from_values(one, bounds), Column.from_values(other, bounds), removed, added)
