"""The law of the exponential mechanism on points, by brute force in exact numbers."""

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
        weights = [
            (-rate * Decimal(d.numerator) / Decimal(d.denominator)).exp()
            for d in distances(records, low, high, units)
        ]
        total = sum(weights)
        return np.array([float(w / total) for w in weights])


def problems(records, low, high, quantile, eta, count):
    """The same problem so many times."""
    zeros = np.zeros(count, dtype=np.int64)
    units = quantile_units(np.full(count, quantile))
    return PointProblems(
        zeros, zeros + len(records), zeros + low, zeros + high, units, np.full(count, eta), zeros
    )
