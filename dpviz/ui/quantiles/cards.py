"""The strip of numbers under a picture, one card a mechanism, and the table of quantiles."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pyarrow as pa
import streamlit as st

from dpviz.answers.number_text import percent, records
from dpviz.metrics.bounds import ErrorBound
from dpviz.metrics.quantiles import gaps, true_quantiles
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.frame import label_of
from dpviz.ui.quantiles import methods
from dpviz.ui.quantiles.releases import Question
from dpviz.ui.quantiles.shown import Shown, theory


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
        name, values = one.mechanism.name, one.timed.release.values
        rows[name] = values
        if shows_truth:
            rows[f"{name} gap"] = np.round(gaps(column, quantiles, values), 1)
    return pa.table(rows)
