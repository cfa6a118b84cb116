"""One node of a tree of rectangles: where it lies, how it is cut, and its count as it is read."""

import math
from dataclasses import dataclass

from dpviz.answers.spatial.question import MapQuestion
from dpviz.answers.spatial.rectangle import CERTAIN
from dpviz.core.confidential import confidential
from dpviz.core.person_rows import rows_of
from dpviz.core.spatial.geometry import HilbertCut
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.trees.shape import Levels
from dpviz.counts.exact import ExactCells
from dpviz.estimators.spatial.audit import level_spending
from dpviz.estimators.spatial.estimate import SpatialEstimate

Node = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ReadNode:
    """A node's count under one reading, in people, and its variance, in people²."""

    reading: str
    count: float
    variance: float

    @property
    def error(self) -> float:
        """The standard error of the count, in people."""
        return math.sqrt(self.variance)

    @property
    def half(self) -> float:
        """Half of the margin: what is given or taken 19 times in 20."""
        return CERTAIN * self.error


@dataclass(frozen=True, slots=True)
class Spending:
    """What a count of each level costs, root first, in unit; of_a_record that it is each record.

    steps is how many medians lie on a path, share the part of the budget that they take.
    """

    levels: tuple[float, ...]
    unit: str
    of_a_record: bool
    steps: int
    share: float


@confidential("node")
@dataclass(frozen=True, slots=True, eq=False)
class NodeNumbers:
    """The node (level, number), its rectangle and the nodes above it, root first, itself last.

    cut is where it is cut: in x, then in y on the left and on the right; None for a leaf and where
    cells overlap, which the curve's do. readings end with the one in use. spending is None
    for exact counts, true confidential and None while the truth is hidden.
    """

    node: Node
    box: tuple[float, float, float, float]
    path: tuple[Node, ...]
    is_leaf: bool
    cut: tuple[float, float, float] | None
    readings: tuple[ReadNode, ...]
    spending: Spending | None
    true: float | None


def answer(asked: MapQuestion, node: Node, truth: ExactCells | None = None) -> NodeNumbers:
    """The node of a tree; truth is of the cells of the question's release."""
    release, (level, number) = asked.release, node
    assert isinstance(release, SpatialRelease)
    x_low, x_high, y_low, y_high = map(float, release.level_boxes(level)[number])
    return NodeNumbers(
        node=node,
        box=(x_low, x_high, y_low, y_high),
        path=tuple((up, number >> 2 * (level - up)) for up in range(level + 1)),
        is_leaf=level == asked.height,
        cut=_cut(release, node),
        readings=tuple(_read(name, levels, node) for name, levels in _readings(asked, release)),
        spending=_spending(release),
        true=None if truth is None else float(truth.levels[level][number]),
    )


def _readings(asked: MapQuestion, release: SpatialRelease) -> list[tuple[str, Levels]]:
    found = [("released", release.levels)]
    if isinstance(asked.reading, SpatialEstimate):
        name = "estimated, pruned" if asked.is_pruned else "estimated"
        found.append((name, asked.reading.levels))
    return found


def _read(name: str, levels: Levels, node: Node) -> ReadNode:
    level, number = node
    variance = float(levels.node_variances(level)[number])
    return ReadNode(name, float(levels.counts[level][number]), variance)


def _cut(release: SpatialRelease, node: Node) -> tuple[float, float, float] | None:
    level, number = node
    if level == release.shape.height or isinstance(release.geometry, HilbertCut):
        return None
    children = release.level_boxes(level + 1)[4 * number : 4 * number + 4]
    return float(children[0, 1]), float(children[0, 3]), float(children[2, 3])


def _spending(release: SpatialRelease) -> Spending | None:
    if release.spent is None:
        return None
    spent = level_spending(release)
    return Spending(
        levels=tuple(map(float, spent.levels)),
        unit=spent.unit,
        of_a_record=rows_of(release.parameters) is not None,
        steps=len(release.structure.steps),
        share=release.structure.share,
    )
