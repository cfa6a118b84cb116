"""Several methods side by side: their errors on one scale, the best one first."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from dpviz.core.arrays import FloatArray
from dpviz.figures.quantiles.compare import Compared, compare_picture
from dpviz.ui.bench.headline import headline, plain, true
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.slides import unmarked
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit.draws import wait_for_all
from dpviz.ui.quantiles import methods, sentences
from dpviz.ui.quantiles.asked import QuantilesPage
from dpviz.ui.quantiles.below import below
from dpviz.ui.quantiles.outside import release_view
from dpviz.ui.quantiles.sentences import Ranked, Voice
from dpviz.ui.quantiles.shown import Shown, scale_of, shown, voice_of

CONFIDENTIAL = (
    "Which method comes closest is seen with the truth only: it is confidential, like every error."
)
CHART = "methods"


def compare_view(page: QuantilesPage) -> None:
    """Panels sorted by their mean error; with the truth off one release and a sentence."""
    now, asked = page.now, page.question
    names = methods.compared()
    if not now.truth or asked.column.n == 0:
        one = shown(methods.method(), page.settings, asked)
        if one is not None:
            release_view(page, one, plain(CONFIDENTIAL))
        return
    wait_for_all(partial(_wait, name, page) for name in names)
    every = [shown(name, page.settings, asked, page.runs) for name in names]
    found = [one for one in every if one is not None]
    if not found:
        headline("Quantiles", "Nothing was published.", "Choose other methods, or another budget.")
        return
    voice = voice_of(scale_of(found[0]))
    ranked = sorted(((_ranked(one, page), one) for one in found), key=lambda pair: pair[0].mean)
    order = [rank for rank, _ in ranked]
    sentence = sentences.closest(order, voice, true)
    second = sentences.farthest(order, voice, asked.budget.symbol, short=now.presenting)
    headline("Quantiles", sentence, second)
    panels = [_panel(rank, one, order[0], page, voice) for rank, one in ranked]
    picture = compare_picture(panels, asked.column.resolution, now.look)
    keys = [one.mechanism.name for _, one in ranked]
    hero(
        picture, CHART, unmarked(f"{sentence} {second}"), slides="methods",
        on_select=partial(_open_clicked, keys), selection_mode="points",
    )  # fmt: skip
    strip(now, _numbers(page, order, ranked[0][1], voice))
    below(page, [one for _, one in ranked], CHART, sentence)


def _wait(name: str, page: QuantilesPage) -> None:
    mechanism = page.settings.build(name, page.question.budget)
    mechanism.check(page.question.budget, page.question.quantiles)
    page.question.wait(mechanism)


def _ranked(one: Shown, page: QuantilesPage) -> Ranked:
    errors = _errors(one, page)
    middle = one.alone(page.question).middle
    name = methods.in_words(one.mechanism.name)
    return Ranked(name, errors.mean(axis=1), float(errors[:, middle].mean()))


def _errors(one: Shown, page: QuantilesPage) -> FloatArray:
    """How far each draw is off, (r, k): the further draws, or this one where there are none."""
    answers = one.answers(page.question)
    return np.abs(answers.errors[None] if answers.draws is None else answers.other_errors)


def _panel(rank: Ranked, one: Shown, best: Ranked, page: QuantilesPage, voice: Voice) -> Compared:
    number, unit = voice.writing.error(rank.mean), voice.words.unit.many
    times = rank.mean / best.mean if best.mean > 0 else 1.0
    if rank is best:
        beside, short = f"{unit} off on average".strip(), f"{unit} off".strip()
    elif sentences.are_level(best, rank):
        beside, short = f"{unit}, level with the best".lstrip(", "), "level"
    else:
        beside, short = f"{unit}, {times:.1f} times the best".lstrip(", "), f"{times:.1f} times"
    name = one.mechanism.name
    return Compared(name, methods.heading(name), one.answers(page.question), number, beside, short)


def _numbers(
    page: QuantilesPage, order: list[Ranked], best: Shown, voice: Voice
) -> list[tuple[str, str]]:
    spent = ("each draw would spend", str(page.question.spent))
    if best.draws is None:
        return [("best first", "by this draw alone"), spent]
    worst = _errors(best, page).max(axis=1)
    return [
        ("best first; hills are", f"{order[0].errors.size} draws each"),
        (
            "best one's worst gap, 19 of 20 under",
            voice.off(float(np.quantile(worst, 0.95))),
        ),
        spent,
    ]


def _open_clicked(keys: list[str]) -> None:
    """A click on a dot of a panel makes its method the page's."""
    points = st.session_state[CHART].selection.points
    panels = {str(point.get("customdata")) for point in points} & set(keys)
    if panels:
        methods.open_alone(panels.pop())
