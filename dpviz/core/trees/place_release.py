"""The release of named places: noisy counts by level, with everything needed to interpret them."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpviz.core.arrays import FloatArray, frozen
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.checks import a
from dpviz.core.codec import Stored, fitting
from dpviz.core.errors import InvalidRelease
from dpviz.core.randomness.noise import Noise
from dpviz.core.releases import SEEDED, Columns, ShowsItself, settle_declared, spent_budget
from dpviz.core.trees.named_places import WHOLE, NamedPlaces
from dpviz.version import __version__


@dataclass(frozen=True, slots=True, eq=False)
class PlaceRelease(ShowsItself, Stored):
    """Noisy counts of the places of a public list, the whole first. Nothing here is confidential.

    Shapes: counts has an array a level, (places,), in records, read-only, NaN where the level is
    not measured (None in a text); scales are those of the noise of each level, ∞ there (None, too).
    parameters has the levels' shares.
    Raises: InvalidRelease for values that no release can have.
    """

    _kind, _words = "places", "release of named places"
    _flat = "places"

    mechanism: str
    parameters: Mapping[str, Any]
    places: NamedPlaces
    counts: tuple[FloatArray, ...]
    noise: Noise
    scales: tuple[float, ...]
    neighbours: Neighbours
    spent: Budget
    randomness: str = SEEDED
    version: str = field(default=__version__)

    def __post_init__(self) -> None:
        with fitting("a release of named places"):
            settle_declared(self, places=a(NamedPlaces), noise=a(Noise), spent=spent_budget)
            scales = tuple(math.inf if one is None else float(one) for one in self.scales)
            counts = []
            for one, scale, starts in zip(self.counts, scales, self.places.starts, strict=True):
                unknown = np.full(len(starts), np.nan)
                array = unknown if one is None else np.array(one, dtype=np.float64)
                if array.shape != unknown.shape:
                    raise InvalidRelease(f"A level has {unknown.size} places, and a count of each.")
                if (np.isfinite(array) != math.isfinite(scale)).any() or not scale > 0:
                    raise InvalidRelease("A level has finite counts and a noise scale, or neither.")
                counts.append(frozen(array))
        if not math.isfinite(scales[-1]):
            raise InvalidRelease("The last level of named places is always measured.")
        object.__setattr__(self, "counts", tuple(counts))
        object.__setattr__(self, "scales", scales)

    @property
    def levels(self) -> tuple[str, ...]:
        """The names of the levels, the whole first."""
        return (WHOLE, *self.places.levels)

    @property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """Of the places of each level; a name holds those above it."""
        return self.places.names

    @property
    def standard_errors(self) -> tuple[float, ...]:
        """Of the noise on the counts of each level, ∞ where it is not measured."""
        return tuple(math.sqrt(self.noise.variance(scale)) for scale in self.scales)

    def to_dict(self) -> dict[str, Any]:
        """Plain Python values, ready for JSON; a level that is not measured is None."""
        measured = [math.isfinite(scale) for scale in self.scales]
        counts = (
            one.tolist() if has else None for one, has in zip(self.counts, measured, strict=True)
        )
        scales = (scale if has else None for scale, has in zip(self.scales, measured, strict=True))
        return {**Stored.to_dict(self), "scales": list(scales), "counts": list(counts)}

    def _columns(self) -> Columns:
        errors = (
            np.full(one.size, error)
            for one, error in zip(self.counts, self.standard_errors, strict=True)
        )
        return place_columns(self, self.counts, tuple(errors))


def place_columns(
    release: PlaceRelease, counts: tuple[FloatArray, ...], errors: tuple[FloatArray, ...]
) -> Columns:
    """A row for each place with a count: its level, name, count and standard error."""
    levels = [
        np.repeat(level, len(names))
        for level, names in zip(release.levels, release.names, strict=True)
    ]
    known = np.isfinite(np.concatenate(counts))
    places = np.array([name for names in release.names for name in names], dtype=object)
    return {
        "level": np.concatenate(levels)[known],
        "place": places[known],
        "count": np.concatenate(counts)[known],
        "standard_error": np.concatenate(errors)[known],
    }
