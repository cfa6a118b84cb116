"""A released partition of the plane that is not a complete tree: cells with noisy counts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray, frozen
from dpviz.core.bounds import Box
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.checks import a, optional
from dpviz.core.codec import Stored, fitting
from dpviz.core.errors import InvalidParameter, InvalidRelease
from dpviz.core.releases import SEEDED, UNSAID, Columns, DrawsItself, settle_declared, spent_budget
from dpviz.core.spatial.boxes import box_row, checked_boxes, sides_of
from dpviz.core.spatial.structure_budget import NON_PRIVATE, StructureBudget
from dpviz.version import __version__


@dataclass(frozen=True, kw_only=True, eq=False)
class Cells(DrawsItself, Stored):
    """Disjoint rectangles that cover the box, with noisy counts: grids, PrivTree, kd-cell.

    Shapes: boxes (k, 4) with columns x_low, x_high, y_low, y_high; counts (k,); variances (k,),
    those of independent noise on every cell. Where groups of cells were fitted to a count of their
    own (an adaptive grid), groups (k,) numbers each cell's group and group_variances (g,) holds the
    variance of each fitted sum; variances are then those before the fit. Units: records, records².
    non_private names what was not protected and is empty for every private release. Nothing here
    is confidential.
    Raises: InvalidRelease when the parts do not fit together.
    """

    _kind, _words = "cells", "release of cells"
    _older = UNSAID

    mechanism: str
    parameters: Mapping[str, Any]
    groups: IntArray | None = None
    group_variances: FloatArray | None = None
    box: Box
    boxes: FloatArray
    counts: FloatArray
    variances: FloatArray
    neighbours: Neighbours
    spent: Budget | None
    structure: StructureBudget = field(default_factory=StructureBudget)
    non_private: tuple[str, ...] = ()
    randomness: str = SEEDED
    version: str = __version__

    def __post_init__(self) -> None:
        with fitting("a release of cells"):
            settle_declared(
                self, box=a(Box), spent=optional(spent_budget), structure=a(StructureBudget)
            )
            self._settle()

    def _settle(self) -> None:
        try:
            object.__setattr__(self, "boxes", checked_boxes(self.boxes))
        except InvalidParameter as error:
            raise InvalidRelease(f"These are not cells: {error}") from None
        for name in ("counts", "variances"):
            values = np.array(getattr(self, name), dtype=np.float64)
            if values.shape != (self.boxes.shape[0],) or not np.isfinite(values).all():
                raise InvalidRelease(f"Cells need finite {name}, one a cell, got {values.shape}.")
            object.__setattr__(self, name, frozen(values))
        object.__setattr__(self, "non_private", tuple(self.non_private))
        if not set(self.non_private) <= NON_PRIVATE:
            raise InvalidRelease(f"Only {NON_PRIVATE} can be non-private, got {self.non_private}.")
        exact = "counts" in self.non_private
        if not (self.variances >= 0).all() or (not exact and not self.variances.all()):
            raise InvalidRelease("Noise variances must be positive for every private count.")
        if (self.spent is None) != exact:
            raise InvalidRelease("A release of private counts says what it spent, no other does.")
        self._check_groups()
        self._check_cover()

    def _check_groups(self) -> None:
        if (self.groups is None) != (self.group_variances is None):
            raise InvalidRelease("Groups of cells need the variances of their sums.")
        if self.groups is None or self.group_variances is None:
            return
        numbers = np.array(self.groups, dtype=np.float64)
        if not ((np.abs(numbers) < 2**53) & (numbers == np.rint(numbers))).all():  # NaN too
            raise InvalidRelease("Groups must be whole numbers.")
        groups = numbers.astype(np.int64)
        sums = np.array(self.group_variances, dtype=np.float64)
        positive = ((sums >= 0) & np.isfinite(sums)).all()
        if groups.shape != self.counts.shape or sums.ndim != 1 or not positive:
            raise InvalidRelease("Groups need one number a cell and one variance a group.")
        if groups.size and not (numbers.min() >= 0 and numbers.max() < sums.size):
            raise InvalidRelease("Every cell's group must have a variance.")
        groups.setflags(write=False)
        object.__setattr__(self, "groups", groups)
        object.__setattr__(self, "group_variances", frozen(sums))

    def _check_cover(self) -> None:
        whole = box_row(self.box)
        low, high = [0, 2], [1, 3]
        inside = (self.boxes[:, low] >= whole[low]) & (self.boxes[:, high] <= whole[high])
        if not inside.all():
            raise InvalidRelease("Every cell must lie in the declared box.")
        unit = (self.boxes - whole[[0, 0, 2, 2]]) / np.repeat(whole[high] - whole[low], 2)
        covered = float(((unit[:, 1] - unit[:, 0]) * (unit[:, 3] - unit[:, 2])).sum())
        if abs(covered - 1) > 1e-6:
            raise InvalidRelease(f"Cells must cover the box once, these cover {covered:.6g} of it.")

    @property
    def standard_errors(self) -> FloatArray:
        """Of the noise on each cell's count, (k,), after the fit to its group's sum if it has one.

        In a group of m cells of variance σ² fitted to a sum of variance v: σ²(1 − 1/m) + v/m².
        """
        if self.groups is None or self.group_variances is None:
            return np.sqrt(self.variances)
        cells = np.bincount(self.groups, minlength=self.group_variances.size)[self.groups]
        sums = self.group_variances[self.groups]
        return np.asarray(np.sqrt(self.variances * (1 - 1 / cells) + sums / cells**2))

    def _columns(self) -> Columns:
        errors = self.standard_errors
        return {**sides_of(self.boxes), "count": self.counts, "standard_error": errors}
