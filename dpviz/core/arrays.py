"""Short names for the array types that every floor passes around."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]


def frozen(array: FloatArray) -> FloatArray:
    """The same array, made read-only so that a frozen object stays frozen."""
    array.setflags(write=False)
    return array
