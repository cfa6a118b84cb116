"""Inside recursive halving: what a step may spend, and one node of it."""

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget
from dpviz.core.confidential import confidential
from dpviz.core.quantiles import QuantileSet
from dpviz.core.releases import Recursion
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp
from dpviz.mechanisms.quantiles.recursion import plan


@confidential("step", "quantile", "low", "high", "asked", "eta")
@dataclass(frozen=True, slots=True)
class NodeNumbers:
    """One node: drawn in a step, from low to high, as a quantile asked of its part.

    eta is how steeply its density falls: e^−η for each person away from the target. people is how
    many its part holds: confidential, None while the truth is hidden.
    """

    step: int
    quantile: float
    low: float
    high: float
    asked: float
    eta: float
    people: int | None


@confidential("quantiles", "steps", "first", "value", "step", "each", "node")
@dataclass(frozen=True, slots=True, eq=False)
class RecursionNumbers:
    """The recursion over quantiles (m,) in so many steps, of which the first drew a value.

    step is the ε of one step, each what one of m would get if all were asked one by one. people is
    how many there are: confidential, None while the truth is hidden.
    """

    quantiles: FloatArray
    steps: int
    first: float
    value: float
    step: float
    each: float
    people: int | None
    node: NodeNumbers | None


def answer(
    mechanism: ApproximateQuantiles,
    recursion: Recursion,
    published: FloatArray,
    quantiles: QuantileSet,
    budget: Budget,
    *,
    node: int | None = None,
    sizes: FloatArray | None = None,
) -> RecursionNumbers:
    """What is said of a recursion and the published (m,); sizes (m,) are the people of each part.

    budget is what a record may spend; node is the place of a quantile among the distinct ones.
    """
    first = int(recursion.level.argmin())
    alone = IndependentExp(mechanism.neighbours, mechanism.rho_rule)
    return RecursionNumbers(
        quantiles=quantiles.distinct,
        steps=quantiles.levels,
        first=float(quantiles.distinct[first]),
        value=float(published[first]),
        step=mechanism.level_epsilon(budget, quantiles.levels),
        each=alone.each_epsilon(budget, quantiles.count),
        people=None if sizes is None else int(sizes[first]),
        node=None if node is None else _node(mechanism, recursion, quantiles, budget, node, sizes),
    )


def _node(
    mechanism: ApproximateQuantiles,
    recursion: Recursion,
    quantiles: QuantileSet,
    budget: Budget,
    at: int,
    sizes: FloatArray | None,
) -> NodeNumbers:
    steps = plan(quantiles)
    positions = np.concatenate([nodes.position for nodes in steps.levels])
    etas = np.concatenate(mechanism.etas(budget, steps))
    return NodeNumbers(
        step=int(recursion.level[at]),
        quantile=float(quantiles.distinct[at]),
        low=float(recursion.low[at]),
        high=float(recursion.high[at]),
        asked=float(recursion.normalised[at]),
        eta=float(etas[positions == at + 1][0]),
        people=None if sizes is None else int(sizes[at]),
    )
