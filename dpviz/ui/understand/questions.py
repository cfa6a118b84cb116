"""The one private number that a page asks for, in code and in words."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpviz.answers.number_text import in_digits
from dpviz.core.budgets import ApproxDP, Budget
from dpviz.core.data.column import Column
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.loss import Claim
from dpviz.experiments.privacy.quantile_query import QuantileQuery
from dpviz.experiments.privacy.single_queries import Query
from dpviz.experiments.twins.tree_query import TreeQuery
from dpviz.ui.kit import session
from dpviz.ui.kit.draws import Draw, draw_of_visit
from dpviz.ui.kit.messages import attempt
from dpviz.ui.model.fields import Values
from dpviz.ui.understand import declared, rows


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


def asked(kind: str, values: Values, budget: Budget, *, hides: bool) -> Asked | None:
    """What a page asks of the data in use, or of a made-up column where the truth is hidden.

    While something is missing its problem is shown, and the made-up column stands in.
    """
    column = None if hides else attempt(column_in_use)
    is_made_up = column is None
    shown = declared.made_up_column() if column is None else column
    delta = read_at(values, budget)
    found = Asked(query_of(kind, values), shown, budget, delta, draw_of_visit(), is_made_up)
    return None if attempt(found.claim) is None else found


def asked_tree(values: Values, budget: Budget) -> AskedTree | None:
    """The counts of a tree over made-up people with many rows; None where the budget has no ρ or δ."""
    nobody = Column.from_values([], declared.bounds_or_unit())
    found = AskedTree(TreeQuery(), nobody, budget, read_at(values, budget), draw_of_visit())
    return None if attempt(found.claim) is None else found


def column_in_use() -> Column:
    """The column that is asked. Raises: DpvizError while something of it is missing."""
    session.check_one_row_a_person()
    return session.column()


def query_of(kind: str, values: Values) -> Query:
    """The number itself."""
    if kind == rows.QUANTILE:
        return QuantileQuery(float(values["n_quantile"]), session.neighbours())
    line, noise = float(values["n_line"]), values["n_noise"]
    return (
        CountQuery.over(line, noise) if values["n_side"] == rows.OVER else CountQuery(line, noise)
    )


def read_at(values: Values, budget: Budget) -> float:
    """The δ that a budget without one is read at; a budget's own otherwise."""
    return budget.delta if isinstance(budget, ApproxDP) else float(values["n_at"])


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
    line = words.unit.after(in_digits(query.above if over else query.threshold))
    said = words.at_most[0].format(line)
    return said.replace("at most", "over", 1) if over else said


def quantile_name(quantile: float) -> str:
    """What a quantile is called."""
    return "median" if quantile == 0.5 else f"{100 * quantile:.3g} % point"


def number_name(query: Query | TreeQuery) -> str:
    """What a pair of laws or outputs is of, in one word or two."""
    if isinstance(query, TreeQuery):
        return "tree"
    return "count" if isinstance(query, CountQuery) else quantile_name(query.quantile)
