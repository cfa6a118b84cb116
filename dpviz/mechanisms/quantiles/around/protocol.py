"""What a mechanism for a single quantile offers: a value for each part of a level in one call."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.checks import found
from dpviz.core.confidential import confidential
from dpviz.core.errors import InvalidParameter
from dpviz.core.ragged import offsets, ragged
from dpviz.core.releases import Parameters
from dpviz.mechanisms.exponential.ladder import Climbable, Ladder, Problems
from dpviz.mechanisms.quantiles.descent import Run


@confidential()
@dataclass(frozen=True, eq=False)
class Parts:
    """The disjoint parts of the records that the quantiles of one level are drawn on: confidential.

    Shapes: quantile (p,), runs × nodes flattened, relative to each part; public. problems holds
    the records and the public range of each part, and the target rank on the ladder; its η is 0.
    """

    ladder: Climbable
    problems: Problems
    quantile: FloatArray

    @classmethod
    def of(cls, run: Run, depth: int) -> "Parts":
        """The parts of one level (the root's depth is 0) of several runs."""
        problems, nodes = run.problems(depth), run.plan.levels[depth]
        shape = (run.values.shape[0], nodes.normalised.size)
        return cls(run.ladder, problems, np.broadcast_to(nodes.normalised, shape).ravel())

    @property
    def sizes(self) -> IntArray:
        """Records of each part, (p,)."""
        ladder, problems = self.ladder, self.problems
        return (ladder.rank(problems.last) - ladder.rank(problems.first)).astype(np.int64)

    def records(self) -> tuple[FloatArray, IntArray]:
        """Ascending values of all parts, part after part, and where each part begins, (p + 1,)."""
        ladder, problems = self.ladder, self.problems
        assert isinstance(ladder, Ladder)  # a spread that is drawn lazily holds no values
        part, step = ragged(problems.last - problems.first)
        at = problems.first[part] + step
        tied = (ladder.rank(at + 1) - ladder.rank(at)).astype(np.int64)
        return np.repeat(ladder.values[at], tied), offsets(self.sizes)

    def holding(self, point: FloatArray) -> IntArray:
        """The ladder interval of each part that holds a point of its range, (p,)."""
        return self.ladder.holding(point, self.problems.first, self.problems.last)


@dataclass(frozen=True, slots=True)
class Share:
    """One of several equal shares of a budget: what the parts of one level may spend.

    A record lies in one part of a level at most, so adding or removing one changes one part.
    Replacing one changes two parts by a record each, or one whose size stays: always so at the
    root, whose depth is 0.
    """

    whole: Budget
    levels: int
    depth: int
    neighbours: Neighbours


class SingleQuantile(Protocol):
    """A frozen object that draws one quantile of each part of a level, spending one share."""

    @property
    def name(self) -> str:
        """The field's name for the method."""

    @property
    def parameters(self) -> Parameters:
        """All parameters as plain values, without the name."""

    @property
    def reads_all(self) -> bool:
        """Whether a draw reads every record of a part rather than a few places."""

    def check(self, budget: Budget) -> None:
        """Raise what draw would raise, without drawing.

        Raises: UnsupportedBudget for a notion the method does not give.
        """

    def draw(
        self, parts: Parts, share: Share, rng: np.random.Generator
    ) -> tuple[FloatArray, IntArray]:
        """A private value of each part, (p,), inside its range, and the interval that holds it."""


def a_single_quantile(value: Any, name: str) -> SingleQuantile:
    """The rule that a value is a mechanism for a single quantile.

    Raises: InvalidParameter for anything else, a class that nobody called included.
    """
    needed = ("name", "parameters", "reads_all", "check", "draw")
    if isinstance(value, type) or not all(hasattr(value, one) for one in needed):
        raise InvalidParameter(
            f"{name} must be a mechanism for a single quantile such as ExponentialQuantile(), "
            f"got {found(value)}."
        )
    single: SingleQuantile = value
    return single
