"""What is said of each sample set, and of a value of a column whose name is a visitor's text."""

import re
from dataclasses import dataclass

_PLAIN = re.compile(r"[a-z]{2,24}(?:_[a-z]{2,24}){0,3}")
_VOWELS = "aeiou"


@dataclass(frozen=True, slots=True)
class Said:
    """Of one sample set: behind completes "Behind the barrier: …", line "6,000 students: …".

    view is the stretch of the axis that a small picture shows, missing where it is all between the
    bounds.
    """

    behind: str
    line: str
    view: tuple[float, float] | None = None


SAID: dict[str, Said] = {
    "exam": Said("the exam marks of 6,000 students", "a heap at the pass mark"),
    "ages": Said("the ages of 20,000 residents", "whole years tie"),
    "uniform": Said("the values of 10,000 people, spread evenly", "no ties, no tails", (-20, 20)),
    "normal": Said("the values of 10,000 people, around zero", "sparse in the tails", (-20, 20)),
    "hours": Said("the weekly hours of 20,000 workers", "half of them say 40"),
    "salaries": Said("the yearly pay of 15,000 people", "a long right tail", (0, 200_000)),
    "ratings": Said("the stars that 12,000 viewers gave", "ten values only"),
    "waiting": Said("8,000 waits for a geyser", "two humps, one valley"),
    "towns": Said("the homes of 30,000 people along roads", "along lines"),
    "coast": Said("the homes of 30,000 people on a coast", "then empty sea"),
    "office": Said("the yearly pay of 40 people in an office", "one pay stands out"),
    "survey": Said("the marks that 40 people give their boss", "sixteen are bad"),
}


def a_value(name: str) -> str:
    """A value of a column in a sentence: "a wage", "an age"; any other name is quoted as it is."""
    words = bare(name)
    if not words or words.endswith("s"):
        return f"a value of “{name}”"
    return f"an {words}" if words[0] in _VOWELS else f"a {words}"


def bare(name: str) -> str:
    """A column's name as plain words, empty where it is anything else: "adult_age" is two words."""
    return name.replace("_", " ") if _PLAIN.fullmatch(name) else ""


def listed(items: list[str]) -> str:
    """Words in a row: "a, b and c"."""
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1]
