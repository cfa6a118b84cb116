"""From a release to one side of a picture: its colours, its title, its answer."""

from dpviz.answers.spatial import cells, cells_said, colours, colours_said
from dpviz.answers.spatial.cells import CellsNumbers
from dpviz.answers.spatial.colours import ColoursNumbers
from dpviz.answers.spatial.question import MapQuestion
from dpviz.answers.spatial.rectangle import RectangleNumbers
from dpviz.core.arrays import IntArray
from dpviz.core.data.grid_counts import GridCounts, Plane
from dpviz.figures.kit.look import Look
from dpviz.figures.spatial import dots
from dpviz.figures.spatial.field import Field
from dpviz.figures.spatial.pictures import Side, TruePoints
from dpviz.ui.kit import memory
from dpviz.ui.spatial import words
from dpviz.ui.spatial.page import MapPage
from dpviz.ui.spatial.reading import Reading


def plain_side(title: str, asked: MapQuestion, reading: Reading) -> Side:
    """The cells of a level, coloured as they are read, and how many there are behind the title."""
    found = colours.answer(asked, reading.colour, sure=reading.sure)
    return Side(f"{title}: {colours_said.cells_text(found)}", _field(found))


def _field(found: ColoursNumbers) -> Field:
    names = words.names()
    what, form = colours_said.what(found, names), colours_said.form(found)
    return Field(
        found.box, found.boxes, found.values, what, form, colours_said.note(found), found.sure,
        found.borders, found.grid,
    )  # fmt: skip


def side_of(
    page: MapPage, asked: MapQuestion, answer: RectangleNumbers, found: CellsNumbers,
    reading: Reading, look: Look,
) -> Side:  # fmt: skip
    """The private side of a picture; its title says what is not protected, if anything is."""
    coloured = colours.answer(asked, reading.colour, sure=reading.sure)
    said = cells_said.title(
        found,
        colours_said.cells_text(coloured),
        is_one=len(page.shown) == 1,
        sure=coloured.sure is not None,
    )
    fits = look.phone or (look.screen == "wide" and not look.presenting)  # beside the key
    behind = colours.answering(asked) if reading.answering else None
    over = dots_of(page.points, look.ink.truth) if reading.points else ""
    return Side(
        said(brief=not fits), _field(coloured), answer, behind, over,
        margin=page.truth is None,
    )  # fmt: skip


def dots_of(points: Plane, colour: str) -> str:
    """The true points as an image; drawn once for each theme. Confidential."""
    key = ("dots", points.fingerprint, colour)
    return memory.public(points, key, lambda: dots.image(_dots(points), colour))


def _dots(points: Plane) -> IntArray:
    if isinstance(points, GridCounts):
        return dots.of_grid(points.counts, points.box)
    return dots.counted((points.x, points.y), points.box)


def truth_of(page: MapPage, colour: str) -> TruePoints:
    """The true side of a picture. Confidential."""
    title = cells_said.true_title(cells.points_of(page.points), words.names())
    return TruePoints(dots_of(page.points, colour), title)
