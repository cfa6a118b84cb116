"""Background work that survives other clicks: cells run elsewhere, results gather in a session.

Threads here never call Streamlit; the page looks at a job and draws what is there.
"""

import itertools
import threading
import time
from collections.abc import Callable, Hashable

import pandas as pd

from dpviz.core.errors import DpvizError
from dpviz.experiments.engine.plan import Experiment, collected
from dpviz.experiments.engine.workers import Worker, WorkerFailed
from dpviz.ui.kit.process.limits import CREW

PROCESSES = 2
ABANDONED_SECONDS = 90.0  # longer than a browser takes to connect again
STRETCH_SECONDS = 3.0  # with a core while others wait for one
OWN_PROCESS_SECONDS = 4.0  # shorter work is done before two processes have started


def processes_for(seconds: float) -> int:
    """How many processes are worth starting; 0 runs the cells in a thread of the server."""
    return PROCESSES if seconds > OWN_PROCESS_SECONDS else 0


class Job:
    """One experiment in the making: start it, look at it, stop it, resume it.

    key names the settings and the data in full, source the data alone; title is for people.
    is_watched says whether its visitor is still there: a while after they left, it stops.
    """

    def __init__(
        self,
        experiment: Experiment,
        key: Hashable,
        source: Hashable,
        title: str,
        processes: int | None = None,
        is_watched: Callable[[], bool] = lambda: True,
    ) -> None:
        self.experiment, self.key, self.source, self.title = experiment, key, source, title
        self.processes = processes_for(experiment.seconds) if processes is None else processes
        self.done: dict[int, pd.DataFrame] = {}
        self.took: dict[int, float] = {}
        self.problem: str | None = None
        self.page = ""  # the file of the page that it was started from
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []
        self._workers: list[Worker] = []
        self._todo: list[int] = []
        self._is_watched = is_watched
        self._watched = time.monotonic()
        self._began = self._ended = time.monotonic()
        self._before = 0.0

    def start(self) -> None:
        """Begin, or go on with the cells that are left. Nothing happens while it runs."""
        if self.running:
            return
        self._before = self.elapsed
        self._stop, self.problem = threading.Event(), None
        self._todo = self.experiment.remaining(self.done)[::-1]
        self._began = self._ended = self._watched = time.monotonic()
        count = max(1, min(self.processes, len(self._todo)))
        self._threads = [
            threading.Thread(target=self._work, args=(self._stop,), daemon=True, name="dpviz-job")
            for _ in range(count)
        ]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Ask it to stop; what is done stays. A cell in another process ends at once."""
        self._stop.set()
        with self._lock:
            workers, self._workers = self._workers, []
        for worker in workers:
            worker.close()

    def wait(self, seconds: float | None = None) -> None:
        """Until it has stopped or is complete."""
        for thread in self._threads:
            thread.join(seconds)

    @property
    def running(self) -> bool:
        """Whether a cell is still being worked on."""
        return any(thread.is_alive() for thread in self._threads)

    @property
    def waiting(self) -> bool:
        """Whether it has no core yet, or none for the moment, since others' runs have them."""
        return CREW.keeps_waiting(self)

    @property
    def complete(self) -> bool:
        """Whether every cell is done."""
        return len(self.done) == len(self.experiment.cells)

    @property
    def parts_done(self) -> str:
        """How many of the cells are done, in words."""
        return f"{len(self.done)} of {len(self.experiment.cells)}"

    def groups(self, most: int = 60) -> list[tuple[float, float]]:
        """The parts in their order, at most so many: expected seconds, and the share that is done.

        Neighbours are put together where there are more: a row of cells has room for a few dozen.
        """
        cells, done = self.experiment.cells, set(self.done)
        count = min(most, len(cells))
        ends = [len(cells) * at // count for at in range(count + 1)] if count else []
        groups = []
        for first, last in itertools.pairwise(ends):
            seconds = [cell.seconds for cell in cells[first:last]]
            ready = sum(s for at, s in enumerate(seconds, first) if at in done)
            groups.append((sum(seconds), ready / sum(seconds) if sum(seconds) else 0.0))
        return groups

    @property
    def share(self) -> float:
        """How much of the work is done, 0 to 1."""
        whole = self.experiment.seconds
        done = sum(self.experiment.cells[index].seconds for index in list(self.done))
        return min(done / whole, 1.0) if whole else 1.0

    @property
    def elapsed(self) -> float:
        """Seconds spent, pauses left out."""
        return self._before + self._ended - self._began

    @property
    def seconds_left(self) -> float:
        """About how long it still takes."""
        with self._lock:
            took = dict(self.took)
        return self.experiment.seconds_left(took) / max(1, self.processes)

    def rows(self) -> pd.DataFrame:
        """The rows of all cells done so far."""
        with self._lock:
            done = dict(self.done)
        return collected(done)

    def _work(self, stop: threading.Event) -> None:
        try:
            while self._todo and self._goes_on(stop):
                with CREW.core(self, lambda: not self._goes_on(stop)) as lent:
                    if lent and self._todo:
                        self._stretch(stop)
        except (DpvizError, WorkerFailed, MemoryError) as error:
            if not stop.is_set():
                self.problem = str(error) or "There was not enough memory."
                stop.set()
        finally:
            self._ended = time.monotonic()

    def _stretch(self, stop: threading.Event) -> None:
        """Work with a core until all is done, or until somebody else has waited for it enough."""
        worker, since = None, time.monotonic()
        try:
            if self.processes:
                worker = Worker(self.experiment)
                with self._lock:
                    self._workers.append(worker)
            while self._goes_on(stop) and (index := self._next()) is not None:
                began = time.monotonic()
                rows = (worker or self.experiment).run_cell(index)
                with self._lock:
                    self._ended = time.monotonic()
                    self.done[index], self.took[index] = rows, self._ended - began
                if CREW.waiting and self._ended - since > STRETCH_SECONDS:
                    return
        finally:
            if worker is not None:
                worker.close()
                with self._lock:
                    if worker in self._workers:
                        self._workers.remove(worker)

    def _goes_on(self, stop: threading.Event) -> bool:
        now = time.monotonic()
        if self._is_watched():
            self._watched = now
        elif now - self._watched > ABANDONED_SECONDS:
            stop.set()  # and with it the copy of the data goes
        return not stop.is_set()

    def _next(self) -> int | None:
        with self._lock:
            return self._todo.pop() if self._todo else None
