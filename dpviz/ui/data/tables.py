"""Tables that whoever runs the server declares, in .streamlit/secrets.toml; visitors choose by title.

[tables.visits]
title = "Visits of 2025"
url = "warehouse/visits/*.parquet"   # or "duckdb:///warehouse.db", or any address Ibis takes
table = "visits"                     # where the address has several
hive = true                          # folders called year=2025 are a column year; else they are not

In the address of files *, ? and ** stand for letters and folders, brackets are letters, and the
name of a file means that file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import streamlit as st

from dpviz.core.errors import UnreadableFile
from dpviz.intake.counted.counted_table import CountedTable
from dpviz.intake.counted.engines import declared_table

SECTION = "tables"


@dataclass(frozen=True, slots=True)
class Declared:
    """One table; only its title is for visitors."""

    title: str
    url: str = field(repr=False)
    table: str | None = field(repr=False, default=None)
    hive: bool = False

    def open(self) -> CountedTable:
        """The table with its columns.

        Raises: UnreadableFile if it cannot be opened, in words that hold neither address nor path.
        """
        if not self.url:
            raise UnreadableFile(f"The table '{self.title}' was declared without an address (url).")
        return declared_table(self.title, self.url, self.table, hive=self.hive)


def declared() -> dict[str, Declared]:
    """All of them by key, in the order of the file; none where nothing was declared."""
    if not st.secrets.load_if_toml_exists():
        return {}
    section = st.secrets.get(SECTION, {})
    return {key: _read(key, one) for key, one in section.items() if isinstance(one, Mapping)}


def _read(key: str, one: Mapping[str, object]) -> Declared:
    table = one.get("table")
    title = str(one.get("title") or key.replace("_", " ").capitalize())
    named = None if table is None else str(table)
    return Declared(title, str(one.get("url") or ""), named, hive=one.get("hive") is True)
