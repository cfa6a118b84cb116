"""Honaker's simulation of noisy trees and the poster's trials of a CDF, as tidy frames."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget
from dpviz.core.data.column import Column
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.shape import Levels
from dpviz.core.trees.tree_noise import Root, TreeNoise
from dpviz.estimators.trees.band import CdfBand, noise_band
from dpviz.estimators.trees.cdf import cdf_of_levels, monotone
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.metrics.tree import (
    largest_error,
    mean_squared_errors,
    points_outside,
    true_running_counts,
)

HONAKERS_VARIANCE = 0.202**2  # of the noise's, claimed near the root of a tall tree (§3.4)


def honaker_simulation(
    rng: np.random.Generator,
    *,
    trees: int = 10_000,
    height: int = 4,
    mean: float = 10.0,
    sigma: float = 3.0,
    public_total: bool = True,
) -> pd.DataFrame:
    """Squared error of every node under the four readings, beside its exact variance.

    Binary trees with Poisson(mean) leaves, Gaussian noise of deviation sigma on every node; N is
    known, as in the paper, where the raw root is still its noisy count.
    Returns: columns node (1, 2, 3, … from the root), level, estimator, mse, standard_error, low,
    middle and high (quartiles of the squared error over the trees), variance, and ratio (mse over
    the raw one); units records². Source: Honaker 2019, §4, Fig. 4.
    """
    leaves = rng.poisson(mean, (trees, 2**height)).astype(np.float64)
    truth = [leaves.reshape(trees, 2**level, -1).sum(axis=-1) for level in range(height + 1)]
    noisy = Levels(
        2,
        tuple(exact + rng.normal(0.0, sigma, exact.shape) for exact in truth),
        (np.asarray(sigma**2),) * (height + 1),
    )
    total = truth[0] if public_total else None
    parts = []
    for estimator in TreeEstimator:
        raw = estimator is TreeEstimator.RAW
        levels = noisy if raw else estimator.apply(noisy, total)
        parts.append(_node_errors(levels, truth, estimator))
    frame = pd.concat(parts, ignore_index=True)
    raw_errors = frame.loc[frame["estimator"] == "raw", "mse"].to_numpy()
    return frame.assign(ratio=frame["mse"] / np.tile(raw_errors, len(TreeEstimator)))


def _node_errors(levels: Levels, truth: list[FloatArray], estimator: TreeEstimator) -> pd.DataFrame:
    squares = [(c - t) ** 2 for c, t in zip(levels.counts, truth, strict=True)]
    sizes = [level.shape[-1] for level in levels.counts]
    errors = np.concatenate(squares, axis=1)
    low, middle, high = np.quantile(errors, (0.25, 0.5, 0.75), axis=0)
    spread = errors.std(axis=0, ddof=1) if len(errors) > 1 else np.full(errors.shape[1], np.nan)
    return pd.DataFrame(
        {
            "node": np.arange(1, sum(sizes) + 1),
            "level": np.repeat(np.arange(len(sizes)), sizes),
            "estimator": estimator.value,
            "mse": np.concatenate(mean_squared_errors(levels, truth)),
            "standard_error": spread / np.sqrt(len(errors)),
            "low": low,
            "middle": middle,
            "high": high,
            "variance": np.concatenate(
                [np.broadcast_to(v, n) for v, n in zip(levels.variances, sizes, strict=True)]
            ),
        }
    )


def variances_by_level(noise: TreeNoise) -> pd.DataFrame:
    """Exact variance of a node of each level under every reading; nothing is drawn.

    Returns: columns estimator, level, variance (records²) and ratio, of the raw variance (NaN for
    levels that are not released). One number a level: noise is constant by level.
    """
    raw = np.array([float(variance) for variance in noise.variances])
    rows = []
    for estimator in TreeEstimator:
        variances = estimator.apply(noise.blank(), noise.total).variances
        for level, variance in enumerate(variances):
            rows.append((estimator.value, level, float(variance)))
    frame = pd.DataFrame(rows, columns=["estimator", "level", "variance"])
    own = np.where(np.isfinite(raw), raw, np.nan)[frame["level"]]
    return frame.assign(ratio=frame["variance"] / own)


def simulated_by_level(
    noise: TreeNoise, rng: np.random.Generator, runs: int = 1000
) -> pd.DataFrame:
    """Mean squared error of the nodes of each level over simulated noise trees.

    Returns: columns estimator, level, mse, standard_error (over runs).
    """
    drawn = noise.simulate(runs, rng)
    rows = []
    for estimator in TreeEstimator:
        levels = estimator.apply(drawn, noise.total)
        for level, counts in enumerate(levels.counts):
            by_run = (counts**2).mean(axis=1)
            error = float(by_run.std(ddof=1)) / np.sqrt(runs)
            rows.append((estimator.value, level, float(by_run.mean()), error))
    return pd.DataFrame(rows, columns=["estimator", "level", "mse", "standard_error"])


def honaker_table(heights: tuple[int, ...] = (4, 20)) -> pd.DataFrame:
    """Var/σ² by level in binary trees of constant noise, N private and public, with the claim.

    Returns: columns height, root, estimator, level, ratio and claim (0.202², printed for nodes near
    the root of a tall tree; NaN elsewhere).
    """
    parts = []
    for height, root in _settings(heights):
        # a public N leaves the root its place in Honaker's table; its own count plays no part
        noise = TreeNoise(2, Noise.GAUSSIAN, (1.0,) * (height + 1), root)
        frame = variances_by_level(noise).assign(height=height, root=root.value)
        efficient = frame["estimator"] == TreeEstimator.EFFICIENT.value
        claimed = efficient & frame["level"].between(1, 2)
        parts.append(frame.assign(claim=np.where(claimed, HONAKERS_VARIANCE, np.nan)))
    columns = ["height", "root", "estimator", "level", "ratio", "claim"]
    return pd.concat(parts, ignore_index=True)[columns]


def _settings(heights: tuple[int, ...]) -> Iterator[tuple[int, Root]]:
    for height in heights:
        yield height, Root.RELEASED
        yield height, Root.PUBLIC


def cdf_trials(
    column: Column,
    tree: CountTree,
    budget: Budget,
    rng: np.random.Generator,
    *,
    estimator: TreeEstimator = TreeEstimator.RAW,
    step: int = 1,
    beta: float = 0.05,
    trials: int = 10,
    band_runs: int = 2000,
    band: CdfBand | None = None,
    fit_total: bool = False,
) -> pd.DataFrame:
    """How many points of the CDF exceed α in each of several trials, raw and smoothed.

    band is what noise_band gave for the same tree, budget, estimator, step and β; without one it is
    simulated here. fit_total: as in monotone.

    Returns: columns trial, points, expected (β · points, for the raw CDF), raw and smoothed
    (points outside the pointwise α), outside_band_raw and outside_band_smoothed (outside the
    simultaneous one), largest_raw and largest_smoothed (records). Confidential.
    Each trial spends the budget anew: for teaching only. Source: Manohar 2014, Results.
    """
    noise, total = tree.tree_noise(budget), tree.total
    if band is None:
        band = noise_band(noise, estimator, rng, step=step, beta=beta, runs=band_runs)
    noisy = tree.release_many(column, budget, rng, runs=trials)
    raw = cdf_of_levels(estimator.apply(noisy, total), column.bounds, total, step=step)
    smoothed = monotone(raw, fit_total=fit_total)
    truth = true_running_counts(column, raw.edges)
    frame = {"trial": np.arange(1, trials + 1), "points": truth.size - 1}
    for name, counts in (("raw", raw.counts), ("smoothed", smoothed.counts)):
        frame[name] = points_outside(counts, truth, band.pointwise)
        frame[f"outside_band_{name}"] = points_outside(counts, truth, band.simultaneous)
        frame[f"largest_{name}"] = largest_error(counts, truth)
    return pd.DataFrame(frame).assign(expected=beta * (truth.size - 1))
