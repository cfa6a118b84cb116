"""One script at a time: a page drawn in one piece is there sooner than many drawn at once.

Python runs one thread at a time anyway. Without turns a hundred scripts advance together and all
end late; in turn the first ends at once and the last no later.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE = 1.0  # seconds after which a script goes on without its turn: it may wait for a long one
LONG = 0.5  # expected seconds of work from which a turn is given back meanwhile

_turn = threading.Semaphore(1)
_held = threading.local()
_scripts, _rested = 0, time.monotonic()  # scripts that run or wait, and when the last one ended
_counting = threading.Lock()


@contextmanager
def turn() -> Iterator[None]:
    """Run this block in turn, waiting at most PATIENCE for it; within a turn it runs at once."""
    if _has():
        yield
        return
    _count(1)
    _held.turn = _turn.acquire(timeout=PATIENCE)
    try:
        yield
    finally:
        _give_back()
        _count(-1)


def at_rest() -> float:
    """For how many seconds no script has run or waited."""
    with _counting:
        return 0.0 if _scripts else time.monotonic() - _rested


@contextmanager
def free_turn() -> Iterator[bool]:
    """A turn for what nobody waits for, if it is free this moment; says whether it is."""
    free = _turn.acquire(blocking=False)
    try:
        yield free
    finally:
        if free:
            _turn.release()


def _count(more: int) -> None:
    global _scripts, _rested  # noqa: PLW0603  one process, one count
    with _counting:
        _scripts += more
        _rested = time.monotonic()


@contextmanager
def aside(seconds: float = LONG) -> Iterator[None]:
    """Give the turn back while a long computation runs; shorter work keeps it.

    seconds is how long the work is expected to take. It ends without a turn: what is drawn after
    a long computation is not worth another wait.
    """
    if seconds >= LONG:
        _give_back()
    yield


def rest(seconds: float) -> None:
    """Wait a moment without a turn, in which the browser draws what it was sent.

    Where another script runs or waits there is no rest: the browser waits for the server then.
    """
    if _scripts > 1:
        return
    had = _has()
    _give_back()
    time.sleep(seconds)
    if had:
        _held.turn = _turn.acquire(timeout=PATIENCE)


def _has() -> bool:
    return bool(getattr(_held, "turn", False))


def _give_back() -> None:
    if _has():
        _held.turn = False
        _turn.release()
