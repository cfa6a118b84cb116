"""Error bands of a CDF: pure noise through the same linear estimator. Free: no data is touched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray, frozen
from dpviz.core.card import Card
from dpviz.core.checks import checked_rng, checked_runs, checked_share, found
from dpviz.core.errors import InvalidParameter, TooMuchWork
from dpviz.core.trees.prefix_noise import PrefixNoise
from dpviz.core.trees.prefix_release import PrefixRelease
from dpviz.core.trees.tree_noise import TreeNoise
from dpviz.core.usual_floats import usual_floats
from dpviz.estimators.trees.curve import edge_positions
from dpviz.estimators.trees.least_squares import Tree, as_estimate
from dpviz.estimators.trees.quantiles import running_counts
from dpviz.estimators.trees.readings import TreeEstimator

CARD = Card(
    key="cdf_band",
    title="Error bands of a CDF",
    words="error bands",
    lead="Says how far off the curve can be, from the noise alone.",
    promises=("free",),
    price="nothing: it needs no data",
    use="saying the error before a release",
    family="Estimators",
    role="public statement",
    summary="Noise does not depend on the data, so trees of pure noise through the same linear "
    "estimator give the pointwise and the simultaneous half-width.",
    guarantee="needs no data: spends nothing",
    neighbours="as the tree",
    cost="2,000 simulated trees: well under half a second",
    good_for="saying how far the curve can be off, before anything is released",
    watch_out="noise only: what lies inside one leaf is not covered",
    source="Manohar 2014 (α and β); this project (simultaneous band)",
)


BLOCK = 64  # edges whose errors are ordered at once
LEAST_BETA = 1e-9
MOST_DRAWN, MOST_HELD = 1 << 32, 1 << 29  # simulated numbers
CHUNK = 2**19  # simulated leaves worked on at once

RAW_POINTWISE = "pointwise: each count is within α with probability {0:.0%}"
RAW_SIMULTANEOUS = "simultaneous: all counts together are within it with probability {0:.0%}"
SMOOTH_POINTWISE = "α of the CDF before smoothing; smoothed counts may leave it more often"
SMOOTH_SIMULTANEOUS = "simultaneous: still valid after smoothing, with probability ≥ {0:.0%}"


@dataclass(frozen=True, slots=True, eq=False)
class CdfBand:
    """Half-widths in records around the running counts at a CDF's edges.

    pointwise (t + 1,) is α at each edge, simultaneous one number for all edges together. They hold
    with probability confidence before smoothing; the draw of the runs simulated is part of it.
    """

    pointwise: FloatArray
    simultaneous: float
    confidence: float
    runs: int

    def labels(self, *, smoothed: bool) -> tuple[str, str]:
        """What may be claimed of the pointwise and of the simultaneous band."""
        texts = RAW_POINTWISE, RAW_SIMULTANEOUS
        if smoothed:
            texts = SMOOTH_POINTWISE, SMOOTH_SIMULTANEOUS
        pointwise, simultaneous = (text.format(self.confidence) for text in texts)
        return pointwise, simultaneous


@usual_floats
def cdf_band(
    tree: Tree | PrefixRelease,
    rng: np.random.Generator,
    *,
    step: int = 1,
    beta: float = 0.05,
    runs: int = 2000,
) -> CdfBand:
    """Half-widths around cdf(tree, step=step) at confidence 1 − β, by simulation.

    tree is a release, an estimate of it, or a release of running counts: only the law of its noise
    and the way it is read matter, never its counts. Guarantee, errors and source: as noise_band.

    >>> band = dp.cdf_band(tree, rng, runs=100)
    >>> band.pointwise.shape
    (17,)
    """
    if isinstance(tree, PrefixRelease):
        return prefix_band(tree.noise, rng, step=step, beta=beta, runs=runs)
    read = as_estimate(tree, "cdf_band")
    checked_rng(rng)
    noise = read.release.tree_noise
    return noise_band(noise, read.reading, rng, step=step, beta=beta, runs=runs)


def noise_band(
    noise: TreeNoise,
    estimator: TreeEstimator,
    rng: np.random.Generator,
    *,
    step: int = 1,
    beta: float = 0.05,
    runs: int = 2000,
    errors: FloatArray | None = None,
) -> CdfBand:
    """Pointwise α and the simultaneous half-width at confidence 1 − β, by simulation.

    errors (runs, t + 1) is what simulated_errors gave for the same noise and reading; without it
    they are simulated here.

    The ⌈(1 − β)(runs + 1)⌉-th smallest absolute error of `runs` noise trees, so the statement holds
    exactly, on average over simulations. Never simulate by smoothing pure noise: a monotone fit of
    noise around nothing is closer to it than one around data.
    Raises: InvalidParameter for β outside (0, 1) or fewer runs than 1/β − 1.
    Source: Manohar 2014 (α, β); simulation of the linear estimator: this project.
    """
    if errors is None:
        order = _order(beta, runs)
        errors = simulated_errors(noise, estimator, rng, step=step, runs=runs)
    else:
        order = _order(beta, errors.shape[0])
    return _band(errors, order, beta)


def prefix_band(
    noise: PrefixNoise,
    rng: np.random.Generator,
    *,
    step: int = 1,
    beta: float = 0.05,
    runs: int = 2000,
) -> CdfBand:
    """The same around running counts that were released as such.

    Guarantee, errors and source: as noise_band.
    """
    checked_rng(rng)
    order = _order(beta, runs)
    return _band(simulated_prefix_errors(noise, rng, step=step, runs=runs), order, beta)


def _order(beta: float, runs: int) -> int:
    """Which of the runs, in order of size, is the half-width."""
    beta = checked_beta(beta)
    checked_runs(runs)
    order = int(np.ceil((1 - beta) * (runs + 1) - 1e-9))
    if order > runs:
        raise InvalidParameter(f"β = {beta:g} needs at least {1 / beta - 1:.0f} runs, got {runs}.")
    return order


def checked_beta(beta: float) -> float:
    """The chance β that a statement fails, as a float.

    Raises: InvalidParameter for β outside (0, 1), or so small that no simulation tells of it.
    """
    share = checked_share(beta, "β")
    if share < LEAST_BETA:
        raise InvalidParameter(
            f"β must be at least {LEAST_BETA:g}, got {found(beta)}: a simulation cannot tell of "
            "rarer misses."
        )
    return share


def check_simulation(runs: int, leaves: int, edges: int) -> None:
    """Refuse more simulated noise than a few minutes' work or a few gigabytes, before any is drawn.

    Raises: TooMuchWork; it depends on declared numbers alone.
    """
    if runs * leaves > MOST_DRAWN or runs * edges > MOST_HELD:
        raise TooMuchWork(
            f"{runs:,} simulated runs of {leaves:,} parts with {edges:,} edges are more than "
            f"{MOST_DRAWN:,} numbers drawn or {MOST_HELD:,} held. Choose fewer runs, a larger β or "
            "a larger step."
        )


def _band(errors: FloatArray, order: int, beta: float) -> CdfBand:
    """The band of simulated errors (runs, t + 1)."""
    runs, largest = errors.shape[0], np.zeros(errors.shape[0])
    pointwise = np.empty(errors.shape[1])
    for part in edge_blocks(errors.shape[1]):
        sizes = np.abs(np.ascontiguousarray(errors[:, part].T))
        np.maximum(largest, sizes.max(axis=0), out=largest)
        sizes.partition(order - 1, axis=1)
        pointwise[part] = sizes[:, order - 1]
    band = np.partition(largest, order - 1)[order - 1]
    return CdfBand(frozen(pointwise), float(band), 1 - beta, runs)


def edge_blocks(edges: int) -> Iterator[slice]:
    """Edges a few at a time: what their runs need stays in fast memory."""
    for start in range(0, edges, BLOCK):
        yield slice(start, min(edges, start + BLOCK))


def simulated_errors(
    noise: TreeNoise,
    estimator: TreeEstimator,
    rng: np.random.Generator,
    *,
    step: int = 1,
    runs: int = 2000,
) -> FloatArray:
    """Errors (runs, t + 1) of the running counts of a tree without records.

    Memory grows with runs × edges only; trees are simulated a few at a time.
    """
    kept = edge_positions(noise.shape, step)
    check_simulation(runs, noise.shape.leaves, kept.size)
    errors = np.empty((runs, kept.size))
    size = max(1, CHUNK // noise.shape.leaves)
    for start in range(0, runs, size):
        part = slice(start, min(runs, start + size))
        levels = estimator.apply(noise.simulate(part.stop - part.start, rng), noise.total)
        if estimator is TreeEstimator.EFFICIENT:  # children sum to parents: leaves are enough
            running = np.zeros((part.stop - part.start, noise.shape.leaves + 1))
            np.cumsum(levels.counts[-1], axis=-1, out=running[:, 1:])
        else:
            running = running_counts(levels, noise.total)
        errors[part] = running if kept.size == running.shape[-1] else running[:, kept]
    return errors


def simulated_prefix_errors(
    noise: PrefixNoise, rng: np.random.Generator, *, step: int = 1, runs: int = 2000
) -> FloatArray:
    """Errors (runs, t + 1) of running counts at every step-th edge and the last, 0 at edge 0.

    Memory grows with runs × edges only; runs are simulated a few at a time.
    """
    kept = edge_positions(noise.shape, step)
    check_simulation(runs, noise.bins, kept.size)
    errors = np.zeros((runs, kept.size))
    size = max(1, CHUNK // noise.bins)
    for start in range(0, runs, size):
        part = slice(start, min(runs, start + size))
        errors[part, 1:] = noise.simulate(part.stop - part.start, rng)[:, kept[1:] - 1]
    return errors
