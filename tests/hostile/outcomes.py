"""How a hostile call may end: a DpvizError with words, or a result; in little time."""

import time
from collections.abc import Callable
from typing import Any, TypeVar

from dpviz.core.errors import DpvizError

T = TypeVar("T")

SECONDS = 4.0  # of CPU: 2 s on a free core, and a crowded one takes up to twice as long


def outcome(call: Callable[..., T], /, *given: Any, **named: Any) -> T | None:
    """What the call returns, None where it is refused; whatever else it raises goes on.

    Raises: AssertionError for a refusal without words, or for a call that takes too long.
    """
    start = time.process_time()
    result = None
    try:
        result = call(*given, **named)
    except DpvizError as refusal:
        words = str(refusal)
        assert len(words) > 15, f"a refusal without words: {words!r}"
        assert len(words) < 1000, f"a refusal that nobody reads: {words!r}"
    taken = time.process_time() - start
    assert taken < SECONDS, f"took {taken:.1f} s"
    return result
