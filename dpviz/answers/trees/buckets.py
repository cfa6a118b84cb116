"""Buckets that the data choose (DAWA): what joining bins saves, or costs."""

import math
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Neighbours
from dpviz.core.confidential import confidential
from dpviz.core.trees.bucket_release import BucketRelease
from dpviz.experiments.planning.bucket_study import BucketStudy

LEVEL = 1.05  # times, up to which two errors are called the same


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class BucketNumbers:
    """A release's bins and buckets, and the noise of one bucket and of plain noise on every bin.

    truth (bins,), off, how far a bin is typically off, and times, how many times plain noise that
    is, are confidential, and None while the truth is hidden.
    """

    edges: FloatArray
    spread: FloatArray
    bins: int
    buckets: int
    longest: int
    noise: float
    plain: float
    truth: FloatArray | None
    off: float | None
    times: float | None


def answer(
    release: BucketRelease, neighbours: Neighbours, truth: FloatArray | None
) -> BucketNumbers:
    """About a release; truth (bins,) are exact counts of the bins, or None."""
    plain = math.sqrt(2) * neighbours.counts_changed / release.spent.size
    off = None if truth is None else float(np.sqrt(np.mean((release.spread - truth) ** 2)))
    return BucketNumbers(
        edges=release.edges,
        spread=release.spread,
        bins=release.bins,
        buckets=release.starts.size,
        longest=int(release.lengths.max()),
        noise=math.sqrt(2) * release.scale,
        plain=plain,
        truth=truth,
        off=off,
        times=None if off is None else off / plain,
    )


@confidential()
@dataclass(frozen=True, slots=True)
class BucketGains:
    """When joining pays on a column, measured on its true counts: confidential.

    pays_up_to is the last ε from the smallest on at which joining errs less than plain noise in a
    bin; None if it never does, always if it does at every ε. worst is the ε at which it does
    worst, there by worst_times. A running count errs joined_times as far as by the tree, at the ε
    `near` the one in use; alike where that is nearly 1.
    """

    pays_up_to: float | None
    always: bool
    worst: float
    worst_times: float
    near: float
    joined_times: float
    alike: bool


def gains(study: BucketStudy, epsilon: float) -> BucketGains:
    """Read from a study, about the ε in use."""
    known, bins, running = study.epsilons, study.bins, study.running
    ratios, many = bins.joined / bins.plain, bins.pays_below
    worst, at = int(ratios.argmax()), int(np.abs(np.log(known / epsilon)).argmin())
    share = float(running.joined[at] / running.tree[at])
    return BucketGains(
        pays_up_to=float(known[many - 1]) if many else None,
        always=many == known.size,
        worst=float(known[worst]),
        worst_times=float(ratios[worst]),
        near=float(known[at]),
        joined_times=share,
        alike=max(share, 1 / share) < LEVEL,
    )
