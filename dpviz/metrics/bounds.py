"""Theoretical error bounds of ApproximateQuantiles, as printed and as they hold.

They depend on the data through ψ, so they are confidential like the errors they stand beside.
"""

import math
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, Budget, PureDP
from dpviz.core.confidential import confidential
from dpviz.core.errors import InvalidParameter
from dpviz.core.quantiles import QuantileSet, uniform_quantiles
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp
from dpviz.mechanisms.quantiles.protocol import Quantiles
from dpviz.mechanisms.quantiles.recursion import Plan, plan
from dpviz.mechanisms.quantiles.sanitized import SanitizedColumn


@confidential("source")
@dataclass(frozen=True, slots=True)
class ErrorBound:
    """A bound on the largest gap, in records, that fails with probability at most β."""

    source: str
    records: float
    holds: bool
    note: str


def spread_ratio(values: FloatArray, bounds: Bounds) -> float | None:
    """ψ = (b − a) / the least gap between consecutive points, a and b included.

    None when two points coincide, for then ψ and every bound that uses it are undefined.
    """
    least = float(np.diff(values, prepend=bounds.low, append=bounds.high).min())
    return bounds.width / least if least > 0 else None


def carried_error(steps: Plan) -> float:
    """c: by how many single-node errors a recursion can be off.

    The largest over nodes of V = 1 + (1 − q')·V_left + q'·V_right, where V_left and V_right
    belong to the nodes that drew the ends of the range and are 0 for a and b.
    """
    carried = np.zeros(steps.m + 2)
    for nodes in steps.levels:
        inherited = (1 - nodes.normalised) * carried[nodes.left]
        inherited += nodes.normalised * carried[nodes.right]
        carried[nodes.position] = 1 + inherited
    return float(carried.max())


def single_error(eta: float, psi: float, m: int, beta: float) -> float:
    """γ: one exponential mechanism misses by more with probability at most β/m (Lemma A.1).

    With η = ε'/(2Δ) this is 2Δ (ln ψ + ln m − ln β)/ε'.
    """
    return (math.log(psi) + math.log(m) - math.log(beta)) / eta


def approximate_quantiles_bounds(
    mechanism: ApproximateQuantiles,
    budget: Budget,
    quantiles: Quantiles,
    psi: float,
    beta: float = 0.05,
) -> tuple[ErrorBound, ...]:
    """The bound that holds, then the paper's printed ones that speak of this setting.

    Source: Kaplan, Schnapp and Stemmer 2021, Theorems 3.3, 3.5, 3.10 and 3.11.
    """
    wanted = QuantileSet.of(quantiles)
    steps = plan(wanted)
    eta = min(float(level.min()) for level in mechanism.etas(budget, steps))
    gamma = single_error(eta, psi, wanted.count, beta)
    holding = ErrorBound(
        source="Lemma A.1 carried down the recursion",
        records=carried_error(steps) * (gamma + 0.5) + 1,
        holds=True,
        note="corrected: exact sensitivities, errors of both ends of a range added up",
    )
    return (holding, *_printed(budget, wanted, psi, beta, holding.records))


def _printed(
    budget: Budget, quantiles: QuantileSet, psi: float, beta: float, holding: float
) -> tuple[ErrorBound, ...]:
    levels, m = quantiles.levels, quantiles.count
    logs = math.log(psi) + math.log(m) - math.log(beta)
    is_uniform = np.allclose(quantiles.distinct, uniform_quantiles(m), rtol=0, atol=1e-12)
    if isinstance(budget, PureDP):
        missing = "printed with one factor L too few"
        general = ErrorBound("Theorem 3.3", 2 * levels * logs / budget.epsilon, False, missing)
        uniform = ErrorBound("Theorem 3.5", 4 * logs / budget.epsilon, False, missing)
    elif isinstance(budget, ZCDP):
        one = 2 * math.sqrt(levels / (2 * budget.rho)) * logs
        # it forgets the rounding of targets and replace-one, so it holds where it is implied
        general = ErrorBound(
            "Theorem 3.10", levels * one, levels * one >= holding, "for the paper's split of ρ"
        )
        uniform = ErrorBound(
            "Theorem 3.11", 2 * one, False, "rests on Lemma 3.4, whose 2γ is exceeded from m = 7 on"
        )
    else:
        return ()
    return (general, uniform) if is_uniform else (general,)


def independent_exp_bound(
    mechanism: IndependentExp, budget: Budget, quantiles: Quantiles, psi: float, beta: float = 0.05
) -> ErrorBound:
    """Lemma A.1 for each of m separate mechanisms, by a union bound; sorting does no harm."""
    wanted = QuantileSet.of(quantiles)
    gamma = single_error(float(mechanism.etas(budget, wanted).min()), psi, wanted.count, beta)
    return ErrorBound("Lemma A.1, m times", gamma + 1.5, True, "union bound over the quantiles")


def made_up_column_bound(
    mechanism: SanitizedColumn, budget: Budget, n: int, psi: float, beta: float = 0.05
) -> ErrorBound:
    """Corollary 3.6 with its constants: how far the i-th of n made-up points is from rank i.

    mechanism declares n̂ = n, so that its quantiles have the whole budget. Its point i is the
    private i/(n + 1) quantile, whose rank i n/(n + 1) is less than 1 from the paper's i = (i/n) n;
    for i = n the paper asks for the quantile 1, which no mechanism here draws.
    Raises: InvalidParameter for a mechanism of another size.
    Source: Kaplan, Schnapp and Stemmer 2021, Corollary 3.6, printed without constants.
    """
    if mechanism.size != n:
        raise InvalidParameter(
            f"Corollary 3.6 speaks of as many made-up points as people, and the column has "
            f"{n:,} people, the mechanism size={mechanism.size}. Declare size={n}."
        )
    holding, *_ = approximate_quantiles_bounds(
        mechanism.quantiles, budget, uniform_quantiles(n), psi, beta
    )
    note = "Lemma A.1 carried down the recursion, and 1 for i/(n + 1) in place of i/n"
    return ErrorBound("Corollary 3.6", holding.records + 1, True, note)
