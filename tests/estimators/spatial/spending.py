"""What a path of a released map spent in all, from the release alone."""

import math

from dpviz.core.budgets import ZCDP, ApproxDP, PureDP
from dpviz.core.errors import InvalidParameter
from dpviz.estimators.spatial.audit import level_spending


def path_spending(release):
    """Budget of a root-to-leaf path: its structure steps and its counts, by basic composition.

    All paths cost the same. Raises: InvalidParameter for Gaussian noise under (ε, δ), whose levels
    do not add up in ε, and for exact counts.
    """
    counts, steps = level_spending(release), release.structure.steps
    whole = math.fsum(counts.levels)
    if isinstance(release.spent, ZCDP):
        return ZCDP(whole + math.fsum(step.size for step in steps))
    if counts.unit == "ρ":
        raise InvalidParameter("Gaussian noise under (ε, δ) is accounted for as a whole.")
    delta = math.fsum(step.delta for step in steps if isinstance(step, ApproxDP))
    epsilon = whole + math.fsum(step.size for step in steps)
    return ApproxDP(epsilon, delta) if delta > 0 else PureDP(epsilon)
