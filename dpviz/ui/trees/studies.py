"""Views of the Trees page that need no data: standard errors by level, and Honaker's simulation."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.core.trees.tree_noise import TreeNoise
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.experiments.papers.tree_study import (
    HONAKERS_VARIANCE,
    honaker_simulation,
    honaker_table,
    simulated_by_level,
    variances_by_level,
)
from dpviz.figures.trees.level_errors import level_errors_picture
from dpviz.figures.trees.runs import simulation_picture
from dpviz.ui.bench.headline import headline, private
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit import memory
from dpviz.ui.kit.number_text import percent
from dpviz.ui.trees.page import TreePage, names
from dpviz.ui.visit.page import Visit

SIMULATED_LEAVES = 4096  # above this the points of the picture are left out


def levels_view(page: TreePage, now: Visit, _: TreeEstimator) -> tuple[str, str]:
    """Theory, simulation, and the honest gain beside the paper's claim."""
    noise, seed = page.choice.tree.tree_noise(page.choice.budget), page.draw.seed
    theory = variances_by_level(noise)
    finding = _finding(theory)
    headline("Trees", finding, "Standard errors depend on public choices alone.")
    hero(
        level_errors_picture(
            theory, noise.fanout, names(), now.look, simulated=_simulated(noise, seed)
        ),
        "trees_levels",
        "Standard error of a node by level for the four readings, theory and simulation",
        slides="tree-levels",
    )
    strip(now, [("lines", "theory"), ("points", "500 simulated trees, ± 2 errors")], ledger=True)
    if not now.presenting:
        _claim()
    return "trees_levels", finding


def _finding(theory: pd.DataFrame) -> str:
    best = theory[theory["estimator"] == TreeEstimator.EFFICIENT]
    gain = best.loc[best["level"] > 0, "ratio"]
    if not gain.notna().any():
        return "Nothing is left to combine in this tree."
    least, most = percent(float(gain.min())), percent(float(gain.max()))
    said = private(least) if least == most else f"between {private(least)} and {private(most)}"
    return f"Below the root, least squares leaves {said} of the raw variance on a level."


def _simulated(noise: TreeNoise, seed: int) -> pd.DataFrame | None:
    if noise.shape.leaves > SIMULATED_LEAVES:
        return None
    return memory.remembered(
        ("by level", noise, seed),
        lambda: simulated_by_level(noise, np.random.default_rng([seed, 3]), runs=500),
    )


def _claim() -> None:
    with st.expander("The paper's claim, and what holds", icon=":material/gavel:"):
        st.markdown(
            "Honaker (2019, §3.4) puts the standard error near the root of a tall binary tree at "
            f".202 σ, which is {HONAKERS_VARIANCE:.3f} of the variance, a gain by a factor of 25. "
            "That limit does not hold. In a tall tree with even budgets the efficient variance "
            "tends to 1/4, 5/16, then 1/3 of the raw one with N public, and to 3/8, 11/32, 1/3 "
            "with N private; his own Figure 4 shows one quarter at the top. The table is exact."
        )
        table = honaker_table()
        st.dataframe(table, hide_index=True, height=260, alt="Exact variance ratios by level")


def simulation_view(_page: TreePage, now: Visit, _: TreeEstimator) -> tuple[str, str]:
    """Figure 4 of the paper: 10,000 trees of 16 Poisson leaves under Gaussian noise."""
    simulation = memory.remembered(
        ("honaker",), lambda: honaker_simulation(np.random.default_rng(2019))
    )
    best = simulation[(simulation["estimator"] == "efficient") & (simulation["level"] > 0)]
    least, most = (percent(float(one)) for one in (best["ratio"].min(), best["ratio"].max()))
    finding = (
        f"In Honaker's simulation combining leaves {private(least)} to {private(most)} of the "
        "squared error."
    )
    headline(
        "Trees",
        finding,
        "His Fig. 4: 10,000 trees with 16 leaves, Poisson(10) people each, noise of deviation 3, "
        "N known. No data of yours is used.",
    )
    hero(
        simulation_picture(simulation, now.look),
        "trees_simulation",
        "Mean squared errors of every node, raw against efficient",
        slides="honaker-figure-4",
    )
    strip(now, [("trees", "10,000"), ("leaves", "16")], badge=False, ledger=True)
    return "trees_simulation", finding
