"""The table of judgements: how each redrawn figure compares with the printed one, and why."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

FILE = Path(__file__).with_name("judgements.toml")
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
    """Every figure's judgement by its key, in the order of the papers."""
    held = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {
        key: Judgement(**(row | {"judged": row["judged"].isoformat()})) for key, row in held.items()
    }


def marks() -> Counter[Mark]:
    """How many figures carry each mark."""
    return Counter(row.mark for row in judgements().values())
