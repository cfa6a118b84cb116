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
from dpviz.experiments.planning.bucket_study import EPSILONS, RUNS, BucketStudy, bucket_study
from dpviz.experiments.planning.bucket_study import MOST_BINS as STUDIED
from dpviz.figures.studies.trees.bucket_errors import BUCKETS, bucket_errors_picture
from dpviz.figures.trees.names import spread_error
from dpviz.figures.trees.released import buckets_picture
from dpviz.mechanisms.counting.dawa import Dawa
from dpviz.ui.bench.headline import headline, plain, private, true
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
LEVEL = 1.05  # times, up to which two errors are called the same
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
        # a tree whose lowest levels have no share is about larger parts
        if exact is not None and choice.tree.shape.leaves == leaves <= STUDIED:
            _when_it_pays(page, now)
        if not page.draw.is_teaching(release):
            st.download_button(
                "Release as JSON", release.to_json(), "buckets.json", "application/json",
                key="buckets_json", on_click="ignore",
            )  # fmt: skip
    return HERO, finding


def _when_it_pays(page: TreePage, now: Visit) -> None:
    """Errors against ε on this column, beside plain noise and the tree: measured with the truth."""
    choice, nouns = page.choice, names()
    study = _study(page)
    st.markdown(f"**When joining pays.** {_pays(study, choice.budget.size, nouns.people)}")
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


def _pays(study: BucketStudy, epsilon: float, people: str) -> str:
    """Up to which ε joining errs less than plain noise in a bin, and what else it does."""
    known, bins, running = study.epsilons, study.bins, study.running
    worst = int((bins.joined / bins.plain).argmax())
    costs = (
        f"at ε = {known[worst]:g} it errs {times_of(float(bins.joined[worst] / bins.plain[worst]))} "
        "as far as plain noise"
    )
    many = bins.pays_below
    found = f"It errs less than plain noise in a bin up to ε = {private(f'{known[many - 1]:g}')}"
    if many == 0:
        found = f"It never errs less than plain noise in a bin of these {plain(people)}"
    found += "." if many == known.size else f"; {costs}."
    at = int(np.abs(np.log(known / epsilon)).argmin())
    share, size = float(running.joined[at] / running.tree[at]), f"ε = {known[at]:g}"
    if max(share, 1 / share) < LEVEL:
        found += f" A running count is about as far off either way at {size}."
    elif share > 1:
        found += f" A running count is better read off your tree: at {size} joining errs "
        found += f"{times_of(share)} as far."
    else:
        found += f" A running count is better read off the buckets: at {size} your tree errs "
        found += f"{times_of(1 / share)} as far."
    return f"{found} Measured on the true counts, {RUNS} times at each ε."


def times_of(ratio: float) -> str:
    """How many times, with one decimal below ten."""
    return f"{ratio:.1f} times" if ratio < 9.95 else f"{ratio:,.0f} times"


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
    return drawn_once(
        draw,
        page.column,
        "buckets",
        purpose,
        lambda rng: mechanism.release(page.column, choice.budget, rng),
        [Cost("buckets", choice.budget)],
    )
