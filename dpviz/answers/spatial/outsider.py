"""What an outsider gets of a private map beside an answer: what its cells tell."""

from dataclasses import dataclass

from dpviz.answers.spatial import cells
from dpviz.answers.spatial.cells import CellsNumbers
from dpviz.answers.spatial.question import MapQuestion
from dpviz.answers.spatial.rectangle import CERTAIN
from dpviz.core.bounds import Box
from dpviz.core.spatial.release import SpatialRelease


@dataclass(frozen=True, slots=True, eq=False)
class OutsiderNumbers:
    """One method's map, made of the release alone; box is the declared one.

    cell_half is half of a cell's margin, levels how many there are, None for cells that are no
    tree; combined says whether counts are read after estimation.
    """

    cells: CellsNumbers
    box: Box
    cell_half: float
    levels: int | None
    combined: bool


def answer(asked: MapQuestion) -> OutsiderNumbers:
    """Worked out of the question, which holds no truth."""
    found = cells.answer(asked)
    return OutsiderNumbers(
        cells=found,
        box=asked.release.box,
        cell_half=CERTAIN * found.error,
        levels=asked.height + 1 if isinstance(asked.release, SpatialRelease) else None,
        combined=asked.is_combined,
    )
