"""Private medians by the exponential mechanism.

For a release the points of nodes are whole coordinates, so that their medians are drawn exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.budgets import ZCDP, ApproxDP, Budget, Neighbours, PureDP
from dpviz.core.card import BOTH, Card
from dpviz.core.confidential import confidential
from dpviz.core.conversions import bounded_range_epsilon, bounded_range_to_zcdp
from dpviz.core.errors import InvalidParameter, UnsupportedBudget
from dpviz.core.grid import as_written
from dpviz.core.point_grid import crowded
from dpviz.core.ragged import offsets, ragged
from dpviz.core.randomness.bits import Bits, Randomness, bits_of
from dpviz.mechanisms.exponential.lazy_points import LazyPoints, Records
from dpviz.mechanisms.exponential.occupied_cells import KnownCells
from dpviz.mechanisms.exponential.on_points import draw_points
from dpviz.mechanisms.exponential.point_columns import put_in_order, spread_inside
from dpviz.mechanisms.exponential.point_problems import UNITS, PointProblems
from dpviz.mechanisms.exponential.rho_rule import RhoRule
from dpviz.mechanisms.exponential.safe_epsilons import epsilon_for_rho, part_of
from dpviz.mechanisms.medians.protocol import Cost, Groups, check_step

SHIFT = 8  # a cell is cut into 2^8 places, and each point draws its own
KEY_BITS = 62
FEW = 4  # points of a place that draw one by one: many nodes look at each a few times


@dataclass(frozen=True, slots=True)
class ExponentialMedian:
    """A place with a records below and b up to it has weight exp(−η max(0, a − n/2, n/2 − b)).

    Places are whole numbers: the declared axis is cut into 2^24 cells, every point draws its place
    in its cell, and a cell is what comes out. η = ε/(2Δ).

    One record more or less moves a − n/2 by exactly Δ = ½, so η = ε: twice that of PSD's
    Definition 5, whose target is the rank of a record. Replacing a record moves k by 1 in one
    node (Δ = 1), or touches two nodes, which lose η = ε/2 each: Δ = 1 covers both. In ρ, ε-bounded
    range costs about ε²/8; two nodes of ε/2 cost half of that.

    >>> dp.KdTree(3, dp.ExponentialMedian()).release(points, dp.PureDP(1)).spent
    PureDP(epsilon=1.0)

    Guarantee: PureDP and ZCDP under either relation, exact in the program.
    Source: Cormode et al. 2012, Definition 5; McSherry and Talwar 2007; Cesar and Rogers 2021.
    """

    name: ClassVar[str] = "exponential"
    card: ClassVar[Card] = Card(
        key="ExponentialMedian",
        title="Median by the exponential mechanism",
        words="exponential mechanism",
        lead="Draws the median with a chance that falls with every rank from the middle.",
        promises=("pure", "zcdp"),
        price="tied values leave it no room",
        use="the cuts of maps: the default",
        label="exponential",
        family="Maps",
        summary="Each node draws its median with a density that falls by $e^{-\\eta}$ for every "
        "rank away from the middle.",
        guarantee="pure ε, ρ-zCDP",
        neighbours=BOTH,
        cost="independent of $n$ once values are sorted",
        good_for="the splits of kd-trees and Hilbert R-trees: the default",
        watch_out="tied values leave no room between them",
        source="Cormode et al. 2012, §6; McSherry and Talwar 2007",
        holds="exact",
    )
    needs_order: ClassVar[bool] = True
    takes_delta: ClassVar[bool] = False

    @property
    def parameters(self) -> dict[str, Any]:
        """Name and all parameters as plain values."""
        return {"name": self.name}

    def check(self, budget: Budget, neighbours: Neighbours) -> None:
        """Refuse (ε, δ)."""
        self.eta(budget, neighbours)

    def eta(self, budget: Budget, neighbours: Neighbours) -> float:
        """η of a step, by how much the log density falls for each rank from the middle."""
        check_step(budget, neighbours)
        match budget:
            case PureDP(epsilon):
                return epsilon / (2 * _sensitivity(neighbours))
            case ZCDP(rho):
                return bounded_range_epsilon(rho) / (2 * _sensitivity(neighbours))
            case ApproxDP():
                raise UnsupportedBudget(
                    "The exponential mechanism makes no use of δ. Choose the smooth-sensitivity "
                    "median, or a budget in ε or ρ."
                )

    def cost(self, budget: Budget, neighbours: Neighbours) -> Cost:
        """2Δη in ε, r(2Δη) in ρ."""
        epsilon = self.eta(budget, neighbours) * 2 * _sensitivity(neighbours)
        if isinstance(budget, ZCDP):
            return Cost(rho=bounded_range_to_zcdp(epsilon).rho)
        return Cost(epsilon)

    def safe_eta(self, budget: Budget, neighbours: Neighbours) -> float:
        """As eta, never rounded up: what draw takes."""
        self.eta(budget, neighbours)  # refuses (ε, δ)
        if isinstance(budget, ZCDP):
            epsilon = epsilon_for_rho(as_written(budget.rho), 1, RhoRule.BOUNDED_RANGE)
        else:
            epsilon = part_of(budget.size, 1)
        return epsilon / (2 * _sensitivity(neighbours))  # twice the sensitivity is 1 or 2

    def draw(
        self, groups: Groups, budget: Budget, neighbours: Neighbours, rng: Randomness
    ) -> FloatArray:
        """Medians (p,); an empty node draws uniformly in its range, a zero-width one its end."""
        bits, eta = bits_of(rng), self.safe_eta(budget, neighbours)
        whole = WholeGroups.of(groups, bits)
        problems = whole.medians(eta)
        points = draw_points(whole.records, problems, whole.domain, bits)  # spends the budget
        return whole.printed(points)


def _sensitivity(neighbours: Neighbours) -> float:
    return 0.5 if neighbours is Neighbours.ADD_REMOVE else 1.0


@confidential()
@dataclass(frozen=True, eq=False)
class WholeGroups:
    """Records and problems of all nodes on the points of one axis: confidential but for low, high.

    Shapes: low and high (p,), the cells of each node's public range; records (n,) ascend with the
    problems' offsets; starts (p + 1,), the records in front of each node.
    """

    groups: Groups
    low: IntArray
    high: IntArray
    records: Records
    offset: IntArray
    starts: IntArray

    @classmethod
    def of(cls, groups: Groups, bits: Bits) -> WholeGroups:
        """Every point in the cell of its coordinate, and at a place of its own inside.

        The map looks at one point alone and at public ranges, so the cost of a median is unchanged.
        Nodes that do not lie one above the other are told apart by an offset each.
        """
        low, high = _cells(groups, groups.low), _cells(groups, groups.high)
        offset = _offsets(low, high, groups.cells)
        records = _own_cells(groups, low, high)
        if groups.weights is not None:
            records += np.repeat(offset >> SHIFT, groups.held)
            return cls._lazily(groups, low, high, records, bits)
        records <<= SHIFT
        spread_inside(records, SHIFT, bits)
        narrow = np.flatnonzero(low >= high)
        if narrow.size:  # a node without width has one place
            node, at = ragged(groups.held[narrow])
            records[groups.starts[narrow][node] + at] &= -1 << SHIFT
        if offset.any():
            records += np.repeat(offset, groups.held)
        if groups.ordered:
            put_in_order(records, crowded(records, SHIFT))
        else:
            records.sort()
        return cls(groups, low, high, records, offset, groups.starts)

    @classmethod
    def _lazily(
        cls, groups: Groups, low: IntArray, high: IntArray, cells: IntArray, bits: Bits
    ) -> WholeGroups:
        """The same where values stand for many points, whose places are drawn when looked at.

        The points of a node without width are left out: it has one place to draw, and it may lie
        in the first cell of the next node.
        """
        assert groups.weights is not None
        weights = np.where(np.repeat(low < high, groups.held), groups.weights, 0)
        starts = offsets(weights)[groups.starts]
        if not groups.ordered:
            order = np.argsort(cells, kind="stable")
            cells, weights = cells[order], weights[order]
        cells, weights = cells[weights > 0], weights[weights > 0]
        records: Records = cells
        if cells.size:
            first = np.flatnonzero(np.diff(cells, prepend=-1))
            counts = np.add.reduceat(weights, first)
            records = LazyPoints(KnownCells(cells[first], counts), SHIFT, bits, FEW)
        return cls(groups, low, high, records, _offsets(low, high, groups.cells), starts)

    def medians(self, eta: float) -> PointProblems:
        """The medians of all nodes as problems."""
        half = np.full(self.low.size, UNITS // 2)
        return PointProblems(
            self.starts[:-1],
            self.starts[1:],
            self.low << SHIFT,
            self.high << SHIFT,
            half,
            np.full(self.low.size, eta),
            self.offset,
        )

    @property
    def domain(self) -> int:
        """Points of the whole axis."""
        return self.groups.cells << SHIFT

    def printed(self, points: IntArray) -> FloatArray:
        """The lower ends of the points' cells, inside the nodes' ranges."""
        axis = self.groups.axis
        values = axis.low + axis.width * ((points >> SHIFT) / self.groups.cells)
        return np.clip(values, self.groups.low, self.groups.high)


def _own_cells(groups: Groups, low: IntArray, high: IntArray) -> IntArray:
    """The cell of each point, inside its node's range, (n,)."""
    axis, last = groups.axis, np.maximum(high - 1, low)
    if axis.low == 0 and axis.width == groups.cells == 1 << (groups.cells.bit_length() - 1):
        cell = groups.values.astype(np.int64)  # what the doubles below would give exactly
    else:
        place = groups.values - axis.low
        place /= axis.width
        place *= groups.cells
        cell = place.astype(np.int64)  # rounds down, for no value lies below the axis
    if low.size == 1:
        return np.clip(cell, low[0], last[0], out=cell)
    if groups.ordered:  # then all are inside where the first and the last of each node are
        filled = np.flatnonzero(groups.held)
        first, final = cell[groups.starts[filled]], cell[groups.starts[filled + 1] - 1]
        outside = filled[(first < low[filled]) | (final > last[filled])]
    else:
        outside = np.arange(low.size)
    node, at = ragged(groups.held[outside])
    node = outside[node]
    at += groups.starts[node]
    cell[at] = np.clip(cell[at], low[node], last[node])
    return cell


def _cells(groups: Groups, ends: FloatArray) -> IntArray:
    axis = groups.axis
    cells: IntArray = np.rint((ends - axis.low) / axis.width * groups.cells).astype(np.int64)
    return cells


def _offsets(low: IntArray, high: IntArray, cells: int) -> IntArray:
    """What keeps the nodes' points apart; nothing where the ranges ascend already."""
    if (low[1:] >= high[:-1]).all():
        return np.zeros(low.size, dtype=np.int64)
    width = (cells << SHIFT).bit_length()
    if width + low.size.bit_length() > KEY_BITS:
        raise InvalidParameter(
            f"Medians of {low.size:,} nodes on {cells:,} cells need more than {KEY_BITS} bits. "
            "Choose a smaller height or a coarser order."
        )
    return np.arange(low.size, dtype=np.int64) << width
