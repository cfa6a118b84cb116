"""How a decomposition's budget is divided between private medians and counts."""

from dataclasses import dataclass

from dpviz.core.budgets import ZCDP, ApproxDP, Budget, PureDP
from dpviz.core.errors import UnsupportedBudget
from dpviz.core.grid import as_written, written_down
from dpviz.core.randomness.noise import Noise
from dpviz.mechanisms.requests import checked_budget


@dataclass(frozen=True, slots=True)
class Division:
    """steps median steps on every root-to-leaf path, each with budget step, and the counts'."""

    steps: int
    step: Budget | None
    counts: Budget


def divide(
    budget: Budget, *, share: float, steps: int, medians_take_delta: bool, noise: Noise
) -> Division:
    """Give share of the budget to the median steps, uniformly, and the rest to the counts.

    ε and ρ are divided by share. δ goes to whatever uses it: to smooth-sensitivity medians, to
    Gaussian counts, or to both by share. Without median steps the counts get everything.
    Guarantee: by basic composition every path spends the budget, and never more.
    Raises: UnsupportedBudget when there is a δ and nothing uses it.
    Source: Cormode et al. 2012, §6.2.
    """
    checked_budget(budget)
    if steps == 0:
        return Division(0, None, budget)
    match budget:
        case PureDP(size) | ZCDP(size):
            step, counts = _parts(size, share, steps)
            return Division(steps, budget.resized(step), budget.resized(counts))
        case ApproxDP(epsilon, delta):
            step, counts = _parts(epsilon, share, steps)
            return _divide_delta(
                PureDP(step),
                PureDP(counts),
                delta,
                steps,
                share,
                medians_take_delta,
                noise.gaussian,
            )


def _parts(size: float, share: float, steps: int) -> tuple[float, float]:
    """A step's part of a budget as it is written, and the counts': never more together."""
    whole, part = as_written(size), as_written(share)
    return written_down(whole * part / steps), written_down(whole * (1 - part))


def _divide_delta(
    step: PureDP,
    counts: PureDP,
    delta: float,
    steps: int,
    share: float,
    medians_take: bool,
    counts_take: bool,
) -> Division:
    if not (medians_take or counts_take):
        raise UnsupportedBudget(
            "Neither these medians nor Laplace noise make use of δ. Choose smooth-sensitivity "
            "medians, Gaussian noise, or a budget in ε or ρ."
        )
    part = share if counts_take else 1.0
    each = written_down(as_written(delta) * as_written(part) / steps) if medians_take else 0.0
    for_counts = written_down(as_written(delta) - steps * as_written(each))
    return Division(
        steps,
        ApproxDP(step.epsilon, each) if medians_take else step,
        ApproxDP(counts.epsilon, for_counts) if counts_take else counts,
    )
