"""How the levels of a tree share its budget."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.core.checks import checked_flag, checked_number, checked_whole, found
from dpviz.core.choices import Choice, settle_choices
from dpviz.core.errors import InvalidParameter

LARGEST_RATIO = 1e6
MAX_HEIGHT = 22  # a binary tree of that height has as many leaves as TreeShape allows


class LevelRule(Choice):
    """The rule by which levels share."""

    UNIFORM = "uniform"
    GEOMETRIC = "geometric"
    LEAVES_ONLY = "leaves-only"
    WEIGHTS = "weights"
    WORKLOAD_OPTIMAL = "workload-optimal"


@dataclass(frozen=True, slots=True)
class LevelBudget:
    """A rule that gives every level its share of a budget, in the budget's own unit (ε or ρ).

    ratio is the geometric one, from a level to the one below it; weights, root first, are those of
    WEIGHTS and WORKLOAD_OPTIMAL, and 0 leaves a level out. Build one by its class methods.

    >>> dp.CountTree(2, 2, dp.LevelBudget.own((0, 1, 3))).shares()
    (0.0, 0.25, 0.75)

    Raises: InvalidParameter for a ratio or weights that share nothing.
    Source: Cormode et al. 2012, §4; weights and workload-optimal: this project.
    """

    rule: LevelRule = LevelRule.UNIFORM
    ratio: float = 1.0
    weights: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        settle_choices(self, rule=LevelRule)
        object.__setattr__(self, "ratio", _checked_ratio(self.ratio))
        object.__setattr__(self, "weights", _checked_weights(self.weights))
        if self.weighted == (not self.weights):
            raise InvalidParameter(
                f"A {self.rule} split takes {'weights, one a level' if self.weighted else 'none'}."
            )

    @classmethod
    def uniform(cls) -> LevelBudget:
        """The same share for every released level."""
        return cls()

    @classmethod
    def geometric(cls, ratio: float) -> LevelBudget:
        """Shares that grow by ratio from each level to the one below; 2^{1/3} suits a quadtree."""
        return cls(LevelRule.GEOMETRIC, ratio=ratio)

    @classmethod
    def leaves_only(cls) -> LevelBudget:
        """Everything for the leaves: a noisy histogram."""
        return cls(LevelRule.LEAVES_ONLY)

    @classmethod
    def own(cls, weights: Sequence[float]) -> LevelBudget:
        """Shares in proportion to weights, root first; 0 leaves the level out."""
        return cls(LevelRule.WEIGHTS, weights=_listed(weights))

    @classmethod
    def workload_optimal(cls, shares: Sequence[float]) -> LevelBudget:
        """The result of an optimisation, kept under its own name."""
        return cls(LevelRule.WORKLOAD_OPTIMAL, weights=_listed(shares))

    @property
    def weighted(self) -> bool:
        """Whether the shares were given level by level, for one height only."""
        return self.rule in {LevelRule.WEIGHTS, LevelRule.WORKLOAD_OPTIMAL}

    def shares(self, height: int, *, root: bool = True) -> tuple[float, ...]:
        """Shares of levels 0..height, summing to 1; root=False gives the root's to the others.

        Raises: InvalidParameter for weights of another height, or when no level has a share.
        """
        raw = self._raw(checked_whole(height, "height", 0, MAX_HEIGHT))
        if not checked_flag(root, "root"):
            raw[0] = 0.0
        whole = math.fsum(raw)
        if whole == 0:
            raise InvalidParameter(
                "No level has a share of the budget, so nothing would be released. Give a level "
                "below the root a weight, or release the root."
            )
        return tuple(float(weight) / whole for weight in raw)

    def to_dict(self) -> dict[str, object]:
        """Plain values, for the parameters of a release."""
        return {"rule": self.rule.value, "ratio": self.ratio, "weights": list(self.weights)}

    def _raw(self, height: int) -> list[float]:
        if self.weighted:
            if len(self.weights) != height + 1:
                raise InvalidParameter(
                    f"A tree of height {height} has {height + 1} levels, got "
                    f"{len(self.weights)} weights."
                )
            return list(self.weights)
        if self.rule is LevelRule.LEAVES_ONLY:
            return [0.0] * height + [1.0]
        return [self.ratio ** (level - height) for level in range(height + 1)]


def _checked_ratio(ratio: float) -> float:
    number = checked_number(ratio, "ratio")
    if not 1 / LARGEST_RATIO <= number <= LARGEST_RATIO:
        raise InvalidParameter(
            f"The ratio between levels must lie in 1e-6 … 1e6, got {number:g}. 1 is uniform."
        )
    return number


def _listed(weights: Sequence[float]) -> tuple[float, ...]:
    try:
        if not isinstance(weights, str | bytes):  # a text is no list of its letters
            return tuple(weights)
    except TypeError:
        pass  # the refusal below says what was found
    raise InvalidParameter(f"Weights must be a list, one number a level, got {found(weights)}.")


def _checked_weights(weights: Sequence[float]) -> tuple[float, ...]:
    try:
        numbers = np.array(weights, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InvalidParameter(f"Weights must be numbers, got {found(weights)}.") from None
    if numbers.ndim != 1 or not (np.isfinite(numbers) & (numbers >= 0)).all():
        raise InvalidParameter(
            f"Weights must be one list of finite numbers ≥ 0, got {found(weights)}."
        )
    if numbers.size and not numbers.any():
        raise InvalidParameter("All weights are 0: no level would be released.")
    return tuple(numbers.tolist())
