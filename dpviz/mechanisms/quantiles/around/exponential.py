"""A single quantile by the exponential mechanism, as ApproximateQuantiles draws it."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.budgets import Budget
from dpviz.core.choices import settle_choices
from dpviz.core.releases import Parameters
from dpviz.mechanisms.exponential.one_quantile import sample
from dpviz.mechanisms.exponential.rho_rule import RhoRule
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.around.protocol import Parts, Share
from dpviz.mechanisms.requests import checked_budget


@dataclass(frozen=True, slots=True)
class ExponentialQuantile:
    """Smith's exponential mechanism: density ∝ exp(−η |records below − target|).

    Guarantee: PureDP, ZCDP and ApproxDP under either relation, as ApproximateQuantiles composes.
    Source: Smith 2011, Algorithm 2; Kaplan, Schnapp and Stemmer 2021, Appendix A.
    """

    rho_rule: RhoRule = RhoRule.BOUNDED_RANGE

    name: ClassVar[str] = "exponential mechanism"
    reads_all: ClassVar[bool] = False

    def __post_init__(self) -> None:
        settle_choices(self, rho_rule=RhoRule)

    @property
    def parameters(self) -> Parameters:
        """All parameters as plain values, without the name."""
        return {"rho_rule": self.rho_rule.value}

    def check(self, budget: Budget) -> None:
        """Refuse anything but a budget."""
        checked_budget(budget)

    def draw(
        self, parts: Parts, share: Share, rng: np.random.Generator
    ) -> tuple[FloatArray, IntArray]:
        """The draws of ApproximateQuantiles, seed for seed."""
        halving = ApproximateQuantiles(share.neighbours, self.rho_rule)
        eta = halving.level_etas(share.whole, share.levels, share.depth, parts.quantile)
        problems = replace(parts.problems, eta=eta)
        return sample(parts.ladder, problems, rng)  # spends the share
