"""Below the fold: the numbers with what theory promises, and everything that may be taken away.

There are the strip under a picture, one card a mechanism, the table of quantiles, and of files the
releases, the private picture and Python lines.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pyarrow as pa
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from dpviz.answers.number_text import percent, records
from dpviz.answers.quantiles import intervals
from dpviz.core.errors import DpvizError
from dpviz.core.releases import QuantileRelease
from dpviz.core.scalars.rank_check import RankCheck
from dpviz.figures.quantiles.release_rows import release_picture
from dpviz.mechanisms.exponential.ties import Ties
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism
from dpviz.mechanisms.sums.checked_ranks import CheckedRanks
from dpviz.metrics.bounds import ErrorBound
from dpviz.metrics.quantiles import gaps, true_quantiles
from dpviz.reports.tables import quantiles_csv
from dpviz.reports.words import Told
from dpviz.ui.bench.cards import quiet, ties_note
from dpviz.ui.bench.report_files import report_offers
from dpviz.ui.bench.slides import slides
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.frame import label_of
from dpviz.ui.kit.messages import problem
from dpviz.ui.kit.offers import REFUSAL, Group, Offer, download_panel, figure_offer
from dpviz.ui.kit.script import Row, Script, column_text
from dpviz.ui.model.render import Shown as OnScreen
from dpviz.ui.quantiles import methods
from dpviz.ui.quantiles.page import QuantilesPage
from dpviz.ui.quantiles.releases import Question, told_of
from dpviz.ui.quantiles.shown import Shown, scale_of, theory, voice_of
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
NOTE = (
    "Private values, declarations and the budget only. If you publish more than one release "
    "about the same people, their budgets add up. The camera in the chart's corner saves the "
    "picture as it stands, the true curve included while it is shown."
)


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


def releases_json(releases: list[QuantileRelease]) -> str:
    """One release as itself, several as a list: private values and declarations only."""
    if len(releases) == 1:
        return releases[0].to_json()
    return json.dumps([release.to_dict() for release in releases], indent=1, ensure_ascii=False)


def release_offers(
    releases: list[QuantileRelease], told: Told, draw: Callable[[], go.Figure]
) -> tuple[Offer, ...]:
    """The releases, the papers of one that is alone, and the figure without the true curve."""
    alone = report_offers(releases[0], told, "release") if len(releases) == 1 else ()
    return (
        Offer("Release as JSON", releases_json(releases), "release.json", "application/json"),
        Offer("Release as CSV", quantiles_csv(releases), "release.csv", "text/csv"),
        *alone,
        figure_offer(
            draw,
            "private-cdf.html",
            "An interactive page without the true curve; its camera saves a PNG.",
        ),
    )


def python_lines(
    shown: Sequence[tuple[QuantileMechanism, QuantileRelease]], asked: Question
) -> str:
    """A script whose `releases` are by name those on screen, or for a file others of their law."""
    script = Script(column_text(asked.column), asked.budget, asked.draw)
    rows = {one.name: Row(one, release, asked.purpose(one)) for one, release in shown}
    quantiles = np.array2string(
        asked.quantiles.asked,
        separator=", ",
        threshold=10_000,
        max_line_width=88,
        formatter={"float_kind": lambda number: repr(float(number))},
    )
    return script.text(f"""\
quantiles = {quantiles}
{script.releases(rows, "column, quantiles")}
for name, release in releases.items():
    print(name, release.values)
""")


def card(one: Shown, asked: Question, width: int | Literal["stretch"] = "stretch") -> None:
    """One mechanism's numbers; while the truth is off, the budget alone."""
    release = one.timed.release
    with st.container(border=True, gap="xsmall", height="stretch", width=width):
        st.markdown(
            f"**{methods.heading(release.mechanism)}** :small[{label_of(release.mechanism)}]"
        )
        if session.shows_truth():
            _errors(one, asked)
            _theory(theory(one, asked), asked.column.n)
        else:
            st.metric("Budget spent", str(release.spent))
            st.caption(f"{release.neighbours.value} neighbours; errors are confidential")


def _errors(one: Shown, asked: Question) -> None:
    people = session.words().people
    many = people.many
    missed = gaps(asked.column, asked.quantiles, one.timed.release.values)
    mean = float(missed.mean())
    st.metric(
        "Mean gap",
        people.after(records(mean)),
        help=f"In {many}: the average over the quantiles of how many lie between the private and "
        "the true quantile (AQ paper, section 4.3). Confidential.",
    )
    lines = [
        f"{percent(mean / max(asked.column.n, 1))} of the {many}",
        f"largest {records(float(missed.max()))}",
    ]
    running = one.running_gap(asked)
    if running is not None:
        lines.append(f"other draws {records(running[0])} ± {records(running[1])}")
    lines.append(f"spent {one.timed.release.spent}")
    st.caption("  \n".join(lines))


def _theory(bounds: tuple[ErrorBound, ...] | str, n: int) -> None:
    if isinstance(bounds, str):
        st.caption(bounds)
        return
    holding = bounds[0]
    note = "\n\n".join(
        f"**{bound.source}**: ≤ {records(bound.records)}"
        f"{'' if bound.holds else ' (does not hold as printed)'}; {bound.note}."
        for bound in bounds
    )
    said = f"largest ≤ {records(holding.records)} in theory, with probability 95 %"
    if holding.records >= n:
        said = "theory says nothing here: its bound exceeds how many there are"
    st.caption(
        said,
        help="Bounds on the largest gap that hold with probability 95 %; they use ψ, so they are "
        f"confidential.\n\n{note}",
    )


def quantile_table(shown: list[Shown], asked: Question) -> None:
    """True and private quantiles beside each other, with their gaps when the truth is on."""
    quantiles, shows_truth = asked.quantiles, session.shows_truth()
    number = st.column_config.NumberColumn
    formats = {"quantile": number("Quantile", format="%.4g")}
    if shows_truth:
        formats["true"] = number("True (confidential)", format="%.6g")
    for one in shown:
        name = one.mechanism.name
        formats[name] = number(label_of(name), format="%.6g")
        if shows_truth:
            formats[f"{name} gap"] = number(
                "Gap",
                format="%.6g",
                help=f"How many lie between {label_of(name)}'s value and the true one.",
            )
    releases = [asked.key("release", one.mechanism) for one in shown]
    rows = memory.public(
        asked.column, ("table", shows_truth, *releases), lambda: _rows(shown, asked, shows_truth)
    )
    st.dataframe(
        rows,
        hide_index=True,
        column_config=formats,
        height="auto" if quantiles.asked.size <= 12 else 420,
        alt="Private quantiles" + (" beside the true ones, with gaps" if shows_truth else ""),
    )


def _rows(shown: list[Shown], asked: Question, shows_truth: bool) -> pa.Table:
    """The table itself, ready to be sent."""
    column, quantiles = asked.column, asked.quantiles
    rows: dict[str, object] = {"quantile": quantiles.asked}
    if shows_truth:
        rows["true"] = true_quantiles(column, quantiles)
    for one in shown:
        name, values = one.mechanism.name, one.timed.release.values  # noqa: PD011  of a release
        rows[name] = values
        if shows_truth:
            rows[f"{name} gap"] = np.round(gaps(column, quantiles, values), 1)
    return pa.table(rows)
