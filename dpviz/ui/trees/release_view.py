"""The Trees page with the truth off: exactly what an outsider gets, with errors from theory."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st

from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential
from dpviz.core.errors import InvalidParameter
from dpviz.core.neighbours import Neighbours
from dpviz.core.trees.shape import Levels
from dpviz.estimators.trees.band import noise_band
from dpviz.estimators.trees.cdf_errors import CdfErrors
from dpviz.estimators.trees.curve import edge_positions
from dpviz.estimators.trees.quantile_intervals import SEED
from dpviz.estimators.trees.quantiles import running_counts
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.trees.curve import Curve
from dpviz.figures.trees.icicle import Side, largest_error
from dpviz.figures.trees.names import spread_error, value
from dpviz.figures.trees.released import released_tree
from dpviz.figures.trees.rows import Row, rows_of
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.once import once_button
from dpviz.ui.bench.release import DRAWN, DRAWN_FROM, Taken, release_card, which_rows
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit import memory
from dpviz.ui.trees import sentences
from dpviz.ui.trees.choice import NOISE_NAMES
from dpviz.ui.trees.page import TreePage, names
from dpviz.ui.trees.sentences import LevelErrors
from dpviz.ui.visit.page import Visit

HERO = "release"
WRITTEN = 50_000  # counts whose JSON is written at every run; taller trees: under Reading
SIMULATED = 1024  # leaves up to which the band is simulated; beyond, its standard errors are exact
EXACT = "at each {} the truth lies in the band 19 times in 20"
NORMAL = "band: two standard errors at each {}"


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class Outside:
    """What is drawn of one reading without the truth, thinned to a screen.

    parts are the counts of the first level below the root, errors the standard errors by level,
    noisiest the largest as measured. sure says what the band of the curve holds, {} being a value.
    """

    rows: tuple[Row, ...]
    parts: FloatArray
    errors: tuple[float, ...]
    noisiest: float
    curve: Curve
    sure: str

    @classmethod
    def of(cls, page: TreePage, reading: TreeEstimator) -> Outside:
        """Worked out once for each reading; made from the release alone."""
        return page.once("outside", lambda: cls._made(page, reading), reading)

    @classmethod
    def _made(cls, page: TreePage, reading: TreeEstimator) -> Outside:
        raw, levels = page.read(TreeEstimator.RAW), page.read(reading)
        curve, sure = _curve(page, levels, reading)
        noisiest = largest_error(rows_of(raw))
        parts, errors = levels.counts[min(1, levels.height)], LevelErrors.of(raw, levels).after
        return cls(rows_of(levels), parts, errors, noisiest, curve, sure)


def release_view(page: TreePage, now: Visit, reading: TreeEstimator) -> tuple[str, str]:
    """The sentence, the rows and the CDF with its exact band, and the card of the release."""
    shown, nouns = Outside.of(page, reading), names()
    finding = sentences.released_headline(shown.parts, shown.errors, page.ends, nouns)
    combined = reading is not TreeEstimator.RAW
    headline("Trees", finding, sentences.released_line(page.noisy_counts, combined=combined))
    picture = private_picture(page, reading, now.look)
    left, right = (st.container(), None) if now.presenting else st.columns([66, 34], gap="medium")
    with left:
        said = sentences.released_alternative(shown.errors, nouns)
        hero(picture, HERO, said, slides="private-tree")
    if right is not None:
        with right:
            small = page.noisy_counts <= WRITTEN
            taken = Taken(page.release.to_json, "tree.json") if small else None
            once = partial(once_button, page.final, "card")
            release_card("Release", card_rows(page, shown.errors), taken, once=once)
    strip(now, [("people on screen", "0"), ("spent", str(page.release.spent))], badge=True)
    return HERO, finding


def private_picture(page: TreePage, reading: TreeEstimator, look: Look) -> Picture:
    """Rows and CDF of one reading, made from the release alone."""
    shown, nouns = Outside.of(page, reading), names()
    title = f"<b>{page.noisy_counts:,} counts combined</b>"
    if reading is TreeEstimator.RAW:
        title = "<b>As measured</b>"
    side = Side(title + ("" if look.phone else "; ± one standard error"), shown.rows)
    sure = "" if look.phone else shown.sure.format(nouns.safe().axis)
    return released_tree(
        side, shown.curve, page.ends, nouns, look, noisiest=shown.noisiest, sure=sure
    )


def _curve(page: TreePage, levels: Levels, reading: TreeEstimator) -> tuple[Curve, str]:
    """Running counts with the band that theory gives, and what the band says."""
    release, noise = page.release, page.release.tree_noise
    leaves = release.shape.leaves
    step = max(1, leaves // SIMULATED)
    kept = edge_positions(release.shape, step)
    edges = page.ends[0] + kept / leaves * (page.ends[1] - page.ends[0])
    try:
        counts = running_counts(levels, release.total)[kept]
    except InvalidParameter:  # this reading does not tell the leaves: only the total is known
        return Curve(edges[[0, -1]], np.array([0.0, float(levels.counts[0][0])])), ""
    if step == 1:
        band = memory.remembered(  # of noise alone, as on the CDF's view: no draw moves it
            ("release band", noise, reading),
            lambda: noise_band(noise, reading, np.random.default_rng(SEED)),
        )
        return Curve(edges, counts, band.pointwise), EXACT
    if reading not in {TreeEstimator.RAW, TreeEstimator.EFFICIENT}:
        return Curve(edges, counts), ""
    return Curve(edges, counts, 2 * CdfErrors(noise, reading, step).running_errors()), NORMAL


def card_rows(page: TreePage, errors: Sequence[float]) -> list[tuple[str, str]]:
    """Everything about the release that may be known, in words; texts are plain."""
    release, nouns = page.release, names()
    low, high = (value(one) for one in page.ends)
    steps = f", in steps of {value(release.resolution)}" if release.resolution else ""
    one = "someone" if release.neighbours is Neighbours.ADD_REMOVE else "one person"
    moves = "joins or leaves" if release.neighbours is Neighbours.ADD_REMOVE else "changes a value"
    rows = [
        ("What", f"{page.noisy_counts:,} counts of {nouns.people}, in all and in nested parts"),
        ("Promise", promise(page)),
        ("Neighbours", which_rows(f"{one} {moves}")),
    ]
    if release.total is not None:
        rows.append(("Public besides", f"{release.total:,.0f} {nouns.people}"))
    shape = release.shape
    tree = f"{shape.fanout} parts each, {shape.height} levels deep"
    return [
        *rows,
        ("Method", f"noisy tree, {tree}, {NOISE_NAMES[release.noise]} noise"),
        ("Declared", f"{nouns.axis} {low} to {high}{steps}"),
        ("How exact", _exact(errors, nouns.people)),
        ("Spent", f"{release.spent}, for good"),
        (DRAWN, DRAWN_FROM[release.randomness]),
    ]


def _exact(errors: Sequence[float], people: str) -> str:
    known = [one for one in errors if np.isfinite(one)]
    if not known:
        return "nothing is known"
    least, most = spread_error(min(known)), spread_error(max(known))
    return f"{least} {people} a part" if least == most else f"{least} to {most} {people} a part"


def promise(page: TreePage) -> str:
    """What the budget means for one person, rounded up."""
    spent = page.release.spent
    epsilon = getattr(spent, "epsilon", None)
    if epsilon is None:
        return f"{spent}: zero-concentrated, composes exactly"
    if epsilon > 5:
        return f"{spent}: a weak promise about any one person"
    times = math.ceil(100 * math.exp(epsilon) - 1e-9) / 100
    chance = f", but for a chance of {spent.delta:g}" if hasattr(spent, "delta") else ""
    return (
        f"{spent}: with or without any one person, no release is more than {times:.2f} times as "
        f"likely{chance}"
    )
