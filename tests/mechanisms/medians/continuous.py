"""The continuous law of the exponential median, in closed form: what whole places approach."""

import numpy as np

from dpviz.mechanisms.exponential.ladder import Ladder, Problems


def median_problems(groups, eta):
    """The medians of all nodes as problems on one ladder."""
    ladder, edges = _untied_ladder(groups.in_order())
    first, last = edges[:-1], edges[1:]
    target = (ladder.rank(first) + ladder.rank(last)) / 2
    return ladder, Problems(
        first, last, groups.low, groups.high, target, np.full(first.size, float(eta))
    )


def _untied_ladder(groups):
    """A ladder over all nodes, ties within a node compressed, and where each node begins on it."""
    values, starts = groups.values, groups.starts
    distinct = np.ones(values.size, dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=distinct[1:])
    distinct[starts[:-1][groups.sizes > 0]] = True
    if distinct.all():
        return Ladder(values), starts
    kept = np.flatnonzero(distinct)
    return Ladder(values[kept], np.append(kept, values.size)), np.searchsorted(kept, starts)
