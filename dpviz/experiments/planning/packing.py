"""Numbers as two characters each, on a log scale: a small file holds many thousands of them.

Nothing is 0, an unknown number is the last code. All others are powers of 1.003 from 0.00001 on, so
that they come back within 0.3 %, and up to 100,000.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray

LEAST, STEP = 1e-5, math.log(1.003)
# printable, and written in JSON as they are
LETTERS = "".join(chr(code) for code in range(33, 127) if chr(code) not in '"\\')
BASE = len(LETTERS)
UNKNOWN = BASE**2 - 1
_CODE = {letter: code for code, letter in enumerate(LETTERS)}


def packed(numbers: ArrayLike, *, up: bool = False) -> str:
    """Numbers (k,) as a text of at most 2 k letters; zeros at the end are left out.

    up rounds up, for errors of which it is said that they are at most so large; the others are
    rounded to the nearest.
    """
    values = np.asarray(numbers, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        steps = np.log(values / LEAST) / STEP
    steps = np.ceil(steps - 1e-6) if up else np.rint(steps)
    codes = np.where(values > 0, np.clip(np.nan_to_num(steps), 0, UNKNOWN - 2) + 1, 0)
    codes = np.where(np.isfinite(values), codes, UNKNOWN).astype(np.int64)
    text = "".join(LETTERS[code // BASE] + LETTERS[code % BASE] for code in codes.tolist())
    return text.rstrip(LETTERS[0]) if len(codes) else ""


def unpacked(text: str, count: int) -> FloatArray:
    """The numbers (count,) of a text."""
    whole = text.ljust(2 * count, LETTERS[0])
    letters = np.array([_CODE[letter] for letter in whole], dtype=np.int64).reshape(count, 2)
    codes = letters[:, 0] * BASE + letters[:, 1]
    values = np.where(codes > 0, LEAST * np.exp((codes - 1) * STEP), 0.0)
    return np.where(codes == UNKNOWN, np.nan, values)
