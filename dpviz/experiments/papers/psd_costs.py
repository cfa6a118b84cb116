"""PSD's figures about medians, time and matching: Fig. 4, 7a and 7b of Cormode et al. 2012."""

import time
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpviz.core.budgets import Budget, PureDP
from dpviz.core.data.column import Column
from dpviz.core.data.points import Points
from dpviz.experiments.engine.plan import Experiment
from dpviz.experiments.engine.tally import sums_of
from dpviz.experiments.papers.medians import lines, medians_by_depth, uniform_column
from dpviz.experiments.papers.psd_figures import EPSILON, Settings, sampled_points
from dpviz.experiments.papers.psd_methods import MATCHED, TIMED, Method
from dpviz.metrics.record_matching import match_records

MATCHING_EPSILONS = (0.05, 0.1, 0.2, 0.5)
DISTANCE = 0.001  # of a match, as a share of the box


@dataclass(frozen=True, slots=True)
class Construction:
    """Some timed releases and readings of one method; Fig. 7a."""

    method: Method
    runs: int
    records: int

    @property
    def seconds(self) -> float:
        """As a release, and one more that is not timed."""
        return (self.runs + 1) * self.method.seconds(self.records)

    @property
    def spends(self) -> tuple[Budget, int]:
        """The budget of a release, and how many there are."""
        return PureDP(EPSILON), self.runs + 1

    def run(self, shared: Points, rng: np.random.Generator) -> pd.DataFrame:
        """Rows method, height, step (release, post-processing) and sums of seconds."""
        budget, taken = PureDP(EPSILON), np.empty((2, self.runs))
        mechanism = self.method.mechanism(shared.box, budget)
        mechanism.release(shared, budget, rng)  # a first release pays for memory as well
        for run in range(self.runs):
            began = time.thread_time()
            release = mechanism.release(shared, budget, rng)
            released = time.thread_time()
            self.method.reading(release)
            taken[:, run] = released - began, time.thread_time() - released
        return pd.DataFrame(
            {"method": self.method.name, "height": self.method.height, "step": step, **sums_of(row)}
            for step, row in zip(("release", "post-processing"), taken, strict=True)
        )


def construction_times(points: Points, settings: Settings, rng: np.random.Generator) -> Experiment:
    """Fig. 7a: time to build each decomposition; run it in one process.

    Source: Cormode et al. 2012, §8.2, Scalability.
    """
    few = sampled_points(points, settings.records, rng)
    heights = {"quad-opt": settings.quadtree_height}
    methods = [Method(n, heights.get(n, settings.kd_height), settings.cells) for n in TIMED]
    return Experiment.of(few, [Construction(one, settings.runs, few.n) for one in methods], rng)


@dataclass(frozen=True, slots=True)
class RecordMatching:
    """Some releases of the first party, matched with the second party's points; Fig. 7b."""

    method: Method
    epsilon: float
    runs: int
    records: int

    @property
    def seconds(self) -> float:
        """A release of one half of the records, and as much again to match."""
        return self.runs * self.method.seconds(self.records)

    @property
    def spends(self) -> tuple[Budget, int]:
        """The budget of a release, and how many there are."""
        return PureDP(self.epsilon), self.runs

    def run(self, shared: tuple[Points, Points], rng: np.random.Generator) -> pd.DataFrame:
        """Rows method, height, epsilon and sums over runs of the reduction ratio."""
        first, second = shared
        distance = DISTANCE * first.box.x.width, DISTANCE * first.box.y.width
        mechanism, ratios = self.method.leaves_only(first.box), np.empty(self.runs)
        for run in range(self.runs):
            release = mechanism.release(first, PureDP(self.epsilon), rng)
            ratios[run] = match_records(release, first, second, distance).reduction_ratio
        labels = {"method": self.method.name, "height": self.method.height}
        return pd.DataFrame([{**labels, "epsilon": self.epsilon, **sums_of(ratios)}])


def record_matching(points: Points, settings: Settings, rng: np.random.Generator) -> Experiment:
    """Fig. 7b: two halves of the points matched through the first half's leaves.

    Source: Cormode et al. 2012, §8.3; Inan et al. 2010.
    """
    few = sampled_points(points, settings.records, rng)
    mixed = rng.permutation(few.n)
    halves = tuple(
        Points.from_xy(few.x[part], few.y[part], few.box) for part in (mixed[::2], mixed[1::2])
    )
    cells = [
        RecordMatching(Method(name, settings.matching_height), epsilon, settings.runs, few.n)
        for epsilon in MATCHING_EPSILONS
        for name in MATCHED
    ]
    return Experiment.of(halves, cells, rng)


@dataclass(frozen=True, slots=True)
class Medians:
    """One private median on a tree that it splits itself; Fig. 4, unsorted points too if wanted."""

    method: str
    runs: int
    records: int
    unsorted: bool = False

    @property
    def seconds(self) -> float:
        """Ten levels of passes over the points, and ten that sort them if they are unsorted."""
        sorting = 2e-6 * self.records if self.unsorted else 0.0
        return self.runs * (0.01 + 1e-7 * self.records) + sorting

    def run(self, shared: Column, rng: np.random.Generator) -> pd.DataFrame:
        """The rows of medians_by_depth."""
        one = {self.method: lines()[self.method]}
        return medians_by_depth(shared, rng, medians=one, runs=self.runs, unsorted=self.unsorted)


def median_study(settings: Settings, rng: np.random.Generator) -> Experiment:
    """Fig. 4: rank error and time of private medians by depth; run it in one process.

    Source: Cormode et al. 2012, §8.2.
    """
    column = uniform_column(rng, settings.medians)
    cells = [
        Medians(name, settings.median_runs, settings.medians, unsorted=True) for name in lines()
    ]
    return Experiment.of(column, cells, rng)
