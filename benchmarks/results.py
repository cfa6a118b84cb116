"""What the benches found, as one Markdown page."""

from __future__ import annotations

import math
import os
import platform
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.targets import NOISE, Row

PAGE = Path(__file__).with_name("RESULTS.md")
LOAD = "Load"  # the table that `make load` writes
PACKAGES = ("numpy", "scipy", "pandas", "streamlit", "opendp", "diffprivlib")


@dataclass(frozen=True, slots=True)
class Table:
    """A table of numbers for the page: cells as text, the first column left-aligned."""

    title: str
    header: Sequence[str]
    cells: Sequence[Sequence[str]]
    note: str = ""

    def markdown(self) -> str:
        """The table under its title."""
        rule = ["---", *["---:"] * (len(self.header) - 1)]
        lines = ["| " + " | ".join(row) + " |" for row in (self.header, rule, *self.cells)]
        note = [self.note, ""] if self.note else []
        return "\n".join([f"## {self.title}", "", *note, *lines])


Finding = Row | Table


def installed(package: str) -> str:
    """A package with its version, or that it is not there."""
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return f"{package} not installed"


def machine() -> str:
    """Enough to place the figures, nothing that identifies the machine."""
    packages = ", ".join(installed(package) for package in PACKAGES)
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{os.cpu_count()} cores ({platform.machine()}), {python}, {packages}"


def digits(value: float) -> str:
    """About three significant digits, never an exponent; a dash for no number (0/0, 1/0)."""
    if not math.isfinite(value):
        return "-"
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def speed_table(rows: Sequence[Row]) -> Table:
    """All speeds beside their limits."""
    cells = [
        [
            row.name,
            f"{digits(row.value)} {row.unit}",
            f"≤ {row.target.limit:g} {row.target.unit}" if row.target else "none set",
            row.verdict or "-",
        ]
        for row in rows
    ]
    note = (
        f"The best of several repetitions. A limit missed by more than {NOISE:g} × (memory: at "
        "all) fails the bench."
    )
    return Table("Speed", ("what", "measured", "to reach", "verdict"), cells, note)


def page(findings: Sequence[Finding], unfinished: Sequence[str] = ()) -> str:
    """The whole page."""
    rows = [found for found in findings if isinstance(found, Row)]
    tables = [found for found in findings if isinstance(found, Table)]
    parts = [
        "# Results of the bench",
        f"Written by `make bench` on {datetime.now(UTC):%Y-%m-%d}. {machine()}.",
        "The ratios are what counts: both sides of a ratio were timed in one process, close "
        "together or in turns. Times alone depend on the machine and on what else it was doing; "
        f"its load average was {os.getloadavg()[2]:.1f} over the last 15 minutes of this run, and "
        "a run that is alone has about 1.",
    ]
    if unfinished:
        parts.append(f"Not in this run: {', '.join(unfinished)}.")
    return "\n\n".join(
        [*parts, speed_table(rows).markdown(), *(table.markdown() for table in tables)]
    )


def section(text: str, title: str) -> str:
    """The part of a page under this title, up to the next one; empty if there is none."""
    found = re.search(rf"^## {re.escape(title)}\n.*?(?=^## |\Z)", text, re.M | re.S)
    return found.group() if found else ""


def with_table(text: str, table: Table) -> str:
    """The page with this table in the place of the one with its title, else at the end."""
    old, new = section(text, table.title), table.markdown() + "\n"
    if not old:
        return f"{text.rstrip()}\n\n{new}"
    before, after = text.split(old, 1)
    return f"{before}{new}\n{after}" if after else f"{before}{new}"


def replace_table(table: Table) -> None:
    """Put one table into benchmarks/RESULTS.md and leave the rest as it is."""
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), table), encoding="utf-8")


def write(findings: Sequence[Finding], unfinished: Sequence[str] = ()) -> None:
    """Replace benchmarks/RESULTS.md, but for the table of `make load`."""
    old = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    load = section(old, LOAD).rstrip()
    parts = [page(findings, unfinished), *([load] if load else [])]
    PAGE.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
