"""What a picture of the smallest budget is drawn from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential
from dpviz.figures.kit.look import Look

LEAST = 1e-5  # of an error: nothing has no place on a log axis
FLOOR, TOP = 1e-3, 0.6  # of the axis; it goes lower for a target near its floor


@confidential("key")
@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """One method: its key, what it is called, its errors at each budget, and where it suffices.

    Shapes: budgets, low, middle, high (k,), errors as shares of the people; only the budgets that
    are computed already. needed is None where no budget suffices; said is it in words.
    """

    key: str
    name: str
    budgets: FloatArray
    low: FloatArray
    middle: FloatArray
    high: FloatArray
    needed: float | None
    said: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What is drawn; often says of how many releases the errors are the largest."""

    lines: Sequence[Line]  # the one that the answer is about first
    target: float
    measured: str  # "Largest error of nine deciles, as a share of the students"
    wanted: str  # "your target: 1 % of the students"
    often: str = "19 of 20"
    symbol: str = "ε"
    compared: bool = False
    whole: tuple[float, float] | None = None  # first and last budget of a run in the making

    @property
    def span(self) -> tuple[float, float]:
        """The first and the last budget."""
        if self.whole is not None:
            return self.whole
        ends = [(line.budgets[0], line.budgets[-1]) for line in self.lines if line.budgets.size]
        if not ends:
            return 0.01, 10.0
        return float(min(low for low, _ in ends)), float(max(high for _, high in ends))

    @property
    def place(self) -> float:
        """Where on the axis the answer lies, from 0 to 1; at its end without one."""
        needed, (low, high) = self.lines[0].needed, self.span
        if needed is None or high <= low:
            return 1.0
        return math.log(needed / low) / math.log(high / low)

    def hue(self, look: Look) -> str:
        """The colour of the marks of the answer: blue, or the method's own beside others."""
        return look.ink.of(self.lines[0].key) if self.compared else look.ink.private

    def written(self, look: Look) -> str:
        """The colour of the words of the answer."""
        return look.ink.written(self.lines[0].key) if self.compared else look.ink.private
