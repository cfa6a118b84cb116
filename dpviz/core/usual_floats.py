"""NumPy's own way with what underflows or overflows, whatever the caller has set."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

import numpy as np

P = ParamSpec("P")
T = TypeVar("T")


def usual_floats(function: Callable[P, T]) -> Callable[P, T]:
    """Run under NumPy's default error state.

    A chance may underflow to 0, which is right and says nothing; but where a caller has asked for
    errors (`np.seterr(all="raise")`), the data would decide whether a release breaks off.
    """

    @wraps(function)
    def run(*args: P.args, **named: P.kwargs) -> T:
        with np.errstate(divide="warn", over="warn", under="ignore", invalid="warn"):
            return function(*args, **named)

    return run
