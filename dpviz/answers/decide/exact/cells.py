"""A map of equal cells, right in a block of them: what it needs and buys, and how it is said.

The promise is about a block taken at random: its place is, and its noise, which is nearly normal.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from statistics import NormalDist

import numpy as np
from scipy.special import erf

from dpviz.answers.decide.exact import frame
from dpviz.answers.decide.needs import often_words
from dpviz.answers.decide.price import Need, Price
from dpviz.answers.number_text import place
from dpviz.answers.said import Line, Said, plain, private, true
from dpviz.answers.spatial.cells import is_sure
from dpviz.core.arrays import BoolArray, FloatArray, frozen
from dpviz.core.bounds import Bounds, Box
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.confidential import confidential
from dpviz.core.data.grid_counts import Plane
from dpviz.core.errors import InvalidParameter
from dpviz.core.randomness.bits import Randomness
from dpviz.core.spatial.boxes import FANOUT, grid_edges
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.core.trees.tree_noise import Root
from dpviz.counts.grid_index import count_once
from dpviz.estimators.answers import estimate, range_counts
from dpviz.estimators.spatial.quadtree_ranges import Spans, span_energies
from dpviz.estimators.trees.workload import energies_variance
from dpviz.mechanisms.counting.noisy_counts import noise_scale
from dpviz.mechanisms.counting.workload_split import workload_optimal
from dpviz.mechanisms.spatial.quadtree import Quadtree
from dpviz.mechanisms.spatial.uniform_grid import UniformGrid, grid_boxes

GRID, SPLIT, GEOMETRIC = "grid", "split", "geometric"
MOST_SIDE = 512  # cells a side; a block has a place for nearly each
STEPS, CLOSE = 60, 1e-14  # of Newton's way to an error, and where it ends

Released = SpatialRelease | Cells


@dataclass(frozen=True, slots=True)
class CellsQuestion:
    """side × side equal cells of a box, and a block of block × block of them that has to be right.

    Raises: InvalidParameter for a side outside 2 … 512, and a block outside 1 … side.
    """

    budget: Budget
    box: Box
    side: int = 64
    block: int = 16
    neighbours: Neighbours = Neighbours.ADD_REMOVE
    people: int | None = None

    def __post_init__(self) -> None:
        frame.check_people(self.people)
        if not 2 <= self.side <= MOST_SIDE:
            raise InvalidParameter(f"A map has 2 to {MOST_SIDE} cells a side, got {self.side}.")
        if not 1 <= self.block <= self.side:
            raise InvalidParameter(f"A block has 1 to {self.side} cells a side, got {self.block}.")

    @property
    def height(self) -> int | None:
        """Of a quadtree whose leaves are the cells; None for a side that is no power of two."""
        height = self.side.bit_length() - 1
        return height if 1 << height == self.side else None

    @property
    def ways(self) -> tuple[str, ...]:
        """A plain grid; and quadtrees, where the side is a power of two."""
        return (GRID,) if self.height is None else (GRID, GEOMETRIC, SPLIT)

    def words(self, way: str) -> str:
        """What a way is called behind "by a"."""
        return {GRID: "plain grid", GEOMETRIC: "geometric quadtree", SPLIT: "quadtree"}[way]

    def counted(self, way: str, size: float) -> tuple[int, ...]:
        """Sides, in cells, of the squares that a way counts: (1, 8) for cells and 8 × 8 of them."""
        if way == GRID:
            return (1,)
        scales = self._tree(way, size).tree_noise(self.budget.resized(size)).scales
        known = [level for level, scale in enumerate(scales) if math.isfinite(scale)]
        return tuple(self.side >> level for level in reversed(known))

    def mechanism(self, way: str, size: float) -> UniformGrid | Quadtree:
        """What releases it at a size of the budget, which the split is made for.

        Raises: KeyError for another way.
        """
        if way == GRID:
            return UniformGrid(self.side, neighbours=self.neighbours)
        return self._tree(way, size)

    def off(self, way: str, size: float, need: Need) -> float:
        """By the exact variances of the blocks at all places, each noise taken as normal."""
        return frame.in_unit(self._at_random(way, size, need.sure), need, self.people)

    def variances(self, way: str, size: float) -> tuple[FloatArray, FloatArray]:
        """Different variances (k,) of a block's count, and the share (k,) of places with each."""
        return _variances(self, way, size)

    def _at_random(self, way: str, size: float, sure: float) -> float:
        """Newton's steps from where the best place alone is as sure: chances are concave there.

        A block that is the whole map of a public number of people is known without noise.
        """
        variances, shares = self.variances(way, size)
        if not variances.all():
            return 0.0
        errors = np.sqrt(variances)
        off = float(errors.min()) * NormalDist().inv_cdf((1 + sure) / 2)
        for _ in range(STEPS):
            apart = off / errors
            slope = shares @ (np.exp(-(apart**2) / 2) / errors) * math.sqrt(2 / math.pi)
            step = float((sure - shares @ erf(apart / math.sqrt(2))) / slope)
            off += step
            if step <= CLOSE * off:
                break
        return off

    def _tree(self, way: str, size: float) -> Quadtree:
        height, budget = self._tall(), self.budget.resized(size)
        is_public = self.neighbours is Neighbours.REPLACE_ONE and self.people is not None
        split = partial(_split, height, self.block, budget, is_public=is_public)
        levels: dict[str, Callable[[], LevelBudget | None]] = {
            GEOMETRIC: lambda: None,
            SPLIT: split,
        }
        return Quadtree(
            height,
            levels[way](),
            root=Root.PUBLIC if is_public else Root.RELEASED,
            neighbours=self.neighbours,
            records=self.people if is_public else None,
        )

    def _tall(self) -> int:
        if self.height is None:
            raise InvalidParameter(f"A quadtree has 2, 4, 8 … cells a side, not {self.side}.")
        return self.height


@lru_cache(maxsize=1024)  # of public numbers: the searches for two needs begin at the same sizes
def _variances(question: CellsQuestion, way: str, size: float) -> tuple[FloatArray, FloatArray]:
    mechanism = question.mechanism(way, size)
    if isinstance(mechanism, UniformGrid):
        alone = _variance(question, way, size, (0, 0), question.block)
        return frozen(np.array([alone])), frozen(np.ones(1))
    noise = mechanism.tree_noise(question.budget.resized(size))
    energies, shares = _places(mechanism.height, question.block)
    public = noise.root is Root.PUBLIC
    found = energies_variance(energies, FANOUT, noise.variances, public_total=public)
    return frozen(found), frozen(shares)


@lru_cache(maxsize=32)
def _places(height: int, block: int) -> tuple[FloatArray, FloatArray]:
    """Energies (k, h + 1) of the blocks at all places, each kind once, and the share (k,) of it."""
    low = np.arange((1 << height) - block + 1, dtype=np.float64)
    corners = np.stack([one.ravel() for one in np.meshgrid(low, low)], axis=1)
    kinds, many = np.unique(_energies(height, corners, block).round(9), axis=0, return_counts=True)
    return kinds, many / many.sum()


@lru_cache(maxsize=1024)  # of public numbers
def _split(height: int, block: int, budget: Budget, *, is_public: bool) -> LevelBudget:
    """The split of a quadtree's levels with the least mean variance of a block at random."""
    energies, shares = _places(height, block)
    root = Root.PUBLIC if is_public else Root.RELEASED
    relation = Neighbours.REPLACE_ONE if is_public else Neighbours.ADD_REMOVE
    tree = Quadtree(height, root=root, neighbours=relation).counter(budget)
    return workload_optimal(tree, budget, shares @ energies)[0].levels


@confidential("box", "side", "block", "half", "asked", "sure", "is_made_up", "is_published")
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CellsBuys(frame.Kept):
    """Shapes: boxes (k, 4), counts and is_certain (k,), columns x_low, x_high, y_low, y_high.

    counts are those of one release, a possible one or the one that was made; or made-up ones.
    is_certain marks cells that are not empty for sure. frame (4,) is the block that is looked at,
    of width × height in the box's units, with count in it, give or take give; a block taken at
    random is off by at most half. Both in whole people, with probability sure. truth, in the
    frame, and off, how far count is from it, are confidential, and None while the truth is hidden.
    """

    box: Box
    side: int
    block: int
    boxes: FloatArray
    counts: FloatArray
    is_certain: BoolArray
    frame: FloatArray
    width: float
    height: float
    count: float
    give: float
    truth: float | None
    off: float | None
    is_made_up: bool


def release(
    question: CellsQuestion, data: Plane, way: str, size: float, rng: Randomness
) -> Released:
    """Spend a budget of this size once."""
    return question.mechanism(way, size).release(data, question.budget.resized(size), rng)


def buys(
    question: CellsQuestion,
    price: Price,
    data: Plane | None,
    rng: Randomness | None = None,
    *,
    released: Released | None = None,
    is_true: bool = True,
    at: tuple[int, int] | None = None,
) -> CellsBuys:
    """One possible release of the data, or the one that was made; without both a made-up map.

    at is the column and row of the frame's lower left cell; else the frame stands in the middle. A
    made-up map is even. is_true shows the truth, where there are data.
    Raises: InvalidParameter for a frame that leaves the map; as count.buys.
    """
    size, way = frame.size_of(price), price.chosen.key
    drawn = frame.drawn_of(release, question, price, data, rng, released)
    corner = _corner(question, at)
    looked = _frame(question, corner)
    boxes, counts, count = _counted(question, drawn, looked)
    cell = _variance(question, way, size, (0, 0), 1)  # the same at every place
    noise = _variance(question, way, size, corner, question.block)
    truth = count_once(data, looked[0]) if data is not None and is_true else None
    normal = NormalDist().inv_cdf((1 + price.need.sure) / 2)
    return CellsBuys(
        box=question.box,
        side=question.side,
        block=question.block,
        boxes=boxes,
        counts=counts,
        is_certain=is_sure(counts, np.full(counts.size, cell)),
        frame=looked[0],
        width=float(looked[0, 1] - looked[0, 0]),
        height=float(looked[0, 3] - looked[0, 2]),
        count=count,
        give=frame.half_of(normal * math.sqrt(noise)),
        truth=truth,
        off=None if truth is None else abs(count - truth),
        is_made_up=drawn is None,
        **frame.promised(question, price, is_published=released is not None),
    )


def _corner(question: CellsQuestion, at: tuple[int, int] | None) -> tuple[int, int]:
    """The frame's lower left cell."""
    last = question.side - question.block
    column, row = (last // 2, last // 2) if at is None else at
    if not (0 <= column <= last and 0 <= row <= last):
        raise InvalidParameter(f"The frame begins at cell 0 to {last} each way, not at {at}.")
    return column, row


def _frame(question: CellsQuestion, corner: tuple[int, int]) -> FloatArray:
    """Its rectangle, (1, 4)."""
    sides = (question.box.x, question.box.y)
    edges = (grid_edges(side, question.side) for side in sides)
    ends = zip(edges, corner, strict=True)
    return np.array([[end for all_, low in ends for end in all_[[low, low + question.block]]]])


def _variance(
    question: CellsQuestion, way: str, size: float, corner: tuple[int, int], block: int
) -> float:
    """Exact, of the noise in block × block cells from a corner on, as the estimate reads them."""
    budget = question.budget.resized(size)
    mechanism = question.mechanism(way, size)
    if isinstance(mechanism, UniformGrid):
        law = mechanism.law(budget)
        return block**2 * law.variance(noise_scale(law, budget, 1.0, question.neighbours))
    noise = mechanism.tree_noise(budget)
    public = noise.root is Root.PUBLIC
    energies = _energies(mechanism.height, np.array([corner], dtype=np.float64), block)
    return float(energies_variance(energies, FANOUT, noise.variances, public_total=public)[0])


def _energies(height: int, corners: FloatArray, block: int) -> FloatArray:
    """Of blocks with corners (q, 2), in cells of a quadtree's leaves, (q, h + 1)."""
    unit = Bounds(0, 1 << height)
    x, y = corners.T
    rows = np.stack((x, x + block, y, y + block), axis=1)
    return span_energies(Spans.of(Box(unit, unit), height, rows))


def _counted(
    question: CellsQuestion, drawn: Released | None, looked: FloatArray
) -> tuple[FloatArray, FloatArray, float]:
    """Rectangles (k, 4) of the cells, their counts (k,), and the count in the frame."""
    if drawn is None:
        boxes = grid_boxes(question.box, question.side)
        each = float(question.people or 0) / question.side**2
        return boxes, np.full(boxes.shape[0], each), each * question.block**2
    read = estimate(drawn)
    count = float(range_counts(read, looked)[0][0])
    if isinstance(read, Cells):
        return read.boxes, read.counts, count
    return read.level_boxes(read.levels.height), read.levels.counts[-1], count


def said(found: CellsBuys, names: frame.Names) -> Said:
    """How many are in the frame, give or take, and how far off a block taken at random can be."""
    give, half, count = (
        frame.amount(found.give),
        frame.amount(found.half),
        frame.amount(found.count),
    )
    block = f"{found.block} × {found.block}"
    unit = f" {names.unit}" if names.unit else ""
    large = plain(f"{place(found.width)} × {place(found.height)}{unit}")
    people = plain(names.after(half))
    promise = f"off by at most {private(half)}"
    seen = frame.state(found).brief
    if found.is_made_up:
        headline = Line(
            f"A block of {block} cells is {promise} {people}, {often_words(found.sure)}.",
            f"A block is {promise} {people}.",
        )
        made = frame.made_up("the map")
        full = f"A block, taken at random, is {large}. {made.brief}"
        second = Line(full, made.brief)
        return frame.whole(headline, second)
    inside = plain(names.after(count))
    headline = Line(
        f"This block holds about {private(count)} {inside}, give or take {private(give)}.",
        f"This block: {private(count)}, give or take {private(give)}.",
    )
    full = f"{seen} A block is {large}; taken at random, it is {promise}"
    off = "." if found.off is None else f", and this one by {true(frame.amount(found.off))}."
    return frame.whole(headline, Line(f"{full}{off}", seen))
