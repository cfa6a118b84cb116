"""What pictures and numbers stand in: a chart with its text alternative, number cards, tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.answers.markup import plain
from dpviz.answers.said import Table


def chart(
    figure: go.Figure,
    key: str,
    name: str,
    alt: str,
    *,
    scroll: bool = False,
    place: DeltaGenerator | None = None,
    **others: Any,
) -> Any:
    """Show a figure; name is that of its file, alt says in words what it shows."""
    return (place or st).plotly_chart(
        figure, key=key, config=chart_options(name, scroll=scroll), alt=alt, **others
    )


def chart_options(name: str, *, scroll: bool = True) -> dict[str, object]:
    """Plotly's own buttons: few, and a camera that saves SVG."""
    return {
        "displaylogo": False,
        "scrollZoom": scroll,
        "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
        "toImageButtonOptions": {"format": "svg", "filename": name},
    }


def number_table(table: pd.DataFrame, alt: str, columns: Mapping[str, str | None]) -> None:
    """A table of texts; the named columns, each with its help, hold numbers and stand right."""
    st.dataframe(
        table,
        hide_index=True,
        alt=alt,
        column_config={
            name: st.column_config.TextColumn(alignment="right", help=text)
            for name, text in columns.items()
        },
    )


def facts(rows: Sequence[tuple[str, str]]) -> None:
    """Exact numbers behind a picture, one a line; texts are plain."""
    st.markdown("  \n".join(f"{plain(words)} **{plain(number)}**" for words, number in rows))


def said_table(table: Table) -> None:
    """A table of an answer: its title, its rows if there are any, and what is noted below."""
    if table.title:
        st.markdown(table.title)
    if table.rows:
        number_table(pd.DataFrame(table.rows, columns=list(table.columns)), table.alt, table.right)
    for note in table.notes:
        st.caption(note)
