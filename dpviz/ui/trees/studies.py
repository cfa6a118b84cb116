"""Views of the Trees page that need no data: errors by level and by fanout, Honaker's simulation."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.core.budgets import PureDP
from dpviz.core.neighbours import Neighbours
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.shape import TreeShape
from dpviz.core.trees.tree_noise import TreeNoise
from dpviz.estimators.splits.fanout_study import FanoutStudy, fanout_study, square_root_variance
from dpviz.estimators.splits.prefix_fanout import best_fanout, prefix_variance
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.experiments.papers.tree_study import (
    HONAKERS_VARIANCE,
    honaker_simulation,
    honaker_table,
    simulated_by_level,
    variances_by_level,
)
from dpviz.figures.studies.trees.fanouts import Way, fanouts_picture
from dpviz.figures.trees.level_errors import level_errors_picture
from dpviz.figures.trees.names import spread_error
from dpviz.figures.trees.runs import simulation_picture
from dpviz.mechanisms.counting.noisy_counts import noise_scale
from dpviz.ui.bench.headline import headline, plain, private
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit import memory
from dpviz.ui.kit.number_text import percent
from dpviz.ui.trees.page import TreePage, names
from dpviz.ui.visit.page import Visit

READ_AS = {"raw": "as measured", "efficient": "after least squares"}
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


def fanouts_view(page: TreePage, now: Visit, reading: TreeEstimator) -> tuple[str, str]:
    """Which fanout errs least on running counts, against how many parts there are."""
    choice, nouns = page.choice, names()
    pure = isinstance(choice.budget, PureDP)
    unit = "eps" if pure else "rho"
    read = "raw" if reading is TreeEstimator.RAW else "efficient"
    relation = choice.tree.neighbours
    law = Noise.LAPLACE if pure else Noise.GAUSSIAN
    scale = noise_scale(law, choice.budget, 1.0, relation)
    each = scale if pure else scale * math.sqrt(2)  # over the scale of ε = 1, of ρ = 1
    study = fanout_study(unit, read)
    ways = _ways(study, each, relation)
    finding, second = _fanout_sentences(choice.shape, study, unit, read, each)
    headline("Trees", finding, second)
    hero(
        fanouts_picture(study.bins, ways, choice.shape.leaves, nouns, now.look),
        "trees_fanouts",
        "Typical error of a running count against the number of parts, for several fanouts",
        slides="fanouts",
    )
    strip(
        now,
        [
            ("every level of a tree", "an equal share"),
            ("read", READ_AS[read]),
            ("dots", "best fanout"),
        ],
        ledger=True,
    )
    return "trees_fanouts", finding


def _ways(study: FanoutStudy, each: float, relation: Neighbours) -> list[Way]:
    """Lines of the picture, their errors in people."""
    found = [
        Way(f"fanout {fanout}", each * np.sqrt(variances))
        for fanout, variances in study.equal.items()
    ]
    best = each * np.sqrt(study.best_equal)
    found.append(Way("best fanout", best, is_first=True, best=study.best))
    found.append(Way("binary, best split", each * np.sqrt(study.split), is_tree=False))
    if study.square_root is not None:  # its errors grow less under replace-one than those of trees
        own = [square_root_variance(int(bins), relation) for bins in study.bins]
        alone = each / math.sqrt(2) if relation is Neighbours.REPLACE_ONE else each
        found.append(Way("square root", alone * np.sqrt(own), is_tree=False))
    return found


def _fanout_sentences(
    shape: TreeShape, study: FanoutStudy, unit: str, read: str, each: float
) -> tuple[str, str]:
    leaves, people = shape.leaves, plain(names().people)
    if leaves < 2:
        return "A tree with one part has no running counts to compare.", ""
    best, _ = best_fanout(leaves, unit, read)
    least = each * math.sqrt(prefix_variance(leaves, best, unit, read))
    finding = (
        f"For a CDF of {leaves:,} parts fanout {private(str(best))} errs least: a running count is "
        f"good to {private(spread_error(least))} {people}."
    )
    own = each * math.sqrt(prefix_variance(leaves, shape.fanout, unit, read))
    second = (
        "That is the fanout of your tree."
        if shape.fanout == best
        else f"With your fanout of {shape.fanout} it is good to {plain(spread_error(own))}."
    )
    at = int(np.argmin(np.abs(np.log2(study.bins / leaves))))
    gain = 1 - float(np.sqrt(study.split[at] / study.best_equal[at]))
    if gain > 0.005:
        second += (
            f" A binary tree with the best split of its budget errs {100 * gain:.0f} % less still."
        )
    return finding, second


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
