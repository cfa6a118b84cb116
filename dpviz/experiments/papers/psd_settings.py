"""The settings that Cormode et al. 2012 (PSD) tried and left out its plots of: §8.2, "Other"."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from dpviz.core.budgets import Budget, PureDP
from dpviz.core.data.points import Points
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.engine.plan import Experiment
from dpviz.experiments.engine.tally import sums_of
from dpviz.experiments.papers.psd_figures import EPSILON, Settings, Study
from dpviz.experiments.papers.psd_methods import HILBERT, KD_CELL, Method, answers
from dpviz.mechanisms.spatial.hilbert_tree import HilbertTree
from dpviz.mechanisms.spatial.kd_cell import KdCell
from dpviz.mechanisms.spatial.kd_tree import KdTree
from dpviz.metrics.spatial import relative_errors

SWITCH, SHARE, ORDER, LENGTH = KNOBS = ("switch level", "share", "order", "cell length")
SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.7)
ORDERS = (8, 10, 12, 14, 16, 18, 21, 24)
LENGTHS = (0.01, 0.02, 0.05, 0.1, 0.2)  # in degrees; PSD's is .01
HYBRID = "kd-hybrid"


@dataclass(frozen=True, slots=True)
class Setting:
    """Some releases of one method with one setting of a knob, asked all rectangles."""

    knob: str
    place: float
    method: Method
    mechanism: KdTree | HilbertTree | KdCell
    runs: int
    records: int

    @property
    def seconds(self) -> float:
        """As the method takes with its usual setting."""
        return self.runs * self.method.seconds(self.records)

    @property
    def spends(self) -> tuple[Budget, int]:
        """The budget of a release, and how many there are."""
        return PureDP(EPSILON), self.runs

    def run(self, shared: Study, rng: np.random.Generator) -> pd.DataFrame:
        """Rows knob, place, method, shape and sums over runs of the median relative error."""
        errors = np.empty((len(shared.shapes), self.runs))
        for run in range(self.runs):
            release = self.mechanism.release(shared.points, PureDP(EPSILON), rng)
            reading = self.method.reading(release)
            for at, (boxes, truth) in enumerate(zip(shared.queries, shared.truth, strict=True)):
                errors[at, run] = np.median(relative_errors(answers(reading, boxes), truth))
        labels = {"knob": self.knob, "place": self.place, "method": self.method.name}
        return pd.DataFrame(
            {**labels, "shape": shape, **sums_of(row)}
            for shape, row in zip(shared.shapes, errors, strict=True)
        )


def settings_accuracy(points: Points, settings: Settings, rng: np.random.Generator) -> Experiment:
    """Error of rectangles by the switch level, the medians' share, the order, the cells' length.

    ε = .5 and the kd-trees' height; the other settings stay as in the paper's figures.
    Source: Cormode et al. 2012, §8.2, "Other parameter settings"; the cells' length: this project.
    """
    study = Study.of(points, settings, rng)
    cells = [
        Setting(knob, place, method, mechanism, settings.runs, study.points.n)
        for build in (_switches, _shares, _orders, _lengths)
        for knob, place, method, mechanism in build(settings)
    ]
    return Experiment.of(study, cells, rng)


Row = tuple[str, float, Method, KdTree | HilbertTree | KdCell]


def _switches(settings: Settings) -> Iterator[Row]:
    height = settings.kd_height
    for level in range(height + 1):
        yield (
            SWITCH,
            level,
            Method(HYBRID, height),
            replace(KdTree.hybrid(height, level), noise=Noise.LAPLACE),
        )


def _shares(settings: Settings) -> Iterator[Row]:
    height = settings.kd_height
    for share in SHARES:
        yield (
            SHARE,
            share,
            Method(HYBRID, height),
            replace(KdTree.hybrid(height, median_share=share), noise=Noise.LAPLACE),
        )


def _orders(settings: Settings) -> Iterator[Row]:
    height = settings.kd_height
    for order in (one for one in ORDERS if one >= height):
        yield ORDER, order, Method(HILBERT, height), HilbertTree(height, order, noise=Noise.LAPLACE)


def _lengths(settings: Settings) -> Iterator[Row]:
    """kd-cell's grid as fine as in its figures, and coarser by the same steps for any grid."""
    height, (columns, rows) = settings.kd_height, settings.cells
    for length in LENGTHS:
        coarser = length / LENGTHS[0]
        cells = max(1, round(columns / coarser)), max(1, round(rows / coarser))
        yield (
            LENGTH,
            length,
            Method(KD_CELL, height, cells),
            KdCell(height, cells, noise=Noise.LAPLACE),
        )
