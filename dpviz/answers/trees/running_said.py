"""What is said of running counts by a square root."""

import math

from dpviz.answers.said import Line, Said, plain, private, true
from dpviz.answers.trees.names import Names, spread_error
from dpviz.answers.trees.running import RunningCurve, RunningNumbers

LARGEST = (
    " The expected largest error of n running counts has a bound of its own, Ω(log^1.5 n) (arXiv "
    "2607.00876)."
)


def say(found: RunningNumbers, names: Names) -> Said:
    """How good a running count is either way, and how near the least that there is."""
    strip = [(way.name, spread_error(way.typical)) for way in found.every]
    if found.bound is not None:
        strip.append(("least possible (mean variance)", spread_error(found.bound)))
    return Said(
        _headline(found, names),
        _second(found) if found.moved is None else _laplace(found, names),
        strip,
        "Standard error of running counts along the axis, under a square root and under trees",
    )


def _headline(found: RunningNumbers, names: Names) -> Line:
    root = spread_error(found.root)
    good = f"{private(root)} {plain(names.noun(root))}"
    said = f"By a square root a running count is good to {good}"
    if not math.isfinite(found.tree):
        return Line(f"{said}; your tree tells larger parts alone.")
    if found.alike:
        return Line(f"{said}, and so it is by your tree.")
    better = ", which is better" if found.tree < found.root else ""
    tree = plain(spread_error(found.tree))
    return Line(
        f"{said}, by your tree to {tree}{better}.",
        f"A square root is good to {good}, your tree to {tree}.",
    )


def _second(found: RunningNumbers) -> Line:
    saves = found.less > 0
    said = "The best binary tree does no worse here"
    if saves:
        said = f"That is {100 * found.less:.0f} % less variance than the best binary tree"
    if found.above is None:
        return Line(f"{said}. For single parts a tree is better.")
    least = (
        f"{math.ceil(100 * found.above)} % of the least mean variance that any unbiased Gaussian "
        "way has"
    )
    said += f", within {least}" if saves else f"; a square root is within {least}"
    said += ". For single parts a tree is better."
    return Line(said + LARGEST, said)


def _laplace(found: RunningNumbers, names: Names) -> Line:
    """Why the square root errs so much under pure ε."""
    assert found.moved is not None
    whole, squares = (f"{one:.3g}" for one in found.moved)
    return Line(
        f"That is with Laplace noise, since one {plain(names.person)} moves the sums by {whole} in "
        "all. Gaussian noise, in ρ or (ε, δ), pays for the root of the squares alone, "
        f"{squares}: a square root is published with that.",
        f"Laplace noise pays for {whole}, Gaussian noise in ρ or (ε, δ) for {squares}.",
    )


def drawn_off(found: RunningCurve) -> str:
    """How far this draw's curve is off; empty while the truth is hidden."""
    if found.off is None:
        return ""
    return f"This draw's smoothed curve is off by at most {true(f'{found.off:,.0f}')}."
