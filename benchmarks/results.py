"""What the benches found, as one Markdown page."""

from __future__ import annotations

import math
import os
import platform
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.targets import NOISE, Row, best_rows
from dpviz.version import __version__

PAGE = Path(__file__).with_name("RESULTS.md")
DRAFT = PAGE.parents[1] / "build" / PAGE.name  # of any run; that of a complete one becomes the page
LOAD = "Load"  # the table that `make load` writes
PACKAGES = ("numpy", "scipy", "pandas", "streamlit", "opendp", "diffprivlib")


@dataclass(frozen=True, slots=True)
class Table:
    """A table of numbers for the page: cells as text, the first column left-aligned.

    Raises: ValueError for a line of another width than the header.
    """

    title: str
    header: Sequence[str]
    cells: Sequence[Sequence[str]]
    note: str = ""

    def __post_init__(self) -> None:
        if wrong := [row[0] for row in self.cells if len(row) != len(self.header)]:
            raise ValueError(f"'{self.title}' has lines that do not fit its header: {wrong[:3]}")

    def markdown(self) -> str:
        """The table under its title."""
        rule = ["---", *["---:"] * (len(self.header) - 1)]
        lines = ["| " + " | ".join(row) + " |" for row in (self.header, rule, *self.cells)]
        note = [self.note, ""] if self.note else []
        return "\n".join([f"## {self.title}", "", *note, *lines])


@dataclass(frozen=True, slots=True)
class Speeds:
    """Rows under a title of their own, with what must be known of them."""

    title: str
    rows: Sequence[Row]
    note: str

    def markdown(self) -> str:
        """The table of the rows."""
        return speed_table(self.rows, self.title, self.note).markdown()


Finding = Row | Speeds | Table


def rows_of(findings: Iterable[Finding]) -> list[Row]:
    """All rows, those with a title of their own included."""
    rows: list[Row] = []
    for found in findings:
        if isinstance(found, Row):
            rows.append(found)
        elif isinstance(found, Speeds):
            rows += found.rows
    return rows


def names_of(findings: Iterable[Finding]) -> list[str]:
    """What was measured, by the names that a bench declares: rows and titles."""
    findings = list(findings)
    titles = [found.title for found in findings if not isinstance(found, Row)]
    return [*(row.name for row in rows_of(findings)), *titles]


def with_best(findings: Sequence[Finding], further: Sequence[Row]) -> list[Finding]:
    """The findings with each row the least of its name, those of further attempts included."""
    best = {row.name: row for row in best_rows([*rows_of(findings), *further])}
    kept: list[Finding] = []
    for found in findings:
        if isinstance(found, Speeds):
            rows = dict.fromkeys(best[row.name] for row in found.rows)
            kept.append(Speeds(found.title, list(rows), found.note))
        else:
            kept.append(best.pop(found.name) if isinstance(found, Row) else found)
    return kept


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


def speed_table(rows: Sequence[Row], title: str = "Speed", note: str = "") -> Table:
    """Speeds beside their limits."""
    cells = [
        [
            row.name,
            f"{digits(row.value)} {row.unit}",
            f"≤ {row.target.limit:g} {row.target.unit}" if row.target else "none set",
            row.verdict or "-",
        ]
        for row in rows
    ]
    note = note or (
        f"The best of several repetitions. A limit missed by more than {NOISE:g} × (memory: at "
        "all) fails the bench."
    )
    return Table(title, ("what", "measured", "to reach", "verdict"), cells, note)


def origin(command: str) -> str:
    """Which version was measured, and when."""
    return f"Written by `{command}` on {datetime.now(UTC):%Y-%m-%d}, dpviz {__version__}"


def page(findings: Sequence[Finding], unfinished: Sequence[str] = ()) -> str:
    """The whole page; unfinished are names that were not measured."""
    rows = [found for found in findings if isinstance(found, Row)]
    tables = [found for found in findings if not isinstance(found, Row)]
    parts = [
        "# Results of the bench",
        f"{origin('make bench')}, in one run. {machine()}.",
        "The ratios are what counts: both sides of a ratio were timed in one process, close "
        "together or in turns. Times alone depend on the machine and on what else it was doing; "
        f"its load average was {os.getloadavg()[2]:.1f} over the last 15 minutes of this run, and "
        "a run that is alone has about 1.",
    ]
    if unfinished:
        parts.append(f"Not in this run: {'; '.join(unfinished)}.")
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


def replace_load(table: Table) -> None:
    """Put the table of `make load` into benchmarks/RESULTS.md and leave the rest as it is."""
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), table), encoding="utf-8")


def draft(findings: Sequence[Finding], unfinished: Sequence[str] = ()) -> None:
    """Write the page into build/, with the table of `make load` that benchmarks/RESULTS.md has."""
    old = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    load = section(old, LOAD).rstrip()
    parts = [page(findings, unfinished), *([load] if load else [])]
    DRAFT.parent.mkdir(exist_ok=True)
    DRAFT.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def publish() -> None:
    """Put the draft of a complete run into the place of benchmarks/RESULTS.md."""
    PAGE.write_text(DRAFT.read_text(encoding="utf-8"), encoding="utf-8")
