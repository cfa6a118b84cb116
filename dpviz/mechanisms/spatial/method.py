"""A spatial method as one row: its names, how it is built, and how it is read and drawn."""

from collections.abc import Callable
from dataclasses import dataclass, field

from dpviz.core.bounds import Box
from dpviz.core.budgets import Neighbours
from dpviz.core.card import Card
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.mechanisms.medians.exponential import ExponentialMedian
from dpviz.mechanisms.medians.protocol import PrivateMedian
from dpviz.mechanisms.spatial.protocol import SpatialMechanism


@dataclass(frozen=True, slots=True)
class SpatialChoice:
    """What a person or a study chooses for any method; a method takes what it has a use for.

    levels is the split of the count budget, None for the method's own; workload is the split that
    was optimised for a workload; cells is kd-cell's grid, tested its variant of this project;
    switch is kd-hybrid's level, None for half-way; order is the Hilbert curve's.
    """

    box: Box
    height: int
    median: PrivateMedian = field(default_factory=ExponentialMedian)
    noise: Noise | None = None
    neighbours: Neighbours = Neighbours.ADD_REMOVE
    levels: LevelBudget | None = None
    workload: LevelBudget | None = None
    cells: tuple[int, int] | None = None
    tested: bool = False
    switch: int | None = None
    median_share: float = 0.3
    order: int = 18


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Seconds of one release and its reading: at the start, for a node, a point, a grid cell.

    Measured on one ordinary core; an estimate for points is as confidential as their number.
    """

    start: float = 0.01
    node: float = 1.3e-7
    point: float = 2e-7
    cell: float = 0.0

    def seconds(self, height: int, points: int, cells: tuple[int, int]) -> float:
        """About how long a release takes; cells is the grid of kd-cell."""
        grid = self.cell * cells[0] * cells[1]
        return self.start + self.node * 4.0**height + self.point * points + grid


@dataclass(frozen=True, slots=True, kw_only=True)
class SpatialMethod:
    """One row of the catalogue's table of spatial methods.

    name is the one on screen, paper the one in the figures of Cormode et al. 2012. estimated says
    that answers are read after the efficient estimator, follows_points that splits depend on the
    points (the paper prunes these), uses_median that splits are medians of the person's choice,
    for_workload that the method needs a split made for a workload. knobs names what else a person
    may set: levels (budgets), share (of medians), switch, order, cells. hue is that of a Card.
    """

    name: str
    paper: str
    card: Card
    build: Callable[[SpatialChoice], SpatialMechanism]
    estimated: bool = True
    follows_points: bool = False
    uses_median: bool = False
    for_workload: bool = False
    knobs: tuple[str, ...] = ()
    pace: Pace = Pace()
    hue: str = ""

    @property
    def private(self) -> bool:
        """Whether everything that a release of the method holds is private."""
        return "not private" not in self.card.role


@dataclass(frozen=True, slots=True, kw_only=True)
class MedianMethod:
    """One row of the catalogue's table of private medians.

    name is the one in pickers, paper the one in Fig. 4 of Cormode et al. 2012, whose settings are
    those of as_printed.
    """

    name: str
    title: str
    paper: str
    median: PrivateMedian
    as_printed: PrivateMedian
    card: Card
    hue: str = ""
