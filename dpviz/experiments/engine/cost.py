"""About how long releases take, before any is made; constants measured on one ordinary core.

Only sizes and public parameters go in, n included: an estimate is as confidential as n.
"""

from __future__ import annotations

import math

from dpviz.core.budgets import ZCDP, Budget
from dpviz.core.data import Column
from dpviz.mechanisms.exponential.ties import Ties, is_randomised
from dpviz.mechanisms.quantiles.agg_tree import AggTree
from dpviz.mechanisms.quantiles.joint_exp.mechanism import JointExp
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism


def release_seconds(
    mechanism: QuantileMechanism, column: Column, n: int, m: int, budget: Budget, runs: int
) -> float:
    """Seconds for several runs on n records of a column; right within a factor of about two."""
    if isinstance(mechanism, AggTree):
        return 6e-4 + (2e-5 + 2e-8 * mechanism.shape.leaves) * runs
    treated = is_randomised(column, getattr(mechanism, "ties", Ties.KEEP))
    spreading = 7e-8 * n * runs if treated else 0.0
    if isinstance(mechanism, JointExp):
        tables = runs if treated else 1
        return spreading + tables * _table_seconds(n, m, budget) + 6e-6 * m * runs
    return spreading + 6e-4 + m * 1e-5 + 1e-6 * m * runs + 2e-5 * runs


def _table_seconds(n: int, m: int, budget: Budget) -> float:
    size = math.sqrt(2 * budget.rho) if isinstance(budget, ZCDP) else budget.epsilon
    window = min(n, (100 + 6 * m) * math.sqrt(n / 1000) / size)
    return 5e-4 + m * (2e-4 + 1.05e-7 * window)
