"""File and column names come from strangers: cleaned of control characters, short, and unique."""

from __future__ import annotations

import re
from collections.abc import Iterable

LONGEST = 120
_INVISIBLE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]+"
)


def clean_name(name: str) -> str:
    """One visible line of at most 120 characters. Markup is left for whoever draws it to escape."""
    line = " ".join(_INVISIBLE.sub(" ", name).split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


def clean_file_name(name: str) -> str:
    """The last part of a path, cleaned; 'data' when nothing is left."""
    return clean_name(re.split(r"[/\\]", name)[-1]) or "data"


def unique_names(names: Iterable[str]) -> tuple[str, ...]:
    """Cleaned names, 'column 3' for an empty third one, 'a (2)' for a repeated 'a'."""
    seen: set[str] = set()
    result: list[str] = []
    for position, raw in enumerate(names, start=1):
        base = clean_name(raw) or f"column {position}"
        name, copy = base, 1
        while name in seen:
            copy += 1
            name = f"{base} ({copy})"
        seen.add(name)
        result.append(name)
    return tuple(result)


def shown(value: str) -> str:
    """A value as it may stand in a message: one line, quoted, at most 40 characters."""
    line = clean_name(value)
    return f"'{line}'" if len(line) <= 40 else f"'{line[:39]}…'"
