"""What is said of running counts that are published step by step."""

from dpviz.answers.said import Line, Said, plain, private
from dpviz.answers.trees.names import Names, spread_error
from dpviz.answers.trees.online import DIGITS, WAITED, OnlineNumbers
from dpviz.answers.trees.running_said import LARGEST

LARGEST_PURE = (
    "Under pure ε no way keeps the largest of n errors below the order of log n (Dwork, Naor, "
    "Pitassi and Rothblum 2010)."
)


def say(found: OnlineNumbers, names: Names) -> Said:
    """How good a count is after every step, and what waiting for the last one would save."""
    strip = [("steps", f"{found.steps:,}")]
    strip += [(way.name, spread_error(way.typical)) for way in found.every]
    strip += [("largest", spread_error(most.typical)) for most in found.largest if most.is_first]
    return Said(
        _headline(found, names),
        Line(_second(found)),
        strip,
        "Standard error of a running count over time, under each way to publish it at every step",
    )


def lower_bound_words(found: OnlineNumbers) -> str:
    """What no way gets below."""
    return LARGEST_PURE if found.is_pure else LARGEST.strip()


def _headline(found: OnlineNumbers, names: Names) -> Line:
    typical = {way.name: spread_error(way.typical) for way in found.every}
    best = typical[found.best]
    said = (
        f"After each of {found.steps:,} steps a count is good to {private(best)} "
        f"{plain(names.noun(best))}"
    )
    if found.waiting > 0:
        waited = plain(typical[WAITED])
        return Line(f"{said}; published at the end, to {waited}.", f"{said}; at the end, {waited}.")
    return Line(f"{said}; to wait for the end gains nothing.")


def _second(found: OnlineNumbers) -> str:
    is_digits = found.best == DIGITS
    way = f"Signed digits of fanout {found.base} save" if is_digits else "A square root saves"
    said = f"{way} {100 * found.saves:.0f} % of a binary tree's variance"
    if found.waiting > 0:
        return (
            f"{said}; least squares at the end {100 * found.waiting:.0f} % of the rest, for they "
            "use what came later."
        )
    return f"{said}, and a tree with all steps at hand is no better."
