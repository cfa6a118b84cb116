"""How many lie below an edge: from noisy cells, and from few nodes of a noisy tree over them."""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.release import TreeRelease
from dpviz.estimators.trees.least_squares import efficient
from dpviz.estimators.trees.workload import energies_variance
from dpviz.intake.samples import load_sample
from dpviz.mechanisms.counting.count_tree import CountTree

EPSILON = 1.0
STOPS = 16, 32, 256, 1_024, 4_096, 65_536
YEARS = 128  # of age, in the cells
EDGE = 44
EDGES = tuple(range(8, 97, 4))  # that it may be dragged to
LEVELS = 6  # of a tree that an edge needs: every fourth year is a border of the last one
BARS = 32  # cells of the histogram, however many the tree has
HEIGHTS = range(4, 17)
NOISE = Noise.DISCRETE_LAPLACE


@dataclass(frozen=True, slots=True)
class ErrorLaws:
    """Root of the mean variance of all running counts over so many cells, three times: exact.

    wins and combined_wins are the cells above which the tree has the smaller error, as drawn and
    combined.
    """

    cells: tuple[int, ...]
    flat: tuple[float, ...]
    drawn: tuple[float, ...]
    combined: tuple[float, ...]
    wins: float
    combined_wins: float


@dataclass(frozen=True, slots=True, eq=False)
class PrefixCounts:
    """One running count over `stop` cells: its cells, its nodes, what the nodes say.

    nodes are (level, place) from the left; published and combined are their counts as drawn and
    after least squares, in whole people. ages are the people of each of BARS cells, truth those
    below the edge: both confidential.
    """

    stop: int
    edge: int
    below: int
    nodes: tuple[tuple[int, int], ...]
    published: tuple[int, ...]
    combined: tuple[int, ...]
    ages: IntArray
    truth: int
    laws: ErrorLaws

    @property
    def levels(self) -> int:
        """In how many nodes everybody is."""
        return self.stop.bit_length()

    @property
    def errors(self) -> tuple[float, float, float]:
        """Of cells, of the tree as drawn and combined, over so many cells."""
        at = self.laws.cells.index(self.stop)
        return self.laws.flat[at], self.laws.drawn[at], self.laws.combined[at]


@cache
def numbers(stop: int, draw: int = 1, wanted: int = EDGE) -> PrefixCounts:
    """One tree over so many cells, what it says of an edge, and the laws of all trees."""
    below = wanted * stop // YEARS
    edge = below * YEARS // stop  # the last border of a cell that is no more than was wanted
    nodes = nodes_of(below, stop)
    published, combined = _counts(stop, draw)
    ascending, ages = _people()
    return PrefixCounts(
        stop=stop,
        edge=edge,
        below=below,
        nodes=nodes,
        published=tuple(round(float(published[level][at])) for level, at in nodes),
        combined=tuple(round(float(combined[level][at])) for level, at in nodes),
        ages=ages,
        truth=int(np.searchsorted(ascending, edge)),
        laws=error_laws(),
    )


def nodes_of(below: int, cells: int) -> tuple[tuple[int, int], ...]:
    """The fewest nodes that make up the first so many cells: one for each 1 of the number."""
    height, found = cells.bit_length() - 1, []
    for level in range(height + 1):
        size = cells >> level
        if below & size:
            found.append((level, below // size - 1))
    return tuple(found)


@cache
def _people() -> tuple[FloatArray, IntArray]:
    """All ages in ascending order, and how many are in each of BARS cells: read once."""
    (ages,) = load_sample("ages")
    return np.sort(ages), np.histogram(ages, BARS, (0, YEARS))[0]


@cache
def _counts(cells: int, draw: int) -> tuple[tuple[FloatArray, ...], tuple[FloatArray, ...]]:
    """As drawn and combined, down to the level of which every edge is a border."""
    released = _released(cells, draw)
    return released.counts[:LEVELS], efficient(released).counts[:LEVELS]


def _released(cells: int, draw: int) -> TreeRelease:
    (ages,) = load_sample("ages")
    column = Column.from_values(ages, Bounds(0, YEARS), 1)
    tree = CountTree(fanout=2, height=cells.bit_length() - 1, noise=NOISE)
    return tree.release(column, PureDP(EPSILON), np.random.default_rng([10, draw]))


@cache
def error_laws() -> ErrorLaws:
    """A running count adds (K + 1)/2 cells on average, or h/2 + 1/K nodes of h + 1 levels."""
    cells = [2**height for height in HEIGHTS]
    flat = [math.sqrt((one + 1) / 2 * NOISE.variance(1 / EPSILON)) for one in cells]
    drawn = [math.sqrt((h / 2 + 2.0**-h) * _node(h)) for h in HEIGHTS]
    combined = [math.sqrt(combined_variance(h)) for h in HEIGHTS]
    return ErrorLaws(
        cells=tuple(cells),
        flat=tuple(flat),
        drawn=tuple(drawn),
        combined=tuple(combined),
        wins=_crossing(flat, drawn),
        combined_wins=_crossing(flat, combined),
    )


def _node(height: int) -> float:
    """Variance of a node: all levels share ε."""
    return NOISE.variance((height + 1) / EPSILON)


def combined_variance(height: int) -> float:
    """Mean variance of all running counts after least squares over the tree.

    The first t of 2m cells below one node lie at min(t, 2m − t)/√(2m) from constant halves.
    """
    cells = 2.0**height
    sizes = 2.0 ** np.arange(height, 0, -1)  # of the nodes that have children, root first
    energies = np.array([(cells + 1) * (2 * cells + 1) / (6 * cells), *(sizes**2 + 2) / 12 / sizes])
    levels = [_node(height)] * (height + 1)
    return float(energies_variance(energies, 2, levels, public_total=False))


def _crossing(flat: list[float], tree: list[float]) -> float:
    """Cells at which two errors are equal, on straight lines between powers of two."""
    apart = np.log(flat) - np.log(tree)
    return float(2 ** np.interp(0, apart, HEIGHTS))
