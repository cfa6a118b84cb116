"""What is said of each sample set, and of a value of a column whose name is a visitor's text."""

from __future__ import annotations

import re
from dataclasses import dataclass

_PLAIN = re.compile(r"[a-z]{2,24}")
_VOWELS = "aeiou"


@dataclass(frozen=True, slots=True)
class Words:
    """Of one sample set: its title's sentence, who its people are, one line, where it is seen.

    behind completes "Behind the barrier: …"; line completes "6,000 students: …"; view is the
    stretch of the axis that a small picture shows, missing where that is all between the bounds.
    """

    behind: str
    people: str
    line: str
    view: tuple[float, float] | None = None


WORDS: dict[str, Words] = {
    "exam": Words("the exam marks of 6,000 students", "students", "a heap at the pass mark"),
    "ages": Words("the ages of 20,000 inhabitants", "inhabitants", "whole years tie"),
    "uniform": Words("10,000 values, spread evenly", "values", "no ties, no tails", (-20, 20)),
    "normal": Words("10,000 values around zero", "values", "sparse in the tails", (-20, 20)),
    "hours": Words("the weekly hours of 20,000 workers", "workers", "half of them say 40"),
    "salaries": Words(
        "the yearly pay of 15,000 employees", "employees", "a long right tail", (0, 200_000)
    ),
    "ratings": Words("12,000 ratings of films", "ratings", "ten values only"),
    "waiting": Words("8,000 waits for a geyser", "waits", "two humps, one valley"),
    "towns": Words("30,000 homes along roads", "homes", "along lines"),
    "coast": Words("30,000 homes on a ragged coast", "homes", "then empty sea"),
}


def a_value(name: str) -> str:
    """A value of a column in a sentence: "a wage", "an age"; any other name is quoted as it is."""
    if not _PLAIN.fullmatch(name) or name.endswith("s"):
        return f"a value of “{name}”"
    return f"an {name}" if name[0] in _VOWELS else f"a {name}"


def listed(items: list[str]) -> str:
    """Words in a row: "a, b and c"."""
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1]
