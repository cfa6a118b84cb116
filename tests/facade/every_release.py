"""One small release of every kind, by the kind that its text names."""

from dataclasses import replace
from typing import Any

import numpy as np

import dpviz as dp

PLACES = dp.PlaceCounts(["land", "town"], [("N", "a"), ("S", "a"), ("S", "b"), ("é", "<c>")])
NOBODY = {"land": [], "town": []}


def releases() -> dict[str, list[Any]]:
    """Kind → releases of it: without and with a public N, levels left out, groups, recursion."""
    rng, bounds = np.random.default_rng(5), dp.Bounds(0, 100)
    column = dp.Column.from_values(range(100), bounds, 1)
    points = dp.Points.from_xy(range(100), range(99, -1, -1), dp.Box(bounds, dp.Bounds(-10, 100)))
    budget, rho = dp.PureDP(1), dp.ZCDP(1)
    quantiles = dp.ApproximateQuantiles().release(column, [0.75, 0.25, 0.5], budget, rng)
    public = {"neighbours": "replace-one", "root": "public", "records": 100}
    left_out = dp.LevelBudget.own([0, 1, 0, 2])
    numbers = list(range(1, 200))
    return {
        "quantiles": [
            quantiles,
            dp.JointExp().release(column, [0.5], budget, rng),
            dp.AggTree(4, 2).release(column, [0.1, 0.9], rho, rng),
        ],
        "profile": [dp.Profile().release({"a <b>": column, "é": column}, [0.5], budget, rng)],
        "tree": [
            dp.CountTree(2, 3).release(column, budget, rng),
            dp.CountTree(3, 3, left_out, root="sum").release(column, rho, rng),
            dp.CountTree(2, 2, **public).release(column, budget, rng),
        ],
        "prefixes": [
            dp.PrefixSums(5).release(column, rho, rng),
            dp.PrefixSums(8, "replace-one").release(column, rho, rng),
        ],
        "buckets": [dp.Dawa(8).release(column, budget, rng)],
        "spatial": [
            dp.Quadtree(2).release(points, budget, rng),
            dp.KdTree(2).release(points, budget, rng),
            dp.HilbertTree(2).release(points, budget, rng),
        ],
        "cells": [
            dp.UniformGrid(4).release(points, budget, rng),
            dp.AdaptiveGrid(100).release(points, budget, rng),
            dp.KdCell(2, (4, 4)).release(points, budget, rng),
            dp.PrivTree(depth=3).release(points, budget, rng),
        ],
        "histogram": [
            dp.Histogram(edges=[0, 10, 15, 90]).release(column, budget, rng),
            dp.Histogram(bins=3, neighbours="replace-one").release(column, rho, rng),
        ],
        "places": [
            PLACES.release(PLACES.column({"land": ["N", "S"], "town": ["a", "b"]}), budget, rng),
            replace(PLACES, shares=[0, 1, 2]).release(PLACES.column(NOBODY), rho, rng),
        ],
        "number": [
            dp.NoisySum().release(column, budget, rng),
            dp.NoisyCount(above=50).release(column, budget, rng),
        ],
        "unbounded-quantile": [dp.UnboundedQuantile().release(numbers, 0.5, budget, rng)],
        "bounds": [dp.propose_bounds(numbers, budget, rng)],
        "local-counts": [
            dp.LocalCounts(cuts=[50]).release(column, budget, rng),
            dp.LocalCounts(fanout=2, height=3).release(column, dp.ApproxDP(1, 1e-6), rng),
        ],
        "local-quantiles": [
            dp.LocalQuantiles(4).release(column, [0.75, 0.25, 0.75], budget, rng),
            dp.LocalQuantiles(2).release(column, 0.5, dp.ApproxDP(1, 1e-6), rng),
        ],
        "rank-check": [dp.CheckedRanks().release(column, quantiles, budget, rng)],
    }


EVERY = releases()
CASES = [(kind, one) for kind, each in EVERY.items() for one in each]
NAMES = [f"{kind} of {getattr(one, 'mechanism', 'Profile')}" for kind, one in CASES]
