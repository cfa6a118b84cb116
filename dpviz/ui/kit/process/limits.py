"""How much of a machine all visitors together may use: memory for files, cores for runs.

What is refused is refused in words that say nothing of other visitors: not who, not how much. That
it is refused tells how large their files are, together, which README names as not protected.
"""

import os
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from dpviz.core.errors import DpvizError
from dpviz.core.places import COUNT

MEGABYTE = 1_000_000
FILES_MB = "DPVIZ_FILES_MB"  # in the environment: megabytes that all files may take in memory
LEAST_MB = 600  # one file of the largest size is always taken
READERS = 2  # files that are read at once
COUNTERS = 2  # tables that are counted at once
PATIENCE = 120.0  # seconds that a file waits to be read
LONGER = 900.0  # seconds that a count waits for others, which may be long


def workers() -> int:
    """How many processes like this one share the machine."""
    text = os.environ.get(COUNT, "")
    return max(1, int(text)) if text.isdecimal() else 1


def cores() -> int:
    """Cores that runs of this process may use; at least one."""
    has_affinity = hasattr(os, "sched_getaffinity")
    found = len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1
    return max(1, found // workers())


class NoRoom(DpvizError):
    """The server has no room now; the message says what to do."""


FULL = (
    "The server is full: it keeps as many files as its memory allows. Try again in a few minutes, "
    "when other visitors have left, or start dpviz on your own machine."
)
BUSY = (
    "The server is reading other visitors' files and did not get to yours. Hand it in again in a "
    "minute, or start dpviz on your own machine."
)

CROWDED = (
    "The server is counting other visitors' tables and did not get to yours. Count again in a few "
    "minutes."
)


def files_allowed() -> int:
    """Bytes that the files of this process's visitors may take.

    All processes together: a quarter of the machine's memory, or as declared.

    Raises: NoRoom if the environment declares something that is no number.
    """
    declared = os.environ.get(FILES_MB, "").strip()
    if not declared:
        return max(LEAST_MB * MEGABYTE, _memory() // 4 // workers())
    if not (declared.isdecimal() and int(declared) > 0):
        raise NoRoom(f"{FILES_MB} must be a whole number of megabytes, got '{declared}'.")
    return int(declared) * MEGABYTE // workers()


def _memory() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # a system that does not say
        return 0


class Files:
    """The bytes of all files in memory, and a queue of those that are being read."""

    def __init__(self, allowed: Callable[[], int] = files_allowed, readers: int = READERS) -> None:
        self._allowed = allowed
        self._lock = threading.Lock()
        self._turns = FairTurns(readers)
        self.bytes = 0

    def take(self, size: int) -> Callable[[], None]:
        """Take room for so many bytes; what is returned gives it back, once however often.

        Raises: NoRoom if there is not so much left.
        """
        with self._lock:
            if self.bytes + size > self._allowed():
                raise NoRoom(FULL)
            self.bytes += size
        given = [size]

        def give_back() -> None:
            with self._lock:
                while given:
                    self.bytes -= given.pop()

        return give_back

    def keep(self, held: object, size: int) -> None:
        """Take room for as long as an object lives.

        Raises: NoRoom as take does.
        """
        weakref.finalize(held, self.take(size))

    @contextmanager
    def reading(self, seconds: float = PATIENCE) -> Iterator[None]:
        """One of the few places for those who read a file, in the order of coming.

        Raises: NoRoom if none is free within so many seconds.
        """
        if not self._turns.wait(seconds):
            raise NoRoom(BUSY)
        try:
            yield
        finally:
            self._turns.leave()

    @property
    def waiting(self) -> int:
        """How many wait to be read."""
        return self._turns.waiting


class FairTurns:
    """A few places that are taken in the order of coming; Python's own semaphore keeps no order."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._queue: deque[threading.Event] = deque()
        self._lock = threading.Lock()

    @property
    def waiting(self) -> int:
        """How many wait."""
        return len(self._queue)

    def wait(self, seconds: float) -> bool:
        """Take a place when it is free; False if none was within so many seconds."""
        called = threading.Event()
        with self._lock:
            if self._free and not self._queue:
                self._free -= 1
                return True
            self._queue.append(called)
        if called.wait(seconds):
            return True
        with self._lock:
            if called.is_set():  # it was called while it gave up
                return True
            self._queue.remove(called)
            return False

    def leave(self) -> None:
        """Give the place to the one who has waited longest."""
        with self._lock:
            if self._queue:
                self._queue.popleft().set()
            else:
                self._free += 1


_COUNTS = FairTurns(COUNTERS)


@contextmanager
def counting(seconds: float = LONGER) -> Iterator[None]:
    """One of the few places for those who count a table, in the order of coming.

    Raises: NoRoom if none is free within so many seconds.
    """
    if not _COUNTS.wait(seconds):
        raise NoRoom(CROWDED)
    try:
        yield
    finally:
        _COUNTS.leave()


class Crew:
    """The cores, lent to runs part by part: whoever has fewest gets the next one.

    A run asks before each part of its work, so that a new run soon gets its share of the cores
    and nobody's run is stopped for it.
    """

    def __init__(self, lent: int | None = None) -> None:
        self._cores = cores() if lent is None else lent
        self._busy: dict[Any, int] = {}
        self._waiting: list[tuple[float, Any]] = []
        self._changed = threading.Condition()

    @property
    def busy(self) -> int:
        """How many cores are lent."""
        return sum(self._busy.values())

    @property
    def waiting(self) -> int:
        """How many parts wait for a core."""
        return len(self._waiting)

    def keeps_waiting(self, owner: Any) -> bool:
        """Whether an owner waits for a core and has none, since others have them all."""
        with self._changed:
            waits = any(one is owner for _, one in self._waiting)
            return waits and owner not in self._busy and self.busy >= self._cores

    @contextmanager
    def core(self, owner: Any, stopped: Callable[[], bool]) -> Iterator[bool]:
        """A core for one part of an owner's work; False if it was stopped while it waited."""
        ticket = (time.monotonic(), owner)
        with self._changed:
            self._waiting.append(ticket)
            while not (over := stopped()) and not self._is_next(ticket):
                self._changed.wait(0.2)
            self._waiting.remove(ticket)
            if not over:
                self._busy[owner] = self._busy.get(owner, 0) + 1
            self._changed.notify_all()
        try:
            yield not over
        finally:
            if not over:
                with self._changed:
                    self._busy[owner] -= 1
                    if not self._busy[owner]:
                        del self._busy[owner]
                    self._changed.notify_all()

    def _is_next(self, ticket: tuple[float, Any]) -> bool:
        if self.busy >= self._cores:
            return False
        first = min(self._waiting, key=lambda one: (self._busy.get(one[1], 0), one[0]))
        return first is ticket


FILES = Files()
CREW = Crew()
