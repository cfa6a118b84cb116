"""What releases about the same people add up to, in exact numbers: budgets as they are written."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpviz.core.budgets import ZCDP, ApproxDP, Budget, PureDP
from dpviz.core.conversions import step_rho, zcdp_to_approx
from dpviz.core.errors import InvalidBudget
from dpviz.core.grid import as_written

ABOVE = Fraction(1 + 2.0**-40)  # times a conversion in doubles, which may be a little too low
EXP_ABOVE = Fraction(1 + 2.0**-50)  # times a sum of exponentials in doubles
LARGE = 100  # an ε from which on ε tanh(ε/2) is ε
LEAST_DELTA = 1e-10  # the least δ for which sums over a grid of losses keep their digits
FINENESS, CELLS = 1e-4, 10**6  # of that grid, and how many; losses are rounded up to it
SHARES = (0.1, 0.25, 0.5, 0.75, 0.9)  # of a δ that is left, for all that is spent in ρ


@dataclass(frozen=True, slots=True)
class Loss:
    """What is lost in all: ε and δ of pure and (ε, δ)-releases, and beside them ρ."""

    epsilon: Fraction = Fraction(0)
    delta: Fraction = Fraction(0)
    rho: Fraction = Fraction(0)

    @classmethod
    def of(cls, budget: Budget, steps: int = 1) -> Loss:
        """The loss over so many steps from one data set to the other: kε, k²ρ, (1 + e^ε + …) δ.

        Replacing a record removes it and adds another, two steps of a release for added records.
        Source: Dwork and Roth 2014, Theorem 2.2; Bun and Steinke 2016, Proposition 1.9.
        """
        match budget:
            case ZCDP(rho):
                return cls(rho=steps**2 * as_written(rho))
            case PureDP(epsilon):
                return cls(steps * as_written(epsilon))
            case ApproxDP(epsilon, delta):
                return cls(steps * as_written(epsilon), as_written(delta) * _times(epsilon, steps))
        raise InvalidBudget(f"This is no budget: {type(budget).__name__}.")

    def __add__(self, other: Loss) -> Loss:
        """By basic composition, each notion for itself.

        Source: Dwork et al. 2006; Bun and Steinke 2016, Lemma 2.3.
        """
        return Loss(self.epsilon + other.epsilon, self.delta + other.delta, self.rho + other.rho)

    def __mul__(self, times: int) -> Loss:
        """Of so many releases."""
        return Loss(times * self.epsilon, times * self.delta, times * self.rho)

    def __bool__(self) -> bool:
        return bool(self.epsilon or self.rho)

    def widest(self, other: Loss) -> Loss:
        """The larger of both in each number: of releases about different people."""
        return Loss(
            max(self.epsilon, other.epsilon), max(self.delta, other.delta), max(self.rho, other.rho)
        )

    @property
    def in_rho(self) -> Loss:
        """The same in ρ: an ε costs ε tanh(ε/2), which randomised response attains.

        It holds for one release of so large an ε: convert before adding.
        Raises: InvalidBudget for a δ, of which no ρ can be told.
        Source: Harrison and Manurangsi 2026.
        """
        if self.delta:
            raise InvalidBudget(
                "What has a δ has no price in ρ. Open an account in (ε, δ), or spend ε or ρ."
            )
        if not self.epsilon:
            return self
        if self.epsilon > LARGE:
            return Loss(rho=self.rho + self.epsilon)
        return Loss(rho=self.rho + Fraction(step_rho(float(self.epsilon))) * ABOVE)


def added(losses: Iterable[Loss]) -> Loss:
    """The sum by basic composition."""
    total = Loss()
    for one in losses:
        total += one
    return total


def tight_epsilon(losses: Sequence[Loss], delta: float) -> float:
    """The least ε that is known for all of these together at a δ; ∞ where their own δ is more.

    The budgets must be settled before the first release: optimal composition does not hold for
    those that are chosen by what was released. Their privacy loss distributions are those of
    randomised response, on a grid that rounds losses up; ρ is converted with a part of δ.
    Source: Kairouz, Oh and Viswanath 2015; Koskela, Jälkö and Honkela 2020; Vadhan and Zhang 2023,
    for ρ as one interactive mechanism among the others.
    """
    total = added(losses)
    room = as_written(delta) - total.delta
    if room < 0 or (total.rho and not room):
        return math.inf
    known = [_basic(total, float(room))]
    if not any(one.delta for one in losses) and total.rho:
        in_rho = added(one.in_rho for one in losses).rho
        known.append(_in_approx(in_rho, delta))
    if delta >= LEAST_DELTA and len(losses) > 1:
        known.append(_by_distributions(losses, total.rho, delta, float(room)))
    return max(min(known), sys.float_info.min)


def _basic(total: Loss, room: float) -> float:
    converted = _in_approx(total.rho, room) if total.rho else 0.0
    return math.nextafter(float(total.epsilon), math.inf) + converted


def _in_approx(rho: Fraction, delta: float) -> float:
    return zcdp_to_approx(ZCDP(float(rho * ABOVE)), delta).epsilon * (1 + 1e-12)


def _by_distributions(losses: Sequence[Loss], rho: Fraction, delta: float, room: float) -> float:
    pairs = [(float(one.epsilon), float(one.delta)) for one in losses if not one.rho]
    if not rho:
        return _composed(pairs, delta)
    parts = [share * room for share in SHARES]
    return min(_composed([*pairs, (_in_approx(rho, part), part)], delta) for part in parts)


def _composed(pairs: Sequence[tuple[float, float]], delta: float) -> float:
    from dp_accounting.pld import common, privacy_loss_distribution  # noqa: PLC0415  # a second, for (ε, δ) alone

    sizes = [epsilon for epsilon, _ in pairs]
    if max(sizes) > LARGE:  # nothing is gained, and e^ε may be no double
        return math.inf
    cell = max(min(FINENESS, min(sizes) / 1000), math.fsum(sizes) / CELLS)
    whole = None
    for epsilon, part in sorted(set(pairs)):
        promise = common.DifferentialPrivacyParameters(epsilon, part)
        one = privacy_loss_distribution.from_privacy_parameters(
            promise, value_discretization_interval=cell
        )
        times = one.self_compose(pairs.count((epsilon, part)))
        whole = times if whole is None else whole.compose(times)
    assert whole is not None
    return float(whole.get_epsilon_for_delta(delta)) * (1 + 1e-12)


def _times(epsilon: float, steps: int) -> Fraction:
    """1 + e^ε + … + e^((k − 1) ε), rounded up."""
    whole = sum(math.exp(min(step * epsilon, 700.0)) for step in range(steps))
    return Fraction(whole) * (EXP_ABOVE if steps > 1 else 1)
