"""The colours of a map's cells, each worked out anew, slowly; and what is said of them."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.spatial import colours_said as said
from dpviz.answers.spatial.colours import Colour, answer, answering
from dpviz.answers.spatial.names import Names
from dpviz.core.spatial.cells import Cells
from tests.answers.spatial.questions import (
    BOX,
    GRIDS,
    NOBODY,
    TREES,
    asked,
    ends_of,
    fraction,
    slow,
)
from tests.rows import by_rows


@by_rows("colour", Colour)
@by_rows("method", [*TREES, *GRIDS])
def test_values_are_counts_densities_or_errors(method, colour):
    question = asked(method, depth=2)
    found, twin = answer(question, colour, sure=True), slow(question)
    level = 0 if isinstance(question.release, Cells) else 2
    boxes = twin.boxes[level]
    counts, variances = zip(*(twin.node(level, cell) for cell in range(len(boxes))), strict=True)
    sizes = [(box[1] - box[0]) * (box[3] - box[2]) for box in boxes]
    even = max(sizes) - min(sizes) <= 1e-6 * max(sizes)
    assert even == (method.startswith("quadtree") or method == "uniform grid")
    wanted = Colour.COUNT if even and colour is Colour.DENSITY else colour
    assert found.colour is wanted
    values = {
        Colour.COUNT: counts,
        Colour.DENSITY: [one / size for one, size in zip(counts, sizes, strict=True)],
        Colour.ERROR: [one**0.5 for one in variances],
    }[wanted]
    np.testing.assert_allclose(found.values, values, rtol=1e-9)
    np.testing.assert_array_equal(found.boxes, boxes)
    sure = [one > 3 * variance**0.5 for one, variance in zip(counts, variances, strict=True)]
    if wanted is Colour.ERROR:
        assert found.sure is None
    else:
        assert list(found.sure) == sure
    assert answer(question, colour, sure=False).sure is None
    same = max(variances) - min(variances) <= 1e-6 * max(variances)
    assert found.error == (pytest.approx(variances[0] ** 0.5) if same else None)
    assert found.box == BOX


def test_a_cell_without_area_has_no_density():
    question = asked("kd-tree", depth=2)
    boxes = np.array(question.reading.level_boxes(2))
    flat = type("Flat", (), {"level_boxes": lambda *_: boxes, "levels": question.reading.levels})()
    boxes[3, 1] = boxes[3, 0]
    found = answer(replace(question, reading=flat), Colour.DENSITY, sure=False)
    assert np.flatnonzero(np.isnan(found.values)).tolist() == [3]


@pytest.mark.parametrize(
    ("method", "grid"), [("quadtree, optimal", (4, 4)), ("kd-tree", None), ("PrivTree", None)]
)
def test_a_grid_is_one_of_equal_cells(method, grid):
    found = answer(asked(method, depth=2), Colour.COUNT, sure=False)
    assert (None if found.grid is None else (found.grid.rows, found.grid.columns)) == grid
    if found.grid is None:
        assert said.cells_text(found) == f"{len(found.boxes)} cells"
        return
    assert said.cells_text(found) == "4 × 4 cells"
    filled = found.grid.filled(found.values)
    for box, value in zip(found.boxes, found.values, strict=True):
        column, row = round((box[0] - BOX.x.low) / 2.5), round((box[2] - BOX.y.low) / 2)
        assert filled[row, column] == value


def test_cells_are_counted_columns_first_and_one_is_one():
    found = answer(asked("uniform grid", points=NOBODY), Colour.COUNT, sure=False)
    wide = replace(found, grid=replace(found.grid, rows=3, columns=7), values=np.zeros(21))
    assert said.cells_text(wide) == "7 × 3 cells"
    alone = answer(asked(depth=0), Colour.COUNT, sure=False)
    assert said.cells_text(alone) == "1 cell"


@pytest.mark.parametrize(("depth", "level"), [(2, 2), (5, 5), (6, 5)])
def test_borders_are_of_the_deepest_level_with_few_nodes(depth, level):
    question = asked("kd-tree", height=6, depth=depth)
    found = answer(question, Colour.COUNT, sure=False)
    assert (4**5 <= 1_500, 4**6 <= 1_500) == (True, False)
    np.testing.assert_array_equal(found.borders, question.release.level_boxes(level))


@pytest.mark.parametrize(("cells", "drawn"), [(1_500, 1_500), (1_501, 0)])
def test_borders_of_many_cells_are_left_out(cells, drawn):
    question = asked("uniform grid")
    rows = np.linspace(BOX.y.low, BOX.y.high, cells + 1)
    whole = np.tile([BOX.x.low, BOX.x.high], (cells, 1))
    boxes = np.column_stack([whole, rows[:-1], rows[1:]])
    many = replace(question.release, boxes=boxes, counts=np.ones(cells), variances=np.ones(cells))
    found = answer(replace(question, release=many, reading=many), Colour.COUNT, sure=False)
    assert found.borders.shape == (drawn, 4)


@pytest.mark.parametrize("method", ["quadtree, baseline", "kd-tree"])
def test_the_cells_behind_an_answer_cover_the_rectangle_once(method):
    question = asked(method)
    boxes, ends = answering(question), ends_of(question)
    parts = [fraction(box, ends) for box in boxes]
    size = (ends[1] - ends[0]) * (ends[3] - ends[2])
    areas = [(box[1] - box[0]) * (box[3] - box[2]) for box in boxes]
    covered = sum(part * area for part, area in zip(parts, areas, strict=True))
    assert covered == pytest.approx(size)
    assert min(parts) > 0
    assert answering(asked(method, rectangle="whole")) is None
    assert answering(asked("uniform grid")) is None


NAMES = Names("student", "<b>", "are", "k<m", "kms")
FOUND = answer(asked(), Colour.COUNT, sure=True)


@pytest.mark.parametrize(
    ("colour", "what", "form", "note"),
    [
        (Colour.COUNT, "{} &lt;b&gt;", ",.0f", " ± 7.7"),
        (Colour.DENSITY, "{} &lt;b&gt; per square k&lt;m", ",.3~r", ""),
        (Colour.ERROR, "± {} &lt;b&gt;", ",.3~r", ""),
    ],
)
def test_what_a_cell_says_when_it_is_pointed_at(colour, what, form, note):
    found = replace(FOUND, colour=colour, error=7.74)
    assert (said.what(found, NAMES), said.form(found), said.note(found)) == (what, form, note)
    assert said.note(replace(found, error=None)) == ""
