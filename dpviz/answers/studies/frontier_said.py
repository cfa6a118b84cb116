"""What is said of the frontier: the cheapest method for a need, and who errs least where."""

from __future__ import annotations

from dpviz.answers.markup import plain
from dpviz.answers.number_text import upper
from dpviz.answers.said import Line, Said
from dpviz.answers.studies.frontier import FrontierNumbers
from dpviz.answers.studies.names import (
    Sentence,
    StudyNames,
    method,
    often_text,
    size_text,
    target_text,
)

HULL = (
    "Between two methods there is no shortcut: a public coin that draws one of two budgets spends "
    "the larger one, so the frontier is the least error itself, not its convex hull."
)


def say(found: FrontierNumbers, names: StudyNames) -> Said:
    """The cheapest way to the need, and who has the least error at which budgets."""
    headline, brief = sentence(found, names), sentence(found, names, short=True)
    strip = [
        ("computed on", names.title),
        ("methods", str(len(found.methods))),
        ("bold", "the least error"),
    ]
    told = [next_text(found), leaders(found), names.why]
    second = " ".join(one for one in told if one)
    return Said(Line(headline.marked, brief.marked), Line(plain(second)), strip, headline.bare)


def sentence(found: FrontierNumbers, names: StudyNames, *, short: bool = False) -> Sentence:
    """The cheapest method for the need, and its budget; short leaves out what is published."""
    first = found.best
    what = f"{names.what} within {target_text(found.percent)}"
    if found.size is None:
        by = " by any method" if len(found.methods) > 1 else f", {method(first.key).way}"
        return Sentence(f"No {found.symbol} that was tried publishes {what}{by}.")
    about, less = "about " if found.is_about else "", " or less" if first.is_first else ""
    size = f"{found.symbol} = {found.size:g}"
    what = f"within {target_text(found.percent)}" if short else f"for {what}"
    return Sentence(f"Cheapest {what}: {method(first.key).way}, at {about}", size, f"{less}.")


def next_text(found: FrontierNumbers) -> str:
    """How much more the next method takes: at least so much where less may do for the best one.

    Empty where no budget is enough, and where one method alone was looked at.
    """
    first, *others = found.methods
    if found.size is None or not others:
        return ""
    other = others[0]
    if other.needed is None:
        return "No other method gets there."
    name = upper(method(other.key).name)
    if other.is_level:
        return f"{name} is enough there, too." if other.is_first else f"{name} takes as much."
    least = "at least " if first.is_first else ""
    return f"{name} takes {least}{other.times:.1f} times as much."


def leaders(found: FrontierNumbers) -> str:
    """Who has the least error, from the smallest budget to the largest."""
    if not found.pieces:
        return ""
    names = [method(piece.key).name for piece in found.pieces]
    ends, symbol = [float(piece.budgets[-1]) for piece in found.pieces], found.symbol
    if len(names) == 1:
        return f"{upper(names[0])} has the least error at every budget shown, or is level with it."
    told = [f"{upper(names[0])} errs least below {symbol} = {ends[0]:.2g}"]
    told += [f"{name} up to {end:.2g}" for name, end in zip(names[1:-1], ends[1:-1], strict=True)]
    return ", ".join([*told, f"{names[-1]} above"]) + "."


def measured(found: FrontierNumbers, names: StudyNames, *, brief: bool = False) -> str:
    """What the picture's errors are; brief is for a phone."""
    often = often_text(found.probability)
    if brief:
        return f"Largest error, {often} releases"
    people = names.people.many
    return (
        f"Largest error of {names.what} that {often} releases stay under, as a share of the "
        f"{people}"
    )


def wanted(found: FrontierNumbers) -> str:
    """What the line of the target is called."""
    return f"your need: {target_text(found.percent)}"


def so_far(found: FrontierNumbers) -> str:
    """What the parts of a run that are done say already; empty before the first one."""
    known = [(one.key, one.needed) for one in found.methods if one.needed is not None]
    if known:
        key, needed = known[0]
        needs = size_text(needed, found.symbol)
        return f"{upper(method(key).name)} needs {needs} for {target_text(found.percent)}."
    if found.least is None:
        return ""
    return f"Budgets down to {found.symbol} = {found.least:g} are drawn."
