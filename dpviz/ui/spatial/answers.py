"""What each method says of the rectangle and of its cells, in numbers."""

from __future__ import annotations

import numpy as np

from dpviz.core.arrays import BoolArray, FloatArray
from dpviz.core.spatial.boxes import box_row
from dpviz.core.spatial.cells import Cells
from dpviz.counts.exact import ExactCells
from dpviz.estimators.spatial.boxes import range_counts
from dpviz.figures.spatial.answer import Answer, Off, give_or_take
from dpviz.figures.spatial.sentences import percent_of_cells
from dpviz.metrics.spatial import spatial_errors
from dpviz.ui.kit import memory
from dpviz.ui.kit.number_text import significant
from dpviz.ui.spatial.cells import Drawn, cells_at
from dpviz.ui.spatial.page import MapPage

SURE = 3.0  # standard errors above which a cell says that somebody is there


def answer_of(page: MapPage, one: Drawn, rectangle: FloatArray | None) -> Answer:
    """A method's answer to a rectangle, or to the whole map; with the truth how far it is off."""
    asked = _asked(page, rectangle)
    key = ("answer", one.name, one.key, page.choice.prune, tuple(asked), page.truth is not None)
    return memory.public(page.points, key, lambda: _answer(page, one, rectangle, asked))


def _asked(page: MapPage, rectangle: FloatArray | None) -> FloatArray:
    return box_row(page.box) if rectangle is None else rectangle


def _answer(page: MapPage, one: Drawn, rectangle: FloatArray | None, asked: FloatArray) -> Answer:
    if page.truth is None:
        counts, variances = range_counts(one.reading, asked)
        return Answer(rectangle, float(counts[0]), float(np.sqrt(variances[0])))
    errors = spatial_errors(one.reading, page.truth.cells(one), asked)
    off = Off(float(errors.truth[0]), float(errors.noise[0]), float(errors.uniformity[0]))
    return Answer(rectangle, float(errors.private[0]), float(np.sqrt(errors.variance[0])), off)


def _before(page: MapPage, one: Drawn, rectangle: FloatArray | None) -> float:
    """The standard error of the answer without an estimator."""
    asked = _asked(page, rectangle)
    key = ("before", one.key, tuple(asked))
    _, variances = memory.public(page.points, key, lambda: range_counts(one.release, asked))
    return float(np.sqrt(variances[0]))


def is_sure(counts: FloatArray, variances: FloatArray) -> BoolArray:
    """Cells whose count lies above three standard errors of its own."""
    return np.asarray(counts > SURE * np.sqrt(variances))


def cell_error(one: Drawn, depth: int) -> float:
    """The standard error of one cell of a level; the median where they differ."""
    _, _, variances = cells_at(one, depth)
    return float(np.sqrt(np.median(variances)))


def sure_share(one: Drawn, depth: int, *, sure: bool) -> str:
    """The share of cells that say something sure, or of those that do not."""
    _, counts, variances = cells_at(one, depth)
    found = int(np.count_nonzero(is_sure(counts, variances)))
    return percent_of_cells(found if sure else counts.size - found, counts.size)


def all_numbers(page: MapPage, one: Drawn, depth: int, answer: Answer) -> list[tuple[str, str]]:
    """Everything in numbers about one method, in words and texts; confidential with the truth."""
    _, counts, variances = cells_at(one, depth)
    level = min(depth, one.height)
    spent = "nothing" if one.release.spent is None else str(one.release.spent)
    rows = [
        ("the answer", f"± {give_or_take(answer.error)}"),
        ("before estimation", f"± {give_or_take(_before(page, one, answer.rectangle))}"),
        ("noise of a leaf, as released", f"± {significant(_noise(one), 3)}"),
        ("noisy counts released", f"{one.noisy_counts:,}"),
        ("cells drawn", f"{counts.size:,}" + (f", level {level} of {one.height}" if one.height else "")),
        ("standard error of a cell", f"± {significant(float(np.sqrt(np.mean(variances))), 3)}"),
        ("spent", f"{spent}, {one.release.neighbours.value} neighbours"),
    ]  # fmt: skip
    return rows if page.truth is None else [*rows, *_errors(page.truth.cells(one), counts, level)]


def _errors(exact: ExactCells, counts: FloatArray, level: int) -> list[tuple[str, str]]:
    off = float(np.nanmean(np.abs(counts - exact.levels[level])))
    return [("cells are off by, on average (confidential)", significant(off, 3))]


def _noise(one: Drawn) -> float:
    """Standard deviation of what was added to a leaf; a typical one where they differ."""
    released = one.release
    leaves = released.variances if isinstance(released, Cells) else released.variances[-1]
    return float(np.sqrt(np.median(leaves)))
