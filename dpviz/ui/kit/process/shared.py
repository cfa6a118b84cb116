"""Results about public samples, computed once a process and handed to every visitor.

Nothing that depends on a file enters: callers ask `memory.public`, which decides by the data in
use. Arrays are made read-only, since they are everybody's.
"""

import dataclasses
import sys
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from types import FunctionType, ModuleType
from typing import Any, TypeVar, cast

import numpy as np

Result = TypeVar("Result")

ENTRIES = 512
BYTES = 192_000_000  # of everything together: half of what the process takes without visitors
AT_ONCE = 2  # results that are computed at a time: each takes memory while it is
PATIENCE = 5.0  # seconds that a result waits for that
OPAQUE = (type, ModuleType, FunctionType)


class Shared:
    """The results used last, bounded in number and in bytes. Safe to use from many threads.

    Two threads that ask for the same key at once compute it once: the second waits.
    """

    def __init__(self, entries: int = ENTRIES, size: int = BYTES) -> None:
        self._most, self._size = entries, size
        self._kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._doing: dict[Hashable, threading.Lock] = {}
        self._lock = threading.Lock()
        self._places = threading.Semaphore(AT_ONCE)
        self._samples: weakref.WeakSet[Any] = weakref.WeakSet()
        self.bytes = 0

    def of_sample(self, key: Hashable, make: Callable[[], Result]) -> Result:
        """Data of a public sample, known as such from now on."""
        made = self.get(key, make)
        self._samples.add(made)
        return made

    def knows(self, data: object) -> bool:
        """Whether these very data were made of a public sample."""
        return data in self._samples

    def __len__(self) -> int:
        return len(self._kept)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._kept

    def items(self) -> dict[Hashable, Any]:
        """Everything that is kept, what was used last at the end; for those who check it."""
        with self._lock:
            return {key: value for key, (value, _) in self._kept.items()}

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()
            self.bytes = 0

    def get(self, key: Hashable, compute: Callable[[], Result]) -> Result:
        """The result of a key that names its inputs in full; computed if it is not there.

        An error that compute raises is nobody's result: the next one tries again.
        """
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return cast("Result", self._kept[key][0])
            doing = self._doing.setdefault(key, threading.Lock())
        with doing:
            with self._lock:
                if key in self._kept:
                    return cast("Result", self._kept[key][0])
            placed = _nested() or self._places.acquire(timeout=PATIENCE)
            try:
                with _computing():
                    result = compute()
                self._keep(key, result)
            finally:
                if placed and not _nested():
                    self._places.release()
                with self._lock:
                    self._doing.pop(key, None)
        return result

    def _keep(self, key: Hashable, result: Any) -> None:
        size = 0
        for array in arrays(result):
            array.flags.writeable = False
            size += array.nbytes
        size += 0 if isinstance(result, np.ndarray) else sys.getsizeof(result)
        with self._lock:
            if size > self._size // 2:  # one that would push out all others
                return
            before = self._kept.pop(key, None)
            self.bytes += size - (before[1] if before else 0)
            self._kept[key] = result, size
            while len(self._kept) > self._most or self.bytes > self._size:
                _, (_, freed) = self._kept.popitem(last=False)
                self.bytes -= freed


_depth = threading.local()


def _nested() -> bool:
    """Whether this thread computes a shared result already, which needs another one."""
    return getattr(_depth, "of", 0) > 0


@contextmanager
def _computing() -> Iterator[None]:
    _depth.of = getattr(_depth, "of", 0) + 1
    try:
        yield
    finally:
        _depth.of -= 1


def arrays(result: Any) -> Iterator[np.ndarray[Any, Any]]:
    """Every array that a result holds, each once, in whatever holds it."""
    seen: set[int] = set()
    todo = [result]
    while todo:
        one = todo.pop()
        if id(one) in seen or isinstance(one, OPAQUE):
            continue
        seen.add(id(one))
        if isinstance(one, np.ndarray):
            yield one
            todo.append(one.base)  # a view of everybody's array must not be written through
        elif isinstance(one, Mapping):
            todo += one.values()
        elif isinstance(one, list | tuple | set | frozenset):
            todo += one
        elif dataclasses.is_dataclass(one):
            todo += [getattr(one, field.name) for field in dataclasses.fields(one)]
            todo += getattr(one, "__dict__", {}).values()  # what was worked out and kept


PUBLIC = Shared()
