"""The joint law of ApproximateQuantiles on a few points, by enumeration of all outputs."""

import itertools

import numpy as np

from dpviz.core.bounds import Bounds
from dpviz.core.point_grid import PointGrid
from dpviz.mechanisms.exponential.point_problems import quantile_units
from tests.mechanisms.exponential.exact_points import probabilities


def few(points):
    """A grid of so many points, each a cell."""
    return PointGrid(Bounds(0, points), 0.0, points, 0)


def joint(records, steps, etas, points):
    """P of every tuple of drawn points, {(v1, …): probability}, for a plan and its η's."""
    table = {}
    for depth, nodes in enumerate(steps.levels):
        units = quantile_units(nodes.normalised)
        for row, (left, right) in enumerate(zip(nodes.left, nodes.right, strict=True)):
            table[int(left), int(right)] = (
                int(nodes.position[row]),
                int(units[row]),
                float(etas[depth][row]),
            )
    cache = {}

    def law(left, right, low, high):
        """Of the positions strictly between, given that the ends were drawn at low − 1, high."""
        if (left, right) not in table:
            return {(): 1.0}
        key = (left, right, low, high)
        if key not in cache:
            cache[key] = _node(left, right, low, high)
        return cache[key]

    def _node(left, right, low, high):
        position, units, eta = table[left, right]
        if low < high:
            inside = [x for x in records if low <= x < high]
            law_of = probabilities(inside, low, high, units, eta)
            masses = dict(zip(range(low, high), law_of, strict=True))
        else:
            masses = {min(low, high, points - 1): 1.0}
        found = {}
        for v, mass in masses.items():
            under, over = law(left, position, low, v), law(position, right, v + 1, high)
            for (a, x), (b, y) in itertools.product(under.items(), over.items()):
                found[(*a, v, *b)] = found.get((*a, v, *b), 0.0) + mass * x * y
        return found

    return law(0, steps.m + 1, 0, points)


def columns_of(points, most):
    """All columns of at most so many records on so many points."""
    for size in range(most + 1):
        yield from itertools.combinations_with_replacement(range(points), size)


def neighbouring(points, most, replaced):
    """All pairs of neighbouring columns of at most so many records."""
    for column in columns_of(points, most):
        for at in range(len(column)):
            rest = column[:at] + column[at + 1 :]
            if replaced:
                for x in range(points):
                    yield column, tuple(sorted((*rest, x)))
            else:
                yield column, rest


def worst_loss(laws, pairs):
    """The largest |ln P/P'| over all outputs and pairs."""
    worst = 0.0
    for one, other in pairs:
        p, q = laws[one], laws[other]
        assert p.keys() == q.keys()
        a, b = np.array([p[key] for key in sorted(p)]), np.array([q[key] for key in sorted(q)])
        worst = max(worst, float(np.abs(np.log(a / b)).max()))
    return worst
