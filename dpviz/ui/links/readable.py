"""Which texts of a link a widget can read: a test for each kind of widget."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

from dpviz.ui.links.arriving import Reads

LARGEST_WHOLE = 2**53 - 1  # beyond, a browser's numbers are no longer whole


def one_of(options: Collection[str]) -> Reads:
    """Exactly one text, and it is among the options."""
    return lambda texts: len(texts) == 1 and texts[0] in options


def some_of(options: Collection[str]) -> Reads:
    """Any of the options, each once; an empty text says that none is chosen."""
    return lambda texts: (
        list(texts) == [""] or (len(set(texts)) == len(texts) and set(texts) <= set(options))
    )


def yes_or_no(texts: Sequence[str]) -> bool:
    """Exactly one text: true or false, in any case."""
    return len(texts) == 1 and texts[0].lower() in {"true", "false"}


def whole(least: int, most: int) -> Reads:
    """Exactly one whole number in least … most."""
    return lambda texts: (
        len(texts) == 1
        and re.fullmatch(r"[+-]?\d{1,16}", texts[0], re.ASCII) is not None
        and least <= int(texts[0]) <= most
    )


def number(others: dict[str, Any], accepts: Callable[[float], bool]) -> Reads:
    """Exactly one finite number that the widget's own ends allow, and accepts as well."""
    ends = (others.get("min_value"), others.get("max_value"))
    least, most = (-math.inf if ends[0] is None else ends[0]), (ends[1] or math.inf)
    if isinstance(others.get("value"), int):
        most = min(most, LARGEST_WHOLE)

    def reads(texts: Sequence[str]) -> bool:
        try:
            (found,) = (float(text) for text in texts)
        except ValueError:
            return False
        return math.isfinite(found) and least <= found <= most and accepts(found)

    return reads


def parsed_by(parse: Callable[[str], object], refusal: type[Exception]) -> Reads:
    """Exactly one text that a parser takes; it raises refusal for one that it does not take."""

    def reads(texts: Sequence[str]) -> bool:
        try:
            (text,) = texts
            parse(text)
        except (ValueError, refusal):
            return False
        return True

    return reads
