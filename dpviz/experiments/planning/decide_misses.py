"""How often real columns kept a need at the answer that made-up people gave, as it was measured.

Written by scripts.decide_misses: the made-up people have the median and the ninth decile of the
column itself, to two digits, and else what its kind of number assumes. Nine deciles, 19 times of
20, pure ε, methods that are exact in the program. A column is public, and named.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

NAME = "decide_misses.json"


@dataclass(frozen=True, slots=True)
class Miss:
    """One column and one need: kept is the share of the releases that kept it, in per cent.

    law is that of the made-up people; amount is in unit, as a need says them; came is what 19 of 20
    releases were off by at most.
    """

    column: str
    law: str
    people: int
    unit: str
    amount: float
    method: str
    size: float
    kept: float
    came: float


@cache
def stored() -> dict[str, Any]:
    """Everything that is stored, read once: the version, releases behind each row, and the rows."""
    text = files("dpviz.experiments.planning").joinpath(NAME).read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


@cache
def misses() -> Sequence[Miss]:
    """All that was measured."""
    return tuple(Miss(*row) for row in stored()["rows"])
