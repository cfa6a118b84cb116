"""DAWA in one dimension: buckets of bins that look alike, chosen privately, then counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from dpviz.core.arrays import BoolArray, FloatArray
from dpviz.core.budgets import Budget, Neighbours, PureDP
from dpviz.core.card import BOTH, Card
from dpviz.core.checks import number, settle, whole
from dpviz.core.choices import settle_choices
from dpviz.core.data.column import Column
from dpviz.core.errors import UnsupportedBudget
from dpviz.core.randomness.bits import Randomness, kind_of, only_seeded, or_secure
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.bucket_release import MOST_BINS, BucketRelease
from dpviz.core.trees.prefix_noise import shape_of
from dpviz.core.usual_floats import usual_floats
from dpviz.counts.levels import count_below_edges
from dpviz.mechanisms.requests import check_column_request, checked_budget

__all__ = ["BucketRelease", "Dawa", "best_partitions", "deviations"]

CHUNK = 1 << 20  # entries of windows worked on at once
SENSITIVITY = 2.0  # of the deviation of a bucket, under add/remove: less than 2(1 − 1/length)


@dataclass(frozen=True, slots=True)
class Dawa:
    """A histogram of equal bins, counted in buckets that the data choose.

    Candidates are all buckets of 1, 2, 4, … bins. Each gets the score dev + 1/ε₂ + noise, dev the
    sum of distances of its counts from their mean; the partition with the least total score is
    taken, its buckets are counted with noise, and each spreads its count evenly over its bins.
    share is the part of ε that chooses.

    >>> dp.Dawa(64).release(column, dp.PureDP(1), rng).spent
    PureDP(epsilon=1.0)

    Guarantee: PureDP. Choosing is ε₁-DP: given all other noises, whether the partition holds the
    record's bucket depends on one noise and a threshold, which a record moves by at most 2 + 2;
    hence the scale 4/ε₁. Counting is ε₂-DP. Replace-one is two steps of add/remove, at half of ε.
    Up to rounding, for the scores are floating point.
    Raises: InvalidParameter for bins outside 2 … 4,096 or a share outside (0, 1).
    Source: after Li, Hay, Miklau and Wang 2014; scale and proof of the first stage: this project.
    """

    bins: int = 256
    share: float = 0.25
    neighbours: Neighbours = Neighbours.ADD_REMOVE

    name: ClassVar[str] = "Dawa"
    card: ClassVar[Card] = Card(
        key="Dawa",
        title="Buckets from the data (DAWA)",
        label="DAWA",
        words="buckets from the data",
        lead="Joins bins that look alike, privately, and counts the buckets with noise.",
        promises=("pure",),
        price="a quarter of ε chooses the buckets",
        use="small budgets on long even stretches",
        family="Trees",
        summary="Scores every run of 1, 2, 4, … bins by how uneven it is, with Laplace noise of "
        "scale $4/\\varepsilon_1$, takes the partition with the least total score, and counts its "
        "buckets with noise of scale $1/\\varepsilon_2$.",
        guarantee="pure ε (Laplace noise)",
        neighbours=BOTH,
        cost="bins² additions: 0.3 s for 4,096",
        good_for="a reference: what the data's own shape can save, at small ε",
        watch_out="the least of many noisy scores favours lucky short buckets: at ε = 1 it joins "
        "unequal bins, with several times the squared error of plain bins on a staircase",
        source="after Li, Hay, Miklau and Wang 2014",
    )

    def __post_init__(self) -> None:
        settle(self, bins=whole(2, MOST_BINS), share=number(1e-6, 1 - 1e-6))
        settle_choices(self, neighbours=Neighbours)

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters as plain values."""
        return {"bins": self.bins, "share": self.share, "noise": Noise.LAPLACE.value}

    def check(self, budget: Budget) -> None:
        """Raise what release would raise, without drawing.

        Raises: UnsupportedBudget for anything but pure ε.
        """
        self.scales(budget)

    def scales(self, budget: Budget) -> tuple[float, float]:
        """The scales of the noise on a score and on a bucket's count.

        Raises: UnsupportedBudget for anything but pure ε.
        """
        if not isinstance(checked_budget(budget), PureDP):
            raise UnsupportedBudget(
                "DAWA is proved for pure ε-DP alone. Choose a budget in ε, or a tree of counts."
            )
        epsilon = budget.size / self.neighbours.counts_changed
        first = self.share * epsilon
        return 2 * SENSITIVITY / first, 1 / (epsilon - first)

    @usual_floats
    def release(
        self, column: Column, budget: Budget, rng: Randomness | None = None
    ) -> BucketRelease:
        """Spend the budget once.

        Raises: UnsupportedBudget as check; InvalidData; NotExact for secure bits.
        """
        rng = or_secure(rng)
        check_column_request(column, budget, rng)
        seeded = only_seeded(rng, self.card.title)
        scales = self.scales(budget)
        exact = self._exact(column)
        begins, counts = self._drawn(exact, scales, seeded, 1)
        starts = np.flatnonzero(begins[0])
        return BucketRelease(
            mechanism=self.name,
            parameters=self.parameters,
            bins=self.bins,
            starts=starts,
            counts=counts[0][starts],
            scale=scales[1],
            bounds=column.bounds,
            resolution=column.resolution,
            neighbours=self.neighbours,
            spent=budget,
            randomness=kind_of(seeded),
        )

    @usual_floats
    def release_many(
        self, column: Column, budget: Budget, rng: np.random.Generator, runs: int
    ) -> FloatArray:
        """The bins of independent runs, (runs, bins), spread evenly; each spends the whole budget.

        Raises: as release.
        """
        check_column_request(column, budget, rng, runs)
        begins, counts = self._drawn(self._exact(column), self.scales(budget), rng, runs)
        at = np.maximum.accumulate(np.where(begins, np.arange(self.bins), 0), axis=1)
        ends = np.where(begins, np.arange(self.bins), self.bins)
        after = np.minimum.accumulate(ends[:, ::-1], axis=1)[:, ::-1]
        after = np.append(after[:, 1:], np.full((runs, 1), self.bins), axis=1)
        spread = np.take_along_axis(counts, at, axis=1)
        return np.asarray(spread / (after - at))

    def _exact(self, column: Column) -> FloatArray:
        """The bins' counts, (bins,). Confidential."""
        return np.diff(count_below_edges(column, shape_of(self.bins)))

    def _drawn(
        self, exact: FloatArray, scales: tuple[float, float], rng: np.random.Generator, runs: int
    ) -> tuple[BoolArray, FloatArray]:
        """Where buckets begin, and their noisy counts at these bins (runs, bins)."""
        scores = [
            Noise.LAPLACE.draw(scales[0], (runs, one.size), rng) + one + scales[1]
            for one in deviations(exact)
        ]  # spends the first part
        begins = best_partitions(scores)
        sums = np.concatenate(([0.0], np.cumsum(exact)))
        ends = np.where(begins, np.arange(self.bins), self.bins)
        after = np.minimum.accumulate(ends[:, ::-1], axis=1)[:, ::-1]
        after = np.append(after[:, 1:], np.full((runs, 1), self.bins), axis=1)
        counts = sums[after] - sums[:-1]
        counts += Noise.LAPLACE.draw(scales[1], counts.shape, rng)  # spends the rest
        return begins, counts


def deviations(counts: FloatArray) -> list[FloatArray]:
    """Σ |x_i − mean| of every run of 1, 2, 4, … counts.

    counts (K,); shapes (K,), (K − 1,), (K − 3,), … A change of one count by 1 moves a deviation by
    at most 2(1 − 1/length).
    """
    found, length = [], 1
    while length <= counts.size:
        windows = sliding_window_view(counts, length)
        means = windows.sum(axis=1) / length
        own = np.empty(means.size)
        step = max(1, CHUNK // length)
        for start in range(0, means.size, step):
            part = slice(start, start + step)
            own[part] = np.abs(windows[part] - means[part, None]).sum(axis=1)
        found.append(own)
        length *= 2
    return found


def best_partitions(scores: Sequence[FloatArray]) -> BoolArray:
    """Where the buckets of the partition with the least total score begin, (runs, K).

    scores[l] is (runs, K − 2^l + 1), of the runs of 2^l bins. best(j) = min_l best(j − 2^l) +
    score: each bin needs the ones before it, so bins are walked one by one, all runs at once: some
    15 µs a bin.
    """
    runs, bins = scores[0].shape
    best = np.full((bins + 1, runs), np.inf)
    best[0] = 0.0
    taken = np.zeros((bins + 1, runs), dtype=np.int64)
    lengths = [1 << level for level in range(len(scores))]
    across = [np.ascontiguousarray(one.T) for one in scores]
    for end in range(1, bins + 1):
        for level, length in enumerate(lengths):
            if length > end:
                break
            total = best[end - length] + across[level][end - length]
            better = total < best[end]
            best[end][better] = total[better]
            taken[end][better] = length
    begins = np.zeros((runs, bins), dtype=bool)
    at, rows = np.full(runs, bins), np.arange(runs)
    while (at > 0).any():
        at = at - taken[at, rows]
        begins[rows[at >= 0], at[at >= 0]] = True
    return begins
