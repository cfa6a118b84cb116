"""RunningCounts: how many records so far, released after every step of a stream."""

from dataclasses import dataclass, field

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.checks import checked_number, checked_whole
from dpviz.core.confidential import confidential
from dpviz.core.errors import InvalidData, InvalidParameter
from dpviz.core.randomness.bits import Randomness, bits_of
from dpviz.core.randomness.noise import Noise
from dpviz.mechanisms.counting.noisy_counts import drawn_from, level_scales

MOST_HEIGHT = 30


@confidential("height", "budget", "combine", "runs")
@dataclass(slots=True)
class RunningCounts:
    """A noisy binary tree over time that grows a leaf at a step; 2**height steps at most.

    A node is counted, with noise, in the step that completes it, and never again. Each step returns
    the number of records so far: the sum of the largest complete nodes, each read from below by all
    that is complete in it (combine; otherwise by its own count alone).
    One record lies in one leaf and in at most height + 1 complete nodes, so each has the noise of
    one of height + 1 levels, and the whole stream spends the budget once, however long it is used.
    Guarantee: PureDP with Laplace noise, ZCDP and ApproxDP with Gaussian noise, for one added or
    removed record, at any time of the stream (the later steps may depend on earlier answers).
    Raises: InvalidParameter for a height outside 0 … 30, and when a step too many is added;
    UnsupportedBudget as CountTree.
    Source: Dwork et al. 2010; Chan, Shi and Song 2011; read from below: Honaker 2019, §3.1.
    """

    height: int
    budget: Budget
    rng: Randomness
    combine: bool = True
    runs: int = 1
    noise: Noise | None = None
    steps: int = field(default=0, init=False)
    _scale: float = field(default=0.0, init=False, repr=False)
    _variance: float = field(default=0.0, init=False, repr=False)
    _exact: list[FloatArray] = field(default_factory=list, init=False, repr=False)
    _read: list[tuple[FloatArray, float]] = field(default_factory=list, init=False, repr=False)
    _noise: Noise = field(default=Noise.DISCRETE_LAPLACE, init=False, repr=False)

    def __post_init__(self) -> None:
        self.height = checked_whole(self.height, "height", 0, MOST_HEIGHT)
        self.runs = checked_whole(self.runs, "runs", 1, 10**7)
        bits_of(self.rng)
        self._noise = Noise.chosen(Noise.or_none(self.noise, "noise"), self.budget)
        self.rng = drawn_from(self._noise, self.rng)
        shares = (1 / (self.height + 1),) * (self.height + 1)
        scales = level_scales(self._noise, self.budget, shares, Neighbours.ADD_REMOVE)
        self._scale = max(scales)
        self._variance = self._noise.variance(self._scale)

    @property
    def node_variance(self) -> float:
        """Of the noise on one node, records²."""
        return self._variance

    def add(self, records: float) -> tuple[FloatArray, float]:
        """Add a step's records; the number so far (runs,) and the exact variance of its noise.

        Every run spends the budget anew: more than one is for teaching only.
        """
        records = checked_number(records, "A step's records", InvalidData)
        if not 0 <= records < np.inf:
            raise InvalidData("A step's records must be a finite number ≥ 0.")
        if self.steps == 2**self.height:
            raise InvalidParameter(
                f"This stream was planned for {2**self.height:,} steps and has had them all. A "
                "further one would spend more than the budget: plan a larger height."
            )
        self.steps += 1
        exact = np.full(self.runs, float(records))
        read = self._counted(exact)
        number = self.steps
        while number % 2 == 0:  # this step completes the nodes above as well
            exact = self._exact.pop() + exact
            read = self._merged(self._read.pop(), read, self._counted(exact))
            number //= 2
        self._exact.append(exact)
        self._read.append(read)
        total = np.sum([count for count, _ in self._read], axis=0)
        return np.asarray(total), float(sum(variance for _, variance in self._read))

    def _counted(self, exact: FloatArray) -> tuple[FloatArray, float]:
        noise = self._noise.draw(self._scale, (self.runs,), self.rng)  # spends this node's part
        return exact + noise, self._variance

    def _merged(
        self,
        left: tuple[FloatArray, float],
        right: tuple[FloatArray, float],
        own: tuple[FloatArray, float],
    ) -> tuple[FloatArray, float]:
        """A node from its own count and, if they are combined, from its two children."""
        if not self.combine:
            return own
        below = left[1] + right[1]
        share = below / (own[1] + below)
        return share * own[0] + (1 - share) * (left[0] + right[0]), share * own[1]
