"""Views of the Trees page that need no data: errors by level, fanout, budgets, step; Honaker's."""

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from dpviz.answers.trees import budgets, fanouts, online, online_said, theory
from dpviz.answers.trees.budgets import CHOSEN, BudgetsNumbers
from dpviz.answers.trees.fanouts import FanoutsNumbers
from dpviz.answers.trees.names import leaves_text
from dpviz.answers.trees.online import OnlineNumbers
from dpviz.answers.trees.theory import HonakersErrors, LevelErrors
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.level_budget import LevelBudget, LevelRule
from dpviz.core.trees.shape import TreeShape
from dpviz.core.trees.tree_noise import TreeNoise
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.experiments.papers.tree_study import HONAKERS_VARIANCE, honaker_table
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.studies.trees.edge_errors import edge_errors_picture
from dpviz.figures.studies.trees.fanouts import fanouts_picture
from dpviz.figures.trees.level_errors import level_errors_picture
from dpviz.figures.trees.split_rows import SplitRow, split_rows_picture
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.ui.kit.tables import said_table
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Shown, View, standing
from dpviz.ui.trees.choice import TreeChoice, optimal_split
from dpviz.ui.trees.page import TreePage, names
from dpviz.ui.trees.prefixes import LEAST, MOST
from dpviz.ui.trees.splits import weight_sliders
from dpviz.ui.visit.page import Visit

ADDED = (
    "Counts of a stream are promised to records that are added or removed: choose that relation "
    "under Expert.",
    "One that is replaced leaves one step and enters another: that takes more noise.",
)
STEPS = "A stream is shown with {:,} to {:,} steps, one for each leaf; this tree has {}."


def levels_key(page: TreePage, _: Values) -> tuple[TreeNoise, int]:
    """What the errors by level depend on: public choices, and the number of the draw."""
    return page.choice.tree.tree_noise(page.choice.budget), page.draw.seed


def levels_of(page: TreePage, values: Values) -> LevelErrors:
    """Errors by level under the four readings, in theory and simulated."""
    noise, seed = levels_key(page, values)
    return theory.by_level(noise, np.random.default_rng([seed, 3]))


def draw_levels(page: TreePage, found: LevelErrors, _: Values, look: Look) -> Picture:
    """Lines of theory, points of simulation."""
    fanout = page.choice.tree.fanout
    return level_errors_picture(found.theory, fanout, names(), look, simulated=found.simulated)


def below_levels(_: Shown[TreePage, LevelErrors]) -> None:
    """The paper's claim, and what holds."""
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


def online_instead(page: TreePage, _: Visit, __: Values) -> View[TreePage, Any] | None:
    """What stands in the view's place where the size of the tree or the relation do not fit."""
    leaves = page.choice.shape.leaves
    if page.choice.tree.neighbours is not Neighbours.ADD_REMOVE:
        return standing(*ADDED, strip=[("parts", f"{leaves:,}")])
    if LEAST <= leaves <= MOST:
        return None
    said = STEPS.format(LEAST, MOST, leaves_text(leaves))
    return standing(said, strip=[("parts", f"{leaves:,}")])


def online_key(page: TreePage, _: Values) -> tuple[int, Budget, Noise]:
    """What the errors depend on: public choices."""
    choice = page.choice
    noise = Noise.chosen(choice.tree.noise, choice.budget)
    return choice.shape.leaves, choice.budget, noise


def online_of(page: TreePage, values: Values) -> OnlineNumbers:
    """Errors after every step by each way."""
    return online.answer(*online_key(page, values))


def draw_online(_: TreePage, found: OnlineNumbers, __: Values, look: Look) -> Picture:
    """A line a way over time."""
    steps = replace(names(), axis="step", unit="step")
    ends = (0.0, float(found.steps))
    return edge_errors_picture(found.every, None, ends, steps, look, found.largest)


def below_online(shown: Shown[TreePage, OnlineNumbers]) -> None:
    """What no way gets below."""
    st.caption(online_said.lower_bound_words(shown.numbers))


def budgets_key(page: TreePage, _: Values) -> Hashable:
    """What the errors depend on: public choices."""
    choice = page.choice
    return choice.tree, choice.budget, choice.split, choice.energies.tobytes()


def budgets_of(page: TreePage, _: Values) -> BudgetsNumbers:
    """What several splits make of the workload."""
    choice = page.choice
    certified = None if choice.optimal is None else choice.optimal.certified
    return budgets.answer(
        alternatives(choice),
        choice.budget,
        choice.energies,
        choice.split.workload,
        certified=certified,
    )


def draw_budgets(page: TreePage, found: BudgetsNumbers, _: Values, look: Look) -> Picture:
    """Shares by level for each split, with the error of a query."""
    rows = [
        SplitRow(split.name, split.shares, split.error, in_use=split is found.chosen)
        for split in found.splits
    ]
    right = f"; at the right the error of a query of the workload ({found.workload})"
    title = f"<b>Share of the budget</b> by level{look.said(right, '')}"
    return split_rows_picture(rows, page.choice.tree.fanout, names(), look, title=title)


def below_budgets(shown: Shown[TreePage, BudgetsNumbers]) -> None:
    """Sliders of own weights, and the errors as a table."""
    choice = shown.asked.choice
    if choice.tree.levels.rule is LevelRule.WEIGHTS:
        weight_sliders(choice.tree.height, choice.split.weights)
    for table in shown.said.tables:
        said_table(table)


def alternatives(choice: TreeChoice) -> dict[str, CountTree]:
    """The same tree under the other splits, for comparison on the same workload."""
    base = replace(choice.tree, height=len(choice.energies) - 1, levels=LevelBudget.uniform())
    best, _ = optimal_split(base, choice.budget, choice.energies)
    others = {
        "uniform": base,
        "geometric 2^⅓": replace(base, levels=LevelBudget.geometric(2 ** (1 / 3))),
        "leaves only": replace(base, levels=LevelBudget.leaves_only()),
        "workload-optimal": best,
    }
    return {CHOSEN: choice.tree} | {
        name: tree for name, tree in others.items() if tree != choice.tree
    }
