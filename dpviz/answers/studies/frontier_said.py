"""What is said of the frontier: the cheapest method for a need, and who errs least where."""

from __future__ import annotations

from dpviz.answers.markup import plain
from dpviz.answers.number_text import upper
from dpviz.answers.said import Line, Said
from dpviz.answers.studies.frontier import FrontierNumbers
from dpviz.answers.studies.names import Sentence, StudyNames, method, often_text, target_text
from dpviz.answers.studies.needed import MethodNeed

HULL = (
    "Between two methods there is no shortcut: a public coin that draws one of two budgets spends "
    "the larger one, so the frontier is the least error itself, not its convex hull."
)


def say(found: FrontierNumbers, names: StudyNames) -> Said:
    """The cheapest way to the need, and who has the least error at which budgets."""
    headline = sentence(found, names)
    strip = [
        ("computed on", names.title),
        ("methods", str(len(found.need.methods))),
        ("bold", "the least error"),
    ]
    return Said(Line(headline.marked), Line(plain(leaders(found))), strip, headline.bare)


def sentence(found: FrontierNumbers, names: StudyNames) -> Sentence:
    """The cheapest method for the need, its budget, and how much more the next one takes."""
    need, first = found.need, found.need.best
    what = f"{names.what} within {target_text(need.percent)}"
    if need.size is None:
        by = " by any method" if len(need.methods) > 1 else f", {method(first.key).way}"
        return Sentence(f"No {need.symbol} that was tried publishes {what}{by}.")
    about, less = "about " if need.is_about else "", " or less" if first.is_first else ""
    size = f"{need.symbol} = {need.size:g}"
    others = [one for one in need.methods[1:] if one.needed is not None]
    after = f"; {_next(others[0], first)}." if others else "; no other method gets there."
    if len(need.methods) == 1:
        after = "."
    return Sentence(f"Cheapest for {what}: {method(first.key).way}, at {about}", size, less + after)


def _next(other: MethodNeed, first: MethodNeed) -> str:
    """How much more another method takes; of a best one that less may do for, at least."""
    name = method(other.key).name
    if other.is_level:
        return f"{name} is enough there, too" if other.is_first else f"{name} takes as much"
    least = "at least " if first.is_first else ""
    return f"{name} takes {least}{other.times:.1f} times as much"


def leaders(found: FrontierNumbers) -> str:
    """Who has the least error, from the smallest budget to the largest."""
    if not found.pieces:
        return ""
    names = [method(piece.key).name for piece in found.pieces]
    ends, symbol = [float(piece.budgets[-1]) for piece in found.pieces], found.need.symbol
    if len(names) == 1:
        return f"{upper(names[0])} has the least error at every budget shown, or is level with it."
    told = [f"{upper(names[0])} errs least below {symbol} = {ends[0]:.2g}"]
    told += [f"{name} up to {end:.2g}" for name, end in zip(names[1:-1], ends[1:-1], strict=True)]
    return ", ".join([*told, f"{names[-1]} above"]) + "."


def measured(found: FrontierNumbers, names: StudyNames, *, brief: bool = False) -> str:
    """What the picture's errors are; brief is for a phone."""
    often = often_text(found.need.probability)
    error = "Largest error" if found.need.is_largest else "Mean error"
    if brief:
        return f"{error}, {often} releases"
    people = names.people.many
    return f"{error} of {names.what} that {often} releases stay under, as a share of the {people}"


def wanted(found: FrontierNumbers) -> str:
    """What the line of the target is called."""
    return f"your need: {target_text(found.need.percent)}"
