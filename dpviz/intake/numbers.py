"""Numbers inside text columns: decimal commas, thousands separators, and what is not a number."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dpviz.core.arrays import BoolArray, FloatArray, IntArray
from dpviz.core.confidential import confidential

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
_PIECE = 1 << 18  # rows
_GROUP_MARK = {"english": ",", "european": "."}


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class ParsedText:
    """A text column read as numbers.

    Shapes: values (n,), NaN where missing or unreadable; missing (n,) and unreadable (n,) masks.
    ambiguous: the column writes numbers that mean two things (1,234 is 1234 or 1.234).
    beyond: how many of the unreadable are numbers beyond all doubles (1e400).
    """

    values: FloatArray
    missing: BoolArray
    unreadable: BoolArray
    ambiguous: bool
    beyond: int = 0


def parse_numbers(texts: pa.ChunkedArray, decimal: str = ".") -> ParsedText:
    """Read one column of strings, whose file writes decimals with the given mark.

    The whole column is read in one style, the one that fits most values. Thousands separators
    count only where nothing else fits as well: some value must have two groups, or a decimal mark.
    """
    return next(parse_each([texts], decimal))


def parse_each(columns: Sequence[pa.ChunkedArray], decimal: str) -> Iterator[ParsedText]:
    """Each column as parse_numbers reads it; thousands of short ones in a few calls of Arrow's."""
    pieces = [
        [column.slice(start, _PIECE) for start in range(0, max(1, len(column)), _PIECE)]
        for column in columns
    ]
    looks = _looks(chain.from_iterable(pieces))
    for column, its in zip(columns, pieces, strict=True):
        yield _parsed(len(column), list(islice(looks, len(its))), decimal)


def _parsed(rows: int, looks: "list[_Look]", decimal: str) -> ParsedText:
    counts = {style: sum(look.of(style) for look in looks) for style in _STYLES}
    style, ambiguous = _choose(counts, decimal)
    floats, missing = np.empty(rows), np.empty(rows, dtype=bool)
    start = beyond = 0
    for look in looks:
        its = slice(start, start + look.codes.size)
        missing[its] = look.missing[look.codes]
        values, more = look.read(style)
        floats[its] = values[look.codes]
        start, beyond = its.stop, beyond + more
    return ParsedText(floats, missing, ~missing & np.isnan(floats), ambiguous, beyond)


def _looks(pieces: Iterable[pa.ChunkedArray]) -> "Iterator[_Look]":
    """A look at each, at as many of them at a time as have the rows of one."""
    together: list[pa.ChunkedArray] = []
    rows = 0
    for piece in pieces:
        if together and rows + len(piece) > _PIECE:
            yield from _Look.at(together)
            together, rows = [], 0
        together.append(piece)
        rows += len(piece)
    yield from _Look.at(together)


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """One piece of a column: each different text is read once, however many rows repeat it.

    Pieces, so that no second copy of a long column is held at a time.
    Shapes: codes (n,), the place of each row's text among the k different ones; missing (k,) and
    rows (k,), how many rows have it; like (l,), places of what looks like a number, texts and each
    of fits (l,).
    """

    codes: IntArray
    missing: BoolArray
    rows: IntArray
    like: IntArray
    texts: pa.Array
    fits: dict[str, BoolArray]

    @classmethod
    def at(cls, pieces: Sequence[pa.ChunkedArray]) -> "Iterator[_Look]":
        """One for each piece, of one search through the texts of all of them."""
        encoded = [
            piece.combine_chunks().dictionary_encode(null_encoding="encode") for piece in pieces
        ]
        words = [one.dictionary.cast(pa.large_string()) for one in encoded]
        stripped = pc.utf8_trim_whitespace(_unmarked(pa.concat_arrays(words)))
        absent = pc.or_(stripped.is_null(), pc.is_in(stripped, pa.array(MISSING, stripped.type)))
        missing = np.asarray(absent, dtype=bool)
        like = pc.match_substring_regex(stripped, _NUMBERLIKE).fill_null(False)
        places = np.flatnonzero(np.asarray(like, dtype=bool) & ~missing)
        texts = _ungrouped(_signed(pc.take(stripped, pa.array(places))))
        fits = {
            style: np.asarray(pc.match_substring_regex(texts, _whole(pattern)), dtype=bool)
            for style, pattern in _STYLES.items()
        }
        ends = np.cumsum([len(own) for own in words])
        cuts = np.searchsorted(places, ends)
        for one, own, end, cut in zip(encoded, words, ends, cuts, strict=True):
            start = end - len(own)
            its = slice(np.searchsorted(places, start), cut)
            codes = np.asarray(one.indices)
            yield cls(
                codes,
                missing[start:end],
                np.bincount(codes, minlength=len(own)),
                places[its] - start,
                texts[its],
                {style: fit[its] for style, fit in fits.items()},
            )

    def of(self, style: str) -> int:
        """How many rows are written in a style."""
        return int(self.rows[self.like[self.fits[style]]].sum())

    def read(self, style: str) -> tuple[FloatArray, int]:
        """Values (k,) in one style, NaN where it does not fit, and how many rows are too large."""
        places = self.like[self.fits[style]]
        chosen = self.texts.filter(pa.array(self.fits[style]))
        if style in _GROUP_MARK:
            chosen = pc.replace_substring(chosen, _GROUP_MARK[style], "")
        if style in {"comma", "european"}:
            chosen = pc.replace_substring(chosen, ",", ".")
        read = np.asarray(chosen.cast(pa.float64()), dtype=np.float64)
        beyond = np.isinf(read)
        if beyond.any():  # written with digits
            beyond &= ~np.asarray(pc.match_substring_regex(chosen, "(?i)inf"), dtype=bool)
        values = np.full(self.missing.size, np.nan)
        values[places] = np.where(beyond, np.nan, read)
        return values, int(self.rows[places[beyond]].sum())


def _unmarked(texts: pa.Array) -> pa.Array:
    """Without the byte order marks inside, where one file was appended to another."""
    if not pc.any(pc.match_substring(texts, "\ufeff")).as_py():
        return texts
    return pc.utf8_trim(texts, "\ufeff")


def _ungrouped(texts: pa.Array) -> pa.Array:
    """Without the spaces and apostrophes between groups of thousands."""
    spaced = pc.match_substring_regex(texts, _whole(_SPACED))
    bare = pc.replace_substring_regex(texts, r"[ '’\x{a0}\x{202f}]", "")
    return pc.if_else(spaced, bare, texts)


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


def _signed(texts: pa.Array) -> pa.Array:
    """Typographic minus to hyphen, leading plus dropped."""
    return pc.replace_substring_regex(pc.replace_substring(texts, "−", "-"), r"^\+", "")
