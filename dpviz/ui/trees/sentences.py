"""What the Trees page says of a tree: computed sentences in Markdown, names from a file escaped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.trees.shape import Levels
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.figures.trees.names import Names, signed, spread_error, value
from dpviz.ui.bench.headline import plain, private

READ = {
    TreeEstimator.EFFICIENT: "Combining the levels",
    TreeEstimator.FROM_BELOW: "Adding what lies below",
    TreeEstimator.FROM_ABOVE: "Adding what lies above and beside",
}
TITLES = {
    TreeEstimator.RAW: "As measured",
    TreeEstimator.EFFICIENT: "After the efficient estimator",
    TreeEstimator.FROM_BELOW: "With what lies below",
    TreeEstimator.FROM_ABOVE: "With what lies above and beside",
}
SURE = 1.96  # standard errors on either side of 19 in 20


@dataclass(frozen=True, slots=True)
class LevelErrors:
    """Standard errors of a node by level, root first, before and after the levels are combined.

    ∞ where nothing tells the counts. They depend on public choices alone.
    """

    before: tuple[float, ...]
    after: tuple[float, ...]

    @classmethod
    def of(cls, before: Levels, after: Levels) -> LevelErrors:
        """From the two readings of one release."""
        return cls(*(tuple(map(_error, levels.variances)) for levels in (before, after)))

    @property
    def middle(self) -> int:
        """The level that sentences speak of."""
        return (len(self.before) - 1) // 2

    @property
    def removed(self) -> float:
        """The share of the variance that is gone on the middle level; NaN where none was known."""
        before, after = self.before[self.middle], self.after[self.middle]
        return 1 - (after / before) ** 2 if 0 < before < np.inf else float("nan")


def headline(
    errors: LevelErrors, reading: TreeEstimator, names: Names, *, short: bool = False
) -> str:
    """The finding: how much of the variance in mid-tree the reading removes, and that it is free.

    short is for a phone and for the back row, where the longer one takes another line.
    """
    before, after = (spread_error(one[errors.middle]) for one in (errors.before, errors.after))
    if len(errors.before) == 1:
        return "A tree of height 0 is one noisy count: there is nothing to combine."
    if after == "–":
        return "Mid-tree was not measured, and this reading does not tell its counts."
    if reading is TreeEstimator.RAW or errors.removed < 0.0005:
        start = "As measured" if reading is TreeEstimator.RAW else "Even combined"
        people = plain(names.people)
        return f"{start}, a count in mid-tree is off by {private(before)} {people}, typically."
    if np.isnan(errors.removed):
        people = plain(names.people)
        return f"Mid-tree was not measured, yet known to {private(after)} {people}: counts add up."
    part = private(_part(errors.removed))
    where = "for free" if short else "at no cost in privacy"
    return f"{READ[reading]} removes {part} of the variance in mid-tree, {where}."


def with_error(count: float, error: float) -> str:
    """A noisy count with one standard error: 6,040 ± 70."""
    if not np.isfinite(count):
        return "not measured"
    return f"{round(count):,} {spread_error(error)}".replace("-", "−")


def second_line(
    errors: LevelErrors, worst: tuple[float, float] | None, names: Names, *, short: bool = False
) -> str:
    """Standard errors before and after, and the worst error of this draw's CDF, if it is shown."""
    before, after = (spread_error(one[errors.middle]) for one in (errors.before, errors.after))
    people = plain(names.people)
    moves = f"Standard errors fall from {before} to {after} {people} in mid-tree."
    if before == after:
        moves = f"Standard errors stay at {after} {people} in mid-tree."
    if before == "–":
        moves = f"The standard error in mid-tree is {after} {people}."
    if after == "–":
        moves = "Other levels are known: their standard errors stand at the ends of the rows."
    if worst is None:
        return moves
    first, second = (f"{abs(round(one)):,}" for one in worst)
    if short:
        return (
            f"In mid-tree {before}, then {after} {people}. Worst CDF error: {first}, then {second}."
        )
    return f"{moves} This draw's worst CDF error goes from {first} to {second}. Fainter blue is noisier."


def released_headline(
    parts: FloatArray, errors: Sequence[float], ends: tuple[float, float], names: Names
) -> str:
    """What an outsider reads first: the fullest part of the axis, give or take the noise.

    parts are the counts of the first level below the root, or the root's; errors are by level.
    """
    people, unit = plain(names.people), f" {plain(names.unit)}".rstrip()
    if not np.isfinite(parts).any():
        return f"Nothing tells how many {people} there are."
    best = int(np.nanargmax(parts))
    low, high = (
        plain(value(ends[0] + (best + side) / parts.size * (ends[1] - ends[0]))) for side in (0, 1)
    )
    count, margin = _about(float(parts[best])), SURE * errors[min(1, len(errors) - 1)]
    where = f"lie between {low} and {high}{unit}" if parts.size > 1 else "are in the data"
    off = f", give or take {margin:,.0f}" if margin else ""
    return f"About {private(count)} {people} {where}{off}."


def released_line(counts: int, *, combined: bool) -> str:
    """That nothing but the release is on screen, and of what it is made."""
    made = f"{counts:,} noisy counts" if counts != 1 else "one noisy count"
    rest = ", combined" if combined and counts > 1 else ""
    return f"This is everything an outsider gets: {made}{rest}, each with its standard error."


def alternative(errors: LevelErrors, worst: tuple[float, float] | None, names: Names) -> str:
    """The picture in words."""
    rows = ", ".join(
        f"{before} to {after}"
        for before, after in zip(
            map(spread_error, errors.before), map(spread_error, errors.after), strict=True
        )
    )
    said = f"Noisy counts by level from the root to the leaves; standard errors in {names.people}: "
    off = "" if worst is None else f" The CDF is off by at most {' and '.join(map(signed, worst))}."
    return f"{said}{rows}.{off}"


def released_alternative(errors: Sequence[float], names: Names) -> str:
    """The picture of a release in words."""
    said = ", ".join(map(spread_error, errors))
    return (
        f"Noisy counts of {names.people} by level with standard errors {said}, and their running "
        "counts with a band."
    )


def _error(variance: FloatArray) -> float:
    return float(np.sqrt(np.max(variance)))


def _about(count: float) -> str:
    return f"{max(round(count), 0):,}"


def _part(share: float) -> str:
    """A share in per cent, never rounded to all of it."""
    return f"{100 * share:.0f}\u00a0%" if share < 0.995 else f"{min(100 * share, 99.9):.1f}\u00a0%"
