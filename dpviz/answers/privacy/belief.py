"""How far a belief about anybody can move. Nothing here is data."""

from dataclasses import dataclass

import numpy as np

from dpviz.core.budgets import Budget
from dpviz.experiments.privacy.odds import odds_of


@dataclass(frozen=True, slots=True)
class BeliefNumbers:
    """A belief of prior becomes one between least and most, but for outputs of chance failure.

    epsilon is the log of the factor by which odds move at most.
    """

    prior: float
    least: float
    most: float
    epsilon: float
    failure: float


def answer(budget: Budget, delta: float, prior: float) -> BeliefNumbers:
    """A budget in ρ is read at delta."""
    odds = odds_of(budget, delta)
    least, most = (float(belief) for belief in odds.posterior(np.array(prior)))
    return BeliefNumbers(prior, least, most, odds.epsilon, odds.failure)
