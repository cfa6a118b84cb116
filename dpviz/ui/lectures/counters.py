"""What a room keeps of answers: bins that count phones, in memory, and nothing of who answered."""

import threading
import time
from collections.abc import Callable

from dpviz.lessons.stories.gain import FEWEST

BINS = 24  # of one question at most
SECONDS = 3 * 3600.0  # from its opening, or a question's first answer, until bins are deleted


class Counters:
    """Bins of questions by name; clock gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._bins: dict[str, list[int]] = {}
        self._since: dict[str, float] = {}

    def change(self, name: str, old: int | None, new: int | None) -> bool:
        """One phone less in a bin, one more in another; False for a bin that cannot be changed."""
        with self._lock:
            self._forget()
            bins = self._bins.get(name, [0] * BINS)
            if any(one is not None and not 0 <= one < BINS for one in (old, new)):
                return False
            if old is not None and not bins[old]:  # deleted meanwhile: it counts as a first answer
                old = None
            for one, by in ((old, -1), (new, 1)):
                if one is not None:
                    bins[one] += by
            self._bins[name] = bins
            self._since.setdefault(name, self._clock())
        return True

    def people(self, name: str) -> int:
        """How many phones answered; 0 while they are fewer than may be shown."""
        return sum(self.shown(name) or ())

    def shown(self, name: str) -> tuple[int, ...] | None:
        """The bins; None while fewer phones answered than may be shown."""
        with self._lock:
            self._forget()
            bins = tuple(self._bins.get(name, ()))
        return bins if sum(bins) >= FEWEST else None

    def clear(self) -> None:
        """Delete all."""
        with self._lock:
            self._bins.clear()
            self._since.clear()

    def _forget(self) -> None:
        now = self._clock()
        for name in [one for one, since in self._since.items() if now - since >= SECONDS]:
            del self._bins[name], self._since[name]
