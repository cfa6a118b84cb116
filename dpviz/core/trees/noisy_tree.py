"""A complete tree of noisy counts: what the releases of trees and of maps hold."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.core.arrays import FloatArray, frozen
from dpviz.core.checks import finite, optional, settle
from dpviz.core.choices import settle_choices
from dpviz.core.codec import READERS, fitting
from dpviz.core.errors import InvalidParameter, InvalidRelease
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.shape import Levels, TreeShape
from dpviz.core.trees.tree_noise import Root, TreeNoise

LARGEST = 1e150  # beyond, a variance is no double


@dataclass(frozen=True, slots=True, eq=False)
class NoisyTree:
    """Counts of all nodes of a complete tree, root first, with independent noise on each.

    Shapes: counts[l] is (fanout**l,), read-only; scales has one entry a level, ∞ where a level is
    not released (its counts are NaN), 0 where its counts are exact. total is N where it is public.
    Units: records. Raises: InvalidRelease when the parts do not fit together.
    """

    fanout: int
    counts: tuple[FloatArray, ...]
    noise: Noise
    scales: tuple[float, ...]
    root: Root = Root.RELEASED
    total: float | None = None

    def __post_init__(self) -> None:
        with fitting("a tree"):
            settle_choices(self, noise=Noise, root=Root)
            settle(self, total=optional(finite))
            self._settle()

    def _settle(self) -> None:
        object.__setattr__(self, "scales", tuple(float(scale) for scale in self.scales))
        if len(self.counts) != len(self.scales):
            raise InvalidRelease(
                f"A tree needs one scale a level, got {len(self.scales)} for {len(self.counts)}."
            )
        if not all(scale >= 0 for scale in self.scales):  # also rejects NaN
            raise InvalidRelease(f"Noise scales must be positive, got {self.scales}.")
        if any(LARGEST < scale < math.inf for scale in self.scales):
            raise InvalidRelease(f"Noise scales go up to {LARGEST:g}, got {self.scales}.")
        object.__setattr__(self, "counts", self._checked_counts())
        if (self.total is not None) != (self.root is Root.PUBLIC):
            raise InvalidRelease(f"A {self.root} root does not go with total = {self.total}.")
        if self.root is not Root.RELEASED and not math.isinf(self.scales[0]):
            raise InvalidRelease(f"A {self.root} root has no noisy count, yet one was given.")

    def _checked_counts(self) -> tuple[FloatArray, ...]:
        """Nothing but NaN on levels that are not released; copies unless already read-only."""
        settled = tuple(
            frozen(np.full(level.shape, np.nan)) if math.isinf(scale) else _owned(level)
            for level, scale in zip(map(np.asarray, self.counts), self.scales, strict=True)
        )
        try:
            Levels(self.fanout, settled, self.variances)
        except InvalidParameter as error:
            raise InvalidRelease(f"This is not a tree: {error}") from None
        if settled[0].ndim != 1:
            raise InvalidRelease("A release holds one tree, not a batch of runs.")
        return settled

    @property
    def exact(self) -> bool:
        """Whether some counts were released without noise, so that no budget covers them."""
        return 0 in self.scales

    @property
    def tree_noise(self) -> TreeNoise:
        """The law of the noise on every node, which says all that errors depend on."""
        return TreeNoise(self.fanout, self.noise, self.scales, self.root)

    @property
    def variances(self) -> tuple[FloatArray, ...]:
        """Variance of the noise on a node of each level, shape () each; ∞ where left out."""
        return self.tree_noise.variances

    @property
    def levels(self) -> Levels:
        """Counts and variances in the form that estimators work on."""
        return Levels(self.fanout, self.counts, self.variances)

    @property
    def shape(self) -> TreeShape:
        """Fanout and height."""
        return TreeShape(self.fanout, len(self.counts) - 1)

    def to_dict(self) -> dict[str, Any]:
        """Plain Python values; None stands for a level that is not released."""
        return {
            "root": self.root.value,
            "total": self.total,
            "fanout": self.fanout,
            "noise": self.noise.value,
            "scales": self._or_none(self.scales),
            "variances": self._or_none([float(variance) for variance in self.variances]),
            "counts": self._or_none([level.tolist() for level in self.counts]),
        }

    def _or_none(self, entries: Sequence[Any]) -> list[Any]:
        pairs = zip(entries, self.scales, strict=True)
        return [None if math.isinf(scale) else entry for entry, scale in pairs]

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> "NoisyTree":
        """The tree whose to_dict gave these values; variances are computed again from the scales.

        Raises: InvalidRelease, or KeyError, TypeError, ValueError for missing or damaged parts.
        """
        fanout, counts = int(stored["fanout"]), stored["counts"]
        shape = TreeShape(fanout, len(counts) - 1)  # refuses a tree that is too large to build
        return cls(
            fanout=fanout,
            counts=tuple(
                np.full(shape.nodes(level), np.nan) if one is None else np.array(one, dtype=float)
                for level, one in enumerate(counts)
            ),
            noise=Noise(stored["noise"]),
            scales=tuple(math.inf if one is None else float(one) for one in stored["scales"]),
            root=Root(stored["root"]),
            total=stored["total"],
        )


READERS[NoisyTree] = NoisyTree.from_dict


def _owned(level: FloatArray) -> FloatArray:
    """A read-only array that nobody else can write to; copying a million counts takes time."""
    if level.dtype == np.float64 and not level.flags.writeable and level.base is None:
        return level
    return frozen(np.array(level, dtype=np.float64))
