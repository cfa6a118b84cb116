"""Ours and the peers' quantile mechanisms, all as: raw values → private quantiles."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, Budget, PureDP
from dpviz.core.data.column import Column
from dpviz.experiments.planning.beforehand import planned
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism

LEAVES = 4096  # as AggTree's own without a resolution
STEP = 0.01  # between candidates of a continuous column: 20,001 of them in (−100, 100)

Answer = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True, slots=True)
class Task:
    """What every mechanism is asked: public, and the same for all."""

    bounds: Bounds
    resolution: float
    records: int
    quantiles: np.ndarray
    budget: Budget

    @property
    def integers(self) -> np.ndarray:
        """The grid values of a column with a resolution."""
        return np.arange(self.bounds.low, self.bounds.high + self.resolution / 2, self.resolution)


def ours(task: Task, rng: np.random.Generator) -> dict[str, Answer]:
    """Those of this project that take the budget, the making of the column included in each."""

    def answer(mechanism: QuantileMechanism) -> Answer:
        def draw(values: np.ndarray) -> np.ndarray:
            column = Column.from_values(values, task.bounds, task.resolution)
            return mechanism.release(column, task.quantiles, task.budget, rng).values

        return draw

    return {name: answer(mechanism) for name, mechanism in planned(task.budget).items()}


def opendp_answers(task: Task) -> dict[str, Answer]:
    """OpenDP's private quantile for each quantile, and its b-ary tree with consistency.

    Raises: ImportError without OpenDP.
    """
    import opendp.prelude as dp  # noqa: PLC0415  an optional extra

    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance()
    measure = dp.max_divergence()
    if isinstance(task.budget, ZCDP):
        measure = dp.zero_concentrated_divergence()
    each, tree = _each_quantile(dp, space, measure, task), _tree(dp, space, task)
    return {"OpenDP private_quantile": _answer(each), "OpenDP b-ary tree": _answer(tree)}


def _answer(measurement: Any) -> Answer:
    # outputs are sorted as IndependentExp's are: post-processing
    return lambda values: np.sort(np.asarray(measurement(values), dtype=np.float64))


def _each_quantile(dp: Any, space: Any, measure: Any, task: Task) -> Any:
    if task.resolution:
        candidates = task.integers
    else:
        candidates = np.linspace(*_ends(task), round(task.bounds.width / STEP) + 1)
    share = task.budget.size / task.quantiles.size

    def at_scale(alpha: float, scale: float) -> Any:
        return dp.m.make_private_quantile(*space, measure, candidates.tolist(), alpha, scale)

    scaled = [
        at_scale(alpha, _scale(lambda scale: at_scale(alpha, scale), share, task))  # noqa: B023
        for alpha in task.quantiles.tolist()
    ]
    return _within(task, dp.c.make_composition(scaled))


def _tree(dp: Any, space: Any, task: Task) -> Any:
    if task.resolution:  # a bin around every grid value
        half = task.resolution / 2
        edges = np.append(task.integers - half, task.integers[-1] + half)
    else:
        edges = np.linspace(*_ends(task), LEAVES + 1)
    bins = edges.size - 1
    fanout = dp.t.choose_branching_factor(task.records)
    concentrated = isinstance(task.budget, ZCDP)
    metric = dp.L2Distance if concentrated else dp.L1Distance
    counts = (
        space
        >> dp.t.then_find_bin(edges[1:-1].tolist())
        >> dp.t.then_count_by_categories(list(range(bins)), null_category=False, MO=metric[int])
        >> dp.t.then_b_ary_tree(leaf_count=bins, branching_factor=fanout)
    )
    noise = dp.m.then_gaussian if concentrated else dp.m.then_laplace
    scale = _scale(lambda scale: counts >> noise(scale), task.budget.size, task)
    noisy = _within(task, counts >> noise(scale))
    return (
        noisy
        >> dp.t.make_consistent_b_ary_tree(branching_factor=fanout)
        >> dp.t.make_quantiles_from_counts(edges.tolist(), task.quantiles.tolist())
    )


def _scale(build: Callable[[float], Any], size: float, task: Task) -> float:
    """The scale that spends so much: ε falls as 1/scale, ρ as 1/scale²."""
    ratio = float(build(1.0).map(1)) / size
    return math.sqrt(ratio) if isinstance(task.budget, ZCDP) else ratio


def _ends(task: Task) -> tuple[float, float]:
    return task.bounds.low, task.bounds.high


def _within(task: Task, measurement: Any) -> Any:
    spent = measurement.map(1)
    # neither may get more than the others, nor be handicapped
    if not np.isclose(spent, task.budget.size, rtol=1e-6):
        raise AssertionError(f"spends {spent}, not {task.budget}")
    return measurement


def diffprivlib_answers(task: Task, rng: np.random.Generator) -> dict[str, Answer]:
    """The quantile of diffprivlib, which divides the budget itself; it knows pure ε alone.

    Raises: ImportError without diffprivlib.
    """
    from diffprivlib.tools import quantile  # noqa: PLC0415  an optional extra

    if not isinstance(task.budget, PureDP):
        return {}
    epsilon = task.budget.epsilon

    def draw(values: np.ndarray) -> np.ndarray:
        seed = int(rng.integers(2**31))  # it knows no Generator
        found = quantile(values, task.quantiles, epsilon, _ends(task), random_state=seed)
        return np.sort(found)

    return {"diffprivlib quantile": draw}
