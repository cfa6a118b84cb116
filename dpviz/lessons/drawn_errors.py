"""Errors that only many releases tell, found beforehand: no picture waits for them.

python -m scripts.course_errors writes the table again; a test draws some of it anew.
"""

import json
from functools import cache
from pathlib import Path
from typing import Literal

TABLE = Path(__file__).with_name("drawn_errors.json")
Kind = Literal["setting", "bound", "stand-in"]  # of salaries by ε or by bound; of nobody's pay


@cache
def _table() -> dict[str, dict[str, list[float]]]:
    found: dict[str, dict[str, list[float]]] = json.loads(TABLE.read_text(encoding="utf-8"))
    return found


def stored(kind: Kind, at: float) -> tuple[float, ...] | None:
    """The errors at an ε or a bound as the table has them; None where it has none."""
    found = _table()[kind].get(named(at))
    return None if found is None else tuple(found)


def named(at: float) -> str:
    """A place as the table names it."""
    return repr(float(at))
