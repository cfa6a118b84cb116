"""The choice of mechanisms and of the parameters they share."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import streamlit as st

from dpviz import catalogue
from dpviz.core.budgets import Budget
from dpviz.core.choices import with_choices
from dpviz.core.neighbours import Neighbours
from dpviz.core.noise import Noise
from dpviz.core.trees.tree_noise import Root
from dpviz.mechanisms.exponential.rho_rule import RhoRule
from dpviz.mechanisms.exponential.ties import Ties
from dpviz.mechanisms.quantiles.agg_tree import Estimator
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism
from dpviz.ui.kit import session
from dpviz.ui.kit.frame import label_of

SPLITS = {RhoRule.BOUNDED_RANGE: "bounded range", RhoRule.PAPER: "paper"}
TIES = {Ties.SPREAD: "spread", Ties.JITTER: "jitter", Ties.KEEP: "keep"}
ROOTS = {Root.SUM: "private, summed", Root.RELEASED: "private, released", Root.PUBLIC: "public N"}
ESTIMATORS = {Estimator.EFFICIENT: "least squares", Estimator.RAW: "raw (paper)"}
NOISES = {
    "auto": "Laplace for ε, else Gaussian",
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
    fanout: int
    height: int
    root: Root
    estimator: Estimator
    noise: str

    def build(self, name: str, budget: Budget) -> QuantileMechanism:
        """A mechanism by its name, with those of these parameters that it has.

        Raises: InvalidParameter for a tree that cannot be, KeyError for a name without a row.
        """
        kinds = {kind.name: kind for kind in catalogue.QUANTILES}
        noise = Noise.for_budget(budget) if self.noise == "auto" else Noise(self.noise)
        return with_choices(kinds[name](), {**asdict(self), "noise": noise})


def names() -> list[str]:
    """The mechanisms of the catalogue, in its order."""
    return [kind.name for kind in catalogue.QUANTILES]


def mechanism_picker() -> list[str]:
    """Names of the mechanisms to compare, in a fixed order."""
    chosen = st.pills(
        "Mechanisms",
        names(),
        selection_mode="multi",
        key="mechanisms",
        default=["ApproximateQuantiles", "JointExp"],
        format_func=label_of,
        bind="query-params",
        wrap=True,
        help="Each chosen mechanism spends the whole budget in a release of its own; in practice "
        "one would choose one. The cards are on the Methods page.",
    )
    return [name for name in names() if name in chosen]


def settings_picker() -> Settings:
    """Parameters of the mechanisms, folded away behind sensible defaults."""
    with st.popover("Mechanism settings", icon=":material/tune:", width="stretch"):
        split = st.segmented_control(
            "zCDP split",
            list(SPLITS),
            key="split",
            default=RhoRule.BOUNDED_RANGE,
            required=True,
            format_func=lambda one: SPLITS[one],
            bind="query-params",
            persist_state="session",
            help="How ρ becomes the ε of an exponential mechanism: ε²/8 by bounded range (Cesar and "
            "Rogers 2021), or ε²/2 as the AQ paper prints it. Same ρ, half the error.",
        )
        ties = st.segmented_control(
            "Tied values",
            list(TIES),
            key="ties",
            default=Ties.SPREAD,
            required=True,
            format_func=lambda one: TIES[one],
            bind="query-params",
            persist_state="session",
            help="Spread them over the declared resolution, add the AQ authors' jitter of 1e-5, or "
            "keep them and watch the mechanisms drift away from heavy ties.",
        )
        rounded = st.toggle(
            "Round outputs to the resolution",
            value=True,
            key="rounded",
            bind="query-params",
            persist_state="session",
            help="Post-processing; nothing happens at resolution 0.",
        )
        st.markdown("**AggTree**")
        with st.container(horizontal=True):
            fanout = st.number_input(
                "Fanout",
                2,
                4096,
                value=10,
                key="fanout",
                bind="query-params",
                width=110,
                persist_state="session",
                help="Children of each node.",
            )
            height = st.number_input(
                "Height",
                0,
                22,
                value=3,
                key="height",
                bind="query-params",
                width=110,
                persist_state="session",
                help="Levels below the root; fanout^height leaves.",
            )
        root = st.selectbox(
            "Total N",
            list(ROOTS),
            key="root",
            format_func=lambda one: ROOTS[one],
            bind="query-params",
            persist_state="session",
            help="Public N means replace-one neighbours.",
        )
        estimator = st.segmented_control(
            "Reading",
            list(ESTIMATORS),
            key="reading",
            default=Estimator.EFFICIENT,
            required=True,
            format_func=lambda one: ESTIMATORS[one],
            bind="query-params",
            persist_state="session",
            help="Quantiles after least squares over the whole tree, or off the raw noisy counts.",
        )
        noise = st.selectbox(
            "Noise",
            list(NOISES),
            key="noise",
            format_func=lambda one: NOISES[one],
            bind="query-params",
            persist_state="session",
            help="Laplace noise gives pure ε, Gaussian noise zCDP and (ε, δ).",
        )
    return Settings(
        session.neighbours(),
        RhoRule(split),
        Ties(ties),
        bool(rounded),
        int(fanout),
        int(height),
        Root(root),
        Estimator(estimator),
        str(noise),
    )
