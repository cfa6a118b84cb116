"""What of the points decides three statements of PSD: controls that differ in one property."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

from dpviz.core.bounds import Bounds, Box
from dpviz.core.data.points import Points
from dpviz.experiments.papers.psd_figures import EPSILON, EPSILONS, FULL, Accuracy, Study
from dpviz.experiments.papers.psd_methods import HILBERT, KD_CELL, Method
from dpviz.experiments.papers.roads import SHARES, TOWNS, N, road_points
from dpviz.experiments.papers.sets import BESIDE
from dpviz.experiments.planning.spatial_queries import PAPER_BOX
from dpviz.intake.read import read_table

ADDRESSES, FILE = "addresses", "ne_addresses.csv"  # north-eastern US, unit square
FEW, FEWER = 120_000, 30_000
LOW, USUAL, TALL = 6, 8, 10  # heights
QUERIES, DRAWS = 300, 5
ENDS = EPSILONS[0], EPSILONS[-1]  # of kd-cell against kd-hybrid
HYBRID, QUADTREE = "kd-hybrid", "quad-opt"


@dataclass(frozen=True, slots=True)
class Control:
    """Made-up points: how many, and how they are spread."""

    name: str
    n: int
    shares: tuple[float, float, float] | None = None  # of towns, roads, country; None: evenly
    towns: int = TOWNS

    def points(self, rng: np.random.Generator) -> Points:
        """So many points in PSD's box."""
        if self.shares is not None:
            return road_points(rng, self.n, shares=self.shares, towns=self.towns)
        x, y = PAPER_BOX.x, PAPER_BOX.y
        across, up = rng.uniform(x.low, x.high, self.n), rng.uniform(y.low, y.high, self.n)
        return Points.from_xy(across, up, PAPER_BOX)


TOWNS_ALONE, LINES = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
EVEN, EVEN_FEW = "even, 1.63 million", "even, 120,000"
ROADS, ROADS_FEW, ROADS_FEWER = "roads, 1.63 million", "roads, 120,000", "roads, 30,000"
TOWNS_ONLY, FORTY, LINES_ONLY = "towns, 120,000", "40 towns, 120,000", "lines, 120,000"
CONTROLS: tuple[Control, ...] = (
    Control(EVEN, N),
    Control(EVEN_FEW, FEW),
    Control(ROADS, N, SHARES),
    Control(ROADS_FEW, FEW, SHARES),
    Control(ROADS_FEWER, FEWER, SHARES),
    Control(TOWNS_ONLY, FEW, TOWNS_ALONE),
    Control(FORTY, FEW, TOWNS_ALONE, towns=40),
    Control(LINES_ONLY, FEW, LINES),
)
# all pairs of controls that differ in one property, by its name
PAIRS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "the number of points": ((EVEN, EVEN_FEW), *combinations((ROADS, ROADS_FEW, ROADS_FEWER), 2)),
    "how evenly they lie": ((EVEN, ROADS), (EVEN_FEW, ROADS_FEW)),
    "lines in place of towns": ((TOWNS_ONLY, LINES_ONLY),),
    "fewer, larger towns": ((TOWNS_ONLY, FORTY),),
}


def address_points(folder: Path | None = BESIDE) -> Points | None:
    """The real addresses, or None where their file is not in the folder.

    Raises: InvalidData for a file that cannot be read.
    """
    path = None if folder is None else folder / FILE
    if path is None or not path.is_file():
        return None
    table, unit = read_table(path, FILE), Bounds(0.0, 1.0)
    x, y = (table.numeric_values(axis) for axis in ("x", "y"))
    return Points.from_xy(x.values, y.values, Box(unit, unit))


def on_other_points(addresses: Points | None, rng: np.random.Generator) -> pd.DataFrame:
    """The releases that three statements of PSD are about, on controls and on real addresses.

    Five times each, with points, rectangles and releases drawn anew: where towns lie and which
    rectangles are asked moves the errors as much as noise does. Each control has streams of its
    own, and addresses, whose points are what they are, move none of them.
    Returns: columns points, n, draw, method, height, epsilon, shape and mean (the median relative
    error of the rectangles).
    """
    *streams, last = rng.spawn(len(CONTROLS) + 1)
    found = []
    for control, stream in zip(CONTROLS, streams, strict=True):
        for draw, (made, drawn) in enumerate(one.spawn(2) for one in stream.spawn(DRAWS)):
            found.append(
                measured(control.points(made), drawn).assign(points=control.name, draw=draw)
            )
    if addresses is not None:
        for draw, drawn in enumerate(last.spawn(DRAWS)):
            found.append(measured(addresses, drawn).assign(points=ADDRESSES, draw=draw))
    columns = ["points", "n", "draw", "method", "height", "epsilon", "shape", "mean"]
    return pd.concat(found, ignore_index=True)[columns]


def measured(points: Points, rng: np.random.Generator) -> pd.DataFrame:
    """One release of each, all asked the same rectangles; a stream for each."""
    asked = list(_asked())
    choosing, *streams = rng.spawn(1 + len(asked))
    study = Study.of(points, replace(FULL, queries=QUERIES), choosing)
    rows = [
        Accuracy((method,), epsilon, 1, points.n).run(study, stream)
        for (method, epsilon), stream in zip(asked, streams, strict=True)
    ]
    return pd.concat(rows, ignore_index=True).assign(n=points.n).rename(columns={"total": "mean"})


def _asked() -> Iterator[tuple[Method, float]]:
    """kd-cell and kd-hybrid at both ends of ε; the others at ε = .5 and two heights."""
    for name in (KD_CELL, HYBRID):
        for epsilon in ENDS:
            yield Method(name, USUAL), epsilon
    for height in (LOW, USUAL):
        for name in (QUADTREE, HYBRID, HILBERT):
            yield Method(name, height), EPSILON
    yield Method(QUADTREE, TALL), EPSILON
