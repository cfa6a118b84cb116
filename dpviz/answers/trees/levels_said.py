"""What is said of a tree before and after its levels are combined."""

import numpy as np

from dpviz.answers.number_text import significant
from dpviz.answers.said import Line, Said, plain, private
from dpviz.answers.trees.levels import LevelsNumbers
from dpviz.answers.trees.names import NOISE_NAMES, Names, signed, spread_error
from dpviz.answers.trees.rows import MOST_ROWS
from dpviz.core.trees.tree_noise import Root
from dpviz.estimators.trees.readings import TreeEstimator

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
CHANGED_ROOT = {Root.SUM: "N summed", Root.PUBLIC: "N public"}


def say(found: LevelsNumbers, names: Names) -> Said:
    """The finding, both standard errors, and the numbers of the release."""
    strip = [
        ("root", _root(found)),
        ("levels", levels_text(found)),
        ("noise scale", _scales(found.scales)),
    ]
    return Said(
        _headline(found, names), _second(found, names), strip, _alt(found, names), _chips(found)
    )


def _headline(found: LevelsNumbers, names: Names) -> Line:
    before, after = map(spread_error, found.middle)
    if found.levels == 1:
        return Line("A tree of height 0 is one noisy count: there is nothing to combine.")
    if after == "–":
        return Line("Mid-tree was not measured, and this reading does not tell its counts.")
    if found.reading is TreeEstimator.RAW or found.removed < 0.0005:
        start = "As measured" if found.reading is TreeEstimator.RAW else "Even combined"
        people = plain(names.noun(before))
        return Line(
            f"{start}, a count in mid-tree is off by {private(before)} {people}, typically."
        )
    if np.isnan(found.removed):
        known = f"known to {private(after)} {plain(names.noun(after))}"
        return Line(f"Mid-tree was not measured, yet {known}: counts add up.")
    part = private(_part(found.removed))
    said = f"{READ[found.reading]} removes {part} of the variance in mid-tree"
    return Line(f"{said}, at no cost in privacy.", f"{said}, for free.")


def _second(found: LevelsNumbers, names: Names) -> Line:
    before, after = map(spread_error, found.middle)
    people = plain(names.noun(after))
    moves = f"Standard errors fall from {before} to {after} {people} in mid-tree."
    if before == after:
        moves = f"Standard errors stay at {after} {people} in mid-tree."
    if before == "–":
        moves = f"The standard error in mid-tree is {after} {people}."
    if after == "–":
        moves = "Other levels are known: their standard errors stand at the ends of the rows."
    if found.worst is None:
        return Line(moves)
    first, second = (f"{abs(round(error)):,}" for error in found.worst)
    return Line(
        f"{moves} This draw's worst CDF error goes from {first} to {second}. "
        "Fainter blue is noisier.",
        f"In mid-tree {before}, then {after} {people}. Worst CDF error: {first}, then {second}.",
    )


def _alt(found: LevelsNumbers, names: Names) -> str:
    pairs = zip(found.before.errors, found.after.errors, strict=True)
    rows = ", ".join(f"{spread_error(before)} to {spread_error(after)}" for before, after in pairs)
    said = f"Noisy counts by level from the root to the leaves; standard errors in {names.people}: "
    worst = found.worst
    off = "" if worst is None else f" The CDF is off by at most {' and '.join(map(signed, worst))}."
    return f"{said}{rows}.{off}"


def _root(found: LevelsNumbers) -> str:
    said = with_error(found.after.root, found.after.errors[0])
    return said if found.total is None else f"{said}, true {found.total:,.0f}"


def levels_text(found: LevelsNumbers) -> str:
    """How many levels there are, and how they share: 7, ε/7 each."""
    if not found.shares:
        return f"{found.levels}, none noised"
    least, most = min(found.shares), max(found.shares)
    if most - least > 1e-9:
        return f"{found.levels}, {100 * least:.2g} to {100 * most:.2g} % each"
    if len(found.shares) == 1:
        return f"{found.levels}, one noised"
    return f"{found.levels}, {found.symbol}/{len(found.shares)} each"


def _scales(scales: tuple[float, ...]) -> str:
    if not scales:
        return "none"
    least, most = significant(min(scales), 2), significant(max(scales), 2)
    return least if least == most else f"{least} to {most}"


def _chips(found: LevelsNumbers) -> list[str]:
    """The page's settings that are not as at first."""
    said = []
    if found.levels > MOST_ROWS:
        said.append(f"{MOST_ROWS} of {found.levels} levels drawn")
    if found.fanout != 2:
        said.append(f"fanout {found.fanout}")
    if not found.is_usual:
        said.append(f"{NOISE_NAMES[found.noise]} noise")
    if found.root in CHANGED_ROOT:
        said.append(CHANGED_ROOT[found.root])
    if found.reading is not TreeEstimator.EFFICIENT:
        said.append(TITLES[found.reading].lower())
    return said


def with_error(count: float, error: float) -> str:
    """A noisy count with one standard error: 6,040 ± 70."""
    if not np.isfinite(count):
        return "not measured"
    return f"{round(count):,} {spread_error(error)}".replace("-", "−")


def _part(share: float) -> str:
    """A share in per cent, never rounded to all of it."""
    return f"{100 * share:.0f}\u00a0%" if share < 0.995 else f"{min(100 * share, 99.9):.1f}\u00a0%"
