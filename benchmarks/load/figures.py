"""The figures that a class needs, one row each, and the table of them in RESULTS.md.

A class moves the slider of ε, whose stops are the same for all (--moves slider); the harder loads
are of an ε that nobody has asked for before (--moves typed).

100 followers of one presenter are a row of their own as soon as there is a lecture to follow.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks import results
from benchmarks.load import options, run
from benchmarks.load.tally import Line

ALONE = "--alone --sessions 20 --seconds 15"


def _field(name: str) -> Callable[[Line], float | None]:
    return lambda line: line.get(name)


def _first_picture(line: Line) -> float | None:
    found: float | None = line.get("first_visitor", {}).get("picture")
    return found


def _growth(line: Line) -> float | None:
    early, late = line.get("megabytes_5_min"), line.get("megabytes_end")
    return late / early if early and late else None


@dataclass(frozen=True, slots=True)
class Limit:
    """A number of a line, and what it must not exceed; infinite where no limit is set."""

    name: str
    of: Callable[[Line], float | None]
    most: float = math.inf
    unit: str = ""

    def verdict(self, line: Line) -> str:
        """Reached or MISSED; a dash where there is no limit or nothing was measured."""
        value = self.of(line)
        if value is None or math.isinf(self.most):
            return "-"
        return "reached" if value <= self.most else "MISSED"


@dataclass(frozen=True, slots=True)
class Figure:
    """One load: what it is called, the options that make it, and its limits."""

    name: str
    options: str
    limits: tuple[Limit, ...]

    @property
    def command(self) -> str:
        """What makes this line again."""
        return f'make load LOAD="{self.options}"'


FAILED = Limit("failures", _field("failed"), 0)
SOON = (Limit("p95", _field("p95"), 0.3, "s"), FAILED)
COST = (
    Limit("CPU of an answer", _field("cpu_ms_answer"), 25, "ms"),
    Limit("messages of an answer", _field("messages"), 55),
    Limit("CPU of a first load", _field("cpu_ms_first"), 30, "ms"),
    Limit("first visitor's picture", _first_picture, 0.5, "s"),
)
FIGURES: tuple[Figure, ...] = (
    Figure("100 on Quantiles", "--page quantiles --sessions 100 --moves slider", SOON),
    Figure("100 on Quantiles, each ε new", "--page quantiles --sessions 100 --moves typed", SOON),
    Figure("100 on Start", "--page start --sessions 100", SOON),
    Figure("100 on a scene", "--page lesson --sessions 100", SOON),
    Figure(
        "100 open within 1 s",
        "--sessions 100 --within 1 --seconds 10 --moves slider",
        (Limit("first picture, p95", _field("first_p95"), 2, "s"), FAILED),
    ),
    Figure(
        "100 on 10^6 rows",
        "--sessions 100 --rows 1000000 --moves slider",
        (
            Limit("memory", _field("megabytes"), 500, "MB"),
            Limit("p95", _field("p95"), 0.3, "s"),
            FAILED,
        ),
    ),
    Figure(
        "100 on 10^6 rows, each ε new",
        "--sessions 100 --rows 1000000 --moves typed",
        (Limit("memory", _field("megabytes"), 500, "MB"), Limit("p95", _field("p95"), unit="s")),
    ),
    Figure("one at a time, Quantiles", f"{ALONE} --moves slider", COST),
    Figure("one at a time, each ε new", f"{ALONE} --moves typed", COST),
    Figure("one at a time, a scene", f"{ALONE} --page lesson", COST),
    Figure(
        "200 on two processes",
        "--sessions 200 --workers 2 --moves slider",
        (Limit("p95", _field("p95"), 1, "s"), FAILED),
    ),
    Figure(
        "200 on two processes, each ε new",
        "--sessions 200 --workers 2 --moves typed",
        (Limit("p95", _field("p95"), 1, "s"), FAILED),
    ),
    Figure(
        "20 files of 50 MB while 25 move",
        "--uploads 20 --megabytes 50 --sessions 25 --seconds 60 --moves slider",
        (
            Limit("slowest answer of the others", _field("max"), 1, "s"),
            Limit("files read", _field("read")),
            Limit("files refused", _field("refused")),
            Limit("memory", _field("megabytes"), unit="MB"),
            FAILED,
        ),
    ),
    Figure(
        "50 come and go for 30 minutes",
        "--soak 30 --sessions 50 --moves slider",
        (
            Limit("memory", _field("megabytes_end"), unit="MB"),
            Limit("memory over that after 5 minutes", _growth, 1.1, "×"),
            FAILED,
        ),
    ),
)


def run_all() -> int:
    """Make every figure, print a line for each, and write the table; 1 if a limit was missed."""
    found: list[tuple[Figure, Line]] = []
    for figure in FIGURES:
        line = {"figure": figure.name} | run.line_of(options.read(figure.options.split()))
        print(run.written(line), flush=True)
        found.append((figure, line))
        results.replace_load(table(found))
    return int(any(missed(figure, line) for figure, line in found))


def missed(figure: Figure, line: Line) -> bool:
    """Whether a load could not be made, or met a limit."""
    return "error" in line or any(one.verdict(line) == "MISSED" for one in figure.limits)


def table(found: Sequence[tuple[Figure, Line]]) -> results.Table:
    """A row for each limit of each load; what could not be made is named above them, with why."""
    cells: list[list[str]] = []
    missing = []
    for figure, line in found:
        reason = line.get("skipped") or line.get("error")
        if reason:
            said = str(reason).strip().splitlines()[-1]  # a server's usage stands before it
            missing.append(f"{figure.name} ({said})")
            continue
        for one in figure.limits:
            value = one.of(line)
            cells.append(
                [
                    figure.name,
                    f"`{figure.options}`",
                    one.name,
                    "-" if value is None else f"{_digits(value)} {one.unit}".strip(),
                    "none set" if math.isinf(one.most) else f"≤ {one.most:g} {one.unit}".strip(),
                    one.verdict(line),
                    "-" if line.get("other") is None else f"{line['other']:.1f}",
                ]
            )
    note = (
        f"{results.origin('make load')}; one run each, on loopback. Each "
        'row is made again by `make load LOAD="…"` with its options. An answer lasts from the '
        "request to the script's last message; the files of a page are not fetched. Other: cores "
        "that other work on the machine took meanwhile; latency counts only where it is small."
    )
    if missing:
        note += f" Not made: {'; '.join(missing)}"
    header = ("load", "options", "what", "measured", "to reach", "verdict", "other")
    return results.Table(results.LOAD, header, cells, note)


def _digits(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else results.digits(value)
