"""A private map beside the truth, two of them beside each other, or one as an outsider gets it."""

from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.answers.spatial import cells, outsider, rectangle
from dpviz.answers.spatial.cells import CellsNumbers
from dpviz.answers.spatial.outsider import OutsiderNumbers
from dpviz.answers.spatial.question import MapQuestion
from dpviz.answers.spatial.rectangle import RectangleNumbers
from dpviz.core.confidential import confidential
from dpviz.counts.exact import ExactCells


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class MapNumbers:
    """The answer of each method, and its cells; deepest is the last level of any of them.

    alone is what an outsider gets of one method while the truth is hidden, else None.
    """

    answers: tuple[RectangleNumbers, ...]
    cells: tuple[CellsNumbers, ...]
    deepest: int
    alone: OutsiderNumbers | None


def answer(asked: Sequence[MapQuestion], truths: Sequence[ExactCells | None]) -> MapNumbers:
    """One question a method; truths are of the cells of their releases."""
    both = list(zip(asked, truths, strict=True))
    is_alone = len(both) == 1 and both[0][1] is None
    return MapNumbers(
        answers=tuple(rectangle.answer(*one) for one in both),
        cells=tuple(cells.answer(*one) for one in both),
        deepest=max(one.height for one in asked),
        alone=outsider.answer(asked[0]) if is_alone else None,
    )
