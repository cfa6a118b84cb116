"""The numbers in what is said about Honaker's schemes: all from one stored draw of the example."""

import numpy as np
import pandas as pd

from dpviz.core.arrays import FloatArray
from dpviz.core.trees.shape import Levels
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.experiments.papers.stored.findings import Numbers, short
from dpviz.experiments.papers.tree_figures import (
    ABOVE,
    BELOW,
    HEIGHT,
    LEAVES,
    SIBLING,
    SIGMA,
    Weights,
    applied,
    contributions,
    variance_of,
    ways,
)

READ = {
    TreeEstimator.RAW: "as it was drawn",
    TreeEstimator.FROM_BELOW: "from below",
    TreeEstimator.FROM_ABOVE: "from above",
    TreeEstimator.EFFICIENT: "with all levels combined",
}


def levels_of(rows: pd.DataFrame, column: str) -> tuple[FloatArray, ...]:
    """One column of the example, (2**l,) a level, root first."""
    return tuple(
        rows.loc[rows["level"] == level, column].to_numpy(np.float64) for level in range(HEIGHT + 1)
    )


def noisy(rows: pd.DataFrame) -> Levels:
    """The stored draw with the variance of its noise."""
    return Levels(2, levels_of(rows, "noisy"), (np.asarray(SIGMA**2),) * (HEIGHT + 1))


def read(rows: pd.DataFrame, reading: TreeEstimator) -> tuple[Weights, Weights]:
    """Counts and standard errors of every node under a reading."""
    found = reading.apply(noisy(rows), None)
    errors = tuple(
        np.broadcast_to(np.sqrt(variance), counts.shape)
        for variance, counts in zip(found.variances, found.counts, strict=True)
    )
    return found.counts, errors


def noisy_tree(rows: pd.DataFrame, reading: TreeEstimator, *, shows_truth: bool) -> Numbers:
    """Of Fig. 1."""
    counts, errors = read(rows, reading)
    exact = levels_of(rows, "truth")[0][0]
    return {
        "root": f"{counts[0][0]:.1f}",
        "truth": f", the truth is **{exact:g}**" if shows_truth else "",
        "reading": READ[reading],
        "spread": short(float(np.concatenate(errors).mean())),
    }


def eight_ways(rows: pd.DataFrame, *, shows_truth: bool) -> Numbers:
    """Of Fig. 2."""
    counts = noisy(rows).counts
    said = [applied(way, counts) for way in ways()]
    spread = [variance_of(way) / SIGMA**2 for way in ways()]
    return {
        "low": f"{min(said):.1f}",
        "high": f"{max(said):.1f}",
        "truth": f"; there are **{sum(LEAVES[:4]):g}**" if shows_truth else "",
        "least": f"{min(spread):g}",
        "largest": f"{max(spread):g}",
    }


def ways_said(rows: pd.DataFrame) -> list[str]:
    """What stands under each of the eight trees."""
    counts = noisy(rows).counts
    return [
        f"<b>{applied(way, counts):.1f}</b>, variance {variance_of(way) / SIGMA**2:g} σ²"
        for way in ways()
    ]


def parts_of_tree() -> tuple[FloatArray, ...]:
    """For each node 0, 1 or 2: at or below t100, at or below its sibling, elsewhere."""
    part = [np.full(2**level, 2.0) for level in range(HEIGHT + 1)]
    part[2][:2] = 0, 1
    part[3][:4] = 0, 0, 1, 1
    return tuple(part)


def nodes_used(rows: pd.DataFrame, *, shows_truth: bool) -> Numbers:
    """Of Fig. 3."""
    tree = noisy(rows)
    parts = {
        name: applied(contributions(tree, part), tree.counts)
        for name, part in (("below", BELOW), ("sibling", SIBLING), ("rest", ABOVE))
    }
    whole = contributions(tree)
    found = {name: f"{value:+.1f}".replace("-", "−") for name, value in parts.items()}
    return found | {
        "whole": f"{applied(whole, tree.counts):.1f}",
        "variance": f"{variance_of(whole) / SIGMA**2:.2f}",
        "truth": f" where there are {sum(LEAVES[:2]):g}" if shows_truth else "",
    }
