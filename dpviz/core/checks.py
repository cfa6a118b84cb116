"""Checks of arguments: each names the argument, says what was found and what to do instead.

Contents of data never stand in a message, only their type: a message may end in a log.
"""

import math
from collections.abc import Callable
from enum import Enum
from types import UnionType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from dpviz.core.errors import DpvizError, InvalidData, InvalidParameter

T = TypeVar("T")
Rule = Callable[[Any, str], object]  # (value, name of the argument) → the value as it is kept

LONGEST = 40  # characters of a value in a message
LONGEST_WORDS = 300  # characters of another error in a message
# float() would take these, or warn about them
NO_NUMBERS = (
    *(bool, np.bool_, str, bytes, np.complexfloating, np.datetime64, np.timedelta64),
    np.ma.MaskedArray,
)
MOST_WHOLE = 2.0**62
MOST_RECORDS = 2**53  # beyond, doubles skip whole numbers
MOST_RUNS = 10**9  # more do not fit into an array anyway

# class: what a person would call it
_WORDS = {"Generator": "random generator", "Mapping": "dict", "str": "text", "float": "number"}
# class: what to do when something else was given
_ADVICE = {
    "Column": "Make one with Column.from_values(values, bounds, resolution).",
    "Points": "Make some with Points.from_xy(x, y, box).",
    "GridCounts": "Make one with GridCounts(box, side, counts).",
    "Bounds": "Write Bounds(low, high).",
    "Box": "Write Box(Bounds(x_low, x_high), Bounds(y_low, y_high)).",
    "LevelBudget": "Make one with LevelBudget.uniform(), .geometric(ratio) or .own(weights).",
    "Generator": "Write numpy.random.default_rng().",
    "SpatialRelease": "Take the release of a quadtree, a kd-tree or a Hilbert R-tree.",
    "SpatialEstimate": "Make one with estimate(release).",
}


def found(value: object) -> str:
    """A value as it may stand in a message: a short scalar as it is, of all else its type."""
    if isinstance(value, int) and value.bit_length() > 64:  # thousands of digits
        return f"a whole number of {value.bit_length():,} bits"
    if value is None or isinstance(value, bool | int | float | str | complex | np.generic | Enum):
        text = repr(value)
        return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
    if isinstance(value, type):
        return f"the class {value.__name__}"
    return _kind_of(value)


def _kind_of(value: object) -> str:
    kind = type(value).__name__
    return f"an {kind}" if kind[0].lower() in "aeio" else f"a {kind}"


def short(words: object) -> str:
    """Words of another error, cut where they would repeat a long value."""
    text = str(words)
    return text if len(text) <= LONGEST_WORDS else f"{text[:LONGEST_WORDS]}…"


def wanted(kind: type[T], value: T, name: str, error: type[DpvizError] = InvalidParameter) -> T:
    """The value itself if it is of a class.

    Raises: error (InvalidParameter) for a value of another class. InvalidData shows no number and
    no text but in place of a name: who gives data where a noun is wanted may give a record.
    """
    if isinstance(value, kind):
        return value
    is_data = error is InvalidData and kind is not str and isinstance(value, float | int | str)
    given = _kind_of(value) if is_data else found(value)
    what = _WORDS.get(kind.__name__, kind.__name__)
    article = "an" if what[0] in "AEIO" else "a"
    call = f"Write {kind.__name__}(...)." if value is kind else ""
    advice = _ADVICE.get(kind.__name__, call)
    raise error(f"{name} must be {article} {what}, got {given}. {advice}".rstrip())


def checked_kind(
    value: object, kinds: type | UnionType, caller: str, words: str, remedy: str
) -> None:
    """Refuse a value of another class, in the name of the function that was called.

    Raises: InvalidParameter that says what was wanted, what was found and what to do.
    """
    if not isinstance(value, kinds):
        raise InvalidParameter(f"{caller} takes {words}, got {found(value)}. {remedy}.")


def checked_number(value: float, name: str, error: type[DpvizError] = InvalidParameter) -> float:
    """A number as a float; booleans, texts and arrays are refused, NaN and infinity are not.

    Raises: error (InvalidParameter) for anything else than a number, or one beyond 1.8e308.
    """
    scalar = np.ndim(value) == 0 if isinstance(value, np.ndarray) else True
    try:
        if scalar and not isinstance(value, NO_NUMBERS):
            return float(value)
    except (TypeError, ValueError, OverflowError):
        pass  # the refusal below says what was found
    raise error(f"{name} must be a number, got {found(value)}.")


def checked_whole(
    value: int, name: str, low: int, high: int, error: type[DpvizError] = InvalidParameter
) -> int:
    """A whole number from low to high as an int; 3.0 and True are refused.

    Raises: error (InvalidParameter) for anything else.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise error(f"{name} must be a whole number, got {found(value)}.")
    if not low <= value <= high:
        raise error(f"{name} must lie in {low:,} … {high:,}, got {found(value)}.")
    return int(value)


def checked_share(value: float, name: str) -> float:
    """A number strictly between 0 and 1.

    Raises: InvalidParameter for anything else.
    """
    try:
        share = checked_number(value, name)
    except InvalidParameter:
        share = math.nan
    if not 0 < share < 1:  # also rejects NaN
        raise InvalidParameter(f"{name} must lie in (0, 1), got {found(value)}.")
    return share


def checked_flag(value: bool, name: str) -> bool:
    """True or False; a number or a text in place of a flag is a slip, such as a shifted argument.

    Raises: InvalidParameter for anything else.
    """
    if not isinstance(value, bool | np.bool_):
        raise InvalidParameter(f"{name} must be True or False, got {found(value)}.")
    return bool(value)


def real_numbers(values: Any, name: str) -> NDArray[np.float64]:
    """Numbers of any shape as doubles; infinities and NaN are kept.

    Raises: InvalidParameter for anything else.
    """
    if not isinstance(values, np.ma.MaskedArray):
        try:
            given = np.asarray(values)
            nothing = given.dtype.kind == "O" and (given == None).any()  # noqa: E711  # each
            if given.dtype.kind in "fiuO" and not nothing:
                return given.astype(np.float64, copy=False)
        except (TypeError, ValueError, ArithmeticError):
            pass  # the refusal below says what was wanted
    raise InvalidParameter(f"{name} must be numbers, got {found(values)}.")


def whole_numbers(values: Any, name: str) -> NDArray[np.int64]:
    """Whole numbers of any shape, up to 2^62 from 0; 3.0 is one, 2.5, NaN and True are not.

    Raises: InvalidParameter for anything else.
    """
    numbers = real_numbers(values, name)
    if not ((np.abs(numbers) <= MOST_WHOLE) & (np.floor(numbers) == numbers)).all():
        raise InvalidParameter(f"{name} must be whole numbers, got {found(values)}.")
    return np.asarray(values).astype(np.int64, copy=False)


def checked_rng(rng: np.random.Generator) -> np.random.Generator:
    """The generator itself.

    Raises: InvalidParameter for anything else; a seed is refused too, so that nobody releases the
    same draw twice without having said so.
    """
    return wanted(np.random.Generator, rng, "rng")


def checked_runs(runs: int) -> int:
    """A number of runs from 1 up.

    Raises: InvalidParameter for anything else.
    """
    return checked_whole(runs, "runs", 1, MOST_RUNS)


def a(*kinds: type) -> Rule:
    """The rule that a value is of a class, or of one of some."""

    def one_of(value: Any, name: str) -> object:
        return value if isinstance(value, kinds[1:]) else wanted(kinds[0], value, name)

    return one_of


def whole(low: int, high: int) -> Rule:
    """The rule that a value is a whole number from low to high."""
    return lambda value, name: checked_whole(value, name, low, high)


def number(low: float, high: float) -> Rule:
    """The rule that a value is a number from low to high, the ends included."""

    def within(value: Any, name: str) -> float:
        given = checked_number(value, name)
        if not low <= given <= high:  # also rejects NaN
            raise InvalidParameter(f"{name} must lie in {low:g} … {high:g}, got {given}.")
        return given

    return within


def optional(rule: Rule) -> Rule:
    """The rule that a value is None or follows a rule."""
    return lambda value, name: None if value is None else rule(value, name)


def finite(value: Any, name: str) -> float:
    """The rule that a value is a finite number.

    Raises: InvalidParameter for anything else.
    """
    given = checked_number(value, name)
    if not math.isfinite(given):
        raise InvalidParameter(f"{name} must be a finite number, got {given}.")
    return given


def settle(instance: object, **rules: Rule) -> None:
    """Put the named fields of a frozen dataclass through their rules and keep what these return.

    A NumPy scalar becomes a plain number on the way, so that a release can be written as JSON.
    """
    for field, rule in rules.items():
        object.__setattr__(instance, field, rule(getattr(instance, field), field))
