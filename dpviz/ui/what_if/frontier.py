"""The frontier: which method is the cheapest at each need, as one picture."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dpviz.answers.said import Said
from dpviz.answers.studies import frontier, frontier_said, needed
from dpviz.answers.studies.frontier import FrontierNumbers
from dpviz.answers.studies.names import often_text
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.studies.answered import Answer
from dpviz.figures.studies.frontier import frontier_picture
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Shown, View
from dpviz.ui.what_if.answer import Curves, before_or_under_way, behind, lines, run_buttons


def _numbers(task: Curves, _: Values) -> FrontierNumbers:
    assert task.curves is not None
    question = task.asked.need(task.curves, task.percent, is_about=task.is_about)
    return frontier.answer(needed.answer(question))


def _say(task: Curves, found: FrontierNumbers) -> Said:
    return replace(frontier_said.say(found, task.asked.names()), chips=task.asked.chips())


def _draw(task: Curves, found: FrontierNumbers, _: Values, look: Look) -> Picture:
    names, need = task.asked.names(), found.need
    answer = Answer(
        lines(need.methods, need.symbol),
        need.target,
        frontier_said.measured(found, names, brief=look.phone),
        frontier_said.wanted(found),
        often_text(need.probability),
        need.symbol,
        compared=True,
    )
    return frontier_picture(answer, found.pieces, look)


def _behind(shown: Shown[Curves, FrontierNumbers]) -> None:
    st.caption(frontier_said.HULL)
    behind(shown)


VIEW: View[Curves, FrontierNumbers] = View(
    "frontier", "Frontier", _numbers, say=_say, draw=_draw, hero="frontier", file="dpviz-frontier",
    kept="run", instead=before_or_under_way, badge=lambda task: task.is_real, behind=_behind,
    buttons=lambda task, _: run_buttons(task),
)  # fmt: skip
