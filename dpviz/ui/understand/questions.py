"""The one private number that a page asks for, in code and in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ApproxDP, Budget
from dpviz.core.data.column import Column
from dpviz.core.errors import DpvizError
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.loss import Claim
from dpviz.experiments.privacy.quantile_query import QuantileQuery
from dpviz.experiments.privacy.single_queries import Query
from dpviz.experiments.twins.tree_query import TreeQuery
from dpviz.ui.kit import session
from dpviz.ui.kit.draws import Draw, draw_of_visit
from dpviz.ui.kit.messages import attempt
from dpviz.ui.understand import settings
from dpviz.ui.visit import state

FIRST_DATA = "salaries"  # Ida is one of them
# public lines, chosen by what the numbers are: high pay, a very good mark, the age of retirement
LINES = {
    "salaries": 100_000.0,
    "exam": 89.0,
    "ages": 64.0,
    "hours": 48.0,
    "ratings": 4.0,
    "waiting": 90.0,
    "uniform": 3.0,
    "normal": 5.0,
}
MADE_UP = 1_001  # values of the column that stands for the data while the truth is off
SHARE = 0.8  # of the bounds: the line of any other column


@dataclass(frozen=True, slots=True)
class Asked:
    """One private number of a column, the budget of a release, and the δ that it is read at.

    is_made_up: nothing here is data.
    """

    query: Query
    column: Column
    budget: Budget
    delta: float
    draw: Draw
    is_made_up: bool = False

    def claim(self) -> Claim:
        """What the mechanism promises. Raises: DpvizError for noise that does not fit the budget."""
        return self.query.claim(self.budget, self.delta)


@dataclass(frozen=True, slots=True)
class AskedTree:
    """The same of the counts of a tree, whose people are always made up."""

    query: TreeQuery
    column: Column
    budget: Budget
    delta: float
    draw: Draw

    is_made_up: ClassVar[bool] = True

    def claim(self) -> Claim:
        """What the mechanism promises. Raises: UnsupportedBudget for pure ε."""
        return self.query.claim(self.budget, self.delta)


def asked(kind: str, budget: Budget, *, hides: bool) -> Asked | None:
    """What a page asks of the data in use, or of a made-up column where the truth is hidden.

    While something is missing its problem is shown, and the made-up column stands in.
    """
    column = None if hides else attempt(_column)
    is_made_up = column is None
    shown = made_up_column() if column is None else column
    query = attempt(lambda: query_of(kind, budget))
    if query is None:
        return None
    found = Asked(query, shown, budget, read_at(budget), draw_of_visit(), is_made_up)
    return None if attempt(found.claim) is None else found


def asked_tree(budget: Budget) -> AskedTree | None:
    """The counts of a tree over made-up people with many rows; None where the budget has no ρ or δ."""
    nobody = Column.from_values([], bounds_or_unit())
    found = AskedTree(TreeQuery(), nobody, budget, read_at(budget), draw_of_visit())
    return None if attempt(found.claim) is None else found


def _column() -> Column:
    session.check_one_row_a_person()
    return session.column()


def query_of(kind: str, budget: Budget) -> Query:
    """The number itself."""
    if kind == settings.QUANTILE:
        return QuantileQuery(float(settings.get("n_quantile")), session.neighbours())
    if settings.get("n_side") == settings.OVER:
        return CountQuery.over(threshold(), noise_in_use(budget))
    return CountQuery(threshold(), noise_in_use(budget))


def noise_in_use(budget: Budget) -> Noise:
    """The noise that was chosen, else one that suits the notion."""
    chosen: Noise | None = settings.get("n_noise")
    if chosen is not None:
        return chosen
    return Noise.DISCRETE_GAUSSIAN if isinstance(budget, ApproxDP) else Noise.DISCRETE_LAPLACE


def choose_audited(kind: str) -> None:
    """A tree's Gaussian noise has no pure ε: take a notion that fits."""
    settings.put("a_ask", kind)
    if kind == settings.TREE and state.get("notion") == "pure":
        state.put("notion", "zcdp")


def choose_noise(noise: Noise) -> None:
    """Gaussian noise has no pure ε, Laplace noise no use for δ: take a notion that fits."""
    settings.put("n_noise", noise)
    notion = state.get("notion")
    if noise.gaussian and notion == "pure":
        state.put("notion", "zcdp")
    elif not noise.gaussian and notion == "approx":
        state.put("notion", "pure")


def read_at(budget: Budget) -> float:
    """The δ that a budget without one is read at; a budget's own otherwise."""
    return budget.delta if isinstance(budget, ApproxDP) else float(settings.get("n_at"))


def bounds_or_unit() -> Bounds:
    """The declared bounds, or 0 to 1 while there are none: for what is made up."""
    low, high = session.declared("low"), session.declared("high")
    try:
        return Bounds(0.0, 1.0) if low is None or high is None else Bounds(low, high)
    except DpvizError:
        return Bounds(0.0, 1.0)


def threshold() -> float:
    """The public line of the count: chosen, else one that suits the column's declaration."""
    chosen = state.store().get(settings.threshold_key())
    if chosen is not None:
        return float(chosen)
    bounds = bounds_or_unit()
    if settings.get("n_side") == settings.UP_TO:
        return bounds.low + bounds.width / 2
    line = LINES.get(session.scope(), bounds.low + SHARE * bounds.width)
    return line if bounds.low < line < bounds.high else bounds.low + SHARE * bounds.width


def made_up_column() -> Column:
    """Values spread evenly over the declared bounds: whoever sees it sees no data."""
    bounds = bounds_or_unit()
    return Column.from_values(np.linspace(bounds.low, bounds.high, MADE_UP + 2)[1:-1], bounds)


def in_words(query: Query, column: Column, *, hides: bool) -> str:
    """The question: "How many of 15,000 people earn over 100,000?"."""
    people = session.words().people
    if isinstance(query, QuantileQuery):
        return f"Which value is the {quantile_name(query.quantile)}?"
    who = people.many if hides else f"of {people.counted(column.n)}"
    return f"How many {who} {line_words(query)}?"


def line_words(query: CountQuery) -> str:
    """What those who are counted do: "earn over 100,000"."""
    words = session.words()
    over = query.above > -np.inf
    line = words.unit.after(amount(query.above if over else query.threshold))
    said = words.at_most[0].format(line)
    return said.replace("at most", "over", 1) if over else said


def quantile_name(quantile: float) -> str:
    """What a quantile is called."""
    return "median" if quantile == 0.5 else f"{100 * quantile:.3g} % point"


def amount(value: float) -> str:
    """A value of the column as people write it."""
    return f"{value:,.10g}".replace("-", "−")


def number_name(query: Query | TreeQuery) -> str:
    """What a pair of laws or outputs is of, in one word or two."""
    if isinstance(query, TreeQuery):
        return "tree"
    return "count" if isinstance(query, CountQuery) else quantile_name(query.quantile)
