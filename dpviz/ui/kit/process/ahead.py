"""Public results that will soon be asked for, computed while nobody waits for anything.

Whoever moves a slider goes to one of the next stops. On a sample these are everybody's results, so
they may be worked out before they are asked for; a class that moves on costs nothing then.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress

from dpviz.core.errors import DpvizError
from dpviz.ui.kit.process import turns

PAUSE = 0.15  # seconds without any script before the first of them starts
LIMIT = 30.0  # seconds after which nobody cares any more

Task = Callable[[], object]


class Ahead:
    """The tasks that were asked for last, one after the other in a thread of its own.

    A task is short, and runs in a turn that nobody else wants at that moment. What comes of it is
    kept by whoever made the task; what it refuses is refused again when it is really asked for.
    Nothing is done before start: the server starts it, a script that runs by itself does not.
    """

    def __init__(self, pause: float = PAUSE, limit: float = LIMIT) -> None:
        self._pause, self._limit = pause, limit
        self._tasks: deque[Task] = deque()
        self._until = 0.0
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def ask(self, tasks: Sequence[Task]) -> None:
        """These next, in place of all that still wait."""
        if self._thread is None:
            return
        with self._changed:
            self._tasks = deque(tasks)
            self._until = time.monotonic() + self._limit
            self._changed.notify_all()

    def start(self) -> None:
        """From now on."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="ahead", daemon=True)
            self._thread.start()

    @property
    def waiting(self) -> int:
        """How many tasks wait."""
        return len(self._tasks)

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._tasks:
                    self._changed.wait()
            if not self._one():
                time.sleep(self._pause / 3)

    def _one(self) -> bool:
        """Do the next task if everybody else rests; False if that must wait."""
        if turns.at_rest() < self._pause:
            self._forget_late()
            return False
        with turns.free_turn() as free:
            if not free:
                return False
            with self._changed:
                if not self._tasks:
                    return True
                task = self._tasks.popleft()
            with suppress(DpvizError):
                task()
        return True

    def _forget_late(self) -> None:
        with self._changed:
            if time.monotonic() > self._until:
                self._tasks.clear()


AHEAD = Ahead()
