"""The Trees page with the truth off: exactly what an outsider gets, with errors from theory."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dpviz.answers.privacy.promise import promised
from dpviz.answers.trees import outsider, outsider_said
from dpviz.answers.trees.names import NOISE_NAMES, value
from dpviz.answers.trees.outsider import OutsiderNumbers
from dpviz.core.neighbours import Neighbours
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.trees.curve import Curve
from dpviz.figures.trees.icicle import Side
from dpviz.figures.trees.released import released_tree
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.once import once_button
from dpviz.ui.bench.release import DRAWN, DRAWN_FROM, Taken, release_card, which_rows
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit import session
from dpviz.ui.trees.page import TreePage, names
from dpviz.ui.visit.page import Visit

HERO = "release"
WRITTEN = 50_000  # counts whose JSON is written at every run; taller trees: under Reading


def release_view(page: TreePage, now: Visit, reading: TreeEstimator) -> tuple[str, str]:
    """The sentence, the rows and the CDF with its exact band, and the card of the release."""
    found = outsider_of(page, reading)
    said = outsider_said.say(found, names(), str(page.release.spent))
    headline("Trees", said.headline(), said.second())
    picture = private_picture(page, reading, now.look)
    left, right = (st.container(), None) if now.presenting else st.columns([66, 34], gap="medium")
    with left:
        hero(picture, HERO, said.alt, slides="private-tree")
    if right is not None:
        with right:
            taken = Taken(page.release.to_json, "tree.json") if found.counts <= WRITTEN else None
            once = partial(once_button, page.final, "card")
            release_card("Release", card_rows(page, found), taken, once=once)
    strip(now, said.strip, badge=True)
    return HERO, said.headline()


def outsider_of(page: TreePage, reading: TreeEstimator) -> OutsiderNumbers:
    """The numbers of one reading, worked out once, of the release alone."""
    return page.once("outsider", lambda: outsider.answer(page.outside(reading)), reading)


def private_picture(page: TreePage, reading: TreeEstimator, look: Look) -> Picture:
    """Rows and CDF of one reading, made from the release alone."""
    found, nouns = outsider_of(page, reading), names()
    title = f"<b>{found.counts:,} counts combined</b>" if found.combined else "<b>As measured</b>"
    side = Side(title + ("" if look.phone else "; ± one standard error"), found.rows)
    sure = "" if look.phone else outsider_said.band_text(found, nouns.safe().axis)
    running = found.running
    curve = Curve(running.edges, running.counts, running.band)
    return released_tree(side, curve, page.ends, nouns, look, noisiest=found.noisiest, sure=sure)


def card_rows(page: TreePage, found: OutsiderNumbers) -> list[tuple[str, str]]:
    """Everything about the release that may be known, in words; texts are plain."""
    release, nouns = page.release, names()
    low, high = (value(one) for one in page.ends)
    steps = f", in steps of {value(release.resolution)}" if release.resolution else ""
    one = "someone" if release.neighbours is Neighbours.ADD_REMOVE else "one person"
    moves = "joins or leaves" if release.neighbours is Neighbours.ADD_REMOVE else "changes a value"
    rows = [
        ("What", f"{found.counts:,} counts of {nouns.people}, in all and in nested parts"),
        ("Promise", promised(release.spent, release.neighbours, session.protected())),
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
        ("How exact", outsider_said.how_exact(found, nouns.people)),
        ("Spent", f"{release.spent}, for good"),
        (DRAWN, DRAWN_FROM[release.randomness]),
    ]
