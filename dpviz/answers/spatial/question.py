"""What every view of a private map is asked about."""

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential
from dpviz.core.spatial.boxes import box_row
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.release import SpatialRelease
from dpviz.estimators.spatial.boxes import Readable, range_counts
from dpviz.estimators.spatial.estimate import SpatialEstimate

Counted = tuple[FloatArray, FloatArray, FloatArray]


@confidential("name", "depth")
@dataclass(frozen=True, slots=True, eq=False)
class MapQuestion:
    """One method's release and how it is read; depth is the level that is drawn.

    rectangle (4,) is what is asked about, None for the whole map. A question holds no truth: where
    it is shown, it stands beside the question.
    """

    name: str
    release: SpatialRelease | Cells
    reading: Readable
    depth: int = 0
    rectangle: FloatArray | None = None

    @property
    def height(self) -> int:
        """Levels below the root; 0 for cells that are no tree."""
        return self.release.shape.height if isinstance(self.release, SpatialRelease) else 0

    @property
    def level(self) -> int:
        """The level that is drawn: the deepest one, if the tree is less deep."""
        return min(self.depth, self.height)

    @property
    def noisy_counts(self) -> int:
        """How many numbers were released."""
        released = self.release
        levels = [released.counts] if isinstance(released, Cells) else released.counts
        return sum(int(np.isfinite(level).sum()) for level in levels)

    @property
    def is_combined(self) -> bool:
        """Whether the counts are read after estimation."""
        return self.reading is not self.release

    @property
    def is_pruned(self) -> bool:
        """Whether nodes were dropped from what is read."""
        return isinstance(self.reading, SpatialEstimate) and self.reading.pruned

    @property
    def asked(self) -> FloatArray:
        """The rectangle (4,), or the declared box."""
        return box_row(self.release.box) if self.rectangle is None else self.rectangle

    def cells(self) -> Counted:
        """Boxes (k, 4), counts (k,) and variances (k,) of the level, or of all cells of a grid.

        A variance is that of the count as it is read: after the fit of an adaptive grid.
        """
        if isinstance(self.reading, Cells):
            variances = np.square(self.reading.standard_errors)
            return self.reading.boxes, self.reading.counts, variances
        level, levels = self.level, self.reading.levels
        return self.reading.level_boxes(level), levels.counts[level], levels.node_variances(level)

    def counted(self, reading: Readable) -> tuple[float, float]:
        """What a reading counts in the rectangle, and the standard error of that."""
        counts, variances = range_counts(reading, self.asked)
        return float(counts[0]), float(np.sqrt(variances[0]))
