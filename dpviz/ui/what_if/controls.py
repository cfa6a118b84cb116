"""Choices that the views of the What-if page share: mechanisms, tree, quantiles, metric."""

from __future__ import annotations

import streamlit as st

from dpviz.core.budgets import ZCDP, ApproxDP, Budget, PureDP
from dpviz.core.quantiles import (
    DECILES,
    PERCENTILES,
    QUARTILES,
    QuantileSet,
)
from dpviz.core.trees.tree_noise import Root
from dpviz.experiments.engine.tally import LARGEST_GAP, MEAN_GAP, METRICS
from dpviz.mechanisms.exponential.rho_rule import RhoRule
from dpviz.mechanisms.exponential.ties import Ties
from dpviz.mechanisms.quantiles.agg_tree import Estimator
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism
from dpviz.ui.kit import session
from dpviz.ui.kit.frame import label_of
from dpviz.ui.kit.pickers import NOTIONS
from dpviz.ui.quantiles.mechanisms import Settings, names

PREFIX = "w_"
SETS = {"quartiles": QUARTILES, "deciles": DECILES, "percentiles": PERCENTILES}
UNITS = ("records", "% of records")
METRIC_HELP = (
    "Records between a private and its true quantile (AQ paper, section 4.3): the mean over the "
    "quantiles, or the largest."
)


def mechanisms_picker(least: int = 1) -> list[str]:
    """Names of the mechanisms to compare, in a fixed order; fewer than least is said."""
    chosen = st.pills(
        "Mechanisms",
        names(),
        selection_mode="multi",
        key="w_mechanisms",
        default=names(),
        format_func=label_of,
        bind="query-params",
        persist_state="session",
        wrap=True,
        help="Each is run with the whole budget. JointExp is the slow one: it gets fewer runs "
        "where a run is long, and wider error bars.",
    )
    if len(chosen) < least:
        st.caption(f":material/info: Choose at least {least}.")
    return [name for name in names() if name in chosen]


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
    fanout = left.number_input(
        "Tree fanout",
        2,
        4096,
        value=10,
        key="w_fanout",
        bind="query-params",
        persist_state="session",
        help="Children of each node of AggTree.",
    )
    height = right.number_input(
        "Tree height",
        1,
        22,
        value=3,
        key="w_height",
        bind="query-params",
        persist_state="session",
        help="Levels of AggTree below the root; fanout^height leaves.",
    )
    return int(fanout), int(height)


def runs_picker(default: int = 50) -> int:
    """Runs of each mechanism at each place."""
    return int(
        st.select_slider(
            "Runs at each point",
            (10, 20, 50, 100, 200, 500),
            value=default,
            key="w_runs",
            bind="query-params",
            persist_state="session",
            help="More runs, smaller error bars. Each is a release of its own: for planning on "
            "public data or in a teaching view, never for real records that are then published.",
        )
    )


def metric_picker() -> str:
    """One of METRICS."""
    return str(
        st.segmented_control(
            "Error",
            METRICS,
            default=MEAN_GAP,
            required=True,
            key="w_metric",
            bind="query-params",
            persist_state="session",
            help=METRIC_HELP,
        )
    )


def unit_picker() -> bool:
    """Whether errors are shown as a share of the records."""
    chosen = st.segmented_control(
        "Unit",
        UNITS,
        default=UNITS[0],
        required=True,
        key="w_unit",
        bind="query-params",
        persist_state="session",
        help="A relative error compares columns, or samples, of different sizes.",
    )
    return str(chosen) == UNITS[1]


def notion_picker() -> Budget:
    """A budget of which only the notion (and δ) matters; its size is what is looked for.

    Raises: InvalidBudget for a δ that is none.
    """
    notion = st.segmented_control(
        "Budget",
        list(NOTIONS),
        key="w_notion",
        default="pure",
        required=True,
        format_func=lambda key: NOTIONS[key],
        bind="query-params",
        persist_state="session",
        help="The notion in which the smallest budget is looked for.",
    )
    if notion == "zcdp":
        return ZCDP(1.0)
    if notion == "pure":
        return PureDP(1.0)
    delta = st.number_input(
        "δ",
        value=1e-6,
        key="w_delta",
        format="%.3g",
        step=1e-7,
        bind="query-params",
        persist_state="session",
        help="Chance that is set aside for a broken ε bound; far below 1 / records.",
    )
    return ApproxDP(1.0, float(delta))


def described(quantiles: QuantileSet) -> str:
    """A few words for a quantile set."""
    m = quantiles.count
    return "the median" if quantiles.distinct.tolist() == [0.5] else f"{m} quantiles"


def metric_title(metric: str, *, relative: bool) -> str:
    """An axis title."""
    named = "largest gap" if metric == LARGEST_GAP else "mean gap"
    return f"{named} ({'% of records' if relative else 'records'})"
