"""The Trees page with the truth off: exactly what an outsider gets, with errors from theory."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dpviz.answers.number_text import counted
from dpviz.answers.privacy.promise import promised
from dpviz.answers.said import Said
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
from dpviz.ui.bench.release import DRAWN, DRAWN_FROM, Taken, release_card, which_rows
from dpviz.ui.kit import session
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Shown, View
from dpviz.ui.trees.page import TreePage, names
from dpviz.ui.visit.page import Visit

HERO = "release"
WRITTEN = 50_000  # counts whose JSON is written at every run; taller trees: under Reading


def instead(_: TreePage, now: Visit, __: Values) -> View[TreePage, Any] | None:
    """With the truth hidden what an outsider gets; a room is not shown the card."""
    if now.truth:
        return None
    return replace(VIEW, beside=None) if now.presenting else VIEW


def numbers(page: TreePage, values: Values) -> OutsiderNumbers:
    """The numbers of the chosen reading."""
    return outsider_of(page, values["t_reading"])


def say(page: TreePage, found: OutsiderNumbers) -> Said:
    """What an outsider reads."""
    return outsider_said.say(found, names(), str(page.release.spent))


def draw(page: TreePage, _: OutsiderNumbers, values: Values, look: Look) -> Picture:
    """The rows and the CDF with its exact band."""
    return private_picture(page, values["t_reading"], look)


def _card(shown: Shown[TreePage, OutsiderNumbers]) -> None:
    """The card of the release."""
    page, found = shown.asked, shown.numbers
    taken = Taken(page.release.to_json, "tree.json") if found.counts <= WRITTEN else None
    release_card("Release", card_rows(page, found), taken)


def outsider_of(page: TreePage, reading: TreeEstimator) -> OutsiderNumbers:
    """The numbers of one reading, worked out once, of the release alone."""
    return page.once("outsider", lambda: outsider.answer(page.outside(reading)), reading)


def private_picture(page: TreePage, reading: TreeEstimator, look: Look) -> Picture:
    """Rows and CDF of one reading, made from the release alone."""
    found, nouns = outsider_of(page, reading), names()
    title = (
        f"<b>{counted(found.counts, 'count')} combined</b>"
        if found.combined
        else "<b>As measured</b>"
    )
    side = Side(title + look.said("; ± one standard error", ""), found.rows)
    sure = look.said(outsider_said.band_text(found, nouns.safe().axis), "")
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
        ("What", f"{counted(found.counts, 'count')} of {nouns.people}, in all and in nested parts"),
        ("Promise", promised(release.spent, release.neighbours, session.protected())),
        ("Neighbours", which_rows(f"{one} {moves}")),
    ]
    if release.total is not None:
        rows.append(
            ("Public besides", f"{release.total:,.0f} {nouns.noun(f'{release.total:,.0f}')}")
        )
    shape = release.shape
    tree = f"{shape.fanout} parts each, {counted(shape.height, 'level')} deep"
    return [
        *rows,
        ("Method", f"noisy tree, {tree}, {NOISE_NAMES[release.noise]} noise"),
        ("Declared", f"{nouns.axis} {low} to {high}{steps}"),
        ("How exact", outsider_said.how_exact(found, nouns)),
        ("Spent", f"{release.spent}, for good"),
        (DRAWN, DRAWN_FROM[release.randomness]),
    ]


VIEW: View[TreePage, OutsiderNumbers] = View(
    "release", "", numbers, say=say, draw=draw, hero=HERO, file="private-tree", beside=_card,
    widths=(66, 34), kept="run",
)  # fmt: skip
