"""The figures of Cormode et al. 2012 (PSD) about errors of decompositions: Fig. 2, 3, 5 and 6."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget, PureDP
from dpviz.core.data.points import Points
from dpviz.core.errors import InvalidParameter
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.counts.point_index import PointIndex
from dpviz.estimators.spatial.boxes import Readable
from dpviz.experiments.engine.plan import Experiment
from dpviz.experiments.engine.tally import sums_of
from dpviz.experiments.papers.psd_methods import (
    BEST,
    FURTHER,
    FURTHERS,
    KD_CELL,
    KD_TREES,
    QUADTREES,
    Method,
    answers,
)
from dpviz.experiments.planning.spatial_queries import paper_shapes, random_queries
from dpviz.mechanisms.spatial.quadtree import Quadtree
from dpviz.metrics.spatial import relative_errors

EPSILONS = (0.1, 0.5, 1.0)
EPSILON = 0.5  # of Fig. 6 and 7a
HEIGHTS = (6, 7, 8, 9, 10, 11)  # of Fig. 6
MORE_READING = 0.4  # of the time of a release with its first reading


@dataclass(frozen=True, slots=True)
class Settings:
    """How much is run; records is the most points that are taken, cells is kd-cell's grid."""

    runs: int
    queries: int
    records: int
    cells: tuple[int, int]
    medians: int
    median_runs: int
    quadtree_height: int = 10
    kd_height: int = 8
    matching_height: int = 5
    heights: tuple[int, ...] = HEIGHTS


PAPER_CELLS = (2182, 1767)  # .01 degrees wide and high
QUICK = Settings(2, 200, 2_000_000, PAPER_CELLS, 2**20, 3, heights=(6, 8, 10))
FULL = Settings(10, 600, 2_000_000, PAPER_CELLS, 2**20, 30)
PRESETS = {"quick": QUICK, "full": FULL}


@dataclass(frozen=True, eq=False)
class Study:
    """What the cells share: points, non-empty rectangles of each shape (q, 4) and their truth.

    Confidential: which rectangles are non-empty, and how many points they hold.
    """

    points: Points
    shapes: tuple[str, ...]
    queries: tuple[FloatArray, ...]
    truth: tuple[FloatArray, ...]

    @classmethod
    def of(cls, points: Points, settings: Settings, rng: np.random.Generator) -> "Study":
        """At most settings.records of the points, and PSD's three shapes scaled to their box."""
        few = sampled_points(points, settings.records, rng)
        index, shapes = PointIndex.of(few), paper_shapes(few.box)
        queries = tuple(random_queries(index, one, rng, settings.queries) for one in shapes)
        return cls(
            few,
            tuple(f"{width:.3g} × {height:.3g}" for width, height in shapes),
            queries,
            tuple(index.count(boxes).astype(np.float64) for boxes in queries),
        )


def sampled_points(points: Points, most: int, rng: np.random.Generator) -> Points:
    """At most so many of the points, drawn without replacement."""
    if points.n <= most:
        return points
    kept = rng.choice(points.n, most, replace=False)
    return Points.from_xy(points.x[kept], points.y[kept], points.box)


def worst_case_errors(heights: tuple[int, ...] = tuple(range(5, 11))) -> pd.DataFrame:
    """Fig. 2: the worst variance of a query on a quadtree, in units of 16/ε²; nothing is drawn.

    A query that uses 8 · 2^l nodes of level l, each with its own Laplace noise.
    Returns: columns height, split (uniform, geometric) and error.
    Source: Cormode et al. 2012, Lemma 2, equation (1) and Lemma 3.
    """
    rows = []
    for name, levels in (("uniform", LevelBudget.uniform()), ("geometric", None)):
        for height in heights:
            variances = Quadtree(height, levels, Noise.LAPLACE).tree_noise(PureDP(1.0)).variances
            nodes = 8.0 * 2.0 ** np.arange(height + 1)
            rows.append((height, name, float(nodes @ np.array(variances, dtype=float)) / 16))
    return pd.DataFrame(rows, columns=["height", "split", "error"])


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Some releases under one ε, each read in every way and asked all rectangles; Fig. 3, 5, 6.

    readings are lines of the figure that read the same releases: post-processing, paid once.
    Raises: InvalidParameter without a line, or if two lines read different releases.
    """

    readings: tuple[Method, ...]
    epsilon: float
    runs: int
    records: int

    def __post_init__(self) -> None:
        read = list(dict.fromkeys(line.released for line in self.readings))
        if len(read) != 1:
            raise InvalidParameter(
                f"readings must be lines that read one release, got {len(read)} releases: "
                f"{', '.join(f'{one.name} ({one.variant})' for one in read) or 'no line'}. "
                "Give each release a part of its own."
            )

    @property
    def method(self) -> Method:
        """What is released."""
        return self.readings[0].released

    @property
    def seconds(self) -> float:
        """Nodes of the tree, cells of kd-cell's grid, a part for each point; and more readings."""
        further = MORE_READING * (len(self.readings) - 1)
        return self.runs * self.method.seconds(self.records) * (1 + further)

    @property
    def spends(self) -> tuple[Budget, int]:
        """The budget of a release, and how many there are, however many lines read them."""
        return PureDP(self.epsilon), self.runs

    def run(self, shared: Study, rng: np.random.Generator) -> pd.DataFrame:
        """Rows method, variant, height, epsilon, shape, sums over runs of the median error."""
        budget, workload = PureDP(self.epsilon), np.concatenate(shared.queries)
        # the rectangles are chosen by looking at the points: right to measure, not to release
        mechanism = self.method.mechanism(shared.points.box, budget, workload)
        errors = np.empty((len(self.readings), len(shared.shapes), self.runs))
        for run in range(self.runs):
            release = mechanism.release(shared.points, budget, rng)  # spends the budget
            for line, method in enumerate(self.readings):
                errors[line, :, run] = _median_errors(method.reading(release), shared)
        return pd.DataFrame(
            {
                "method": method.name,
                "variant": method.variant,
                "height": method.height,
                "epsilon": self.epsilon,
                "shape": shape,
                **sums_of(row),
            }
            for method, found in zip(self.readings, errors, strict=True)
            for shape, row in zip(shared.shapes, found, strict=True)
        )


def _median_errors(reading: Readable, shared: Study) -> list[float]:
    """The median relative error over the rectangles of each shape."""
    asked = zip(shared.queries, shared.truth, strict=True)
    return [float(np.median(relative_errors(answers(reading, q), truth))) for q, truth in asked]


def quadtree_accuracy(points: Points, settings: Settings, rng: np.random.Generator) -> Experiment:
    """Fig. 3: the four settings of a quadtree, and the split that is best for the queries.

    Pruned and stopped at 32 as the authors' prototype does; the further lines read the same
    releases as whole trees.
    Source: Cormode et al. 2012, §8.2; the fifth line: this project.
    """
    methods = [Method(name, settings.quadtree_height) for name in QUADTREES]
    methods += [replace(one, variant=FURTHER) for one in methods]
    return _accuracy(points, settings, methods, EPSILONS, rng)


def kd_accuracy(points: Points, settings: Settings, rng: np.random.Generator) -> Experiment:
    """Fig. 5: kd-trees, private and not; kd-cell as its authors grow it, and with our test.

    Source: Cormode et al. 2012, §8.2.
    """
    methods = [Method(name, settings.kd_height, settings.cells) for name in KD_TREES]
    methods += [replace(one, variant=FURTHER) for one in methods if one.name == KD_CELL]
    return _accuracy(points, settings, methods, EPSILONS, rng)


def height_accuracy(points: Points, settings: Settings, rng: np.random.Generator) -> Experiment:
    """Fig. 6: the best of each family by height, and the further line of those that have one.

    Source: Cormode et al. 2012, §8.2.
    """
    methods = [Method(name, height, settings.cells) for height in settings.heights for name in BEST]
    methods += [replace(one, variant=FURTHER) for one in methods if one.name in FURTHERS]
    return _accuracy(points, settings, methods, (EPSILON,), rng)


def _accuracy(
    points: Points,
    settings: Settings,
    methods: list[Method],
    epsilons: tuple[float, ...],
    rng: np.random.Generator,
) -> Experiment:
    study = Study.of(points, settings, rng)
    by_release: dict[Method, list[int]] = {}
    for place, method in enumerate(methods):
        by_release.setdefault(method.released, []).append(place)
    # a stream for every line, drawn from or not: which lines share a release moves no other line
    streams, cells, used = rng.spawn(len(epsilons) * len(methods)), [], []
    for at, epsilon in enumerate(epsilons):
        for places in by_release.values():
            lines = tuple(methods[place] for place in places)
            cells.append(Accuracy(lines, epsilon, settings.runs, study.points.n))
            used.append(streams[at * len(methods) + places[0]])
    return Experiment(study, tuple(cells), tuple(used))
