"""What is computed beforehand for every sample with a column and for stand-ins, part by part."""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpviz import catalogue
from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import ZCDP, ApproxDP, Budget, Neighbours, PureDP
from dpviz.core.choices import with_choices
from dpviz.core.data.column import Column
from dpviz.core.errors import UnsupportedBudget
from dpviz.core.quantiles import DECILES, QuantileSet
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.engine.plan import Experiment
from dpviz.experiments.planning.answers import QUESTIONS, Curve, budgets_for, error_curve
from dpviz.experiments.planning.grids import GRIDS
from dpviz.experiments.planning.stand_ins import SHAPES, stand_in
from dpviz.experiments.planning.sweeps import Axis, axis_values, sweep
from dpviz.experiments.planning.winners import record_grid, winners_map
from dpviz.intake.samples import sample_column, samples
from dpviz.mechanisms.quantiles.agg_tree import AggTree
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism

PURE = PureDP(1.0)
# by the part of the file that holds them
MAPPED: dict[str, Budget] = {
    "maps": PURE,
    "maps in ρ": ZCDP(0.5),
    "maps in (ε, δ)": ApproxDP(1.0, 1e-6),
}
SEED = 20210829  # of all stored results, and of studies that a visitor starts
SIZES = (1_500, 15_000, 150_000)  # people in a stand-in
FINE = 15_000  # the size that all kinds of results are stored for
RUNS, FEWER_RUNS = 1_200, 300  # the second of mechanisms that would take too long
LONG_SECONDS, LONGEST_SECONDS = 30.0, 80.0  # with RUNS, and with FEWER_RUNS: then it is left out
LONG_RELEASE = 0.1  # seconds of one release, from which on it is left out
SWEEP_RUNS = 50


@dataclass(frozen=True, slots=True)
class Source:
    """One set that results are stored about: a sample, or a stand-in with its number of people."""

    key: str
    n: int
    shape: str = ""

    def column(self, rng: np.random.Generator) -> Column:
        """Its values inside its bounds; a stand-in is made with STAND_IN_SEED, a sample read."""
        return stand_in(self.shape, self.n, rng) if self.shape else sample_column(self.key)

    @property
    def whole(self) -> bool:
        """Whether sweeps and maps are stored, too."""
        return not self.shape or self.n == FINE

    @property
    def questions(self) -> tuple[str, ...]:
        """The sets of quantiles that answers are stored for."""
        return tuple(QUESTIONS) if self.whole else tuple(list(QUESTIONS)[:3])


def key_of(shape: str, n: int) -> str:
    """The name of a stand-in among the stored results."""
    return f"{shape} {n}"


def sources() -> Iterator[Source]:
    """All sets, samples first."""
    for one in samples():
        if len(one.columns) == 1:
            yield Source(one.key, one.n)
    for n in SIZES:
        for shape in SHAPES:
            yield Source(key_of(shape.key, n), n, shape.key)


def planned(budget: Budget = PURE) -> dict[str, QuantileMechanism]:
    """The mechanisms that take such a budget by name, as stored results are about them (pure ε)."""
    return dict(_planned(budget))


@lru_cache(maxsize=64)  # of public budgets: a changed word of a sentence asks three times
def _planned(budget: Budget) -> tuple[tuple[str, QuantileMechanism], ...]:
    every = (with_choices(kind(), {"round_to_grid": True}) for kind in catalogue.QUANTILES)
    return tuple((one.name, one) for one in every if _takes(_with_noise(one, budget), budget))


def _with_noise(mechanism: QuantileMechanism, budget: Budget) -> QuantileMechanism:
    return with_choices(mechanism, {"noise": Noise.for_budget(budget)})


def _takes(mechanism: QuantileMechanism, budget: Budget) -> bool:
    try:
        mechanism.check(budget, [0.5])
    except UnsupportedBudget:
        return False
    return True


def with_settings(
    neighbours: Neighbours, budget: Budget, fanout: int | None, height: int | None
) -> dict[str, QuantileMechanism]:
    """The planned mechanisms with a relation, a tree and the noise that fits a notion.

    A fanout or height of None is left to the tree.

    Raises: InvalidParameter for a tree that cannot be.
    """
    chosen: dict[str, object] = {"neighbours": neighbours, "fanout": fanout, "height": height}
    chosen["noise"] = Noise.for_budget(budget)
    return {name: with_choices(one, chosen) for name, one in planned(budget).items()}


def curve_runs(source: Source, column: Column, question: str, mechanism: QuantileMechanism) -> int:
    """How many releases stand behind a stored curve; 0 where it would take too long."""
    m, least = len(QUESTIONS[question]), PureDP(float(budgets_for(source.n)[0]))
    if mechanism.seconds(source.n, m, least, 1, column.resolution) > LONG_RELEASE:
        return 0
    for runs, seconds in ((RUNS, LONG_SECONDS), (FEWER_RUNS, LONGEST_SECONDS)):
        expected = sum(
            mechanism.seconds(source.n, m, PureDP(float(size)), runs, column.resolution)
            for size in budgets_for(source.n)
        )
        if expected <= seconds:
            return runs
    return 0


def stored_curve(
    source: Source,
    column: Column,
    question: str,
    name: str,
    runs: int,
    rng: np.random.Generator,
    budgets: FloatArray | None = None,
) -> Curve:
    """The curve of one mechanism; with budgets only at these, each as in the whole curve.

    rng is made of entropy.
    """
    return error_curve(
        column,
        planned()[name],
        QuantileSet.of(QUESTIONS[question]),
        budgets_for(source.n) if budgets is None else budgets,
        runs,
        rng,
    )


def entropy(source: Source, question: str) -> list[int]:
    """The seed of the stored curves of a question: one for each, so that a part can be checked."""
    return [SEED, zlib.crc32(f"{source.key}/{question}".encode())]


def sweep_choices(axis: Axis) -> dict[str, QuantileMechanism]:
    """The mechanisms of a stored sweep: the shape of a tree moves AggTree alone."""
    trees = {Axis.HEIGHT: AggTree(2, 3), Axis.FANOUT: AggTree(10, 3)}
    if axis not in trees:
        return planned()
    return {AggTree.name: with_choices(trees[axis], {"round_to_grid": True})}


def stored_sweep(column: Column, axis: Axis, rng: np.random.Generator) -> Experiment:
    """The sweep that a view opens with: nine deciles at ε = 1, all mechanisms; rng from SEED."""
    chosen = sweep_choices(axis)
    tree = chosen[AggTree.name]
    assert isinstance(tree, AggTree)
    values = axis_values(axis, column, tree, PURE)
    deciles = QuantileSet.of(DECILES)
    return sweep(column, chosen, deciles, PURE, axis, values, SWEEP_RUNS, rng)


def stored_map(column: Column, budget: Budget, rng: np.random.Generator) -> Experiment:
    """The complete map of which mechanism wins where that a view opens with; rng from SEED.

    budget is one of MAPPED: all mechanisms of its notion are compared.
    """
    grid = GRIDS["complete"]
    return winners_map(
        column,
        planned(budget),
        budget,
        grid.rhos if isinstance(budget, ZCDP) else grid.epsilons,
        record_grid(column, grid.records),
        grid.quantiles,
        grid.runs,
        rng,
        grid.slow,
    )
