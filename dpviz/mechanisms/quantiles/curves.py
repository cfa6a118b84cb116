"""Exponential mechanisms on curves of straight pieces: many runs in closed form, without data.

A curve through published quantiles stands for a population that is spread evenly between them. On
each of its straight pieces the density exp(−η·|people below − target|) is an exponential of the
value, so a draw takes as long as the curve has pieces, however many people it stands for.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Bounds
from dpviz.mechanisms.quantiles.recursion import Level

FLAT = 1e-9  # change of η·distance over a piece from which on its density counts as sloped


@dataclass(frozen=True, eq=False)
class Curves:
    """Several curves for one population: curve r passes through (knots[r, i], shares[i]).

    Shapes: knots (r, k + 2) ascending along each row, shares (k + 2,) from 0 to 1.
    """

    knots: FloatArray
    shares: FloatArray
    size: float

    @classmethod
    def through(
        cls, values: FloatArray, shares: FloatArray, bounds: Bounds, step: float, size: float
    ) -> Curves:
        """Curves through quantiles (r, k) of given shares (k,), from one bound to the other.

        Values on a grid stand for half a step on both sides, so that equal ones are spread over it.
        """
        same = values[:, :, None] == values[:, None, :]
        equal, before = same.sum(axis=-1), np.tril(same, -1).sum(axis=-1)
        spread = np.where(equal > 1, ((before + 0.5) / equal - 0.5) * step, 0.0)
        wide = bounds.widened(step / 2)
        inner = np.clip(values + spread, wide.low, wide.high)
        ends = np.full((values.shape[0], 1), wide.low), np.full((values.shape[0], 1), wide.high)
        knots = np.maximum.accumulate(np.concatenate((ends[0], inner, ends[1]), axis=1), axis=1)
        return cls(knots, np.concatenate(([0.0], shares, [1.0])), size)

    def repeated(self, times: int) -> Curves:
        """Each curve so many times, one after the other."""
        return Curves(np.repeat(self.knots, times, axis=0), self.shares, self.size)


def draw_on(
    curves: Curves,
    levels: tuple[Level, ...],
    etas: tuple[FloatArray, ...],
    rng: np.random.Generator,
) -> FloatArray:
    """One run on each curve, (r, m): every node draws inside the values beside it, level by level.

    Guarantee: the law of the mechanism on the population that a curve stands for, but for the
    rounding of ranks to whole people.
    """
    runs, m = curves.knots.shape[0], sum(nodes.position.size for nodes in levels)
    value, share = np.empty((runs, m + 2)), np.empty((runs, m + 2))
    value[:, 0], value[:, -1] = curves.knots[:, 0], curves.knots[:, -1]
    share[:, 0], share[:, -1] = 0.0, 1.0
    for nodes, eta in zip(levels, etas, strict=True):
        ends = (value[:, nodes.left], value[:, nodes.right])
        shares = (share[:, nodes.left], share[:, nodes.right])
        target = shares[0] + nodes.normalised * (shares[1] - shares[0])
        edges, heights = _pieces(curves, ends, shares, target)
        distance = (eta * curves.size)[:, None] * np.abs(heights - target[..., None])
        drawn = _drawn(edges, heights, distance, rng)
        value[:, nodes.position], share[:, nodes.position] = drawn
    return value[:, 1:-1]


def _pieces(
    curves: Curves,
    ends: tuple[FloatArray, FloatArray],
    shares: tuple[FloatArray, FloatArray],
    target: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Edges (r, p, k + 3) of straight pieces within each range, the target's place among them."""
    low, high = ends[0][..., None], ends[1][..., None]
    knots = curves.knots[:, None, :]
    edges = np.clip(knots, low, high)
    heights = np.where(knots <= low, shares[0][..., None], curves.shares)
    heights = np.where(knots >= high, shares[1][..., None], heights)
    at = np.clip(_place(curves, target), *ends)
    edges = np.concatenate((edges, at[..., None]), axis=-1)
    heights = np.concatenate((heights, target[..., None]), axis=-1)
    order = np.argsort(heights, axis=-1, kind="stable")
    edges = np.take_along_axis(edges, order, axis=-1)
    heights = np.take_along_axis(heights, order, axis=-1)
    return np.maximum.accumulate(edges, axis=-1), heights


def _place(curves: Curves, target: FloatArray) -> FloatArray:
    """Where each curve reaches a share."""
    shares = curves.shares
    piece = np.clip(np.searchsorted(shares, target, side="right") - 1, 0, shares.size - 2)
    left = np.take_along_axis(curves.knots, piece, axis=1)
    right = np.take_along_axis(curves.knots, piece + 1, axis=1)
    along = (target - shares[piece]) / (shares[piece + 1] - shares[piece])
    return np.asarray(left + along * (right - left))


def _drawn(
    edges: FloatArray, heights: FloatArray, distance: FloatArray, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """A piece by its mass, then a place in it: the value and its share."""
    width, fall = np.diff(edges, axis=-1), np.abs(np.diff(distance, axis=-1))
    near = np.minimum(distance[..., :-1], distance[..., 1:])
    nearest = np.where(width > 0, near, np.inf).min(axis=-1, keepdims=True)
    nearest = np.where(np.isfinite(nearest), nearest, 0.0)
    mean = np.where(fall > FLAT, -np.expm1(-fall) / np.maximum(fall, FLAT), 1.0)
    mass = np.where(width > 0, width * np.exp(nearest - near) * mean, 0.0).cumsum(axis=-1)
    wanted = rng.random(mass.shape[:-1]) * mass[..., -1]
    piece = np.minimum((mass <= wanted[..., None]).sum(axis=-1), mass.shape[-1] - 1)
    start, end = (_at(edges, piece + side) for side in (0, 1))
    low, high = (_at(heights, piece + side) for side in (0, 1))
    towards = _at(distance, piece + 1) < _at(distance, piece)
    along = _along(_at(fall, piece), rng)
    along = np.where(towards, 1 - along, along)
    return start + along * (end - start), low + along * (high - low)


def _along(fall: FloatArray, rng: np.random.Generator) -> FloatArray:
    """A place in (0, 1) with density ∝ exp(−fall · place)."""
    uniform = rng.random(fall.shape)
    sloped = -np.log1p(uniform * np.expm1(-fall)) / np.maximum(fall, FLAT)
    return np.where(fall > FLAT, sloped, uniform)


def _at(values: FloatArray, index: IntArray) -> FloatArray:
    return np.take_along_axis(values, index[..., None], axis=-1)[..., 0]
