"""One method's cells on the map: how many there are, and how much each of them tells."""

from dataclasses import dataclass

import numpy as np

from dpviz.answers.spatial.question import MapQuestion
from dpviz.core.arrays import BoolArray, FloatArray
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.confidential import confidential
from dpviz.core.data.grid_counts import Plane
from dpviz.core.spatial.cells import Cells
from dpviz.counts.exact import ExactCells

SURE = 3.0  # standard errors above which a cell says that somebody is there


@confidential("name")
@dataclass(frozen=True, slots=True, eq=False)
class CellsNumbers:
    """One method's cells as they are drawn.

    leaf is the standard error of a leaf as released, error that of a cell as it is read: medians
    where they differ; typical is the root of the mean variance. sure is how many cells lie above
    SURE standard errors of their own. exact names what is not protected. off is how far a cell is
    off on average: confidential, None while the truth is hidden, NaN where no cell is known.
    """

    name: str
    leaf: float
    noisy_counts: int
    cells: int
    level: int
    height: int
    error: float
    typical: float
    sure: int
    spent: Budget | None
    neighbours: Neighbours
    exact: tuple[str, ...]
    is_pruned: bool
    off: float | None

    @property
    def sure_share(self) -> float:
        """The share of the cells that are sure."""
        return self.sure / self.cells

    @property
    def unsure_share(self) -> float:
        """The share of the cells that say nothing sure."""
        return (self.cells - self.sure) / self.cells


@confidential()
@dataclass(frozen=True, slots=True)
class PointsNumbers:
    """How many points there are, and what became of some: confidential."""

    n: int
    clipped: int
    dropped: int


def answer(asked: MapQuestion, truth: ExactCells | None = None) -> CellsNumbers:
    """The cells of the question's level; truth is of the cells of its release."""
    _, counts, variances = asked.cells()
    return CellsNumbers(
        name=asked.name,
        leaf=_median_error(_leaf_variances(asked)),
        noisy_counts=asked.noisy_counts,
        cells=counts.size,
        level=asked.level,
        height=asked.height,
        error=_median_error(variances),
        typical=float(np.sqrt(np.mean(variances))),
        sure=int(np.count_nonzero(is_sure(counts, variances))),
        spent=asked.release.spent,
        neighbours=asked.release.neighbours,
        exact=asked.release.non_private,
        is_pruned=asked.is_pruned,
        off=None if truth is None else _off(counts, truth.levels[asked.level]),
    )


def points_of(points: Plane) -> PointsNumbers:
    """The points as they were read. Confidential."""
    return PointsNumbers(points.n, points.clipped, points.dropped)


def is_sure(counts: FloatArray, variances: FloatArray) -> BoolArray:
    """Cells whose count lies above three standard errors of its own."""
    return np.asarray(counts > SURE * np.sqrt(variances))


def _leaf_variances(asked: MapQuestion) -> FloatArray:
    released = asked.release
    if isinstance(released, Cells):
        return np.square(released.standard_errors)
    return released.variances[-1]


def _median_error(variances: FloatArray) -> float:
    return float(np.sqrt(np.median(variances)))


def _off(counts: FloatArray, exact: FloatArray) -> float:
    off = np.abs(counts - exact)
    known = off[np.isfinite(off)]
    return float(known.mean()) if known.size else float("nan")
