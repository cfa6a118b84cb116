"""One person and one private quantile: how far the exact densities with and without them differ."""

from dataclasses import dataclass

from dpviz.core.confidential import confidential
from dpviz.experiments.privacy.loss import Loss


@confidential("epsilon")
@dataclass(frozen=True, slots=True)
class QuantileOdds:
    """The largest log ratio of both densities, confidential, of the epsilon that is allowed.

    used is the share of epsilon that this person uses. true is the quantile itself, confidential,
    and None where a made-up column stands for anybody's.
    """

    largest: float
    epsilon: float
    used: float
    true: float | None


def answer(loss: Loss, epsilon: float, true: float | None) -> QuantileOdds:
    """Epsilon > 0 is what the mechanism promises."""
    return QuantileOdds(loss.largest, epsilon, loss.largest / epsilon, true)
