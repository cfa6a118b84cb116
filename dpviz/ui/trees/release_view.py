"""The Trees page with the truth off: exactly what an outsider gets, with errors from theory."""

from __future__ import annotations

import math

import numpy as np
import streamlit as st

from dpviz.core.errors import InvalidParameter
from dpviz.core.neighbours import Neighbours
from dpviz.core.trees.shape import Levels
from dpviz.estimators.trees.band import noise_band
from dpviz.estimators.trees.cdf_errors import CdfErrors
from dpviz.estimators.trees.quantiles import running_counts
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.trees.curve import Curve
from dpviz.figures.trees.icicle import Side, largest_error
from dpviz.figures.trees.names import spread_error, value
from dpviz.figures.trees.released import released_tree
from dpviz.figures.trees.rows import rows_of
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.release import Taken, release_card
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit import memory
from dpviz.ui.trees import sentences
from dpviz.ui.trees.choice import NOISE_NAMES
from dpviz.ui.trees.page import TreePage, names
from dpviz.ui.trees.sentences import LevelErrors
from dpviz.ui.visit.page import Visit

HERO = "release_trees"
SIMULATED = 1024  # leaves up to which the band is simulated; beyond, its standard errors are exact
POINTS = 1024
EXACT = "at each {} the truth lies in the band 19 times in 20"
NORMAL = "band: two standard errors at each {}"


def release_view(page: TreePage, now: Visit, reading: TreeEstimator) -> tuple[str, str]:
    """The sentence, the rows and the CDF with its exact band, and the card of the release."""
    levels, nouns = page.read(reading), names()
    finding = sentences.released_headline(levels, page.ends, nouns)
    combined = reading is not TreeEstimator.RAW
    headline("Trees", finding, sentences.released_line(page.noisy_counts, combined=combined))
    picture = private_picture(page, reading, now.look)
    left, right = (st.container(), None) if now.presenting else st.columns([66, 34], gap="medium")
    with left:
        hero(picture, HERO, sentences.released_alternative(levels, nouns), slides="private-tree")
    if right is not None:
        with right:
            text = page.release.to_json
            release_card("Release", card_rows(page, levels), Taken(text, "tree.json"))
    spent = str(page.release.spent)
    strip(now, [("people on screen", "0"), ("spent", spent)], badge=True)
    return HERO, finding


def private_picture(page: TreePage, reading: TreeEstimator, look: Look) -> Picture:
    """Rows and CDF of one reading, made from the release alone."""
    levels, nouns = page.read(reading), names()
    count = f"{page.noisy_counts:,}"
    title = (
        "<b>As measured</b>" if reading is TreeEstimator.RAW else f"<b>{count} counts combined</b>"
    )
    side = Side(title + "; ± one standard error", rows_of(levels))
    raw = rows_of(page.read(TreeEstimator.RAW))
    curve, sure = _curve(page, levels, reading)
    said = "" if look.phone else sure.format(nouns.safe().axis)
    noisiest = largest_error(raw)
    return released_tree(side, curve, page.ends, nouns, look, noisiest=noisiest, sure=said)


def _curve(page: TreePage, levels: Levels, reading: TreeEstimator) -> tuple[Curve, str]:
    """Running counts with the band that theory gives, and what the band says."""
    release, noise = page.release, page.release.tree_noise
    edges, leaves = release.edges(), release.shape.leaves
    try:
        counts = running_counts(levels, release.total)
    except InvalidParameter:  # the leaves are not told by this reading: its deepest known level
        return Curve(edges[[0, -1]], np.array([0.0, float(levels.counts[0][0])])), ""
    if leaves <= SIMULATED:
        rng = np.random.default_rng([page.draw.seed, 4])
        band = memory.remembered(
            ("release band", noise, reading, page.draw.seed),
            lambda: noise_band(noise, reading, rng),
        )
        return Curve(edges, counts, band.pointwise), EXACT
    step = leaves // POINTS
    kept = np.append(np.arange(0, leaves, step), leaves)
    if reading not in {TreeEstimator.RAW, TreeEstimator.EFFICIENT}:
        return Curve(edges[kept], counts[kept]), ""
    errors = memory.remembered(
        ("release errors", noise, reading),
        lambda: CdfErrors(noise, reading, step).running_errors(),
    )
    return Curve(edges[kept], counts[kept], 2 * errors), NORMAL


def card_rows(page: TreePage, levels: Levels) -> list[tuple[str, str]]:
    """Everything about the release that may be known, in words; texts are plain."""
    release, nouns = page.release, names()
    low, high = (value(one) for one in page.ends)
    steps = f", in steps of {value(release.resolution)}" if release.resolution else ""
    one = "someone" if release.neighbours is Neighbours.ADD_REMOVE else "one person"
    moves = "joins or leaves" if release.neighbours is Neighbours.ADD_REMOVE else "changes a value"
    rows = [
        ("What", f"{page.noisy_counts:,} counts of {nouns.people}, in all and in nested parts"),
        ("Promise", promise(page)),
        ("Neighbours", f"{one} {moves}"),
    ]
    if release.total is not None:
        rows.append(("Public besides", f"{release.total:,.0f} {nouns.people}"))
    shape = release.shape
    tree = f"{shape.fanout} parts each, {shape.height} levels deep"
    return [
        *rows,
        ("Method", f"noisy tree, {tree}, {NOISE_NAMES[release.noise]} noise"),
        ("Declared", f"{nouns.axis} {low} to {high}{steps}"),
        ("How exact", _exact(levels, nouns.people)),
        ("Spent", f"{release.spent}, for good"),
    ]


def _exact(levels: Levels, people: str) -> str:
    errors = [one for one in LevelErrors.of(levels, levels).after if np.isfinite(one)]
    if not errors:
        return "nothing is known"
    least, most = spread_error(min(errors)), spread_error(max(errors))
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
