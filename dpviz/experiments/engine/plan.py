"""An experiment as a list of independent cells, so that it can be run in parts and resumed."""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pandas as pd

from dpviz.core.confidential import confidential

FAITH = 0.1  # seconds that an estimate counts as measured


class Cell(Protocol):
    """One part of an experiment, small enough that stopping after it is soon enough.

    A cell can be pickled; what all cells share (a column, data sets) is handed to it. It may name
    its kind: cells of one kind are expected to be equally much slower or faster than was thought.
    """

    @property
    def seconds(self) -> float:
        """About how long it takes on one core, before anything was measured."""

    def run(self, shared: Any, rng: np.random.Generator) -> pd.DataFrame:
        """Its rows, the same for the same generator."""


@confidential()
@dataclass(frozen=True, eq=False)
class Experiment:
    """Cells with a generator each: the order of running, and in which process, changes nothing."""

    shared: Any
    cells: tuple[Cell, ...]
    generators: tuple[np.random.Generator, ...]

    @classmethod
    def of(cls, shared: Any, cells: Sequence[Cell], rng: np.random.Generator) -> "Experiment":
        """Give every cell a stream of its own."""
        return cls(shared, tuple(cells), tuple(rng.spawn(len(cells))))

    @property
    def seconds(self) -> float:
        """About how long all cells take on one core."""
        return sum(cell.seconds for cell in self.cells)

    def run_cell(self, index: int) -> pd.DataFrame:
        """The rows of one cell; running it again gives the same rows."""
        return self.cells[index].run(self.shared, copy.deepcopy(self.generators[index]))

    def remaining(self, done: Mapping[int, pd.DataFrame]) -> list[int]:
        """Cells that are still to be run, in their order."""
        return [index for index in range(len(self.cells)) if index not in done]

    def seconds_left(self, took: Mapping[int, float]) -> float:
        """What remains, in core seconds, on the scale of what the finished cells took.

        took has the core seconds of each. Cells that name a kind are scaled by their own kind, as
        far as one of it is done: a slow mechanism is not expected to run like a quick one.
        """
        whole = self._pace(list(took), took, 1.0)
        by_kind: dict[str, list[int]] = {}
        for index in took:
            by_kind.setdefault(kind_of(self.cells[index]), []).append(index)
        paces = {kind: self._pace(done, took, whole) for kind, done in by_kind.items()}
        ahead = (cell for index, cell in enumerate(self.cells) if index not in took)
        return sum(cell.seconds * paces.get(kind_of(cell), whole) for cell in ahead)

    def _pace(self, done: Sequence[int], took: Mapping[int, float], before: float) -> float:
        # a little faith in the estimate, so that one quick first cell does not promise too much
        expected = sum(self.cells[index].seconds for index in done)
        return (sum(took[index] for index in done) + FAITH * before) / (expected + FAITH)


def kind_of(cell: Cell) -> str:
    """What kind of work a cell is, for cells that say so."""
    return str(getattr(cell, "kind", ""))


def collected(done: Mapping[int, pd.DataFrame]) -> pd.DataFrame:
    """The rows of all finished cells, in the order of the cells."""
    if not done:
        return pd.DataFrame()
    return pd.concat([done[index] for index in sorted(done)], ignore_index=True)


def run_all(experiment: Experiment) -> pd.DataFrame:
    """Every cell, one after the other, in this process."""
    return collected({i: experiment.run_cell(i) for i in range(len(experiment.cells))})
