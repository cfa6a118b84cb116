"""The experiments of the AQ paper, section 4: error and time against m on six data sets."""

import itertools
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pandas as pd

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import ZCDP, ApproxDP, Budget, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import UnsupportedBudget
from dpviz.core.quantiles import QuantileSet, uniform_quantiles
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.engine.plan import Experiment
from dpviz.experiments.engine.tally import LARGEST_GAP, MEAN_GAP, sums_of
from dpviz.experiments.papers.sets import STUDY_BOUNDS, DataSet
from dpviz.mechanisms.exponential.ladder import Problems
from dpviz.mechanisms.exponential.one_quantile import sample
from dpviz.mechanisms.exponential.rho_rule import RhoRule
from dpviz.mechanisms.exponential.ties import JITTER_SCALE, Ties, exponential_bounds
from dpviz.mechanisms.exponential.treated_ladders import treated_ladders
from dpviz.mechanisms.quantiles.agg_tree import AggTree, QuantileEstimator
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.descent import Run, cut, started
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp
from dpviz.mechanisms.quantiles.joint_exp.mechanism import JointExp
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism
from dpviz.mechanisms.quantiles.recursion import plan
from dpviz.metrics.quantiles import gaps, records_between

SENSITIVITY = 1.0  # of the utility in Appendix A
ROUNDING = 1e-9  # of q'·n, which is floored: 3 records are not 2 for 2.9999999999


@dataclass(frozen=True, slots=True)
class TextHalving:
    """Algorithm 1 with Appendix A: utility u of sensitivity 1, target ⌊q'n⌋, density ∝ exp(ε'u/2).

    The authors' program and ApproximateQuantiles keep the target q'n whole, so that one record
    moves the distance by max(q', 1 − q') at most: about a half, which allows twice the weight a
    rank. With the floor it moves by 1.
    Guarantee: PureDP and ZCDP under add/remove, in doubles: for studies alone.
    Source: Kaplan, Schnapp and Stemmer 2021, Algorithm 1, Appendix A and Theorem 3.10.
    """

    name: ClassVar[str] = "ApproximateQuantiles"

    def level_epsilon(self, budget: Budget, m: int) -> float:
        """ε' of each level of the recursion for m quantiles: ε/(log₂ m + 1), as printed.

        There are ⌊log₂ m⌋ + 1 levels, so that for most m a part of the budget is left over.
        Raises: UnsupportedBudget for (ε, δ), of which the figures have none.
        """
        levels = math.log2(m) + 1
        match budget:
            case PureDP(epsilon):
                return epsilon / levels
            case ZCDP(rho):
                return math.sqrt(2 * rho / levels)
            case _:
                raise UnsupportedBudget("The text's halving is run for ε and for ρ.")

    def release_many(
        self,
        column: Column,
        quantiles: QuantileSet,
        budget: Budget,
        rng: np.random.Generator,
        runs: int,
    ) -> FloatArray:
        """Independent runs, shape (runs, m); each spends the whole budget."""
        steps = plan(quantiles)
        eta = self.level_epsilon(budget, steps.m) / (2 * SENSITIVITY)
        drawn = np.empty((runs, steps.m))
        for run in range(runs):
            climbs = next(treated_ladders(column, Ties.SPREAD, rng, 1))
            walk = started(climbs, exponential_bounds(column, Ties.SPREAD), steps)
            for depth, nodes in enumerate(steps.levels):
                problems = replace(floored(walk, depth), eta=np.full(nodes.position.size, eta))
                found, interval = sample(climbs.ladder, problems, rng)  # spends the level's budget
                cut(walk, nodes, problems, found, interval)
            drawn[run] = walk.values[0, 1:-1]  # noqa: PD011  no frame
        return quantiles.in_order_asked(drawn)


def floored(walk: Run, depth: int) -> Problems:
    """The sub-problems of a level with their targets ⌊q'n⌋ in place of q'n."""
    problems = walk.problems(depth)
    before = walk.ladder.rank(problems.first)
    return replace(problems, target=before + np.floor(problems.target - before + ROUNDING))


PURE, CONCENTRATED = "pure", "zCDP"
PAPER, TEXT, IMPROVED = "paper", "text", "improved"
THEIR_COUNT = "their program's count"
GAPS = (MEAN_GAP, LARGEST_GAP, THEIR_COUNT)
DELTA = 1e-6
TABLE_SECONDS = 2.6e-4  # of JointExp for each quantile of 1,000 records
OTHER_SECONDS = 2.4e-2  # of everything else in one trial: four trees have 65,536 leaves


@dataclass(frozen=True, slots=True)
class Line:
    """One curve: a mechanism with a budget, in a notion.

    variant: PAPER is what the figures in print show, drawn by the authors' public program; TEXT is
    what the paper's text has where the program differs, IMPROVED this project's.
    same_as names the paper's own shortcut: JointExp with ε = 1 is ½-zCDP, its error the same.
    """

    notion: str
    variant: str
    mechanism: QuantileMechanism | TextHalving
    budget: Budget
    same_as: int | None = None


def program_noise(
    height: int = 4, epsilon: float = 1.0, delta: float = DELTA
) -> tuple[float, ZCDP]:
    """The deviation of the Gaussian noise in the authors' call of AggTree, and its exact price.

    Their program passes a δ on, and the tree of Gillenwater et al. then draws Gaussian noise of
    σ = √(2 ln(1.32/δ)) · h/ε on every node of h levels. One record moves one count a level: that
    costs ρ = h/(2σ²), far less than (ε, δ).
    """
    sigma = math.sqrt(2 * math.log(1.32 / delta)) * height / epsilon
    return sigma, ZCDP(height / (2 * sigma**2))


# The text names neither fanout nor height of AggTree; the program that it calls has 16, 4 by
# default, no noise on the root, and goes down by shares of the children. Its δ = 1e-6 makes that
# program draw Gaussian noise. The text has Lap(h/ε), or Lap(√h) for ρ = 1/2, and running counts.
THEIR_TREE = AggTree(16, 4, noise=Noise.LAPLACE, estimator=QuantileEstimator.DESCENT)
TEXT_TREE = replace(THEIR_TREE, estimator=QuantileEstimator.RAW)
HALF_AS_PURE = PureDP(math.sqrt(4))  # ε at which Lap(h/ε) is Lap(√h): ε' = 1/√h, so ρ = 1/2
LINES: tuple[Line, ...] = (
    Line(PURE, PAPER, ApproximateQuantiles(), PureDP(1)),
    Line(PURE, PAPER, JointExp(), PureDP(1)),
    Line(PURE, PAPER, IndependentExp(), ApproxDP(1, DELTA)),
    Line(PURE, PAPER, replace(THEIR_TREE, noise=Noise.GAUSSIAN), program_noise()[1]),
    Line(
        PURE,
        IMPROVED,
        AggTree(10, 3, noise=Noise.LAPLACE, estimator=QuantileEstimator.EFFICIENT),
        PureDP(1),
    ),
    Line(CONCENTRATED, PAPER, ApproximateQuantiles(rho_rule=RhoRule.PAPER), ZCDP(0.5)),
    Line(CONCENTRATED, PAPER, JointExp(rho_rule=RhoRule.PAPER), ZCDP(0.5), same_as=1),
    Line(CONCENTRATED, PAPER, IndependentExp(rho_rule=RhoRule.PAPER), ZCDP(0.5)),
    Line(CONCENTRATED, PAPER, THEIR_TREE, ZCDP(0.5)),
    Line(CONCENTRATED, IMPROVED, ApproximateQuantiles(), ZCDP(0.5)),
    Line(CONCENTRATED, IMPROVED, JointExp(), ZCDP(0.5)),
    Line(CONCENTRATED, IMPROVED, IndependentExp(), ZCDP(0.5)),
    Line(
        CONCENTRATED,
        IMPROVED,
        AggTree(10, 3, noise=Noise.GAUSSIAN, estimator=QuantileEstimator.EFFICIENT),
        ZCDP(0.5),
    ),
    Line(PURE, TEXT, TextHalving(), PureDP(1)),
    Line(CONCENTRATED, TEXT, TextHalving(), ZCDP(0.5)),
    Line(PURE, TEXT, TEXT_TREE, PureDP(1)),
    Line(CONCENTRATED, TEXT, TEXT_TREE, HALF_AS_PURE),
)


# Fig. 8: the lines of the figures in print
TIMED = tuple(line for line in LINES if (line.notion, line.variant) == (PURE, PAPER))


@dataclass(frozen=True, slots=True)
class Settings:
    """How much of the study is run: which m, how many trials, on samples of how many records."""

    counts: tuple[int, ...]
    trials: int
    records: int = 1000


COMPLETE = Settings(counts=(1, *range(5, 121, 5)), trials=100)
ZOOM = Settings(counts=(1, 2, 3, 4, *range(5, 36, 5)), trials=100)
QUICK = Settings(counts=(1, 3, 9, 20, 35, 60, 120), trials=4)
PRESETS = {"quick": QUICK, "zoom, m ≤ 35": ZOOM, "complete": COMPLETE}
CELL_SECONDS = 2.0


def sampled(
    data: DataSet, records: int, rng: np.random.Generator, jitter: float = JITTER_SCALE
) -> Column:
    """Records drawn without replacement, ties broken as the authors do, bounds (−100, 100)."""
    return untied(drawn_records(data, records, rng), rng, jitter)


def drawn_records(data: DataSet, records: int, rng: np.random.Generator) -> Column:
    """Records drawn without replacement, ties as they are, bounds (−100, 100)."""
    whole = data.values  # noqa: PD011  a data set, not a frame
    values = rng.choice(whole, min(records, whole.size), replace=False)
    return Column.from_values(values, STUDY_BOUNDS)


def untied(column: Column, rng: np.random.Generator, jitter: float = JITTER_SCALE) -> Column:
    """The same records, each moved by a little Gaussian noise as the authors do."""
    if jitter == 0:
        return column
    records = column.values  # noqa: PD011  a column of ours, not a frame
    moved = records + rng.normal(scale=jitter, size=column.n)
    return Column.from_values(moved, STUDY_BOUNDS)


@dataclass(frozen=True, slots=True)
class Trials:
    """Some trials of every line, on one data set for one m; Fig. 4 to 7."""

    data: str
    m: int
    trials: int
    records: int

    @property
    def seconds(self) -> float:
        """Two tables of JointExp and everything else."""
        scale = self.records / 1000
        return self.trials * (2 * TABLE_SECONDS * self.m * scale + OTHER_SECONDS)

    def run(self, shared: dict[str, DataSet], rng: np.random.Generator) -> pd.DataFrame:
        """Rows data, m, notion, variant, mechanism, metric (of GAPS) and its sums, in records."""
        quantiles = QuantileSet.of(uniform_quantiles(self.m))
        errors = np.empty((len(LINES), len(GAPS), self.trials))
        for trial in range(self.trials):  # each on records of its own
            records = drawn_records(shared[self.data], self.records, rng)
            errors[..., trial] = _errors(records, quantiles, rng)
        return pd.DataFrame(
            {
                "data": self.data,
                "m": self.m,
                "notion": line.notion,
                "variant": line.variant,
                "mechanism": line.mechanism.name,
                "metric": metric,
                **sums_of(row),
            }
            for line, of_line in zip(LINES, errors, strict=True)
            for metric, row in zip(GAPS, of_line, strict=True)
        )


def _errors(records: Column, quantiles: QuantileSet, rng: np.random.Generator) -> FloatArray:
    """Shape (lines, metrics), of one trial on records with their ties."""
    column, aside = untied(records, rng), rng.spawn(1)[0]
    errors = np.empty((len(LINES), len(GAPS)))
    for at, line in enumerate(LINES):
        if line.same_as is not None:
            errors[at] = errors[line.same_as]
            continue
        # a stream of their own: lines beside the others move none of them
        stream = aside if line.variant == TEXT else rng
        drawn = line.mechanism.release_many(column, quantiles, line.budget, stream, 1)
        missed = gaps(column, quantiles, drawn)
        theirs = records_between(records, quantiles, drawn).mean()
        errors[at] = missed.mean(), missed.max(), theirs
    return errors


def error_study(
    sets: dict[str, DataSet], settings: Settings, rng: np.random.Generator
) -> Experiment:
    """Fig. 4 to 7: cells of about CELL_SECONDS, a few trials of everything first.

    Source: Kaplan, Schnapp and Stemmer 2021, section 4.3.
    """
    cells: list[Trials] = []
    for part in _parts(settings):
        cells += [Trials(key, m, part, settings.records) for m in settings.counts for key in sets]
    return Experiment.of(sets, cells, rng)


def _parts(settings: Settings) -> list[int]:
    longest = Trials("", max(settings.counts), settings.trials, settings.records).seconds
    parts = int(min(max(np.ceil(longest / CELL_SECONDS), 1), settings.trials))
    edges = [part * settings.trials // parts for part in range(parts + 1)]
    return [end - begin for begin, end in itertools.pairwise(edges)]


@dataclass(frozen=True, slots=True)
class Timing:
    """Some timed releases of every mechanism, on one data set for one m; Fig. 8."""

    data: str
    m: int
    trials: int
    records: int

    @property
    def seconds(self) -> float:
        """One table of JointExp and little else."""
        return self.trials * (TABLE_SECONDS * self.m * self.records / 1000 + 3e-3)

    def run(self, shared: dict[str, DataSet], rng: np.random.Generator) -> pd.DataFrame:
        """Rows m, mechanism and sums of seconds for one release from a sorted column."""
        quantiles = QuantileSet.of(uniform_quantiles(self.m))
        lines = TIMED
        taken = np.empty((len(lines), self.trials))
        for trial in range(self.trials):
            column = sampled(shared[self.data], self.records, rng)
            for at, line in enumerate(lines):
                assert not isinstance(line.mechanism, TextHalving), "a line of the figures alone"
                start = time.thread_time()
                line.mechanism.release(column, quantiles, line.budget, rng)
                taken[at, trial] = time.thread_time() - start
        return pd.DataFrame(
            {"m": self.m, "mechanism": line.mechanism.name, **sums_of(row)}
            for line, row in zip(lines, taken, strict=True)
        )


def time_study(
    sets: dict[str, DataSet], settings: Settings, rng: np.random.Generator
) -> Experiment:
    """Fig. 8: time of one release by m, averaged over the data sets; run it in one process.

    Source: Kaplan, Schnapp and Stemmer 2021, section 4.4.
    """
    cells: Sequence[Timing] = [
        Timing(key, m, settings.trials, settings.records) for m in settings.counts for key in sets
    ]
    return Experiment.of(sets, cells, rng)
