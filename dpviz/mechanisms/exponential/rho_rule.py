"""How a zCDP budget is turned into the ε of an exponential mechanism."""

import math

from dpviz.core.budgets import ZCDP
from dpviz.core.checks import checked_number, wanted
from dpviz.core.choices import Choice
from dpviz.core.conversions import bounded_range_epsilon
from dpviz.core.errors import InvalidBudget, InvalidParameter

MOST_PARTS = 1e12


class RhoRule(Choice):
    """How ρ becomes the ε of exponential mechanisms.

    BOUNDED_RANGE uses that they are r(ε)-zCDP, about ε²/8 (twice the ε for the same ρ); PAPER uses
    ε²/2-zCDP, which holds for every ε-DP mechanism.

    >>> rules = dp.RhoRule.BOUNDED_RANGE, dp.RhoRule.PAPER
    >>> [round(rule.epsilon(dp.ZCDP(0.5), 1), 2) for rule in rules]
    [2.06, 1.0]
    """

    BOUNDED_RANGE = "bounded-range"
    PAPER = "paper"

    def epsilon(self, budget: ZCDP, parts: float) -> float:
        """The ε of each of several equal parts: r⁻¹(ρ/parts), or √(2ρ/parts) as printed.

        Source: Harrison and Manurangsi 2026; Cesar and Rogers 2021; Kaplan, Schnapp and Stemmer
        2021, Theorem 3.10.
        Raises: InvalidBudget for another notion than ρ; InvalidParameter for parts below 1.
        """
        wanted(ZCDP, budget, "budget", InvalidBudget)
        parts = checked_number(parts, "parts")
        if not 1 <= parts <= MOST_PARTS:
            raise InvalidParameter(f"parts must lie in 1 … {MOST_PARTS:g}, got {parts}.")
        if self is RhoRule.PAPER:
            return math.sqrt(2 * budget.rho / parts)
        return bounded_range_epsilon(budget.rho / parts)
