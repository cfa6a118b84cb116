"""The choice of mechanisms and of the parameters they share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from typing import Any

import streamlit as st

from dpviz import catalogue
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, Budget, PureDP
from dpviz.core.choices import with_choices
from dpviz.core.conversions import bounded_range_epsilon
from dpviz.core.errors import DpvizError
from dpviz.core.neighbours import Neighbours
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.square_root import MOST_BINS
from dpviz.core.trees.tree_noise import Root
from dpviz.mechanisms.exponential.rho_rule import RhoRule
from dpviz.mechanisms.exponential.ties import Ties
from dpviz.mechanisms.quantiles.agg_tree import AggTree, QuantileEstimator
from dpviz.mechanisms.quantiles.prefix_quantiles import PrefixQuantiles
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism
from dpviz.ui.kit import choices, session
from dpviz.ui.kit.pickers import FANOUT_HELP, HEIGHT_HELP, declared_total
from dpviz.ui.visit import folded

SPLITS = {RhoRule.BOUNDED_RANGE: "bounded range", RhoRule.PAPER: "paper"}
TIES = {Ties.SPREAD: "spread", Ties.JITTER: "jitter", Ties.KEEP: "keep"}
ROOTS = {Root.SUM: "private, summed", Root.RELEASED: "private, released", Root.PUBLIC: "public N"}
ESTIMATORS = {
    QuantileEstimator.SMOOTHED: "smoothed",
    QuantileEstimator.EFFICIENT: "least squares",
    QuantileEstimator.RAW: "raw (paper)",
    QuantileEstimator.DESCENT: "descent (their program)",
}
BINS_HELP = (
    "Equal bins between the bounds. Left empty: two for each value of the declared resolution, at "
    "most 4,096."
)
NOISES = {
    "auto": "by the budget",
    Noise.DISCRETE_LAPLACE.value: "discrete Laplace",
    Noise.DISCRETE_GAUSSIAN.value: "discrete Gaussian",
    Noise.LAPLACE.value: "Laplace",
    Noise.GAUSSIAN.value: "Gaussian",
}


@dataclass(frozen=True, slots=True)
class Settings:
    """Parameters that the chosen mechanisms share, and those of the tree."""

    neighbours: Neighbours
    rho_rule: RhoRule
    ties: Ties
    round_to_grid: bool
    fanout: int | None
    height: int | None
    bins: int | None
    root: Root
    estimator: QuantileEstimator
    noise: str
    records: int | None = None

    def chips(self, name: str) -> list[str]:
        """Those parameters of a method that are not as at first, in words."""
        tree = name == AggTree.name
        counts = name == PrefixQuantiles.name
        said = {
            f"split: {SPLITS[self.rho_rule]}": self.rho_rule is not RhoRule.BOUNDED_RANGE,
            f"ties: {TIES[self.ties]}": self.ties is not Ties.SPREAD and not (tree or counts),
            "not rounded": not self.round_to_grid,
            f"fanout {self.fanout}": tree and self.fanout is not None,
            f"height {self.height}": tree and self.height is not None,
            f"{self.bins or 0:,} bins": counts and self.bins is not None,
            f"total: {ROOTS[self.root]}": tree and self.root is not Root.SUM,
            ROOTS[Root.PUBLIC]: counts and self.records is not None,
            f"reading: {ESTIMATORS[self.estimator]}": tree
            and self.estimator is not QuantileEstimator.SMOOTHED,
            f"{self.noise} noise": tree and self.noise != "auto",
        }
        return [text for text, holds in said.items() if holds]

    def build(self, name: str, budget: Budget) -> QuantileMechanism:
        """A mechanism by its name, with those of these parameters that it has.

        Raises: InvalidParameter for a tree that cannot be, KeyError for a name without a row.
        """
        kinds = {kind.name: kind for kind in catalogue.QUANTILES}
        noise = Noise.for_budget(budget) if self.noise == "auto" else Noise(self.noise)
        declared = {name: value for name, value in asdict(self).items() if value is not None}
        return with_choices(kinds[name](), {**declared, "noise": noise})


def names() -> list[str]:
    """The mechanisms of the catalogue, in its order."""
    return [kind.name for kind in catalogue.QUANTILES]


def settings_picker(budget: Budget | None, used: Sequence[str]) -> Settings:
    """Parameters of the mechanisms behind sensible defaults, in two short lists.

    What says nothing of the methods used, or of this budget, is drawn only where it was changed.
    """
    _heading("Methods that draw quantiles")
    with folded.closed(folded.is_closed() or not isinstance(budget, ZCDP)):
        split = choices.segments(
            "zCDP split",
            SPLITS,
            "split",
            "How ρ becomes the ε of an exponential mechanism: by bounded range, which costs about "
            "ε²/8 and exactly ln((e^ε − 1)/ε) − 1 + ε/(e^ε − 1), or ε²/2 as the AQ paper prints "
            "it. Same ρ, half the error.",
        )
    if isinstance(budget, ZCDP):
        exact = bounded_range_epsilon(budget.rho)
        st.caption(
            f"{budget} buys one exponential mechanism ε = {exact:.4g} by bounded range, "
            f"{exact / math.sqrt(8 * budget.rho):.3f} × the √(8ρ) of the older rule."
        )
    ties = choices.segments(
        "Tied values",
        TIES,
        "ties",
        "Spread them over the declared resolution, add the AQ authors' jitter of 1e-5, or "
        "keep them and watch the mechanisms drift away from heavy ties.",
    )
    rounded = choices.switch(
        "Round outputs to the resolution",
        "rounded",
        "Post-processing; nothing happens at resolution 0.",
        default=True,
    )
    return _count_settings(budget, RhoRule(split), Ties(ties), rounded, used)


def _count_settings(
    budget: Budget | None, split: RhoRule, ties: Ties, rounded: bool, used: Sequence[str]
) -> Settings:
    """What the methods that count have: bins or the shape of a tree, the total, how it is read."""
    shut, tree, counts = folded.is_closed(), AggTree.name in used, PrefixQuantiles.name in used
    usual = _Usual(None if shut else _declared(), budget)
    with folded.closed(shut or not counts):
        _heading("Running counts")
        bins = choices.optional_whole(
            "Bins", 1, MOST_BINS, "bins", BINS_HELP, placeholder=usual.bins(), width=140
        )
    with folded.closed(shut or not tree):
        _heading("Noisy tree")
        fanout, height = _tree_shape(usual)
    with folded.closed(shut or not (tree or counts)):
        root = choices.menu("Total N", ROOTS, "root", "Public N means replace-one neighbours.")
        records = declared_total("records") if Root(root) is Root.PUBLIC else None
    with folded.closed(shut or not tree):
        estimator = choices.segments(
            "Reading",
            ESTIMATORS,
            "reading",
            "Off the closest running counts to those of least squares that never fall, off these "
            "themselves, or off the raw noisy counts.",
        )
        noise = choices.menu(
            "Noise",
            NOISES,
            "noise",
            "Laplace noise gives pure ε and costs 1/b + e^(−1/b) − 1 in ρ; Gaussian noise gives "
            "zCDP and (ε, δ), and has less variance below ρ = 1.63 a level.",
        )
    return Settings(
        session.neighbours(),
        split,
        ties,
        rounded,
        fanout,
        height,
        bins,
        Root(root),
        QuantileEstimator(estimator),
        noise,
        records,
    )


def _heading(text: str) -> None:
    if not folded.is_closed():
        st.markdown(f"**{text}**")


def _tree_shape(usual: _Usual) -> tuple[int | None, int | None]:
    """Fanout and height; an empty field leaves it to the tree, and says in grey what that gives."""
    side: Any = {"horizontal": True, "vertical_alignment": "bottom"}
    with nullcontext() if folded.is_closed() else st.container(**side):
        fanout = choices.optional_whole(
            "Fanout", 2, 4096, "fanout", FANOUT_HELP, placeholder=usual.tree(None)[0], width=110
        )
        height = choices.optional_whole(
            "Height", 0, 22, "height", HEIGHT_HELP, placeholder=usual.tree(fanout)[1], width=110
        )
    return fanout, height


@dataclass(frozen=True, slots=True)
class _Usual:
    """What methods take by themselves where a field is empty, for what is declared; in grey."""

    declared: tuple[Bounds, float] | None
    budget: Budget | None

    def bins(self) -> str:
        """How many bins."""
        if self.declared is None:
            return "auto"
        return f"auto: {PrefixQuantiles().fitted(*self.declared).bins:,}"

    def tree(self, fanout: int | None) -> tuple[str, str]:
        """The fanout and the height of a tree."""
        if self.declared is None:
            return "auto", "auto"
        tree = AggTree(fanout).fitted(*self.declared, self.budget or PureDP(1.0))
        return f"auto: {tree.fanout}", f"auto: {tree.height}"


def _declared() -> tuple[Bounds, float] | None:
    """Bounds and resolution, or None while they are not declared; the page says so itself."""
    try:
        return session.declared_bounds(), session.declared("resolution") or 0.0
    except DpvizError:
        return None
