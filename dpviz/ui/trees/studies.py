"""Views of the Trees page that need no data: errors by level and by fanout, Honaker's simulation."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpviz.answers.said import Said
from dpviz.answers.trees import fanouts, theory
from dpviz.answers.trees.fanouts import FanoutsNumbers
from dpviz.answers.trees.theory import HonakersErrors, LevelErrors
from dpviz.core.budgets import Budget
from dpviz.core.neighbours import Neighbours
from dpviz.core.trees.shape import TreeShape
from dpviz.core.trees.tree_noise import TreeNoise
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.experiments.papers.tree_study import HONAKERS_VARIANCE, honaker_table
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.studies.trees.fanouts import fanouts_picture
from dpviz.figures.trees.level_errors import level_errors_picture
from dpviz.figures.trees.runs import simulation_picture
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Shown
from dpviz.ui.trees.page import TreePage, names


def levels_key(page: TreePage, _: Values) -> tuple[TreeNoise, int]:
    """What the errors by level depend on: public choices, and the number of the draw."""
    return page.choice.tree.tree_noise(page.choice.budget), page.draw.seed


def levels_of(page: TreePage, values: Values) -> LevelErrors:
    """Errors by level under the four readings, in theory and simulated."""
    noise, seed = levels_key(page, values)
    return theory.by_level(noise, np.random.default_rng([seed, 3]))


def say_levels(_: TreePage, found: LevelErrors) -> Said:
    """What combining leaves."""
    return theory.say_by_level(found)


def draw_levels(page: TreePage, found: LevelErrors, _: Values, look: Look) -> Picture:
    """Lines of theory, points of simulation."""
    fanout = page.choice.tree.fanout
    return level_errors_picture(found.theory, fanout, names(), look, simulated=found.simulated)


def below_levels(_: Shown[TreePage, LevelErrors]) -> None:
    """The paper's claim, and what holds."""
    _claim()


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


def fanouts_key(
    page: TreePage, values: Values
) -> tuple[TreeShape, Budget, Neighbours, TreeEstimator]:
    """What the errors by fanout depend on: public choices."""
    choice = page.choice
    return choice.shape, choice.budget, choice.tree.neighbours, values["t_reading"]


def fanouts_of(page: TreePage, values: Values) -> FanoutsNumbers:
    """Which fanout errs least on running counts, against how many parts there are."""
    return fanouts.answer(*fanouts_key(page, values))


def draw_fanouts(_: TreePage, found: FanoutsNumbers, __: Values, look: Look) -> Picture:
    """A line a fanout."""
    return fanouts_picture(found.bins, found.ways, found.leaves, names(), look)


def honakers(_: TreePage, __: Values) -> HonakersErrors:
    """Figure 4 of the paper: 10,000 trees of 16 Poisson leaves under Gaussian noise."""
    return theory.honaker(np.random.default_rng(2019))


def say_honaker(_: TreePage, found: HonakersErrors) -> Said:
    """What combining leaves in it."""
    return theory.say_honaker(found)


def draw_honaker(_: TreePage, found: HonakersErrors, __: Values, look: Look) -> Picture:
    """Errors of every node."""
    return simulation_picture(found.errors, look)
