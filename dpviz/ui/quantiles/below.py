"""Below the fold: the numbers with what theory promises, and everything that may be taken away."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import plotly.graph_objects as go
import streamlit as st

from dpviz.figures.quantiles.release_rows import release_picture
from dpviz.mechanisms.exponential.ties import Ties
from dpviz.ui.bench.once import once_button
from dpviz.ui.bench.slides import slides
from dpviz.ui.bench.ties import ties_note
from dpviz.ui.kit import choices
from dpviz.ui.kit.frame import label_of
from dpviz.ui.kit.offers import REFUSAL, Group, download_panel
from dpviz.ui.links import arriving
from dpviz.ui.quantiles.cards import card, quantile_table
from dpviz.ui.quantiles.downloads import NOTE, python_lines, release_offers
from dpviz.ui.quantiles.page import QuantilesPage
from dpviz.ui.quantiles.releases import final_of
from dpviz.ui.quantiles.shown import Shown, scale_of, voice_of

NUMBERS, TAKE = "Numbers", "Take away"
HALF = 660  # px of a card that stands alone
FIRST = "_below_first"  # which of them is open at first, if a link says so


def take_older_link() -> None:
    """An older link to downloads opens their panel."""
    if list(arriving.linked("detail")) == ["Download and code"]:
        st.session_state[FIRST] = TAKE


def below(page: QuantilesPage, every: Sequence[Shown], hero: str, sentence: str) -> None:
    """One of two panels, as the visitor chooses; a room is shown neither."""
    if page.now.presenting:
        return
    with st.container(key="under_picture"):
        chosen = choices.segments(
            "Below the picture",
            [NUMBERS, TAKE],
            "below",
            default=st.session_state.get(FIRST, NUMBERS),
            label_visibility="collapsed",
        )
        PANELS[chosen](page, list(every), hero, sentence)


def _numbers(page: QuantilesPage, every: list[Shown], _hero: str, _sentence: str) -> None:
    ties = page.settings.ties
    if page.now.truth and ties is not Ties.JITTER:
        ties_note(page.question.column)
    if len(every) == 1:
        card(every[0], page.question, ties, width=HALF)
    else:
        for slot, one in zip(st.columns(len(every)), every, strict=True):
            with slot:
                card(one, page.question, ties)
    quantile_table(every, page.question)


def _take(page: QuantilesPage, every: list[Shown], hero: str, sentence: str) -> None:
    if not page.now.look.phone:
        st.caption("This picture as a slide, 1920 × 1080:")
        slides(page.now, hero, sentence, "quantiles")
    lines = python_lines([(one.mechanism, one.release) for one in every], page.question)
    exact = [one for one in every if not page.question.draw.is_teaching(one.release)]
    if not exact:
        download_panel(NOTE, [Group((), refusal=REFUSAL)], lines)
        return
    with st.container(horizontal=True):
        for one in exact:
            final = final_of(one.mechanism, one.release, page.question)
            once_button(
                final, one.mechanism.name, label_of(one.mechanism.name) if len(exact) > 1 else ""
            )
    offers = release_offers([one.release for one in exact], _public_figure(page, exact[0]))
    download_panel(NOTE, [Group(offers)], lines)


def _public_figure(page: QuantilesPage, one: Shown) -> Callable[[], go.Figure]:
    """The release without the truth, as a figure that is made when it is asked for."""
    scale, answers, look = scale_of(one), one.alone(page.question), page.now.look
    words = voice_of(scale).words
    title = f"Share of the {words.people.many} {words.up_to[0]}"
    return lambda: go.Figure(release_picture(answers, None, scale, title, look))


PANELS: dict[str, Callable[[QuantilesPage, list[Shown], str, str], None]] = {
    NUMBERS: _numbers,
    TAKE: _take,
}
