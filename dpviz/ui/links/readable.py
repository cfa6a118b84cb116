"""Which texts of a link a field can read: a test for each kind of field."""

import math
import re
from collections.abc import Collection, Sequence

LARGEST_WHOLE = 2**53 - 1  # beyond, a browser's numbers are no longer whole


def some_of(texts: Sequence[str], options: Collection[str]) -> bool:
    """Any of the options, each once; an empty text says that none is chosen."""
    return list(texts) == [""] or (len(set(texts)) == len(texts) and set(texts) <= set(options))


def yes_or_no(texts: Sequence[str]) -> bool:
    """Exactly one text: true or false, in any case."""
    return len(texts) == 1 and texts[0].lower() in {"true", "false"}


def whole(texts: Sequence[str], least: int, most: int) -> bool:
    """Exactly one whole number in least … most."""
    return (
        len(texts) == 1
        and re.fullmatch(r"[+-]?\d{1,16}", texts[0], re.ASCII) is not None
        and least <= int(texts[0]) <= most
    )


def number(
    texts: Sequence[str], least: float | None, most: float | None, *, is_whole: bool = False
) -> bool:
    """Exactly one finite number between the ends, of which None is none."""
    try:
        (found,) = (float(text) for text in texts)
    except ValueError:
        return False
    above = -math.inf if least is None else least
    below = math.inf if most is None else most
    return math.isfinite(found) and above <= found <= (
        min(below, LARGEST_WHOLE) if is_whole else below
    )
