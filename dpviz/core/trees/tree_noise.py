"""The noise of a count tree without any counts: what all error statements are made from."""

import math
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.choices import Choice
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.shape import Levels, TreeShape


class Root(Choice):
    """What happens to the count of all records, N.

    RELEASED: N is private and noised like any node; height + 1 levels share the budget.
    SUM: N is private, and estimated from the levels below; height levels share.
    PUBLIC: N is exact and costs nothing, under replace-one neighbours only; height levels share.
    """

    RELEASED = "released"
    SUM = "sum"
    PUBLIC = "public"


@dataclass(frozen=True, slots=True)
class TreeNoise:
    """Independent noise on every node of a complete tree, of one law and a scale for each level.

    scales has one entry a level, root first, ∞ where a level is not released. It depends on public
    choices alone, so everything said from it costs nothing.
    """

    fanout: int
    noise: Noise
    scales: tuple[float, ...]
    root: Root

    @property
    def shape(self) -> TreeShape:
        """Fanout and height."""
        return TreeShape(self.fanout, len(self.scales) - 1)

    @property
    def variances(self) -> tuple[FloatArray, ...]:
        """Variance of the noise on a node of each level, shape () each; ∞ where left out."""
        return tuple(np.asarray(self.noise.variance(scale)) for scale in self.scales)

    @property
    def total(self) -> float | None:
        """The exact N of a tree without records where N is public, else None."""
        return 0.0 if self.root is Root.PUBLIC else None

    def blank(self) -> Levels:
        """A tree of zeros with these variances: estimators turn it into their variances."""
        counts = (np.zeros(self.shape.nodes(level)) for level in range(len(self.scales)))
        return Levels(self.fanout, tuple(counts), self.variances)

    def simulate(self, runs: int, rng: np.random.Generator) -> Levels:
        """Trees of noise alone, counts (runs, nodes) a level; nothing in them is private."""
        counts = tuple(
            np.full((runs, self.shape.nodes(level)), np.nan)
            if math.isinf(scale)
            else self.noise.simulate(scale, (runs, self.shape.nodes(level)), rng)
            for level, scale in enumerate(self.scales)
        )
        return Levels(self.fanout, counts, self.variances)
