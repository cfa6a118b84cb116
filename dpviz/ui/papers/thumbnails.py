"""Small pictures of the papers' figures, drawn from the stored results."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd

from dpviz import catalogue
from dpviz.core.arrays import FloatArray
from dpviz.experiments.papers.medians import PRINTED
from dpviz.experiments.papers.psd_example import answers
from dpviz.experiments.papers.stored import tables
from dpviz.experiments.papers.stored.tree_findings import levels_of, noisy, parts_of_tree
from dpviz.experiments.papers.tree_figures import contributions, ways
from dpviz.figures.studies import aq
from dpviz.figures.studies.psd import SPLITS
from dpviz.ui.kit.gallery import shapes
from dpviz.ui.kit.gallery.shapes import Shape, Still

WIDE, HIGH = 140.0, 84.0
LEFT, RIGHT, TOP, FLOOR = 3.0, 137.0, 6.0, 80.0
GREY = {"grey": "second"}


def hues() -> dict[str, str]:
    """The ink of every method by its key in the studies."""
    named = [one for group in catalogue.shown() for one in group]
    first = {one.key: (one.hue or "grey").split()[0] for one in named}
    return {key: GREY.get(hue, hue) for key, hue in first.items()}


def _columns(rows: pd.DataFrame, x: str, y: str) -> tuple[FloatArray, FloatArray]:
    return rows[x].to_numpy(np.float64), rows[y].to_numpy(np.float64)


def _axes() -> Shape:
    return shapes.stroke([LEFT, LEFT, RIGHT], [TOP, FLOOR, FLOOR], "hairline", 1)


def lines(lines: Sequence[tuple[str, FloatArray, FloatArray]], *, log: bool = True) -> Still:
    """Lines over each other: ink, places and values; both axes fit all of them."""
    across = np.concatenate([x for _, x, _ in lines])
    up = np.concatenate([y[np.isfinite(y) & ((y > 0) | (not log))] for _, _, y in lines])
    ends = (float(across.min()), float(across.max())), (float(up.min()), float(up.max()))
    drawn = [
        shapes.stroke(
            shapes.scaled(x, ends[0], (LEFT + 3, RIGHT - 3), log=ends[0][0] > 0),
            shapes.scaled(y, ends[1], (FLOOR - 6, TOP + 2), log=log),
            ink,
            2.5 if ink == "blue" else 2,
        )
        for ink, x, y in lines
    ]
    return shapes.still(WIDE, HIGH, [_axes(), *drawn])


def _bars(values: Sequence[tuple[str, float]]) -> Still:
    """Horizontal sticks with a dot at their ends; the longest fills the width."""
    rows = np.linspace(TOP + 6, FLOOR - 6, len(values))
    longest = max(value for _, value in values)
    drawn: list[Shape] = []
    for (ink, value), row in zip(values, rows, strict=True):
        end = LEFT + (RIGHT - LEFT - 6) * value / longest
        drawn.append(shapes.stroke([LEFT, RIGHT], [row, row], "hairline", 1))
        drawn.append(shapes.stroke([LEFT, end], [row, row], ink, 3))
        drawn.append(shapes.dots([(end, float(row))], ink, 8))
    return shapes.still(WIDE, HIGH, drawn)


def recursion(rows: pd.DataFrame) -> Still:
    """AQ 1."""
    values, level = (rows[name].to_numpy(np.float64) for name in ("value", "level"))
    margin = 0.15 * float(np.ptp(values))
    x = shapes.scaled(values, (values.min() - margin, values.max() + margin), (LEFT, RIGHT))
    y = shapes.scaled(level, (1, level.max()), (TOP + 8, FLOOR - 10))
    lines = [shapes.stroke([LEFT, RIGHT], [row, row], "grain", 1.5) for row in sorted(set(y))]
    places = list(zip(x.tolist(), y.tolist(), strict=True))
    return shapes.still(WIDE, HIGH, [*lines, shapes.dots(places, "blue", 7)])


def targets(rows: pd.DataFrame) -> Still:
    """AQ 2."""
    true, aimed = (rows[name].to_numpy(np.float64) for name in ("true_rank", "target_rank"))
    x, to = (shapes.scaled(one, (0, 12), (LEFT, RIGHT)) for one in (true, aimed))
    y = shapes.scaled(rows["level"].to_numpy(np.float64), (1, 2), (TOP + 18, FLOOR - 16))
    drawn = []
    for own, other, row in zip(x, to, y, strict=True):
        drawn.append(shapes.stroke([own, other], [row, row], "blue", 3))
        drawn.append(shapes.stroke([own, own], [row - 11, row + 11], "truth", 2.5))
        drawn.append(shapes.dots([(float(other), float(row))], "blue", 9))
    return shapes.still(WIDE, HIGH, drawn)


def histograms(rows: pd.DataFrame) -> Still:
    """AQ 3: each set in 25 columns."""
    drawn = []
    for at, (_, part) in enumerate(rows.groupby("data", sort=False)):
        counts = part["records"].to_numpy(np.float64).reshape(-1, 4).sum(axis=1)
        row, column = divmod(at, 3)
        left, floor = LEFT + 46 * column, 40 + 40 * row
        high = 30 * counts / counts.max()
        width = 42 / counts.size
        boxes = [(left + width * i, floor - h, width, h) for i, h in enumerate(high)]
        drawn.append(shapes.bars(boxes, "truth", 0.68))
    return shapes.still(WIDE, HIGH, drawn)


def properties(rows: pd.DataFrame) -> Still:
    """AQ Table 1: people and different values, on a log scale."""
    log = {name: np.log10(rows[name].to_numpy(np.float64)) for name in ("records", "values")}
    x = {name: shapes.scaled(one, (1.0, 5.0), (LEFT, RIGHT)) for name, one in log.items()}
    y = np.linspace(TOP + 6, FLOOR - 6, len(rows))
    drawn = [
        shapes.stroke([float(few), float(all_)], [float(row), float(row)], "hairline", 2)
        for few, all_, row in zip(x["values"], x["records"], y, strict=True)
    ]
    for name, ink in (("records", "truth"), ("values", "blue")):
        places = list(zip(x[name].tolist(), y.tolist(), strict=True))
        drawn.append(shapes.dots(places, ink, 7))
    return shapes.still(WIDE, HIGH, drawn)


def gaps(rows: pd.DataFrame) -> Still:
    """AQ 4 to 7: the mean of all sets."""
    mean, ink = tables.means(rows).groupby("m").mean(), hues()
    m = mean.index.to_numpy(np.float64)
    return lines([(ink[name], m, mean[name].to_numpy(np.float64)) for name in reversed(aq.NAMES)])


def times(rows: pd.DataFrame) -> Still:
    """AQ 8."""
    ink = hues()
    return lines(
        [
            (ink[str(name)], part["m"].to_numpy(np.float64), part["mean"].to_numpy(np.float64))
            for name, part in rows.groupby("mechanism", sort=False)
        ]
    )


def worst(rows: pd.DataFrame) -> Still:
    """PSD 2."""
    return lines(
        [
            (SPLITS[str(name)], *_columns(part, "height", "error"))
            for name, part in rows.groupby("split", sort=False)
        ]
    )


def quarters(rows: pd.DataFrame) -> Still:
    """PSD 1: every answer with its standard error."""
    found = answers(rows)
    low, high = found["answer"] - found["error"], found["answer"] + found["error"]
    ends = (float(low.min()), float(high.max()))
    drawn: list[Shape] = []
    for at, row in enumerate(np.linspace(TOP + 4, FLOOR - 4, len(found))):
        ink = "blue" if at in {0, len(found) - 1} else "second"
        across = shapes.scaled(
            np.array([low[at], found["answer"][at], high[at]]), ends, (LEFT + 6, RIGHT - 6)
        )
        drawn.append(shapes.stroke([across[0], across[2]], [row, row], "grain", 1.5))
        drawn.append(shapes.dots([(float(across[1]), float(row))], ink, 7))
    return shapes.still(WIDE, HIGH, drawn)


def accuracy(rows: pd.DataFrame) -> Still:
    """PSD 3 and 5: the mean of all shapes at the smallest ε, on a log scale."""
    found, ink = tables.by_method(rows).xs(0.1, level="epsilon"), hues()
    log = np.log(100 * found).mean()
    low = float(log.min()) - 0.6
    return _bars([(ink[str(name)], float(value) - low) for name, value in log.items()])


def heights(rows: pd.DataFrame) -> Still:
    """PSD 6: small squares."""
    found, ink = tables.by_height(rows).loc[tables.shapes(rows)[0]], hues()
    h = found.index.to_numpy(np.float64)
    return lines([(ink[str(name)], h, found[name].to_numpy(np.float64)) for name in found])


def settings(rows: pd.DataFrame) -> Still:
    """PSD § 8.2: the switch level, the mean of all shapes."""
    found = rows[rows["knob"] == "switch level"].copy()
    error = np.log(found["mean"]).groupby(found["place"]).mean()
    return lines([("blue", error.index.to_numpy(np.float64), np.exp(error.to_numpy(np.float64)))])


def medians(rows: pd.DataFrame) -> Still:
    """PSD 4."""
    ink = hues() | {PRINTED: GREY["grey"]}
    return lines(
        [
            (ink[str(name)], *_columns(part, "depth", "error"))
            for name, part in rows.groupby("method", sort=False)
        ]
    )


def construction(rows: pd.DataFrame) -> Still:
    """PSD 7a."""
    built = rows[rows["step"] == "release"].sort_values("mean")
    marked = [
        ("blue" if name == "quad-opt" else "grain", float(mean))
        for name, mean in zip(built["method"], built["mean"], strict=True)
    ]
    return _bars(marked)


def matching(rows: pd.DataFrame) -> Still:
    """PSD 7b: what remains to be compared."""
    left, ink = 1 - tables.crossed(rows, "epsilon", "method", "mean"), hues()
    x = left.index.to_numpy(np.float64)
    return lines([(ink[str(name)], x, left[name].to_numpy(np.float64)) for name in left])


def noisy_tree(rows: pd.DataFrame) -> Still:
    """Honaker 1."""
    boxes = []
    for level, counts in enumerate(levels_of(rows, "noisy")):
        width, floor = (RIGHT - LEFT) / counts.size, 22 + 19 * level
        for at, count in enumerate(counts):
            high = 13 * max(float(count), 0.5) / float(counts.max())
            boxes.append((LEFT + at * width, floor - high, width - 2, high))
    return shapes.still(WIDE, HIGH, [shapes.bars(boxes, "blue", 0.8)])


def eight_ways(_: pd.DataFrame) -> Still:
    """Honaker 2."""
    drawn: dict[float, list[tuple[float, float, float, float]]] = {0.0: [], 1.0: [], -1.0: []}
    for at, way in enumerate(ways()):
        row, column = divmod(at, 4)
        for level, weights in enumerate(way):
            width = 31.0 / weights.size
            for index, weight in enumerate(weights):
                left = LEFT + 34.5 * column + width * index
                drawn[float(weight)].append((left, 6 + 40 * row + 8.5 * level, width - 1, 6.5))
    inks = {0.0: "hairline", 1.0: "blue", -1.0: "truth"}
    return shapes.still(WIDE, HIGH, [shapes.bars(boxes, inks[w]) for w, boxes in drawn.items()])


def nodes_used(rows: pd.DataFrame) -> Still:
    """Honaker 3."""
    weights, parts = contributions(noisy(rows)), parts_of_tree()
    drawn, inks = [], ("blue", "truth", "second")
    for level, (values, part) in enumerate(zip(weights, parts, strict=True)):
        width = (RIGHT - LEFT) / values.size
        for at, (value, own) in enumerate(zip(values, part, strict=True)):
            box = (LEFT + at * width, 6 + 19.5 * level, width - 2, 15)
            drawn.append(shapes.bars([box], inks[int(own)], 0.12 + 1.7 * min(abs(value), 0.5)))
    return shapes.still(WIDE, HIGH, drawn)


def simulation(rows: pd.DataFrame) -> Still:
    """Honaker 4: the raw error of each node in grey, what remains of it in blue."""
    found = tables.crossed(rows, "node", "estimator", "mse")
    whole = float(found["raw"].max())
    width = (RIGHT - LEFT) / len(found)
    drawn = []
    for name, ink in (("raw", "hairline"), ("efficient", "blue")):
        high = (FLOOR - TOP - 4) * found[name].to_numpy(np.float64) / whole
        boxes = [(LEFT + width * i, FLOOR - h, width - 1.2, h) for i, h in enumerate(high)]
        drawn.append(shapes.bars(boxes, ink))
    return shapes.still(WIDE, HIGH, drawn)


def curve(rows: pd.DataFrame) -> Still:
    """Manohar's plots: the smoothed curve, 60 of its points; a true curve is never in a thumbnail."""
    kept = np.unique(np.linspace(0, len(rows) - 1, 60).round().astype(int))
    edges, smoothed = (rows[name].to_numpy(np.float64)[kept] for name in ("value", "smoothed"))
    return lines([("blue", edges, smoothed)], log=False)


THUMBNAILS: Mapping[str, Callable[[pd.DataFrame], Still]] = {
    "aq1": recursion,
    "aq2": targets,
    "aq3": histograms,
    "aqt1": properties,
    **dict.fromkeys(("aq4", "aq5", "aq6", "aq7"), gaps),
    "aq8": times,
    "psd1": quarters,
    "psd2": worst,
    "psd3": accuracy,
    "psd4": medians,
    "psd5": accuracy,
    "psd6": heights,
    "psdsettings": settings,
    "psd7a": construction,
    "psd7b": matching,
    "honaker1": noisy_tree,
    "honaker2": eight_ways,
    "honaker3": nodes_used,
    "honaker4": simulation,
    "manohar1": curve,
    "manohar2": curve,
}
