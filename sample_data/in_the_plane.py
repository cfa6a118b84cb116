"""The two sample sets in the plane: towns along roads, and clusters on a coast. Units: km."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial.distance import cdist

Values = NDArray[np.float64]


def towns(rng: Generator) -> Values:
    """30,000 homes in a region of 100 × 80 km: towns of Zipf sizes, bent roads, scattered farms."""
    centres = _spaced(rng, 34, (100, 80), apart=9)
    sizes = 1 / np.arange(1, len(centres) + 1) ** 0.85
    start, end = _roads(centres)
    homes = [
        _town_homes(rng, centres, sizes, 15_000),
        _road_homes(rng, centres[start], centres[end], 13_500),
        rng.uniform((0, 0), (100, 80), (2_000, 2)),
    ]
    return _keep(rng, np.concatenate(homes), (100, 80), 30_000)


def _spaced(rng: Generator, count: int, size: tuple[float, float], apart: float) -> Values:
    """Places at least so far apart, biggest first, away from the edge."""
    trials = rng.uniform(0.05, 0.95, (4_000, 2)) * size
    kept = trials[:1]
    for place in trials[1:]:
        if len(kept) < count and cdist([place], kept).min() >= apart:
            kept = np.vstack([kept, place])
    return kept


def _roads(centres: Values) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """A road wherever no third town is nearer to both ends (a spanning tree is part of it)."""
    distance = cdist(centres, centres)
    detour = np.maximum(distance[:, None, :], distance[None, :, :])
    count = len(centres)
    detour[np.arange(count), :, np.arange(count)] = np.inf
    detour[:, np.arange(count), np.arange(count)] = np.inf
    neighbours = distance <= detour.min(axis=2)
    joined = np.triu(neighbours | (minimum_spanning_tree(distance).toarray() > 0), 1)
    return np.nonzero(joined)


def _town_homes(rng: Generator, centres: Values, sizes: Values, count: int) -> Values:
    town = rng.choice(len(centres), count, p=sizes / sizes.sum())
    radius = 0.35 + 1.9 * np.sqrt(sizes[town])
    # gamma distances: a dense core with a long suburban tail
    distance = radius * rng.gamma(1.6, 0.55, count)
    angle = rng.uniform(0, 2 * np.pi, count)
    return centres[town] + distance[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])


def _road_homes(rng: Generator, start: Values, end: Values, count: int) -> Values:
    """Homes along quadratic Bézier curves, denser towards both ends."""
    along = end - start
    length = np.hypot(*along.T)
    across = np.column_stack([-along[:, 1], along[:, 0]]) * rng.normal(0, 0.16, (len(start), 1))
    middle = (start + end) / 2 + across
    road = rng.choice(len(start), count, p=length / length.sum())
    t = rng.beta(0.75, 0.75, count)[:, None]
    curve = (1 - t) ** 2 * start[road] + 2 * t * (1 - t) * middle[road] + t**2 * end[road]
    return curve + rng.laplace(0, 0.16, (count, 2))


def coast(rng: Generator) -> Values:
    """30,000 homes on 60 × 40 km: a ragged coast, the sea south of it, harbours, an island."""
    x = np.linspace(0, 60, 2_049)
    y = 15 + 4.0 * np.sin(x / 8.5) + 0.10 * x + _ragged(rng, 11, 6.5)
    harbours = np.array([4, 11.5, 19, 26, 33.5, 41, 47.5, 55]) + rng.uniform(-1.5, 1.5, 8)
    homes = [
        _harbour_homes(rng, harbours, x, y, 24_000),
        _shore_homes(rng, x, y, 12_000),
        _inland_homes(rng, 5_000),
    ]
    land = np.concatenate(homes)
    land = land[land[:, 1] > np.interp(land[:, 0], x, y) + 0.05]
    return _keep(rng, np.concatenate([land, _island_homes(rng, 2_000)]), (60, 40), 30_000)


def _ragged(rng: Generator, levels: int, height: float) -> Values:
    """Midpoint displacement with halving steps: a fractal line of 2**levels + 1 heights."""
    line = np.zeros(2)
    for level in range(levels):
        middle = (line[1:] + line[:-1]) / 2 + rng.normal(0, height / 1.75**level, line.size - 1)
        line = np.insert(line, np.arange(1, line.size), middle)
    return line


def _harbour_homes(rng: Generator, at: Values, x: Values, y: Values, count: int) -> Values:
    """Towns around points of the coast; the half that falls into the sea is cut off later."""
    shares = np.array([0.05, 0.16, 0.06, 0.30, 0.08, 0.20, 0.05, 0.10])
    town = rng.choice(len(at), count, p=shares)
    centre = np.column_stack([at, np.interp(at, x, y) + 0.4])[town]
    radius = 0.5 + 3.2 * shares[town]
    return centre + rng.standard_t(4, (count, 2)) * radius[:, None] * (1.0, 0.8)


def _shore_homes(rng: Generator, x: Values, y: Values, count: int) -> Values:
    along = rng.uniform(0, 60, count)
    return np.column_stack([along, np.interp(along, x, y) + 0.05 + rng.exponential(0.45, count)])


def _inland_homes(rng: Generator, count: int) -> Values:
    """Villages in the hills and farms between them."""
    villages = rng.uniform((2, 20), (58, 39), (22, 2))
    near = villages[rng.choice(len(villages), count)] + rng.normal(0, 0.45, (count, 2))
    farms = rng.uniform((0, 8), (60, 40), (count, 2))
    return np.where(rng.random((count, 1)) < 0.65, near, farms)


def _island_homes(rng: Generator, count: int) -> Values:
    """A ring of homes around an island's shore, one port on it."""
    angle = rng.uniform(0, 2 * np.pi, count)
    angle = np.where(rng.random(count) < 0.35, rng.normal(1.4, 0.12, count), angle)
    shore = 1 + 0.16 * np.sin(3 * angle + 1) + 0.08 * np.sin(7 * angle)
    inwards = 1 - rng.exponential(0.22, count)
    ring = np.column_stack([3.4 * np.cos(angle), 1.7 * np.sin(angle)])
    return np.array([44.0, 6.0]) + ring * (shore * np.abs(inwards))[:, None]


def _keep(rng: Generator, points: Values, size: tuple[float, float], count: int) -> Values:
    """So many of the points inside the region, in random order."""
    inside = points[((points >= 0) & (points <= size)).all(axis=1)]
    if len(inside) < count:
        raise RuntimeError(f"only {len(inside)} of {count} points fall inside the region")
    return rng.permutation(inside)[:count]
