"""The stored results as a file: short numbers in columns, the code's version and the date."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

FILE = Path(__file__).with_name("results.json")
DIGITS = 4  # significant ones, of every number that was measured


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """What was found: rows by study, with the version and the date of the run.

    seconds says how long each study took on one core; origins where each of the six sets is from;
    titles are those of the sets.
    """

    version: str
    date: str
    rows: Mapping[str, pd.DataFrame]
    seconds: Mapping[str, float]
    origins: Mapping[str, str]
    titles: Mapping[str, str]


@cache
def record() -> Record:
    """The results that come with the package, read once a process."""
    return read(json.loads(FILE.read_text(encoding="utf-8")))


def read(held: Mapping[str, Any]) -> Record:
    """A record from what write made of it."""
    rows = {name: unpacked(columns) for name, columns in held["rows"].items()}
    return Record(
        held["version"], held["date"], rows, held["seconds"], held["origins"], held["titles"]
    )


def write(found: Record) -> str:
    """A record as JSON, a line a study so that a change can be read."""
    head = {
        "version": found.version,
        "date": found.date,
        "seconds": {name: round(taken, 1) for name, taken in found.seconds.items()},
        "origins": dict(found.origins),
        "titles": dict(found.titles),
    }
    text = json.dumps(head, ensure_ascii=False, indent=1)[:-2]
    lines = [
        f'  "{name}": {json.dumps(packed(rows), ensure_ascii=False, separators=(",", ":"))}'
        for name, rows in found.rows.items()
    ]
    body = ",\n".join(lines)
    return f'{text},\n "rows": {{\n{body}\n }}\n}}\n'


def packed(rows: pd.DataFrame) -> dict[str, Any]:
    """Columns of short numbers, whole ones exact; words are named once, then by their number."""
    return {str(name): _column(rows[name]) for name in rows.columns}


def _column(values: pd.Series[Any]) -> Any:
    if pd.api.types.is_integer_dtype(values):
        return values.tolist()
    if pd.api.types.is_numeric_dtype(values):
        return [short(value) for value in values.tolist()]
    words = list(dict.fromkeys(values.tolist()))
    return {"words": words, "at": [words.index(one) for one in values.tolist()]}


def unpacked(columns: Mapping[str, Any]) -> pd.DataFrame:
    """The frame that packed was made of, rounded."""
    return pd.DataFrame(
        {
            name: np.array(held["words"], dtype=object)[held["at"]]
            if isinstance(held, dict)
            else np.array([np.nan if one is None else one for one in held])
            for name, held in columns.items()
        }
    )


def short(value: float) -> float | int | None:
    """A number to DIGITS significant digits, whole where it is; None for NaN."""
    if not np.isfinite(value):
        return None
    rounded = float(f"{value:.{DIGITS}g}")
    return int(rounded) if rounded == int(rounded) else rounded
