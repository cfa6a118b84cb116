"""Made-up roads in place of PSD's: dense towns and straight roads, and much that is empty."""

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.data.points import Points
from dpviz.experiments.planning.spatial_queries import PAPER_BOX

N = 1_630_000  # as many as TIGER 2006 has in the paper's two states
TOWNS = 1200
SHARES = (0.7, 0.1, 0.2)  # of the points: in towns, on roads between them, on country roads
SEED = 2006  # of the set that the figures and the benchmarks use


def road_points(
    rng: np.random.Generator,
    n: int = N,
    *,
    shares: tuple[float, float, float] = SHARES,
    towns: int = TOWNS,
) -> Points:
    """Points in PSD's box: two states' worth of towns, roads between them and country roads.

    Town sizes follow a power law; a tenth of the points lie along roads that join towns, a fifth on
    a loose net of country roads in the two corners that the paper's states take up. Other shares
    and numbers of towns make points that differ in that alone.
    """
    corners = np.array([[-124.7, -117.0, 45.6, 49.0], [-109.0, -103.1, 31.4, 37.0]])
    state = rng.integers(0, 2, towns)
    low, high = corners[state][:, [0, 2]], corners[state][:, [1, 3]]
    centre = low + (high - low) * rng.beta(1.2, 1.2, (towns, 2))
    weight = rng.pareto(1.1, towns) + 0.05
    parts = rng.multinomial(n, shares)
    at = np.concatenate(
        [
            _towns(centre, weight, parts[0], rng),
            _roads(centre, state, parts[1], rng),
            _country(corners, parts[2], rng),
        ]
    )
    return Points.from_xy(at[:, 0], at[:, 1], PAPER_BOX)


def _towns(centre: FloatArray, weight: FloatArray, n: int, rng: np.random.Generator) -> FloatArray:
    which = rng.choice(centre.shape[0], n, p=weight / weight.sum())
    spread = 0.02 * np.sqrt(weight / weight.mean())[which, None] + 0.01
    # street grids: blocks of about 150 m
    at = centre[which] + spread * rng.standard_normal((n, 2))
    snapped = np.round(at / 0.0015) * 0.0015
    return np.asarray(snapped + 2e-5 * rng.standard_normal((n, 2)))


def _roads(centre: FloatArray, state: IntArray, n: int, rng: np.random.Generator) -> FloatArray:
    start = rng.integers(0, centre.shape[0], 800)
    apart = np.abs(centre[start][:, None] - centre[None]).sum(axis=2)
    apart[state[start][:, None] != state[None]] = np.inf
    end = np.argsort(apart, axis=1)[np.arange(800), rng.integers(1, 6, 800)]
    which = rng.integers(0, 800, n)
    along = rng.random((n, 1))
    at = centre[start[which]] * (1 - along) + centre[end[which]] * along
    return np.asarray(at + 0.0005 * rng.standard_normal((n, 2)))


def _country(corners: FloatArray, n: int, rng: np.random.Generator) -> FloatArray:
    corner = corners[rng.integers(0, 2, n)]
    at = corner[:, [0, 2]] + (corner[:, [1, 3]] - corner[:, [0, 2]]) * rng.random((n, 2))
    snapped = np.round(at / 0.015) * 0.015  # township lines, a mile apart
    axis = rng.integers(0, 2, n)[:, None] == np.arange(2)
    return np.where(axis, snapped, at)
