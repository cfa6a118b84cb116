"""Other processes that run the cells of an experiment, so that both cores and the app stay free.

A process of its own program, not a fork: a server with threads cannot be forked safely, and a
spawned child would import the server's main script again.
"""

import contextlib
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import BinaryIO, cast

import pandas as pd

from dpviz.experiments.engine.plan import Experiment

ROOT = Path(__file__).resolve().parents[3]  # dpviz lies in it
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


class WorkerFailed(RuntimeError):
    """A cell raised, or its process ended."""


class Worker:
    """One process that holds an experiment and runs its cells when asked; close it after use."""

    def __init__(self, experiment: Experiment) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "dpviz.experiments.engine.workers"],
            cwd=ROOT,
            env={**os.environ, **ONE_THREAD},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._send(experiment)

    def run_cell(self, index: int) -> pd.DataFrame:
        """The rows of one cell, as Experiment.run_cell.

        Raises: WorkerFailed when the cell raised, or the process was closed meanwhile.
        """
        self._send(index)
        try:
            answer = pickle.load(cast("BinaryIO", self._process.stdout))
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            raise WorkerFailed("The process that computes ended early.") from None
        if isinstance(answer, pd.DataFrame):
            return answer
        raise WorkerFailed(str(answer))

    def _send(self, message: object) -> None:
        pipe = cast("BinaryIO", self._process.stdin)
        try:
            pickle.dump(message, pipe)
            pipe.flush()
        except (OSError, ValueError):
            raise WorkerFailed("The process that computes ended early.") from None

    def close(self) -> None:
        """End the process, whatever it is doing. Safe to call twice and from another thread."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):  # nobody reads what was still to be written
                    pipe.close()


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Read an experiment, then cell numbers; answer each with its rows, or with what went wrong."""
    experiment: Experiment = pickle.load(requests)
    while True:
        try:
            index = pickle.load(requests)
        except EOFError:  # the one who asks has gone
            return
        try:
            answer: object = experiment.run_cell(index)
        except Exception as error:
            answer = f"{type(error).__name__}: {error}"
        pickle.dump(answer, answers)
        answers.flush()


if __name__ == "__main__":
    if hasattr(os, "nice"):  # whoever moves a slider comes before whoever waits for a study
        os.nice(5)
    pipe = sys.stdout.buffer
    sys.stdout = sys.stderr  # whatever prints must not get between the answers
    serve(sys.stdin.buffer, pipe)
