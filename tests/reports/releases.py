"""One release of every kind, by name, made once."""

from functools import cache

import numpy as np

import dpviz as dp
from dpviz.reports.words import Release

NAMES = (
    "halving", "one by one", "tree quantiles", "tree", "short tree", "quadtree", "kd-tree",
    "Hilbert", "grid", "adaptive grid", "cells", "count", "running counts", "bins", "own bins",
    "places",
)  # fmt: skip
COLUMN = dp.Column.from_values(
    np.random.default_rng(1).gamma(4, 8, 2_000), dp.Bounds(0, 100), resolution=1
)
EDGES = (5, 18, 40, 100)
BOX = dp.Box(dp.Bounds(0, 4), dp.Bounds(-2, 0))
PLACES = [("N", "a"), ("N", "<b>"), ("S", "a")]
ROWS = {"land": ["N", "S", "X"] * 200, "town": ["a", "a", "a"] * 200}
X, Y = np.random.default_rng(2).random((2, 3_000))
POINTS = dp.Points.from_xy(4 * X**2, -2 * Y, BOX)


@cache
def one(name: str, notion: str = "pure", neighbours: str = "add-remove") -> Release:
    """The release of a name, with secure bits or, of running counts, a seed.

    Where kd-cell knows no δ it is of pure ε, where running counts know no pure ε of ρ.
    """
    budgets = {"pure": dp.PureDP(1), "zcdp": dp.ZCDP(0.1), "approximate": dp.ApproxDP(1, 1e-6)}
    budget, bits = budgets[notion], dp.SecureBits.fresh()
    relation = {"neighbours": neighbours}
    if name == "cells" and notion == "approximate":
        budget = budgets["pure"]
    if name == "running counts":
        budget = budgets["zcdp"] if notion == "pure" else budget
        rng = np.random.default_rng(3)
        return dp.PrefixSums(40, **relation).release(COLUMN, budget, rng)
    if name == "count":
        return dp.NoisyCount(above=30, below=62.5, **relation).release(COLUMN, budget, bits)
    bins = {"bins": dp.Histogram(bins=20, **relation), "own bins": dp.Histogram(EDGES, **relation)}
    places = dp.PlaceCounts(["land", "town"], PLACES, [0, 1, 2], **relation)
    if name == "places" or name in bins:
        column = places.column(ROWS) if name == "places" else COLUMN
        return bins.get(name, places).release(column, budget, bits)
    quantiles = {
        "halving": dp.ApproximateQuantiles(**relation),
        "one by one": dp.IndependentExp(**relation),
        "tree quantiles": dp.AggTree(4, 3, **relation),
    }
    if name in quantiles:
        return quantiles[name].release(COLUMN, [0.5, 0.25, 0.75], budget, bits)
    trees = {"tree": dp.CountTree(2, 5, **relation), "short tree": dp.CountTree(100, 1, **relation)}
    if name in trees:
        return trees[name].release(COLUMN, budget, bits)
    maps = {
        "quadtree": dp.Quadtree(4, **relation),
        "kd-tree": dp.KdTree(2, **relation),
        "Hilbert": dp.HilbertTree(2, **relation),
        "grid": dp.UniformGrid(**relation),
        "adaptive grid": dp.AdaptiveGrid(**relation),
        "cells": dp.KdCell(2, **relation),
    }
    return maps[name].release(POINTS, budget, bits)
