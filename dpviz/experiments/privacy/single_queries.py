"""One private number: a quantile by the exponential mechanism, or a count with noise.

Each query runs the real mechanism and knows the exact law of its output.
"""

from dpviz.core.budgets import ZCDP, ApproxDP, Budget, PureDP
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.quantile_query import QuantileQuery

Query = QuantileQuery | CountQuery


def doubled(budget: Budget) -> Budget:
    """The budget whose mechanism has twice the ε: what a broken one spends while it claims one."""
    match budget:
        case PureDP(epsilon):
            return PureDP(2 * epsilon)
        case ZCDP(rho):
            return ZCDP(4 * rho)
        case ApproxDP(epsilon, delta):
            return ApproxDP(2 * epsilon, delta)
