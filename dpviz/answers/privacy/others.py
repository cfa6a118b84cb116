"""A budget beside those that others chose: which of theirs are larger, and what they protect."""

from dataclasses import dataclass

from dpviz.answers.privacy.deployments import DEPLOYMENTS, Deployment
from dpviz.core.budgets import ZCDP, ApproxDP, Budget, compose
from dpviz.core.conversions import zcdp_to_approx

Ends = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Beside:
    """An ε among others: how many of them are below it, around it (a range), and above it."""

    epsilon: float
    below: int
    around: int
    above: int


@dataclass(frozen=True, slots=True)
class OthersNumbers:
    """One answer and so many of them, added up, beside what others chose. Nothing here is data.

    budget is that of one answer; delta is what its ε leaves out, 0 for pure ε. whole and parts are
    the least and the largest ε of those who protect everything of a person or a device, and of
    those who protect a part of it.
    """

    budget: Budget
    answers: int
    delta: float
    one: Beside
    total: Beside
    others: tuple[Deployment, ...]
    whole: Ends
    parts: Ends


def answer(budget: Budget, answers: int, delta: float) -> OthersNumbers:
    """A budget in ρ is converted at delta, and others are left in the ε that they state."""
    added = compose([budget] * answers)
    return OthersNumbers(
        budget=budget,
        answers=answers,
        delta=_delta(added, delta),
        one=beside(_epsilon(budget, delta)),
        total=beside(_epsilon(added, delta)),
        others=DEPLOYMENTS,
        whole=_ends([one for one in DEPLOYMENTS if one.whole]),
        parts=_ends([one for one in DEPLOYMENTS if not one.whole]),
    )


def beside(epsilon: float) -> Beside:
    """How many of the others are below an ε, around it, and above it."""
    below = sum(one.high < epsilon for one in DEPLOYMENTS)
    above = sum(one.low > epsilon for one in DEPLOYMENTS)
    return Beside(epsilon, below, len(DEPLOYMENTS) - below - above, above)


def _epsilon(budget: Budget, delta: float) -> float:
    if isinstance(budget, ZCDP):
        return zcdp_to_approx(budget, delta).epsilon
    return budget.size


def _delta(budget: Budget, delta: float) -> float:
    if isinstance(budget, ZCDP):
        return delta
    return budget.delta if isinstance(budget, ApproxDP) else 0.0


def _ends(those: list[Deployment]) -> Ends:
    return min(one.low for one in those), max(one.high for one in those)
