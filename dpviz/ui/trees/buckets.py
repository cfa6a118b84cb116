"""Buckets that the data choose (DAWA): what joining bins saves here, or costs."""

from __future__ import annotations

import math

import numpy as np
import streamlit as st

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import PureDP
from dpviz.core.errors import DpvizError
from dpviz.core.trees.bucket_release import MOST_BINS, BucketRelease
from dpviz.core.trees.prefix_noise import shape_of
from dpviz.counts.levels import count_below_edges
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.figures.trees.names import spread_error
from dpviz.figures.trees.released import buckets_picture
from dpviz.mechanisms.counting.dawa import Dawa
from dpviz.ui.bench.headline import headline, plain, private, true
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit import memory
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import purpose_of
from dpviz.ui.trees.page import TreePage, names
from dpviz.ui.visit import state
from dpviz.ui.visit.page import Visit

HERO = "trees_buckets"
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
        said = (WRONG_SIZE.format(MOST_BINS, leaves), "") if pure else NEEDS_EPSILON
        headline("Trees", *said)
        if not pure:
            st.button("Choose a budget in ε", key="buckets_pure", on_click=_choose_pure)
        strip(now, [("parts", f"{leaves:,}")], ledger=True)
        return HERO, said[0]
    try:
        release = _release(page)
    except DpvizError as error:
        headline("Trees", "Nothing was published.", plain(str(error)))
        return HERO, "Nothing was published."
    exact = _truth(page) if now.truth else None
    finding, second = _sentences(page, release, exact)
    headline("Trees", finding, second)
    hero(
        buckets_picture(release.edges, release.spread, exact, names(), now.look),
        HERO,
        "The counts of bins, even inside each bucket that was chosen",
        slides="buckets",
    )
    longest = int(release.lengths.max())
    items = [
        ("buckets", f"{release.starts.size:,} of {leaves:,} bins"),
        ("longest", f"{longest:,} bins"),
        ("noise of a bucket", spread_error(release.scale * math.sqrt(2))),
    ]
    strip(now, items, ["a reference, not a default"], ledger=True)
    if not now.presenting:
        st.caption(WARNING)
        if not page.draw.is_teaching(release):
            st.download_button(
                "Release as JSON", release.to_json(), "buckets.json", "application/json",
                key="buckets_json", on_click="ignore",
            )  # fmt: skip
    return HERO, finding


def _choose_pure() -> None:
    state.put("notion", "pure")


def _sentences(page: TreePage, release: BucketRelease, exact: FloatArray | None) -> tuple[str, str]:
    bins, people = release.bins, plain(names().people)
    finding = f"{bins:,} bins are published in {private(f'{release.starts.size:,}')} buckets"
    if exact is None:
        return f"{finding}.", "Which bins are joined was chosen with a quarter of the budget."
    off = math.sqrt(float(np.mean((release.spread - exact) ** 2)))
    changed = page.choice.tree.neighbours.counts_changed
    noise = math.sqrt(2) * changed / page.choice.budget.size
    finding += f"; a bin is off by {true(spread_error(off))} {people}"
    times = off / noise
    if times > 1:
        return (
            f"{finding}.",
            f"Plain noise on every bin would be off by {plain(spread_error(noise))}: joining costs "
            "more than it saves here.",
        )
    return (
        f"{finding}.",
        f"Plain noise on every bin would be off by {plain(spread_error(noise))}: joining saves "
        f"{100 * (1 - times):.0f} % here.",
    )


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
    found = memory.public(
        page.column,
        ("buckets", *purpose, draw),
        lambda: draw.released(
            lambda rng: mechanism.release(page.column, choice.budget, rng), purpose
        ),
        lambda: draw.book(purpose, paid=[Cost("buckets", choice.budget)]),
    )
    return draw.only_if_exact(found)
