"""Record matching with the structures of both parties: what is compared, and what is found."""

import numpy as np
import pandas as pd

from dpviz.core.arrays import IntArray
from dpviz.core.budgets import PureDP
from dpviz.core.data.points import Points
from dpviz.core.spatial.release import SpatialRelease
from dpviz.experiments.papers.psd_methods import MATCHED, Method
from dpviz.experiments.planning.spatial_queries import PAPER_BOX
from dpviz.mechanisms.spatial.protocol import SpatialMechanism
from dpviz.metrics.record_matching import match_records
from dpviz.metrics.two_structures import match_structures

RECORDS, COMMON, HEIGHT, RUNS = 20_000, 0.3, 5, 4
EPSILONS = (0.05, 0.1, 0.2, 0.5)
REACH = 0.001  # of each side of the map: as far apart as two records of one person may lie
ONE, BOTH = "one side", "both sides"


def both_sides(points: Points, rng: np.random.Generator) -> pd.DataFrame:
    """Two parties of 20,000 records, three tenths of them the same people a little displaced.

    Returns: columns method, structures (one side, both sides), epsilon, left (share of all pairs
    that is compared in secret), kept (share of the true matches that is compared; NaN for one side,
    whose protocol tells records, not pairs) and encrypted (share of all records, dummies included).
    Means over 4 pairs of releases; all count budget at the leaves.
    """
    first, second, matches = parties(points, rng)
    distance = REACH * PAPER_BOX.x.width, REACH * PAPER_BOX.y.width
    rows = []
    for name in MATCHED:
        mechanism = Method(name, HEIGHT).leaves_only(PAPER_BOX)
        for epsilon in EPSILONS:
            found = np.empty((RUNS, 4))
            for run in range(RUNS):
                releases = (
                    _released(mechanism, first, epsilon, rng),
                    _released(mechanism, second, epsilon, rng),
                )
                one = match_records(releases[0], first, second, distance)
                both = match_structures(releases, (first, second), distance, matches)
                found[run] = (
                    one.compared / one.all_pairs,
                    both.compared / both.all_pairs,
                    both.kept,
                    both.encrypted / (first.n + second.n),
                )
            single, left, kept, encrypted = found.mean(axis=0)
            rows.append((name, ONE, epsilon, single, np.nan, np.nan))
            rows.append((name, BOTH, epsilon, left, kept, encrypted))
    columns = ["method", "structures", "epsilon", "left", "kept", "encrypted"]
    return pd.DataFrame(rows, columns=columns)


def _released(
    mechanism: SpatialMechanism, side: Points, epsilon: float, rng: np.random.Generator
) -> SpatialRelease:
    release = mechanism.release(side, PureDP(epsilon), rng)
    assert isinstance(release, SpatialRelease)  # of a tree, not of a grid
    return release


def parties(points: Points, rng: np.random.Generator) -> tuple[Points, Points, IntArray]:
    """Both sides' records, and which pairs of them are the same person."""
    same = int(COMMON * RECORDS)
    drawn = rng.choice(points.n, 2 * RECORDS - same, replace=False)
    first, rest = drawn[:RECORDS], drawn[RECORDS:]
    shift = rng.uniform(-REACH, REACH, (2, same))
    x = points.x[first[:same]] + shift[0] * PAPER_BOX.x.width
    y = points.y[first[:same]] + shift[1] * PAPER_BOX.y.width
    second = Points.from_xy(
        np.concatenate((x, points.x[rest])), np.concatenate((y, points.y[rest])), PAPER_BOX
    )
    own = Points.from_xy(points.x[first], points.y[first], PAPER_BOX)
    return own, second, np.column_stack((np.arange(same), np.arange(same)))
