"""Curves of made-up methods, and what they say, each number by plain loops."""

import math

import numpy as np

from dpviz.experiments.planning.answers import Curve

BUDGETS = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0]
# 19 of 20 releases are off by at most so much; a larger budget may be measured to be worse
HIGH = {
    "ApproximateQuantiles": [0.9, 0.35, 0.11, 0.034, 0.008, 0.003, 0.0],
    "JointExp": [0.6, 0.2, 0.07, 0.022, 0.024, 0.004, 0.001],
    "IndependentExp": [1.0, 0.8, 0.5, 0.3, 0.12, 0.06, 0.03],
    "AggTree": [0.7, 0.41, 0.15, 0.029, 0.0112, 0.0021, 0.0002],
}


def curve(high, budgets=BUDGETS, runs=1200):
    """One method's: the best twentieth and half of its releases are unlike the rest."""
    errors = np.array(high, dtype=float)
    return Curve(np.array(budgets, dtype=float), errors / 5, errors / 3, errors, runs)


CURVES = {key: curve(high, runs=300 + 100 * at) for at, (key, high) in enumerate(HIGH.items())}


def sure(high):
    """Raised where a larger budget was measured to be worse."""
    return [max(high[at:]) for at in range(len(high))]


def needed(high, target, budgets=BUDGETS):
    """Where the errors cross the target, on a line between two budgets on log scales."""
    errors = [max(one, 1e-5) for one in sure(high)]
    for at, error in enumerate(errors):
        if error <= target:
            if at == 0:
                return budgets[0]
            above, low = errors[at - 1], budgets[at - 1]
            share = math.log(above / target) / math.log(above / error)
            return low * (budgets[at] / low) ** share
    return None


def two_up(number):
    """Rounded up to two digits: tried one after the other."""
    power = 10.0 ** math.floor(math.log10(number))
    for tenth in range(10, 101):
        if tenth / 10 * power >= number * (1 - 1e-9):
            return float(f"{tenth / 10 * power:.3g}")
    raise AssertionError(number)
