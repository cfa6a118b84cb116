"""What a crowd of visitors met, in numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.load.machine import Reading
from benchmarks.load.visitor import Answer

Line = dict[str, Any]


def percentile(values: Sequence[float], share: float) -> float | None:
    """The least value that at least this share of all do not exceed; None without values."""
    ranked = sorted(values)
    return ranked[max(0, math.ceil(share * len(ranked)) - 1)] if ranked else None


@dataclass(slots=True)
class Tally:
    """Answers and failures of all visitors, in the order in which they came."""

    loads: list[Answer] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    late: int = 0  # moves that had to wait since the answer before was not there yet
    failures: Counter[str] = field(default_factory=Counter)
    most: float = 0.0  # megabytes

    def line(self) -> Line:
        """Times in seconds, to the millisecond."""
        waits = [one.finished for one in self.answers]
        pictures = _pictures(self.loads)
        ends = [one.finished for one in self.loads]
        return {
            "answers": len(waits),
            "p50": seconds(percentile(waits, 0.5)),
            "p95": seconds(percentile(waits, 0.95)),
            "max": seconds(max(waits, default=None)),
            "picture_p95": seconds(percentile(_pictures(self.answers), 0.95)),
            "late": self.late,
            "first_loads": len(ends),
            "first_p50": seconds(percentile(pictures, 0.5)),
            "first_p95": seconds(percentile(pictures, 0.95)),
            "first_finished_p95": seconds(percentile(ends, 0.95)),
            "failed": self.failures.total(),
            "failures": dict(self.failures),
            "messages": round(mean([one.messages for one in self.answers]), 1),
            "kilobytes": round(mean([one.size for one in self.answers]) / 1e3, 1),
            "first_messages": round(mean([one.messages for one in self.loads]), 1),
        }


def _pictures(answers: Sequence[Answer]) -> list[float]:
    """After how many seconds each answer had its picture, of those that have one."""
    return [one.picture for one in answers if one.picture is not None]


def mean(values: Sequence[float]) -> float:
    """The average; 0 without values."""
    return sum(values) / len(values) if values else 0.0


def seconds(value: float | None) -> float | None:
    """To the millisecond."""
    return None if value is None else round(value, 3)


def cpu_each(before: Reading, after: Reading, idle: float, count: int) -> float | None:
    """Milliseconds of the server's CPU for each of so many, beyond what it takes when idle."""
    if not count or not after.server:
        return None
    spent = after.server - before.server - idle * (after.at - before.at)
    return round(1000 * max(spent, 0.0) / count, 1)
