"""Views of the Trees page that need no data: variance by level, and the simulation."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.experiments.papers.tree_study import (
    HONAKERS_VARIANCE,
    honaker_simulation,
    honaker_table,
    simulated_by_level,
    variances_by_level,
)
from dpviz.figures.trees.levels import honaker_figure, variance_by_level_figure
from dpviz.ui.kit import frame, memory
from dpviz.ui.kit.charts import chart
from dpviz.ui.trees.page import TreePage

SIMULATED_LEAVES = 4096  # above this the points of the variance picture are left out


def variance_panel(page: TreePage, _: None) -> None:
    """Theory, simulation, and the honest gain beside the paper's claim."""
    noise, seed = page.choice.tree.tree_noise(page.choice.budget), page.draw.seed
    theory = variances_by_level(noise)
    simulated = None
    if noise.shape.leaves <= SIMULATED_LEAVES:
        simulated = memory.remembered(
            ("by level", noise, seed),
            lambda: simulated_by_level(noise, np.random.default_rng([seed, 3]), runs=500),
        )
    chart(
        variance_by_level_figure(theory, frame.ink(), simulated=simulated),
        "t_variances",
        "variance",
        "Variance of a node by level for the four readings, theory and simulation",
    )
    best = theory[theory["estimator"] == TreeEstimator.EFFICIENT]
    gain = best.loc[best["level"] > 0, "ratio"]
    if gain.notna().any():
        st.markdown(
            f"Below the root, least squares leaves between **{gain.min():.0%}** and "
            f"**{gain.max():.0%}** of the raw variance on a level of this tree."
        )
    with st.expander("The paper's claim, and what holds", icon=":material/gavel:"):
        st.markdown(
            "Honaker (2019, §3.4) puts the standard error near the root of a tall binary tree at "
            f".202 σ, which is {HONAKERS_VARIANCE:.3f} of the variance, a gain by a factor of 25. "
            "That limit does not hold. In a tall tree with even budgets the efficient variance "
            "tends to 1/4, 5/16, then 1/3 of the raw one with N public, and to 3/8, 11/32, 1/3 with "
            "N private; his own Figure 4 shows one quarter at the top. The table is exact."
        )
        table = honaker_table()
        st.dataframe(table, hide_index=True, height=260, alt="Exact variance ratios by level")


def honaker_panel(_page: TreePage, _: None) -> None:
    """Figure 4 of the paper: 10,000 trees of 16 Poisson leaves under Gaussian noise."""
    simulation = memory.remembered(
        ("honaker",), lambda: honaker_simulation(np.random.default_rng(2019))
    )
    st.caption(
        "Honaker's simulation: 10,000 binary trees with 16 leaves, Poisson(10) records each, noise "
        "of standard deviation 3 on every node, N known. No data of yours is used here."
    )
    chart(
        honaker_figure(simulation, frame.ink()),
        "t_honaker",
        "honaker",
        "Mean squared errors of every node, raw against efficient",
    )
