"""What ε means: by how much an observer's belief about one record can move. Nothing is data."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import ZCDP, ApproxDP, Budget, PureDP


@dataclass(frozen=True, slots=True)
class Odds:
    """Odds grow and shrink by at most e^epsilon, but for outputs that come with chance failure."""

    epsilon: float
    failure: float = 0.0

    def posterior(self, prior: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The least and the largest belief after the output, elementwise, for priors in [0, 1].

        The upper one is e^ε p/(1 − p + e^ε p), worked out in log odds.
        """
        with np.errstate(divide="ignore"):  # beliefs of 0 and 1 stay what they are
            before = logit(np.asarray(prior, dtype=np.float64))
        return expit(before - self.epsilon), expit(before + self.epsilon)


def odds_of(budget: Budget, delta: float) -> Odds:
    """The odds that a budget stands for; delta is the chance of failure that zCDP is read at.

    zCDP: the loss exceeds ρ + 2√(ρ ln(1/δ)) with chance at most δ. (ε, δ)-DP bounds the loss only
    with room to spare: it exceeds ε + ln 2 with chance at most 2δ, as δ ≥ E(1 − e^(ε − L)).
    Source: Bun and Steinke 2016, proof of Proposition 1.3; Kasiviswanathan and Smith 2014.
    """
    match budget:
        case PureDP(epsilon):
            return Odds(epsilon)
        case ZCDP(rho):
            ApproxDP(1.0, delta)  # refuses a δ outside (0, 1)
            return Odds(rho + 2 * math.sqrt(rho * -math.log(delta)), delta)
        case ApproxDP(epsilon, own):
            return Odds(epsilon + math.log(2), min(2 * own, 1.0))
