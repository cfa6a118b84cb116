"""Below the fold: the numbers with what theory promises, and everything that may be taken away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from dpviz.answers.quantiles import intervals
from dpviz.core.errors import DpvizError
from dpviz.core.scalars.rank_check import RankCheck
from dpviz.figures.quantiles.release_rows import release_picture
from dpviz.mechanisms.exponential.ties import Ties
from dpviz.mechanisms.sums.checked_ranks import CheckedRanks
from dpviz.ui.bench.cards import quiet
from dpviz.ui.bench.slides import slides
from dpviz.ui.bench.ties import ties_note
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.messages import problem
from dpviz.ui.kit.offers import REFUSAL, Group, download_panel
from dpviz.ui.model.render import Shown as OnScreen
from dpviz.ui.quantiles.cards import card, quantile_table
from dpviz.ui.quantiles.downloads import NOTE, python_lines, release_offers
from dpviz.ui.quantiles.page import QuantilesPage
from dpviz.ui.quantiles.releases import told_of
from dpviz.ui.quantiles.shown import Shown, scale_of, voice_of
from dpviz.ui.visit import state

NUMBERS, TAKE = "Numbers", "Take away"
HALF = 660  # px of a card that stands alone
CHECKED, CHECK_SHARE = "_checked_ranks", 1.0  # of the budget: less tells hardly anything
CHECK_HELP = (
    "For the same budget once more: how many lie below each number, less the share that should, "
    "with noise. Where many have the same value, those at the value itself are not below it."
)
WIDTHS = (
    "Widths are estimated by publishing the curve again, without guarantee; sampling speaks of the "
    "people whom these stand for. An interval in ranks is exact for its noise, whatever the column."
)
BETWEEN = "About: read between the stops of the slider on both sides of this budget."


def below(shown: OnScreen[QuantilesPage, Any], every: Sequence[Shown], hero: str) -> None:
    """One of two panels, as the visitor chooses."""
    sentence = shown.said.headline()
    with st.container(key="under_picture"):
        shown.group("below")
        PANELS[shown.chosen["below"]](shown.asked, list(every), hero, sentence)


def _numbers(page: QuantilesPage, every: list[Shown], _hero: str, _sentence: str) -> None:
    if page.now.truth and page.settings.chosen["ties"] is not Ties.JITTER:
        ties_note(page.question.column)
    if len(every) == 1:
        card(every[0], page.question, width=HALF)
    else:
        for slot, one in zip(st.columns(len(every)), every, strict=True):
            with slot:
                card(one, page.question)
    quantile_table(every, page.question)
    if len(every) == 1:
        _intervals(page, every[0])


def _intervals(page: QuantilesPage, one: Shown) -> None:
    """How far off each number may be: estimated for nothing, in ranks for a part of the budget."""
    asked, release, size = page.question, one.release, session.size()
    half = one.half_widths(size, asked)
    check = _check_of(page, one) if state.store().get(CHECKED) == _named(page, one) else None
    part = asked.budget.resized(CHECK_SHARE * asked.budget.size)
    if asked.draw.rows is None:  # else a rank counts parts of a person
        st.button(
            f"Check the ranks, for {asked.draw.spent(part)}",
            key="check_ranks",
            icon=":material/rule:",
            disabled=check is not None,
            help=CHECK_HELP,
            on_click=lambda: state.put(CHECKED, _named(page, one)),
        )
    if check is not None:
        quiet(intervals.checked_said(check))
    rows: dict[str, object] = {"quantile": release.quantiles, "value": release.values}  # noqa: PD011
    if half is not None and size is not None:
        rows["give or take"] = half
        rows["give or take, with sampling"] = intervals.with_sampling(release, half, size)
    if check is not None:
        rows["ranks off, noisy"] = check.errors
        rows["at least"], rows["at most"] = check.intervals().T
    if len(rows) > 2:
        st.dataframe(
            pd.DataFrame(rows),
            hide_index=True,
            column_config={name: _format(name) for name in rows},
            alt="How far each quantile may be off, in its unit and in ranks",
        )
        st.caption(f"{BETWEEN} {WIDTHS}" if one.between and half is not None else WIDTHS)


def _format(name: str) -> ColumnConfig:
    """Ranks are whole, widths have three digits."""
    whole = name in {"ranks off, noisy", "at least", "at most"}
    width = name.startswith("give or take")
    if name == "value":  # as everywhere: 25,900
        return st.column_config.NumberColumn(format="localized")
    return st.column_config.NumberColumn(format="%.0f" if whole else "%.3g" if width else "%.6g")


def _named(page: QuantilesPage, one: Shown) -> tuple[object, ...]:
    # with the draw, whose secret is of one reading: an equal file is not checked by itself
    return page.question.key("checked ranks", one.mechanism)


def _check_of(page: QuantilesPage, one: Shown) -> RankCheck | None:
    """Drawn and paid once for a release, when it was asked for."""
    asked = page.question
    part = asked.budget.resized(CHECK_SHARE * asked.budget.size)
    checked = CheckedRanks(page.now.neighbours)
    purpose = ("checked ranks", *asked.purpose(one.mechanism), checked, CHECK_SHARE)
    try:
        return memory.public(
            asked.column,
            (purpose, asked.draw),
            lambda: asked.draw.released(
                lambda rng: checked.release(asked.column, one.release, part, rng), purpose
            ),
            lambda: asked.draw.book(purpose, paid=[Cost("checked ranks", part)]),
        )
    except DpvizError as error:
        problem(str(error))
        return None


def _take(page: QuantilesPage, every: list[Shown], hero: str, sentence: str) -> None:
    if not page.now.look.phone:
        st.caption("This picture as a slide, 1920 × 1080:")
        slides(page.now, hero, sentence, "quantiles")
    lines = python_lines([(one.mechanism, one.release) for one in every], page.question)
    exact = [one for one in every if not page.question.draw.is_teaching(one.release)]
    if not exact:
        download_panel(NOTE, [Group((), refusal=REFUSAL)], lines)
        return
    told = told_of(exact[0].mechanism, exact[0].release, page.question)
    offers = release_offers([one.release for one in exact], told, _public_figure(page, exact[0]))
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
