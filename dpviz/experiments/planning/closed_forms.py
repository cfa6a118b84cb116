"""The smallest budget for an accuracy where a formula says it: one quantile.

One quantile by the exponential mechanism lands in the gap between two records that is e ranks from
the target with a chance that falls as e^(−ηe), η = ε/(2Δ), times the width of the gap: so what is
known of the widths has to be said. Two columns are: records evenly apart, and independent records
where their density is flat. Both are far from the ends, with a target q n that is whole.
Source: methods_next.md §14, derived by this project.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.checks import checked_number
from dpviz.core.errors import InvalidParameter
from dpviz.core.neighbours import Neighbours

FADED = 36.0  # e^−36 of the chance is left out
PLACES = 600  # of the integral


def sensitivity(q: float, neighbours: Neighbours) -> float:
    """Δ of the rank error #{x < v} − q n: max(q, 1 − q) for add/remove, 1 for replace-one."""
    q = checked_number(q, "q", InvalidParameter)
    if not 0 < q < 1:
        raise InvalidParameter(f"q must lie strictly between 0 and 1, got {q}.")
    return 1.0 if neighbours is Neighbours.REPLACE_ONE else max(q, 1 - q)


def even_tail(eta: float, ranks: float) -> float:
    """The chance of an error of more than so many ranks on records evenly apart."""
    return 2 * math.exp(-eta * (math.floor(ranks) + 1)) / (1 + math.exp(-eta))


def independent_tail(eta: float, ranks: float) -> float:
    """The chance of an error of more than so many ranks, averaged over such columns."""
    places, chances = independent_law(eta)
    return float(chances[np.abs(places) > math.floor(ranks)].sum())


@lru_cache(maxsize=64)  # of public numbers
def independent_law(eta: float) -> tuple[FloatArray, FloatArray]:
    """Rank errors … −1, 0, 1 … and their chances on independent records of flat density.

    P(k) = ∫ a_k/(1 + s a_k)² Π_{j≠k} 1/(1 + s a_j) ds with a_j = e^(−η|j|): the widths of gaps are
    then independent exponential variables, whose sum in the denominator the integral over s undoes.
    """
    eta = _positive(eta, "η")
    reach = max(2, math.ceil(FADED / eta))
    ranks = np.arange(reach + 1)
    falls = np.exp(-eta * ranks)
    times = np.where(ranks == 0, 1.0, 2.0)  # both sides
    end = 2 * math.log(FADED) + math.log1p(1 / eta) + FADED * min(1.0, eta)
    logs = np.linspace(-FADED, end, PLACES)
    inside = np.empty((PLACES, ranks.size))
    for part in np.array_split(np.arange(PLACES), max(1, PLACES * ranks.size // 2**21)):
        grown = np.exp(logs[part])[:, None] * falls
        others = -(np.log1p(grown) @ times)
        inside[part] = np.exp(others)[:, None] * grown / (1 + grown)
    half: FloatArray = np.asarray(np.trapezoid(inside, logs, axis=0))
    half /= half @ times
    return np.concatenate((-ranks[:0:-1], ranks)).astype(float), np.concatenate((half[:0:-1], half))


@lru_cache(maxsize=64)  # of public numbers
def epsilon_for_tail(
    ranks: float, beta: float, q: float, neighbours: Neighbours, *, independent: bool = False
) -> float:
    """The ε with which a share β of the releases is off by more than so many ranks.

    Raises: InvalidParameter for negative ranks, β outside (0, 1), or q outside (0, 1).
    """
    delta = sensitivity(q, neighbours)
    ranks, beta = checked_number(ranks, "ranks", InvalidParameter), float(beta)
    if not ranks >= 0 or not 0 < beta < 1:
        raise InvalidParameter(f"Ranks ≥ 0 and 0 < β < 1 are needed, got {ranks} and {beta}.")
    near = math.log(2 / beta) / (math.floor(ranks) + 1)
    eta = _root(lambda one: even_tail(one, ranks), beta, near)
    if independent:
        eta = _root(lambda one: independent_tail(one, ranks), beta, eta)
    return 2 * delta * eta


def _root(falling: Callable[[float], float], wanted: float, near: float) -> float:
    """Where a falling function of η passes a value, from an η that is near."""
    from scipy.optimize import brentq  # noqa: PLC0415  half a second to import

    low = high = math.log(near)
    while falling(math.exp(low)) <= wanted:
        low -= 0.5
    while falling(math.exp(high)) >= wanted:
        high += 0.5
    found = brentq(lambda log: falling(math.exp(log)) - wanted, low, high, xtol=1e-9, rtol=1e-9)
    return math.exp(found)


def _positive(value: float, name: str) -> float:
    number = checked_number(value, name, InvalidParameter)
    if not 0 < number < math.inf:
        raise InvalidParameter(f"{name} must be a positive number, got {value}.")
    return number
