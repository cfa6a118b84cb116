"""Running counts that are published step by step: errors over time under each way."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from dpviz.answers.said import Said
from dpviz.answers.trees import online, online_said
from dpviz.answers.trees.names import leaves_text
from dpviz.answers.trees.online import OnlineNumbers
from dpviz.core.budgets import Budget
from dpviz.core.neighbours import Neighbours
from dpviz.core.randomness.noise import Noise
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.studies.trees.edge_errors import edge_errors_picture
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Shown, View, standing
from dpviz.ui.trees.page import TreePage, names
from dpviz.ui.trees.prefixes import LEAST, MOST
from dpviz.ui.visit.page import Visit

HERO = "trees_online"
ADDED = (
    "Counts of a stream are promised to records that are added or removed: choose that relation "
    "under Expert.",
    "One that is replaced leaves one step and enters another: that takes more noise.",
)
WRONG_SIZE = "A stream is shown with {:,} to {:,} steps, one for each leaf; this tree has {}."


def instead(page: TreePage, _: Visit, __: Values) -> View[TreePage, Any] | None:
    """What stands in the view's place where the size of the tree or the relation do not fit."""
    leaves = page.choice.shape.leaves
    if page.choice.tree.neighbours is not Neighbours.ADD_REMOVE:
        return standing(*ADDED, strip=[("parts", f"{leaves:,}")])
    if LEAST <= leaves <= MOST:
        return None
    said = WRONG_SIZE.format(LEAST, MOST, leaves_text(leaves))
    return standing(said, strip=[("parts", f"{leaves:,}")])


def key(page: TreePage, _: Values) -> tuple[int, Budget, Noise]:
    """What the errors depend on: public choices."""
    choice = page.choice
    noise = Noise.chosen(choice.tree.noise, choice.budget)
    return choice.shape.leaves, choice.budget, noise


def numbers(page: TreePage, values: Values) -> OnlineNumbers:
    """Errors after every step by each way."""
    return online.answer(*key(page, values))


def say(_: TreePage, found: OnlineNumbers) -> Said:
    """How good a count is that is published at once."""
    return online_said.say(found, names())


def draw(_: TreePage, found: OnlineNumbers, __: Values, look: Look) -> Picture:
    """A line a way over time."""
    steps = replace(names(), axis="step", unit="step")
    ends = (0.0, float(found.steps))
    return edge_errors_picture(found.every, None, ends, steps, look, found.largest)


def below(shown: Shown[TreePage, OnlineNumbers]) -> None:
    """What no way gets below."""
    st.caption(online_said.lower_bound_words(shown.numbers))
