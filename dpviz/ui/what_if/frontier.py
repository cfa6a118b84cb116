"""The frontier: which method is the cheapest at each need, as one picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from dpviz.experiments.planning.answers import Curve
from dpviz.figures.studies.answered import Answer
from dpviz.figures.studies.frontier import Piece, frontier_of, frontier_picture
from dpviz.ui.bench import ledger
from dpviz.ui.bench.dock import dock
from dpviz.ui.bench.headline import headline, plain, private
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.slides import slides
from dpviz.ui.bench.strip import strip
from dpviz.ui.visit.page import Visit
from dpviz.ui.what_if import best, words
from dpviz.ui.what_if.answer import View, found, settings, target_slider
from dpviz.ui.what_if.asked import Asked, chips, unsettled
from dpviz.ui.what_if.basis import stands_in
from dpviz.ui.what_if.best import LEVEL, Found

HULL = (
    "Between two methods there is no shortcut: a public coin that draws one of two budgets spends "
    "the larger one, so the frontier is the least error itself, not its convex hull."
)
SUSPICION = 10.0  # of the cards of the first view, which this one has not


def frontier_view(now: Visit) -> None:
    """Everything of the page in this view."""
    with dock(now, sliders=2 if stands_in() else 1) as d:
        percent = target_slider(d)
        beside = d.second_slot() if stands_in() else None
        run = d.buttons.container(horizontal=True, vertical_alignment="center", width="content")
        d.truth()
        ledger.in_dock(d)
        asked, taken = settings(now, d, beside)
    if asked is None:
        unsettled()
        return
    found(View(now, asked, percent, SUSPICION, run, taken), _shown)


def _shown(view: View, curves: Mapping[str, Curve], *, is_about: bool = False) -> None:
    now, asked, percent = view.now, view.asked, view.percent
    ranked = best.ranked(curves, percent / 100, asked.methods)
    lines = best.lines(ranked, asked.budget.symbol)
    pieces = frontier_of(lines)
    said = sentence(ranked, asked, percent, is_about=is_about)
    headline("What if", said, leaders(pieces, asked.budget.symbol))
    people = asked.basis.words.people.many
    often = words.often_words(asked.probability)
    error = "Largest error" if asked.metric == "largest gap" else "Mean error"
    answer = Answer(
        lines,
        percent / 100,
        f"{error}, {often} releases"
        if now.look.phone
        else f"{error} of {asked.words()} that {often} releases stay under, as a share of the "
        f"{people}",
        f"your need: {words.target_words(percent)}",
        often,
        asked.budget.symbol,
        compared=True,
    )
    drawn = frontier_picture(answer, pieces, now.look)
    hero(drawn, "frontier", alt=plain(said), slides="dpviz-frontier")
    numbers = [
        ("computed on", asked.basis.title),
        ("methods", str(len(ranked))),
        ("bold", "the least error"),
    ]
    strip(now, numbers, chips=chips(asked), badge=not asked.basis.is_stand_in)
    with view.taken:
        st.caption(HULL)
        slides(now, "frontier", said, "dpviz-frontier")


def sentence(
    found: Sequence[Found], asked: Asked, percent: float, *, is_about: bool = False
) -> str:
    """The cheapest method for the need, its budget, and how much more the next one takes."""
    first, symbol = found[0], asked.budget.symbol
    what = f"{plain(asked.words())} within {words.target_words(percent)}"
    if first.needed is None:
        return f"No {plain(symbol)} that was tried publishes {what} by any method."
    size = private(words.size_words(first.needed, symbol))
    size = f"about {size}" if is_about else size
    said = f"Cheapest for {what}: {plain(words.method(first.key).way)}, at {size}"
    others = [one for one in found[1:] if one.needed is not None]
    if not others:
        return f"{said}." if len(found) == 1 else f"{said}; no other method gets there."
    times = (others[0].needed or 0.0) / first.needed
    second = plain(words.method(others[0].key).name)
    if times <= LEVEL:
        return f"{said}; {second} takes as much."
    return f"{said}; {second} takes {plain(f'{times:.1f}')} times as much."


def leaders(pieces: Sequence[Piece], symbol: str) -> str:
    """Who has the least error, from the smallest budget to the largest."""
    if not pieces:
        return ""
    names = [piece.name for piece in pieces]
    first = names[0][:1].upper() + names[0][1:]
    if len(pieces) == 1:
        return plain(f"{first} has the least error at every budget shown, or is level with it.")
    told = [f"{first} errs least below {symbol} = {pieces[0].budgets[-1]:.2g}"]
    told += [f"{piece.name} up to {piece.budgets[-1]:.2g}" for piece in pieces[1:-1]]
    told.append(f"{names[-1]} above")
    return plain(", ".join(told) + ".")
