"""The frontier: which method is the cheapest at each need, as one picture."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dpviz.answers.studies import frontier, frontier_said, needed
from dpviz.answers.studies.names import often_text
from dpviz.experiments.planning.answers import Curve
from dpviz.figures.studies.answered import Answer
from dpviz.figures.studies.frontier import frontier_picture
from dpviz.ui.bench import ledger
from dpviz.ui.bench.dock import dock
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.slides import slides
from dpviz.ui.bench.strip import strip
from dpviz.ui.visit.page import Visit
from dpviz.ui.what_if.answer import View, complete, lines, settings, target_slider
from dpviz.ui.what_if.asked import chips, unsettled
from dpviz.ui.what_if.basis import stands_in

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
    complete(View(now, asked, percent, SUSPICION, run, taken), _shown)


def _shown(view: View, curves: Mapping[str, Curve], *, is_about: bool = False) -> None:
    now, asked, names = view.now, view.asked, view.asked.names()
    found = frontier.answer(needed.answer(asked.need(curves, view.percent, is_about=is_about)))
    said = frontier_said.say(found, names)
    sentence = said.headline()
    headline("What if", sentence, said.second())
    answer = Answer(
        lines(found.need.methods, found.need.symbol),
        found.need.target,
        frontier_said.measured(found, names, brief=now.look.phone),
        frontier_said.wanted(found),
        often_text(found.need.probability),
        found.need.symbol,
        compared=True,
    )
    drawn = frontier_picture(answer, found.pieces, now.look)
    hero(drawn, "frontier", alt=said.alt, slides="dpviz-frontier")
    strip(now, said.strip, chips=chips(asked), badge=not asked.basis.is_stand_in)
    with view.taken:
        st.caption(frontier_said.HULL)
        slides(now, "frontier", sentence, "dpviz-frontier")
