"""The averaging attack and its bill: what k releases of one number tell, and what they spend."""

import math

import numpy as np
from scipy.optimize import brentq
from scipy.stats import binom

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.budgets import ZCDP, ApproxDP, Budget
from dpviz.core.conversions import bounded_range_to_zcdp, zcdp_to_approx
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.loss import gaussian_epsilon
from dpviz.experiments.privacy.quantile_query import QuantileQuery
from dpviz.experiments.privacy.single_queries import Query

MOST = 1_000
BASIC, OPTIMAL, ZCDP_LINE, EXACT = "basic", "optimal, at δ", "zCDP, at δ", "exact, at δ"


def running_means(values: FloatArray) -> FloatArray:
    """The mean of the first 1, 2, … values, shape (k,)."""
    return np.cumsum(values) / np.arange(1, values.size + 1)


def release_numbers(most: int = MOST, points: int = 40) -> IntArray:
    """Whole numbers from 1 to most, evenly spaced on a log axis."""
    return np.unique(np.geomspace(1, most, points).round().astype(np.int64))


def ledger(query: Query, budget: Budget, delta: float, ks: IntArray) -> dict[str, FloatArray]:
    """The total ε after k releases under several accounts, each array (len(ks),).

    basic: k times ε; it needs no δ for a pure ε, and k of them for a budget with its own. optimal:
    the best that holds for every ε-DP mechanism. zCDP: kρ, converted. exact: Gaussian noise.
    """
    lines: dict[str, FloatArray] = {}
    claim = query.claim(budget, delta)
    if claim.delta == 0:
        lines[BASIC] = claim.epsilon * ks.astype(np.float64)
        lines[OPTIMAL] = np.array([optimal_epsilon(claim.epsilon, int(k), delta) for k in ks])
    elif isinstance(budget, ApproxDP):
        lines[BASIC] = budget.epsilon * ks.astype(np.float64)
    rho = single_rho(query, budget)
    lines[ZCDP_LINE] = np.array([zcdp_to_approx(ZCDP(rho * k), delta).epsilon for k in ks])
    if isinstance(query, CountQuery) and claim.delta > 0:
        sigma = query.scale(budget)
        lines[EXACT] = np.array([gaussian_epsilon(sigma / math.sqrt(k), delta) for k in ks])
    return lines


def single_rho(query: Query, budget: Budget) -> float:
    """The ρ that one release spends: by bounded range for a quantile, by its noise for a count."""
    if isinstance(budget, ZCDP):
        return budget.rho
    if isinstance(query, QuantileQuery):
        return bounded_range_to_zcdp(query.claim(budget, 0.5).epsilon).rho
    return query.noise.rho(query.scale(budget))


def optimal_epsilon(epsilon: float, k: int, delta: float) -> float:
    """The smallest ε of k releases, each ε-DP, as (ε, δ)-DP, if ε is all one knows.

    Randomised response is the worst ε-DP mechanism: the loss of k of them is (k − 2i)ε with i
    binomial.
    Source: Kairouz, Oh and Viswanath 2015, Theorem 3.3.
    """
    flips = np.arange(k // 2 + 1)  # beyond, the loss is negative
    chance = binom.pmf(flips, k, math.exp(-epsilon) / (1 + math.exp(-epsilon)))
    losses = (k - 2 * flips) * epsilon

    def excess(total: float) -> float:
        return float((chance * -np.expm1(np.minimum(total - losses, 0.0))).sum()) - delta

    if excess(0.0) <= 0:
        return 0.0
    return float(brentq(excess, 0.0, k * epsilon, xtol=1e-9 * max(1.0, epsilon)))
