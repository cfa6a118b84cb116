"""The table of judgements: how each redrawn figure compares with the printed one, and why."""

import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

FILE = Path(__file__).with_name("judgements.toml")
STATEMENTS = Path(__file__).with_name("statements.toml")  # of the texts, without a figure
Mark = Literal["as printed", "in part", "not", "other data", "explains"]
JUDGED: tuple[Mark, ...] = ("as printed", "in part", "not")


@dataclass(frozen=True, slots=True)
class Judgement:
    """One figure: its mark, the day of the judgement, and what is said about it.

    Texts are Markdown with words in braces that findings.numbers gives.
    """

    mark: Mark
    judged: str
    headline: str
    printed: str
    measured: str
    why: str
    settings: str


@cache
def judgements() -> Mapping[str, Judgement]:
    """The judgement of every figure, in the order of the papers, then of every statement."""
    return {**_read(FILE), **_read(STATEMENTS)}


@cache
def stated() -> tuple[str, ...]:
    """The keys of the statements: they are no printed figures."""
    return tuple(_read(STATEMENTS))


def _read(file: Path) -> dict[str, Judgement]:
    held = tomllib.loads(file.read_text(encoding="utf-8"))
    return {
        key: Judgement(**(row | {"judged": row["judged"].isoformat()})) for key, row in held.items()
    }


def marks() -> Counter[Mark]:
    """How many printed figures carry each mark."""
    return Counter(row.mark for key, row in judgements().items() if key not in stated())
