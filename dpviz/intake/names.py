"""File and column names come from strangers: cleaned of control characters, short, and unique."""

import re
from collections.abc import Iterable

LONGEST = 120


def clean_name(name: str) -> str:
    """One visible line of at most 120 characters. Markup is left for whoever draws it to escape."""
    if not name.isprintable():  # controls, marks of direction, surrogates, what has no character
        name = "".join(sign if sign.isprintable() else " " for sign in name)
    line = " ".join(name.split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


def clean_file_name(name: str) -> str:
    """The last part of a path, cleaned; 'data' when nothing is left."""
    return clean_name(re.split(r"[/\\]", name)[-1]) or "data"


def unique_names(names: Iterable[str]) -> tuple[str, ...]:
    """Cleaned names, 'column 3' for an empty third one, 'a (2)' for a repeated 'a'."""
    copies: dict[str, int] = {}  # of each name that was given, and the next number to try
    result: list[str] = []
    for position, raw in enumerate(names, start=1):
        base = name = clean_name(raw) or f"column {position}"
        while name in copies:
            copies[base] += 1
            name = f"{base} ({copies[base]})"
        copies[name] = 1
        result.append(name)
    return tuple(result)


def shown(value: str) -> str:
    """A value as it may stand in a message: one line, quoted, at most 40 characters."""
    line = clean_name(value)
    return f"'{line}'" if len(line) <= 40 else f"'{line[:39]}…'"
