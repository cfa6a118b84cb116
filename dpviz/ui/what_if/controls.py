"""Choices that the views of the What-if page share: mechanisms, tree, quantiles, metric."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

import streamlit as st

from dpviz.core.budgets import ZCDP, ApproxDP, Budget, PureDP
from dpviz.core.data import Column
from dpviz.core.quantiles import QuantileSet
from dpviz.core.trees.tree_noise import Root
from dpviz.experiments.engine.tally import MEAN_GAP, METRICS
from dpviz.mechanisms.exponential.rho_rule import RhoRule
from dpviz.mechanisms.exponential.ties import Ties
from dpviz.mechanisms.quantiles.agg_tree import Estimator
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism
from dpviz.ui.kit import choices, session
from dpviz.ui.kit.draws import purpose_of
from dpviz.ui.kit.messages import attempt
from dpviz.ui.kit.pickers import NOTIONS, budget_picker, delta_field, quantile_picker
from dpviz.ui.quantiles.mechanisms import Settings, mechanism_picker, names

PREFIX = "w_"
METRIC_HELP = (
    "Records between a private and its true quantile (AQ paper, section 4.3): the mean over the "
    "quantiles, or the largest."
)


def built(names: list[str], budget: Budget) -> dict[str, QuantileMechanism]:
    """The mechanisms by name: bounded range, ties spread, AggTree by least squares.

    Raises: InvalidParameter for a tree that cannot be.
    """
    fanout, height = _tree_shape() if "AggTree" in names else (10, 3)
    settings = Settings(
        session.neighbours(),
        RhoRule.BOUNDED_RANGE,
        Ties.SPREAD,
        True,
        fanout,
        height,
        Root.SUM,
        Estimator.EFFICIENT,
        "auto",
    )
    return {name: settings.build(name, budget) for name in names}


def _tree_shape() -> tuple[int, int]:
    left, right = st.columns(2, wrap=False)
    fanout = choices.whole_number(
        "Tree fanout",
        2,
        4096,
        "w_fanout",
        "Children of each node of AggTree.",
        default=10,
        place=left,
    )
    height = choices.whole_number(
        "Tree height",
        1,
        22,
        "w_height",
        "Levels of AggTree below the root; fanout^height leaves.",
        default=3,
        place=right,
    )
    return fanout, height


@dataclass(frozen=True, slots=True)
class Compared:
    """What is run, and which error is looked at: the choices that the views share."""

    mechanisms: dict[str, QuantileMechanism]
    quantiles: QuantileSet
    budget: Budget
    metric: str

    def key(self, column: Column) -> tuple[Hashable, ...]:
        """Names column and mechanisms in full."""
        return (column.fingerprint, *self.mechanisms.items())

    def purpose(self, column: Column) -> tuple[object, ...]:
        """What is run on the column, in full: what a run of them is booked under."""
        return purpose_of(tuple(self.mechanisms.items()), column, self.budget)


def compared_picker(
    least: int = 1, budget: Callable[[], Budget] = lambda: budget_picker(PREFIX, 1.0, 0.5)
) -> Compared | None:
    """The shared choices; None, after the problem was shown, where one cannot be used."""
    chosen = mechanism_picker(
        "w_mechanisms",
        names(),
        "Each is run with the whole budget. JointExp is the slow one: it gets fewer runs "
        "where a run is long, and wider error bars.",
    )
    if len(chosen) < least:
        st.caption(f":material/info: Choose at least {least}.")
    spent = attempt(budget)
    quantiles = attempt(lambda: quantile_picker(PREFIX))
    mechanisms = attempt(lambda: built(chosen, spent)) if spent else None
    metric = choices.segments("Error", METRICS, "w_metric", METRIC_HELP, default=MEAN_GAP)
    if spent is None or quantiles is None or mechanisms is None:
        return None
    return Compared(mechanisms, quantiles, spent, metric)


def notion_picker() -> Budget:
    """A budget of which only the notion (and δ) matters; its size is what is looked for.

    Raises: InvalidBudget for a δ outside (0, 1).
    """
    meaning = "The notion in which the smallest budget is looked for."
    notion = choices.segments("Budget", NOTIONS, "w_notion", meaning)
    if notion == "zcdp":
        return ZCDP(1.0)
    if notion == "pure":
        return PureDP(1.0)
    meaning = "Chance that is set aside for a broken ε bound; far below 1 / records."
    return ApproxDP(1.0, delta_field("δ", "w_delta", meaning))


def symbol_of(budget: Budget) -> str:
    """The letter of the budget's size."""
    return "ρ" if isinstance(budget, ZCDP) else "ε"


def described(quantiles: QuantileSet) -> str:
    """A few words for a quantile set."""
    m = quantiles.count
    return "the median" if quantiles.distinct.tolist() == [0.5] else f"{m} quantiles"
