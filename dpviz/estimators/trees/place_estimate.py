"""Least squares over the levels of named places: every place with its own exact variance."""

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.releases import Columns, ShowsItself
from dpviz.core.trees.place_release import PlaceRelease, place_columns
from dpviz.estimators.trees.ragged_tree import RaggedTree, least_squares


@dataclass(frozen=True, slots=True, eq=False)
class PlaceEstimate(ShowsItself):
    """Unbiased counts of least variance; those of a place add up to the places in it.

    Shapes: counts and variances have an array a level, (places,), the whole first. Units: records,
    records².
    """

    release: PlaceRelease
    counts: tuple[FloatArray, ...]
    variances: tuple[FloatArray, ...]

    @property
    def standard_errors(self) -> tuple[FloatArray, ...]:
        """Of each count, (places,) a level."""
        return tuple(np.sqrt(one) for one in self.variances)

    def _origin(self) -> PlaceRelease:
        return self.release

    def _columns(self) -> Columns:
        return place_columns(self.release, self.counts, self.standard_errors)


def estimate_places(release: PlaceRelease) -> PlaceEstimate:
    """The best counts of all levels together.

    Guarantee: post-processing; spends nothing.
    Source: Honaker 2019, equations 10 to 13, with weights of each place's own.
    """
    tree = RaggedTree(release.places.children)
    variances = [error**2 for error in release.standard_errors]
    return PlaceEstimate(release, *least_squares(tree, release.counts, variances))
