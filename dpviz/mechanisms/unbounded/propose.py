"""Bounds for clipping, proposed by two private searches with a part of the budget."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import ApproxDP, Budget, compose
from dpviz.core.card import BOTH, Card
from dpviz.core.checks import checked_number, found, wanted
from dpviz.core.errors import InvalidParameter
from dpviz.core.grid import as_written, written_down
from dpviz.core.randomness.bits import Randomness, bits_of, kind_of, or_secure
from dpviz.core.scalars.proposal import BoundsProposal
from dpviz.core.usual_floats import usual_floats
from dpviz.mechanisms.requests import checked_budget
from dpviz.mechanisms.unbounded.guesses import present
from dpviz.mechanisms.unbounded.price import checked_quantile
from dpviz.mechanisms.unbounded.quantile import UnboundedQuantile

CARD = Card(
    key="propose_bounds",
    title="Proposed bounds",
    words="proposed bounds",
    lead="Looks for the bounds with a part of the budget, where nothing public tells them.",
    promises=("pure", "zcdp", "approx"),
    price="a part of the budget, 5 % for each end by default",
    use="a column whose size nobody knows beforehand",
    family="Building blocks",
    summary="Two searches by Quantile without bounds, for $q = .005$ and $q = .995$, each with a "
    "share of the budget: the lower bound is the guess before its stop, the upper one the stop. "
    "Values are then clipped as if these had been declared.",
    guarantee="pure ε, ρ-zCDP, (ε, δ): two shares of the budget by basic composition",
    neighbours=BOTH,
    cost="two searches over the distinct counts below the guesses",
    good_for="far too wide declared bounds, and many people",
    watch_out="now and then a search stops far too late or finds nothing; the share is spent all "
    "the same. With few people public knowledge is better",
    source="after Durfee 2023; this project",
    holds="exact",
)
COARSE = UnboundedQuantile(base=1.1, both_signs=True)  # few guesses: bounds need no more
CENTRAL = (0.005, 0.995)


@usual_floats
def propose_bounds(
    values: ArrayLike,
    budget: Budget,
    rng: Randomness | None = None,
    search: UnboundedQuantile = COARSE,
    quantiles: Sequence[float] = CENTRAL,
    share: float = 0.05,
) -> BoundsProposal:
    """Bounds around the values between two quantiles; each search takes a share of the budget.

    The lower bound is the guess before the stop, the upper one the stop; on −x they change roles.
    quantiles (0, 1) and a search with an overshoot are the rule for the smallest and the largest
    value. Clip to proposal.bounds as if declared, and release with proposal.rest: state the share.
    A search beyond its last guess, or bounds that cross, are refused in proposal.refusal: what was
    spent stays spent. Nothing is spent when this raises.

    >>> proposal = dp.propose_bounds(range(1000), dp.PureDP(1))
    >>> proposal.spent, proposal.rest
    (PureDP(epsilon=0.1), PureDP(epsilon=0.9))

    Guarantee: proposal.spent, two shares of the budget by basic composition; as the search's.
    Exact in the program from random bits. Raises: InvalidData, InvalidBudget, InvalidParameter.
    """
    rng = or_secure(rng)
    if not isinstance(rng, np.random.Generator):
        bits_of(rng)
    wanted(UnboundedQuantile, search, "search")
    low_q, high_q = _pair(quantiles)
    part = _part(checked_budget(budget), _checked(share))
    for q in (low_q, high_q):
        search.check(part, q)
    given = present(values)
    low = np.array([search.stop(given, low_q, part, rng)])  # spends a share
    high = np.array([search.stop(given, high_q, part, rng)])  # spends another
    return BoundsProposal(
        mechanism="propose_bounds",
        parameters={
            **search.parameters,
            "low_quantile": low_q,
            "high_quantile": high_q,
            "share": float(share),
        },
        low=_end(lower_bounds(search, low)),
        high=_end(upper_bounds(search, high)),
        neighbours=search.neighbours,
        spent=compose([part, part]),
        budget=budget,
        randomness=kind_of(rng),
    )


def lower_bounds(search: UnboundedQuantile, stops: ArrayLike) -> FloatArray:
    """The guess before each stop, elementwise; on −x the stop, for it changes its sign."""
    given = np.asarray(stops, dtype=np.int64)
    ends = search.values_at(np.where(given > 0, given - 1, given))
    return np.where(given == search.guesses, np.inf, ends)


def upper_bounds(search: UnboundedQuantile, stops: ArrayLike) -> FloatArray:
    """Each stop, elementwise; on −x the guess before it."""
    given = np.asarray(stops, dtype=np.int64)
    ends = search.values_at(np.where(given < 0, given + 1, given))
    return np.where(-given == search.guesses, -np.inf, ends)


def _end(bounds: FloatArray) -> float | None:
    end = float(bounds[0])
    return end + 0.0 if math.isfinite(end) else None  # −0 becomes 0


def _checked(share: float) -> float:
    """A share of which two leave something for the release."""
    given = checked_number(share, "share")
    if not 0 < given < 0.5:  # also rejects NaN
        raise InvalidParameter(
            f"share must lie in (0, 0.5), got {found(share)}: two searches take it, and the rest "
            "is for the release."
        )
    return given


def _part(budget: Budget, share: float) -> Budget:
    """A share of a budget as it is written."""
    size = written_down(as_written(budget.size) * as_written(share))
    if isinstance(budget, ApproxDP):
        return ApproxDP(size, written_down(as_written(budget.delta) * as_written(share)))
    return budget.resized(size)


def _pair(quantiles: Any) -> tuple[float, float]:
    """Two ascending quantiles."""
    if not (isinstance(quantiles, tuple | list) and len(quantiles) == 2):
        raise InvalidParameter(
            f"quantiles must be two of them, such as (0.005, 0.995), got {found(quantiles)}."
        )
    low, high = (checked_quantile(one, "quantiles") for one in quantiles)
    if not low < high:
        raise InvalidParameter(f"quantiles must ascend, got {low:g} and {high:g}.")
    return low, high
