"""The law of the exponential mechanism on points, by brute force in exact numbers."""

from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np

from dpviz.mechanisms.exponential.point_problems import UNITS, PointProblems, quantile_units


def distances(records, low, high, units):
    """d of every point of [low, high), as fractions of a record."""
    target = Fraction(units, UNITS) * len(records)
    return [
        max(
            Fraction(0),
            sum(x < f for x in records) - target,
            target - sum(x <= f for x in records),
        )
        for f in range(low, high)
    ]


def probabilities(records, low, high, units, eta):
    """P(f) of every point, in 60 digits."""
    with localcontext(prec=60, Emin=-999999, Emax=999999):
        rate = Decimal(eta)
        far = distances(records, low, high, units)
        each = Counter(far)  # many points are equally far: an exponential takes longest
        weights = {d: (-rate * Decimal(d.numerator) / Decimal(d.denominator)).exp() for d in each}
        total = sum(weights[d] * many for d, many in each.items())
        found = {d: float(weight / total) for d, weight in weights.items()}
        return np.array([found[d] for d in far])


def problems(records, low, high, quantile, eta, count):
    """The same problem so many times."""
    zeros = np.zeros(count, dtype=np.int64)
    units = quantile_units(np.full(count, quantile))
    return PointProblems(
        zeros, zeros + len(records), zeros + low, zeros + high, units, np.full(count, eta), zeros
    )
