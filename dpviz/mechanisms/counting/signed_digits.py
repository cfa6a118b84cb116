"""SignedDigits: running counts of a stream from few nodes of a wide tree, added and subtracted."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.budgets import Budget, Neighbours, PureDP
from dpviz.core.card import Card
from dpviz.core.checks import checked_number, checked_whole
from dpviz.core.confidential import confidential
from dpviz.core.errors import InvalidData, InvalidParameter
from dpviz.core.randomness.bits import Randomness, bits_of, or_secure
from dpviz.core.randomness.noise import Noise
from dpviz.mechanisms.counting.noisy_counts import drawn_from, level_scales

MOST_STEPS = 2**22
BASES = range(3, 66, 2)  # odd, so that digits lie evenly around 0; wider trees err more


def levels(steps: int, base: int) -> int:
    """How many digits of −(k − 1)/2 … (k − 1)/2 every number up to so many steps needs."""
    needed = 1
    while base**needed < 2 * steps + 1:
        needed += 1
    return needed


def digits(numbers: IntArray, base: int, needed: int) -> IntArray:
    """The digits of whole numbers (k,) from the lowest up, (needed, k), each around 0."""
    half, rest = base // 2, numbers
    found = np.empty((needed, numbers.size), dtype=np.int64)
    for level in range(needed):
        found[level] = (rest + half) % base - half
        rest = (rest - found[level]) // base
    return found


def node_counts(steps: int, base: int) -> IntArray:
    """How many noisy nodes the answer after each step takes, (steps,)."""
    every = digits(np.arange(1, steps + 1), base, levels(steps, base))
    return np.asarray(np.abs(every).sum(axis=0))


@lru_cache(maxsize=64)  # public parameters only
def best_base(steps: int, *, is_pure: bool) -> int:
    """The odd fanout with the least mean variance over so many steps.

    Noise of a node has a variance that grows as levels² under pure ε, and as levels otherwise.
    """
    power = 2 if is_pure else 1

    def mean(base: int) -> float:
        return float(node_counts(steps, base).mean() * levels(steps, base) ** power)

    return min(BASES, key=mean)


@confidential("planned", "budget", "base", "runs")
@dataclass(slots=True)
class SignedDigits:
    """How many records so far, after every step of a stream of at most so many planned steps.

    The number of a step is written with digits of −(k − 1)/2 … (k − 1)/2, k the base, odd. Each
    digit names that many nodes of one level of a tree with fanout k, which are added, or subtracted
    where it is negative. A node that is subtracted holds steps that are still to come: only its
    noise is needed, so that each answer is the exact count and the noise of its nodes.

    >>> stream = dp.SignedDigits(1_000, dp.PureDP(1), np.random.default_rng(1))
    >>> [round(float(stream.add(records)[0][0])) for records in (5, 0, 2)]
    [0, 0, 7]

    Without rng the noise comes from secure bits.

    Guarantee: PureDP with Laplace noise, ZCDP and ApproxDP with Gaussian noise, for one added or
    removed record, whose step lies in one node of each level; for a stream that was settled before
    its first answer: what is promised to one whose later steps hang on answers is not proved here.
    Raises: InvalidParameter for planned outside 1 … 2^22, for an even base or one outside 3 … 65,
    and when a step too many is added; UnsupportedBudget as CountTree.
    Source: Andersson, Pagh and Torkamani 2024 (arXiv 2408.07021).
    """

    planned: int
    budget: Budget
    rng: Randomness | None = None
    base: int | None = None
    runs: int = 1
    noise: Noise | None = None
    steps: int = field(default=0, init=False)
    _exact: float = field(default=0.0, init=False, repr=False)
    _scale: float = field(default=0.0, init=False, repr=False)
    _noise: Noise = field(default=Noise.DISCRETE_LAPLACE, init=False, repr=False)
    _before: list[FloatArray] = field(default_factory=list, init=False, repr=False)
    _behind: list[FloatArray] = field(default_factory=list, init=False, repr=False)

    card: ClassVar[Card] = Card(
        key="SignedDigits",
        title="Running counts by signed digits",
        label="signed digits",
        words="running counts, step by step",
        lead="Counts that are published as they come, from few nodes of a wide tree.",
        promises=("pure", "zcdp", "approx"),
        price="published at the end, a tree errs less",
        use="counters of a stream under pure ε",
        family="Trees",
        summary="The step is written with digits around 0; each digit names nodes of one level, "
        "which are added or subtracted. With $h$ levels of fanout $k$ a node's noise has the scale "
        "$h/\\varepsilon$, and an answer takes about $h(k - 1/k)/4$ of them.",
        guarantee="pure ε (Laplace, discrete Laplace), ρ-zCDP (any noise), (ε, δ) (Gaussian, "
        "discrete Gaussian)",
        neighbours="add/remove one record",
        cost="one step: levels × fanout",
        good_for="counts that must be published at every step: under pure ε a quarter of the "
        "binary tree's mean variance over 65,536 steps",
        watch_out="the number of steps is planned; in ρ a square root errs less",
        source="Andersson, Pagh and Torkamani 2024",
    )

    def __post_init__(self) -> None:
        self.planned = checked_whole(self.planned, "planned", 1, MOST_STEPS)
        self.runs = checked_whole(self.runs, "runs", 1, 10**7)
        self._noise = Noise.chosen(Noise.or_none(self.noise, "noise"), self.budget)
        if self.base is None:
            self.base = best_base(self.planned, is_pure=isinstance(self.budget, PureDP))
        self.base = checked_whole(self.base, "base", BASES[0], BASES[-1])
        if self.base % 2 == 0:
            raise InvalidParameter(
                f"base must be odd, so that digits lie evenly around 0, got {self.base}."
            )
        self.rng = or_secure(self.rng)
        bits_of(self.rng)
        self.rng = drawn_from(self._noise, self.rng)
        self._scale = node_scale(self._noise, self.budget, levels(self.planned, self.base))

    @property
    def node_variance(self) -> float:
        """Of the noise on one node, records²."""
        return self._noise.variance(self._scale)

    def add(self, records: float) -> tuple[FloatArray, float]:
        """Add a step's records; the number so far (runs,) and the exact variance of its noise.

        Every run spends the budget anew: more than one is for teaching only.
        """
        records = checked_number(records, "A step's records", InvalidData)
        if not 0 <= records < np.inf:
            raise InvalidData("A step's records must be a finite number ≥ 0.")
        if self.steps == self.planned:
            raise InvalidParameter(
                f"This stream was planned for {self.planned:,} steps and has had them all. A "
                "further one would spend more than the budget: plan more steps."
            )
        assert self.base is not None
        self.steps += 1
        self._exact += records
        needed, half = levels(self.planned, self.base), self.base // 2
        every = digits(np.array([self.steps]), self.base, needed)[:, 0].tolist()
        count, nodes = np.full(self.runs, self._exact), 0
        for level, digit in enumerate(every):
            # a node of this level is new where all digits below are at their least
            is_new = self.steps == 1 or every[: level + 1] == [-half] * (level + 1)
            if is_new:
                self._draw(level)
            if digit:
                side = self._behind if digit > 0 else self._before
                count += np.sign(digit) * side[level][abs(digit) - 1]
                nodes += abs(digit)
        return count, nodes * self.node_variance

    def _draw(self, level: int) -> None:
        """Noise of the nodes around the next node above, added up away from its edge."""
        assert self.base is not None
        half = self.base // 2
        assert self.rng is not None
        shape = (2, half, self.runs)
        drawn = self._noise.draw(self._scale, shape, self.rng)  # spends the parts of these nodes
        for side, noise in zip((self._before, self._behind), drawn, strict=True):
            side[level : level + 1] = [np.cumsum(noise, axis=0)]


def node_scale(noise: Noise, budget: Budget, needed: int) -> float:
    """The scale of the noise of each node, with so many levels that share the budget evenly."""
    return max(level_scales(noise, budget, (1 / needed,) * needed, Neighbours.ADD_REMOVE))
