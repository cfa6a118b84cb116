"""Numbers inside text columns: decimal commas, thousands separators, and what is not a number."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dpviz.core.arrays import BoolArray, FloatArray, IntArray

MISSING = (
    "",
    "NA",
    "N/A",
    "n/a",
    "#N/A",
    "NULL",
    "Null",
    "null",
    "NaN",
    "nan",
    "NAN",
    "None",
    "-",
    "?",
)

_POINT = r"(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[iI]nf(inity)?|INF"
_COMMA = r"(\d+,?\d*|,\d+)([eE][+-]?\d+)?|[iI]nf(inity)?|INF"
# a leading zero never starts a group, so 0,123 can only be a decimal
_ENGLISH = _POINT + r"|[1-9]\d{0,2}(,\d{3})+(\.\d*)?"
_EUROPEAN = _COMMA + r"|[1-9]\d{0,2}(\.\d{3})+(,\d*)?"
_SPACED = r"[1-9]\d{0,2}([ '’\x{a0}\x{202f}]\d{3})+([.,]\d*)?"
_NUMBERLIKE = r"^[+−-]?([\d.,][\d.,eE+ '’\x{a0}\x{202f}-]*|[iI]nf(inity)?|INF)$"
_STYLES = {"point": _POINT, "comma": _COMMA, "english": _ENGLISH, "european": _EUROPEAN}
_GROUP_MARK = {"english": ",", "european": "."}


@dataclass(frozen=True, slots=True, eq=False)
class ParsedText:
    """A text column read as numbers.

    Shapes: values (n,), NaN where missing or unreadable; missing (n,) and unreadable (n,) masks.
    ambiguous: the column writes numbers that mean two things (1,234 is 1234 or 1.234).
    """

    values: FloatArray
    missing: BoolArray
    unreadable: BoolArray
    ambiguous: bool


def parse_numbers(texts: pa.ChunkedArray, decimal: str = ".") -> ParsedText:
    """Read one column of strings, whose file writes decimals with the given mark.

    The whole column is read in one style, the one that fits most values. Thousands separators
    count only where nothing else fits as well: some value must have two groups, or a decimal mark.
    """
    stripped = pc.utf8_trim_whitespace(texts)
    absent = pc.or_(stripped.is_null(), pc.is_in(stripped, pa.array(MISSING, texts.type)))
    missing = np.asarray(absent, dtype=bool)
    like = pc.match_substring_regex(stripped, _NUMBERLIKE).fill_null(False)
    rows = np.flatnonzero(np.asarray(like, dtype=bool) & ~missing)
    read, where, ambiguous = _parse_candidates(pc.take(stripped, pa.array(rows)), decimal)
    values = np.full(len(texts), np.nan)
    values[rows[where]] = read
    unreadable = ~missing
    unreadable[rows[where]] = False
    return ParsedText(values, missing, unreadable, ambiguous)


def _parse_candidates(texts: pa.ChunkedArray, decimal: str) -> tuple[FloatArray, IntArray, bool]:
    texts = _signed(texts)
    spaced = pc.match_substring_regex(texts, _whole(_SPACED))
    texts = pc.if_else(spaced, pc.replace_substring_regex(texts, r"[ '’\x{a0}\x{202f}]", ""), texts)
    fits = {
        style: np.asarray(pc.match_substring_regex(texts, _whole(pattern)), dtype=bool)
        for style, pattern in _STYLES.items()
    }
    style, ambiguous = _choose({key: int(mask.sum()) for key, mask in fits.items()}, decimal)
    where = np.flatnonzero(fits[style])
    chosen = pc.take(texts, pa.array(where))
    if style in _GROUP_MARK:
        chosen = pc.replace_substring(chosen, _GROUP_MARK[style], "")
    if style in {"comma", "european"}:
        chosen = pc.replace_substring(chosen, ",", ".")
    return np.asarray(chosen.cast(pa.float64()), dtype=np.float64), where, ambiguous


def _choose(counts: dict[str, int], decimal: str) -> tuple[str, bool]:
    """The style that fits most values (earlier ones win ties), and whether another reading fits."""
    best = max(counts.values())
    if counts["comma"] == counts["english"] == best > counts["point"]:
        return "point", True
    if decimal == "," and counts["point"] == counts["european"] == best > counts["comma"]:
        return "comma", True
    return max(counts, key=lambda style: counts[style]), False


def _whole(pattern: str) -> str:
    return f"^-?({pattern})$"


def _signed(texts: pa.ChunkedArray) -> pa.ChunkedArray:
    """Typographic minus to hyphen, leading plus dropped."""
    return pc.replace_substring_regex(pc.replace_substring(texts, "−", "-"), r"^\+", "")
