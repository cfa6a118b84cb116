"""What numbers stand in: facts, and tables with their text alternatives."""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from dpviz.answers.said import Table, plain


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
