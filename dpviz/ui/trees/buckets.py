"""Buckets that the data choose (DAWA): what joining bins saves here, or costs."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpviz.answers.markup import plain
from dpviz.answers.trees import buckets, buckets_said
from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import PureDP
from dpviz.core.errors import DpvizError
from dpviz.core.trees.bucket_release import MOST_BINS, BucketRelease
from dpviz.core.trees.prefix_noise import shape_of
from dpviz.counts.levels import count_below_edges
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.experiments.planning.bucket_study import EPSILONS, RUNS, BucketStudy, bucket_study
from dpviz.experiments.planning.bucket_study import MOST_BINS as STUDIED
from dpviz.figures.studies.trees.bucket_errors import BUCKETS, bucket_errors_picture
from dpviz.figures.trees.released import buckets_picture
from dpviz.mechanisms.counting.dawa import Dawa
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.hero import drawn, hero
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit import memory
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import drawn_once, purpose_of
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
WRONG_SIZE = "Buckets are made of 2 to {:,} bins; this tree has {:,} leaves."
WARNING = (
    "A warning: the partition with the least of many noisy scores is often a lucky one, with short "
    "buckets, and sometimes joins bins that differ. On a made-up staircase of 4,096 bins DAWA's "
    "squared error is about ten times that of plain noise at ε = 1, and hardly less than it at "
    "ε = 0.1. What the tree promises is promised here: the same ε, a quarter of it for the choice."
)


def buckets_view(page: TreePage, now: Visit, _: TreeEstimator) -> tuple[str, str]:
    """The buckets of a release, with the truth over the bins and beside plain noise."""
    choice = page.choice
    leaves, pure = choice.shape.leaves, isinstance(choice.budget, PureDP)
    if not pure or not 2 <= leaves <= MOST_BINS:
        refused = (WRONG_SIZE.format(MOST_BINS, leaves), "") if pure else NEEDS_EPSILON
        headline("Trees", *refused)
        if not pure:
            st.button("Choose a budget in ε", key="buckets_pure", on_click=_choose_pure)
        strip(now, [("parts", f"{leaves:,}")], ledger=True)
        return HERO, refused[0]
    try:
        release = _release(page)
    except DpvizError as error:
        headline("Trees", "Nothing was published.", plain(str(error)))
        return HERO, "Nothing was published."
    truth = _truth(page) if now.truth else None
    found = buckets.answer(release, choice.tree.neighbours, truth)
    said = buckets_said.say(found, names())
    headline("Trees", said.headline(), said.second())
    hero(
        buckets_picture(found.edges, found.spread, found.truth, names(), now.look),
        HERO,
        said.alt,
        slides="buckets",
    )
    strip(now, said.strip, said.chips, ledger=True)
    if not now.presenting:
        st.caption(WARNING)
        # a tree whose lowest levels have no share is about larger parts
        if truth is not None and choice.tree.shape.leaves == leaves <= STUDIED:
            _when_it_pays(page, now)
        if not page.draw.is_teaching(release):
            st.download_button(
                "Release as JSON", release.to_json(), "buckets.json", "application/json",
                key="buckets_json", on_click="ignore",
            )  # fmt: skip
    return HERO, said.headline()


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
        drawn(
            bucket_errors_picture(
                study.epsilons, lines, usual, choice.budget.size, title, now.look
            ),
            f"bucket_errors_{key}",
            f"{title}, by budget, for buckets from the data",
            slides=f"bucket-errors-{key}",
            height=360,
            place=place,
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


def _choose_pure() -> None:
    state.put("notion", "pure")


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
    choice, draw = page.choice, page.draw
    mechanism = Dawa(choice.shape.leaves, neighbours=choice.tree.neighbours)
    purpose = purpose_of(mechanism, page.column, choice.budget)
    return drawn_once(
        draw,
        page.column,
        "buckets",
        purpose,
        lambda rng: mechanism.release(page.column, choice.budget, rng),
        [Cost("buckets", choice.budget)],
    )
