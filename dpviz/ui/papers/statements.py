"""Statements of the papers' texts that have no figure in print: a row of the gallery each."""

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

from dpviz.experiments.papers.stored import statement_findings as found
from dpviz.experiments.papers.stored.findings import Numbers
from dpviz.figures.kit.picture import Picture
from dpviz.figures.studies import statements as drawn
from dpviz.ui.kit.gallery import shapes
from dpviz.ui.kit.gallery.shapes import Still
from dpviz.ui.papers.rows import Paper, PaperFigure, Shown
from dpviz.ui.papers.thumbnails import HIGH, WIDE, hues, lines

STATED = Paper("Said in the texts", "statements without a figure", names_paper=False)
CELLS, VARIANCE = "Cells used", "Variance"
MISSES, CARRIED, MADE_UP = "Misses", "What steps add up to", "A made-up column"
COLUMN = "made-up column"  # the stored study of that part
SLICES, ERRORS = "Three slices", "Errors of boxes"
COMPARED, FOUND = "Pairs compared", "Matches found"
WEIGHING = {"Variance, eq. 3": "variance", "Bias, eq. 1": "bias", "In steps, eq. 5 to 7": "weight"}
Thumbnail = Callable[[pd.DataFrame], Still]


def _row(
    key: str, label: str, note: str, about: str, picture: Callable[[Shown], Picture], *parts: str
) -> PaperFigure:
    return PaperFigure(key, STATED, label, note, about, picture, _numbers(key), parts=parts)


def _numbers(key: str) -> Callable[[Shown], Numbers]:
    return lambda shown: found.OF_STATEMENTS[key](shown.rows)


def _flattening(shown: Shown) -> Picture:
    part = "cells" if shown.part == CELLS else "variance"
    return drawn.flattening_figure(shown.rows, shown.look, part)


def _single_steps(shown: Shown) -> Picture:
    if shown.part == MADE_UP:
        return drawn.made_up_figure(shown.extra[COLUMN], shown.look)
    draw = drawn.carried_figure if shown.part == CARRIED else drawn.single_steps_figure
    return draw(shown.rows, shown.look)


def _solid(shown: Shown) -> Picture:
    if shown.part == ERRORS:
        return drawn.solid_errors_figure(shown.extra["solid errors"], shown.look)
    return drawn.slices_figure(shown.rows, shown.look)


def _both_sides(shown: Shown) -> Picture:
    draw = drawn.found_figure if shown.part == FOUND else drawn.both_sides_figure
    return draw(shown.rows, shown.look)


def _weighing(shown: Shown) -> Picture:
    return drawn.weighing_figure(shown.rows, shown.look, WEIGHING.get(shown.part, "variance"))


STATEMENTS: tuple[PaperFigure, ...] = (
    _row(
        "selection",
        "AQ §2",
        "Lemma 2.5",
        "chance that the exponential mechanism takes an output far from the best",
        lambda shown: drawn.selection_figure(shown.rows, shown.look),
    ),
    PaperFigure(
        "single-steps",
        STATED,
        "AQ §1.1.1",
        "any single step",
        "AQ around three mechanisms for a single quantile, and its bounds beside what is measured",
        _single_steps,
        lambda shown: found.single_steps(shown.rows, shown.extra[COLUMN]),
        parts=(MISSES, CARRIED, MADE_UP),
        extra=(COLUMN,),
    ),
    _row(
        "nodes",
        "PSD §4.2",
        "budgets for cells",
        "variance of known rectangles under four splits of the budget",
        lambda shown: drawn.node_budgets_figure(shown.rows, shown.look),
    ),
    _row(
        "flattening",
        "PSD §6.2",
        "flattening, Lemma 2",
        "a kd-tree with a count at every cut and one with every other level",
        _flattening,
        VARIANCE,
        CELLS,
    ),
    _row(
        "bounds",
        "PSD Lemma 3",
        "bound and error",
        "bounds on the error of a quadtree beside errors of rectangles",
        lambda shown: drawn.bounds_figure(shown.rows, shown.look),
    ),
    _row(
        "laplace-median",
        "PSD §6.1",
        "Laplace on a median",
        "how often a median with Laplace noise leaves its range",
        lambda shown: drawn.laplace_median_figure(shown.rows, shown.look),
    ),
    _row(
        "good-split",
        "PSD Lemma 6",
        "a good split",
        "chance that a private median leaves a fifth on each side",
        lambda shown: drawn.good_split_figure(shown.rows, shown.look),
    ),
    _row(
        "sampling",
        "PSD §7",
        "Theorem 7, samples",
        "what a budget on a sample costs, as printed and exactly",
        lambda shown: drawn.sampling_figure(shown.rows, shown.look),
    ),
    PaperFigure(
        "solid",
        STATED,
        "PSD §9",
        "three dimensions",
        "place and time of made-up trips from one octree",
        _solid,
        lambda shown: found.solid(shown.rows, shown.extra["solid errors"]),
        parts=(SLICES, ERRORS),
        extra=("solid errors",),
    ),
    _row(
        "both-sides",
        "PSD §8.3",
        "both parties private",
        "record matching with a private structure on both sides",
        _both_sides,
        COMPARED,
        FOUND,
    ),
    _row(
        "weighing",
        "Remarks 1–3",
        "Honaker's eq. 1 to 7",
        "of Honaker 2019, §2: bias, variance and weights of three measurements of one sum",
        _weighing,
        *WEIGHING,
    ),
    _row(
        "surveys",
        "Honaker §2",
        "two surveys",
        "variance of every leaf from two surveys of the same tree",
        lambda shown: drawn.surveys_figure(shown.rows, shown.look),
    ),
    _row(
        "stream",
        "Honaker §1",
        "running counts",
        "variance of a count that is released after every step",
        lambda shown: drawn.stream_figure(shown.rows, shown.look),
    ),
)


def _thumbnail(
    by: str, named: Mapping[str, tuple[str, str]], x: str, y: str, only: tuple[str, object]
) -> Thumbnail:
    """Lines of one panel: rows whose column is what `only` says."""

    def draw(rows: pd.DataFrame) -> Still:
        own = rows[rows[only[0]] == only[1]] if only[0] else rows
        parts = [(hue, own[own[by] == key].sort_values(x)) for key, (hue, _) in named.items()]
        return lines(
            [
                (hue, part[x].to_numpy(np.float64), part[y].to_numpy(np.float64))
                for hue, part in ((hue, _thin(part)) for hue, part in parts)
                if len(part) > 1
            ]
        )

    return draw


def _thin(rows: pd.DataFrame, most: int = 40) -> pd.DataFrame:
    return rows if len(rows) <= most else rows.iloc[:: -(-len(rows) // most)]


def _bounds(rows: pd.DataFrame) -> Still:
    own = rows[rows["split"] == "geometric"]
    x = own["height"].to_numpy(np.float64)
    return lines([(hue, x, own[name].to_numpy(float)) for name, (hue, _) in drawn.BOUNDS.items()])


def _slices(rows: pd.DataFrame) -> Still:
    """The middle slice, its fullest cells as squares."""
    own = rows[rows["hour"] == rows["hour"].unique()[1]]
    share = np.sqrt(np.maximum(own["private"], 0) / own["private"].max()).to_numpy(np.float64)
    side = HIGH / 16
    cells = [
        shapes.bars([(WIDE / 2 - HIGH / 2 + side * 1.6 * x, HIGH - side * 1.6 * (y + 0.625), side, side)], "blue", one)
        for x, y, one in zip(own["x"], own["y"], share, strict=True)
        if one > 0.12
    ]  # fmt: skip
    return shapes.still(WIDE, HIGH, cells[:120])


def _both(rows: pd.DataFrame) -> Still:
    ink = hues()
    named = {str(one): (ink[str(one)], "") for one in rows["method"].unique()}
    draw = _thumbnail("method", named, "epsilon", "left", ("structures", "both sides"))
    return draw(rows)


def _selection(rows: pd.DataFrame) -> Still:
    own = rows[rows["outputs"] == "a column"]
    x = own["shortfall"].to_numpy(np.float64)
    named = {"bound": "bound", "a column": "missed"}
    return lines([(drawn.SELECTED[key][0], x, own[y].to_numpy(np.float64))
                  for key, y in named.items()])  # fmt: skip


def _laplace_median(rows: pd.DataFrame) -> Still:
    own = rows[rows["method"] == "Laplace noise"]
    x = own["epsilon"].to_numpy(np.float64)
    return lines([("pink", x, own["outside"].to_numpy(np.float64)),
                  ("amber", x, own["good"].to_numpy(np.float64))], log=False)  # fmt: skip


def _sampling(rows: pd.DataFrame) -> Still:
    own = rows[rows["rate"] == rows["rate"].min()]
    x = own["inside"].to_numpy(np.float64)
    return lines([(drawn.PRICES[y][0], x, own[y].to_numpy(np.float64))
                  for y in ("printed", "exact")])  # fmt: skip


def _weighing_still(rows: pd.DataFrame) -> Still:
    own = rows[rows["of"] == "variance"]
    x, y = (own[name].to_numpy(np.float64) for name in ("x", "exact"))
    return lines([("blue", x, y)], log=False)


THUMBNAILS: Mapping[str, Thumbnail] = {
    "selection": _selection,
    "single-steps": _thumbnail("single", drawn.SINGLES, "m", "error", ("n", 30_000)),
    "nodes": _thumbnail(
        "split", drawn.SPLITS, "side", "ratio", ("reading", "largest cells, Laplace, ε")
    ),
    "flattening": _thumbnail("tree", drawn.TREES, "height", "variance", ("split", "even")),
    "bounds": _bounds,
    "laplace-median": _laplace_median,
    "good-split": _thumbnail("data", drawn.COLUMNS, "n", "chance", ("method", "EM")),
    "sampling": _sampling,
    "solid": _slices,
    "both-sides": _both,
    "weighing": _weighing_still,
    "surveys": _thumbnail("survey", drawn.SURVEYS, "leaf", "variance", ("", "")),
    "stream": _thumbnail("way", drawn.WAYS, "step", "variance", ("", "")),
}
