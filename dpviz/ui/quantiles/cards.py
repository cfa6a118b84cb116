"""The strip of numbers under a picture, one card a mechanism, and the table of quantiles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.core.arrays import FloatArray
from dpviz.core.data import Column
from dpviz.core.quantiles import QuantileSet
from dpviz.metrics.bounds import ErrorBound
from dpviz.metrics.quantiles import gaps, true_quantiles
from dpviz.ui.kit.frame import label_of
from dpviz.ui.quantiles.releases import Timed


@dataclass(frozen=True, slots=True)
class Errors:
    """How far one release is off, in records; confidential."""

    mean_gap: float
    max_gap: float
    n: int

    @property
    def relative(self) -> float:
        """The mean gap as a share of the records."""
        return self.mean_gap / max(self.n, 1)


def errors_of(column: Column, quantiles: QuantileSet, values: FloatArray) -> Errors:
    """The gaps of one release, summed up."""
    missed = gaps(column, quantiles, values)
    return Errors(float(missed.mean()), float(missed.max()), column.n)


def records(count: float) -> str:
    """A number of records, as short as it can be said."""
    return f"{count:,.0f}" if count >= 100 or count == int(count) else f"{count:,.1f}"


def percent(share: float) -> str:
    """A share in per cent with two digits, never with an exponent."""
    return f"{100 * share:.2g} %" if share < 0.0995 else f"{100 * share:.0f} %"


def card(
    timed: Timed,
    errors: Errors | None,
    bounds: tuple[ErrorBound, ...] | str,
    running: tuple[float, float] | None,
) -> None:
    """One mechanism's numbers; errors None means that the truth is off."""
    release = timed.release
    with st.container(border=True, gap="xsmall", height="stretch"):
        st.markdown(f"**{label_of(release.mechanism)}**")
        if errors is None:
            st.metric("Budget spent", str(release.spent))
            st.caption(f"{release.neighbours.value} neighbours; errors are confidential")
            return
        st.metric(
            "Mean gap",
            records(errors.mean_gap),
            help="In records: the average over the quantiles of how many records lie between the private and the "
            "true quantile (AQ paper, section 4.3). Confidential.",
        )
        lines = [
            f"{percent(errors.relative)} of records",
            f"largest {records(errors.max_gap)}",
        ]
        if running is not None:
            lines.append(f"runs {records(running[0])} ± {records(running[1])}")
        lines.append(f"spent {release.spent}")
        st.caption("  \n".join(lines))
        _theory(bounds, errors.n)


def _theory(bounds: tuple[ErrorBound, ...] | str, n: int) -> None:
    if isinstance(bounds, str):
        st.caption(bounds)
        return
    holding = bounds[0]
    note = "\n\n".join(
        f"**{bound.source}**: ≤ {records(bound.records)} records"
        f"{'' if bound.holds else ' (does not hold as printed)'}; {bound.note}."
        for bound in bounds
    )
    said = f"largest ≤ {records(holding.records)} in theory, with probability 95 %"
    if holding.records >= n:
        said = "theory says nothing here: its bound exceeds the number of records"
    st.caption(
        said,
        help=f"Bounds on the largest gap that hold with probability 95 %; they use ψ, so they are confidential.\n\n{note}",
    )


def quantile_table(
    column: Column, quantiles: QuantileSet, drawn: list[Timed], *, shows_truth: bool
) -> None:
    """True and private quantiles beside each other, with their gaps when the truth is on."""
    frame: dict[str, object] = {"quantile": quantiles.asked}
    formats = {"quantile": st.column_config.NumberColumn("Quantile", format="%.4g")}
    if shows_truth:
        frame["true"] = true_quantiles(column, quantiles)
        formats["true"] = st.column_config.NumberColumn("True (confidential)", format="%.6g")
    for timed in drawn:
        name, values = timed.release.mechanism, timed.release.values  # noqa: PD011  not a frame
        frame[name] = values
        formats[name] = st.column_config.NumberColumn(label_of(name), format="%.6g")
        if shows_truth:
            frame[f"{name} gap"] = np.round(gaps(column, quantiles, values), 1)
            formats[f"{name} gap"] = st.column_config.NumberColumn(
                "Gap",
                format="%.6g",
                help=f"Records between {label_of(name)}'s value and the true one.",
            )
    st.dataframe(
        pd.DataFrame(frame),
        hide_index=True,
        column_config=formats,
        height="auto" if quantiles.asked.size <= 12 else 420,
        alt="Private quantiles" + (" beside the true ones, with gaps" if shows_truth else ""),
    )
