"""A count that is under way: how far it is, what came of it, and an end on request."""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Any, Generic, Protocol, TypeVar

from dpviz.core.errors import DpvizError, UnreadableFile

Counts = TypeVar("Counts")
Turn = Callable[[], AbstractContextManager[None]]


class Engine(Protocol):
    """An open table of one engine, for one count."""

    @property
    def table(self) -> Any:
        """A table of Ibis, or the counts of one column."""

    def progress(self) -> float | None:
        """The share that is done, None where the engine does not say."""

    def stop(self) -> None:
        """End what runs, if the engine can."""

    def close(self) -> None:
        """Let everything go."""


class Stopped(DpvizError):
    """The count was ended before it was complete; nothing of it is kept."""


class Counting(Generic[Counts]):
    """One count in a thread of its own, on an engine of its own. Confidential once it is done.

    turn is entered while it counts: it may wait, or refuse with a DpvizError.
    """

    def __init__(
        self,
        connect: Callable[[], Engine],
        count: Callable[[Any], Counts],
        turn: Turn = nullcontext,
    ) -> None:
        self._connect, self._count, self._turn = connect, count, turn
        self._engine: Engine | None = None
        self._found: Counts | None = None
        self._problem: DpvizError | None = None
        self._stopped = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def wait(self, seconds: float) -> bool:
        """Whether it is over after so many seconds at most; a stopped one is, whatever runs on."""
        if not self._stopped:
            self._thread.join(seconds)
        return self._stopped or not self._thread.is_alive()

    def progress(self) -> float | None:
        """The share that is done, None where the engine does not say."""
        engine = self._engine
        try:
            return None if engine is None else engine.progress()
        except Exception:  # it was closed meanwhile: the count is over
            return None

    def stop(self) -> None:
        """End it; what comes of it is not kept."""
        self._stopped = True
        engine = self._engine
        if engine is not None:
            with suppress(Exception):  # it was closed meanwhile
                engine.stop()

    def result(self) -> Counts:
        """What was counted; waits for the end.

        Raises: Stopped if it was ended; DpvizError with what was wrong, never with a value.
        """
        if not self._stopped:
            self._thread.join()
        if self._stopped:
            raise Stopped("The count was stopped. Nothing of it was kept.")
        if self._problem is not None:
            raise self._problem
        assert self._found is not None
        return self._found

    def _run(self) -> None:
        try:
            with self._turn():
                self._count_now()
        except DpvizError as error:
            self._problem = error
        except Exception as error:  # an engine's own words may quote values
            self._problem = UnreadableFile(
                f"The engine could not count this column ({type(error).__name__}). Whoever runs it "
                "can try the same on the engine itself."
            )

    def _count_now(self) -> None:
        if self._stopped:  # while it waited
            return
        try:
            self._engine = self._connect()
            if not self._stopped:
                found = self._count(self._engine.table)
                self._found = None if self._stopped else found
        finally:
            engine, self._engine = self._engine, None
            if engine is not None:
                engine.close()
