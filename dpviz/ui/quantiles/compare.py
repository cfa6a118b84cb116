"""Several methods side by side: their errors on one scale, the best one first."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dpviz.answers.markup import plain
from dpviz.answers.quantiles import compared, compared_said
from dpviz.answers.quantiles.answers import Answers
from dpviz.answers.quantiles.compared import ComparedNumbers, MethodErrors
from dpviz.answers.quantiles.voice import Voice
from dpviz.figures.quantiles.compare import Compared, compare_picture
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.slides import unmarked
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit.draws import wait_for_all
from dpviz.ui.quantiles import methods
from dpviz.ui.quantiles.asked import QuantilesPage
from dpviz.ui.quantiles.below import below
from dpviz.ui.quantiles.outside import release_view
from dpviz.ui.quantiles.shown import scale_of, shown, voice_of

CONFIDENTIAL = (
    "Which method comes closest is seen with the truth only: it is confidential, like every error."
)
CHART = "methods"


def compare_view(page: QuantilesPage) -> None:
    """Panels sorted by their mean error; with the truth off one release and a sentence."""
    now, asked = page.now, page.question
    chosen = methods.compared()
    if not now.truth or asked.column.n == 0:
        one = shown(methods.method(), page.settings, asked)
        if one is not None:
            release_view(page, one, plain(CONFIDENTIAL))
        return
    wait_for_all(partial(_wait, name, page) for name in chosen)
    every = [shown(name, page.settings, asked, page.runs) for name in chosen]
    found = [one for one in every if one is not None]
    if not found:
        headline("Quantiles", "Nothing was published.", "Choose other methods, or another budget.")
        return
    voice = voice_of(scale_of(found[0]))
    by_key = {one.mechanism.name: one for one in found}
    answers = {key: one.answers(asked) for key, one in by_key.items()}
    ranked = compared.answer(answers)
    names = {key: methods.in_words(key) for key in by_key}
    sentence = compared_said.headline(ranked, names, voice)
    second = compared_said.second(ranked, names, voice, asked.budget.symbol)
    line = second(brief=now.presenting)
    headline("Quantiles", sentence, line)
    panels = [_panel(method, ranked, answers[method.key], voice) for method in ranked.methods]
    picture = compare_picture(panels, asked.column.resolution, now.look)
    keys = [method.key for method in ranked.methods]
    hero(
        picture, CHART, unmarked(f"{sentence} {line}"), slides="methods",
        on_select=partial(_open_clicked, keys), selection_mode="points",
    )  # fmt: skip
    strip(now, compared_said.strip(ranked, voice, str(asked.spent)))
    below(page, [by_key[key] for key in keys], CHART, sentence)


def _wait(name: str, page: QuantilesPage) -> None:
    mechanism = page.settings.build(name, page.question.budget)
    mechanism.check(page.question.budget, page.question.quantiles)
    page.question.wait(mechanism)


def _panel(
    method: MethodErrors, found: ComparedNumbers, answers: Answers, voice: Voice
) -> Compared:
    beside, short = compared_said.beside(method, found, voice.words.unit.many)
    number, key = voice.writing.error(method.mean), method.key
    return Compared(key, methods.heading(key), answers, number, beside, short)


def _open_clicked(keys: list[str]) -> None:
    """A click on a dot of a panel makes its method the page's."""
    points = st.session_state[CHART].selection.points
    panels = {str(point.get("customdata")) for point in points} & set(keys)
    if panels:
        methods.open_alone(panels.pop())
