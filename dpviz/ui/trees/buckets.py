"""Buckets that the data choose (DAWA): what joining bins saves here, or costs."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from dpviz.answers.trees import buckets, buckets_said
from dpviz.answers.trees.buckets import BucketNumbers
from dpviz.answers.trees.names import leaves_text
from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import PureDP
from dpviz.core.trees.bucket_release import MOST_BINS, BucketRelease
from dpviz.core.trees.prefix_noise import shape_of
from dpviz.counts.levels import count_below_edges
from dpviz.experiments.planning.bucket_study import EPSILONS, RUNS, BucketStudy, bucket_study
from dpviz.experiments.planning.bucket_study import MOST_BINS as STUDIED
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.studies.trees.bucket_errors import BUCKETS, bucket_errors_picture
from dpviz.figures.trees.released import buckets_picture
from dpviz.mechanisms.counting.dawa import Dawa
from dpviz.ui.bench.hero import drawn
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import purpose_of
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Shown, View, standing
from dpviz.ui.trees.page import TreePage, names
from dpviz.ui.visit import state
from dpviz.ui.visit.page import Visit

HERO = "trees_buckets"
PLAIN, TREE = "plain noise", "your tree"
STUDY_STREAM = 6  # of a sample's seed: not that of its releases
NEEDS_EPSILON = (
    "Buckets from the data need a budget in ε: choose one under Expert.",
    "How DAWA chooses them is proved for pure ε-DP alone.",
)
WRONG_SIZE = "Buckets are made of 2 to {:,} bins; this tree has {}."
WARNING = (
    "A warning: the partition with the least of many noisy scores is often a lucky one, with short "
    "buckets, and sometimes joins bins that differ. On a made-up staircase of 4,096 bins DAWA's "
    "squared error is about ten times that of plain noise at ε = 1, and hardly less than it at "
    "ε = 0.1. What the tree promises is promised here: the same ε, a quarter of it for the choice."
)


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """A release of buckets and its numbers, with the truth where it is shown. Confidential."""

    release: BucketRelease
    found: BucketNumbers


def instead(page: TreePage, _: Visit, __: Values) -> View[TreePage, Any] | None:
    """What stands in the view's place where the budget or the size of the tree do not fit."""
    leaves = page.choice.shape.leaves
    strip = [("parts", f"{leaves:,}")]
    if not isinstance(page.choice.budget, PureDP):
        return standing(*NEEDS_EPSILON, strip=strip, above=_choose_epsilon)
    if 2 <= leaves <= MOST_BINS:
        return None
    return standing(WRONG_SIZE.format(MOST_BINS, leaves_text(leaves)), strip=strip)


def numbers(page: TreePage, _: Values) -> Joined:
    """The buckets of a release, with the truth over the bins and beside plain noise."""
    release = _release(page)
    truth = _truth(page) if session.shows_truth() else None
    return Joined(release, buckets.answer(release, page.choice.tree.neighbours, truth))


def draw(_: TreePage, known: Joined, __: Values, look: Look) -> Picture:
    """Counts of bins, even inside each bucket."""
    found = known.found
    return buckets_picture(found.edges, found.spread, found.truth, names(), look)


def below(shown: Shown[TreePage, Joined]) -> None:
    """A warning, when joining pays on this column, and the release as a file."""
    page, release = shown.asked, shown.numbers.release
    leaves, whole = page.choice.shape.leaves, page.choice.tree.shape.leaves
    st.caption(WARNING)
    # a tree whose lowest levels have no share is about larger parts
    if shown.numbers.found.truth is not None and whole == leaves <= STUDIED:
        _when_it_pays(page, shown.now)
    if not page.draw.is_teaching(release):
        st.download_button(
            "Release as JSON", release.to_json(), "buckets.json", "application/json",
            key="buckets_json", on_click="ignore",
        )  # fmt: skip


def _when_it_pays(page: TreePage, now: Visit) -> None:
    """Errors against ε on this column, beside plain noise and the tree: measured with the truth."""
    choice, study = page.choice, _study(page)
    found = buckets.gains(study, choice.budget.size)
    st.markdown(f"**When joining pays.** {buckets_said.when_it_pays(found, names(), RUNS)}")
    panels = (
        ("bins", "Error of a bin, over plain noise", study.bins, PLAIN),
        ("running", "Error of a running count, over your tree", study.running, TREE),
    )
    for place, (key, title, errors, usual) in zip(st.columns(2), panels, strict=True):
        lines = {BUCKETS: errors.joined, PLAIN: errors.plain, TREE: errors.tree}
        with place:
            drawn(
                bucket_errors_picture(
                    study.epsilons, lines, usual, choice.budget.size, title, now.look
                ),
                f"bucket_errors_{key}",
                f"{title}, by budget, for buckets from the data",
                slides=f"bucket-errors-{key}",
                height=360,
            )


def _study(page: TreePage) -> BucketStudy:
    """Redraws that stay beside the truth, as bands do; the same for every ε in use."""
    about = ("bucket study", *purpose_of(page.choice.tree, page.column))
    costs = [Cost("buckets, redraws", PureDP(one), RUNS, simulated=True) for one in EPSILONS]
    return memory.public(
        page.column,
        (*about, page.draw),
        lambda: bucket_study(
            page.column, page.choice.tree, page.draw.generator(about, STUDY_STREAM)
        ),
        lambda: page.draw.book(about, STUDY_STREAM, paid=costs),
    )


def _choose_epsilon(_: Shown[TreePage, None]) -> None:
    chosen = partial(state.put, "notion", "pure")
    st.button("Choose a budget in ε", key="buckets_pure", on_click=chosen)


def _truth(page: TreePage) -> FloatArray:
    """Exact counts of the bins, counted once. Confidential."""
    shape = shape_of(page.choice.shape.leaves)
    return memory.public(
        page.column,
        ("bins", page.column.fingerprint, shape),
        lambda: np.diff(count_below_edges(page.column, shape)).astype(np.float64),
    )


def _release(page: TreePage) -> BucketRelease:
    """Made and paid when it is asked for, once a draw."""
    mechanism = Dawa(page.choice.shape.leaves, neighbours=page.choice.tree.neighbours)
    return page.drawn(mechanism, "buckets", "buckets")
