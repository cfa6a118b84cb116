"""How a zCDP budget is turned into the ε of an exponential mechanism."""

from __future__ import annotations

import math

from dpviz.core.budgets import ZCDP
from dpviz.core.choices import Choice


class RhoRule(Choice):
    """BOUNDED_RANGE uses ε²/8-zCDP (twice the ε for the same ρ); PAPER uses ε²/2-zCDP."""

    BOUNDED_RANGE = "bounded-range"
    PAPER = "paper"

    def epsilon(self, budget: ZCDP, parts: int) -> float:
        """The ε of each of several equal parts: √(8ρ/parts) by bounded range, √(2ρ/parts) printed.

        Source: Cesar and Rogers 2021; Kaplan, Schnapp and Stemmer 2021, Theorem 3.10.
        """
        factor = {RhoRule.BOUNDED_RANGE: 8.0, RhoRule.PAPER: 2.0}[self]
        return math.sqrt(factor * budget.rho / parts)
