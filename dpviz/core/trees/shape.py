"""The shape of a complete tree over an interval, and numbers on its nodes, level by level."""

import math
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray, frozen
from dpviz.core.bounds import Bounds
from dpviz.core.checks import checked_number, found, wanted
from dpviz.core.edges import equal_edges
from dpviz.core.errors import InvalidParameter

MAX_LEAVES = 2**22


@dataclass(frozen=True, slots=True)
class TreeShape:
    """A complete tree: level 0 is the root, level height holds fanout**height equal leaves."""

    fanout: int
    height: int

    def __post_init__(self) -> None:
        for name, lowest in (("fanout", 2), ("height", 0)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | np.integer):
                raise InvalidParameter(f"{name} must be a whole number, got {found(value)}.")
            if value < lowest:
                raise InvalidParameter(f"{name} must be at least {lowest}, got {found(value)}.")
            object.__setattr__(self, name, int(value))
        # 2**22 bounds the height too, so a wild height never builds a giant integer
        if self.height > 22 or self.leaves > MAX_LEAVES:
            raise InvalidParameter(
                f"A tree of fanout {found(self.fanout)} and height {found(self.height)} has more "
                f"than {MAX_LEAVES:,} leaves. Choose a smaller fanout or height."
            )

    @property
    def leaves(self) -> int:
        """fanout**height, the number of leaves."""
        return self.nodes(self.height)

    def nodes(self, level: int) -> int:
        """fanout**level, the number of nodes on a level."""
        return int(self.fanout**level)

    def path(self, level: int, index: int) -> tuple[tuple[int, int], ...]:
        """Level and place of each node from the root to this one, both included."""
        return tuple((at, index // self.fanout ** (level - at)) for at in range(level + 1))

    def edges(self, bounds: Bounds) -> FloatArray:
        """Leaf edges c_0 = low, …, c_leaves = high, shape (leaves + 1,), ascending.

        Each is the double nearest to where it lies. Leaves are [c_{j−1}, c_j), the last one closed.
        """
        return equal_edges(bounds, self.leaves)


def enough_cells(bounds: Bounds, resolution: float) -> float:
    """Equal cells of bounds, two a value of the resolution; ∞ at resolution 0.

    What is read anywhere in a cell is then nearest to the one value in it. A cell that is wider
    than half a step may hold a heap of ties and be read nearer to the value beside it.
    Raises: InvalidParameter for a resolution that is no number of at least 0.
    """
    width = wanted(Bounds, bounds, "bounds").width
    step = checked_number(resolution, "resolution")
    if not 0 <= step < math.inf:
        raise InvalidParameter(f"The resolution must be a number of at least 0, got {step}.")
    return 2 * width / step if step else math.inf


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """Counts of all nodes and their variances, one array a level, root first.

    Shapes: counts[l] is (..., fanout**l) with the same leading axes (runs) on every level;
    variances[l] is () when constant on the level, else (fanout**l,). Units: records, records².
    An infinite variance marks a node that carries no information; its count is ignored. Variance 0
    marks an exactly known node. Raises: InvalidParameter for shapes or values outside this.
    """

    fanout: int
    counts: tuple[FloatArray, ...]
    variances: tuple[FloatArray, ...]

    def __post_init__(self) -> None:
        counts = tuple(_read_only(level) for level in self.counts)
        variances = tuple(_read_only(level) for level in self.variances)
        object.__setattr__(self, "counts", counts)
        object.__setattr__(self, "variances", variances)
        if not counts or len(counts) != len(variances):
            raise InvalidParameter(
                f"A tree needs counts and variances for each level, got {len(counts)} levels of "
                f"counts and {len(variances)} of variances."
            )
        shape = TreeShape(self.fanout, len(counts) - 1)
        for level in range(len(counts)):
            _check_level(level, shape.nodes(level), counts[0].shape[:-1], counts, variances)

    @property
    def shape(self) -> TreeShape:
        """Fanout and height."""
        return TreeShape(self.fanout, self.height)

    @property
    def height(self) -> int:
        """The level of the leaves."""
        return len(self.counts) - 1

    def node_variances(self, level: int) -> FloatArray:
        """The variance of every node of a level, (fanout**level,)."""
        return np.broadcast_to(self.variances[level], self.counts[level].shape[-1:])


def _read_only(level: FloatArray) -> FloatArray:
    return frozen(np.asarray(level, dtype=np.float64).view())


def _check_level(
    level: int,
    nodes: int,
    batch: tuple[int, ...],
    counts: tuple[FloatArray, ...],
    variances: tuple[FloatArray, ...],
) -> None:
    values, variance = counts[level], variances[level]
    if values.shape != (*batch, nodes):
        raise InvalidParameter(
            f"Counts of level {level} must have shape {(*batch, nodes)}, got {values.shape}."
        )
    if variance.shape not in {(), (nodes,)}:
        raise InvalidParameter(
            f"Variances of level {level} must have shape () or ({nodes},), got {variance.shape}."
        )
    if not (variance >= 0).all():  # also rejects NaN
        raise InvalidParameter(f"Variances of level {level} must not be negative or NaN.")
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(values.sum()):  # so all of them are
            return
    if not (np.isfinite(values) | np.isinf(variance)).all():
        raise InvalidParameter(f"Counts of level {level} must be finite where they are released.")
