"""What is said of one node of a tree of rectangles."""

import math

from dpviz.answers.number_text import amount, counted, decimals, place, significant, upper
from dpviz.answers.said import Line, Said, Table, private, true
from dpviz.answers.spatial.names import Names, Voice, count, give_or_take
from dpviz.answers.spatial.node import NodeNumbers, Spending
from dpviz.answers.trees.names import node_words

COLUMNS = {
    "count": "People in the node: as released, and after estimation.",
    "variance": "Of the count, in people²; known before the draw.",
    "s.e.": "Standard error: the root of the variance, in people.",
}
EXACT = "Exact counts: nothing is spent, and nothing is protected."


def say(found: NodeNumbers, method: str, names: Names) -> Said:
    """What is known of the node, beside the truth where it is shown."""
    name = node_words(*found.node)
    return Said(
        Line(_finding(found, names)),
        Line("A click on a mark goes a level down."),
        [("cell", name), ("method", method)],
        f"Where {name} lies; a click on a mark chooses a node below it",
        tables=(_readings(found),),
    )


def _finding(found: NodeNumbers, names: Names) -> str:
    name, held = upper(node_words(*found.node)), found.readings[-1]
    if math.isnan(held.count):
        return f"{name} was not released."
    said = (
        f"{name} holds {Voice(names, private).counted(held.count)}, give or take "
        f"{give_or_take(held.half)}"
    )
    return f"{said}." if found.true is None else f"{said}; the truth is {true(count(found.true))}."


def described(found: NodeNumbers) -> str:
    """The node's rectangle, its way down from the root, and where it is cut; Markdown."""
    x_low, x_high, y_low, y_high = map(place, found.box)
    path = " → ".join(node_words(*node) for node in found.path)
    way = f"from {path}" if found.node[0] else "the root"
    return (
        f"**{upper(node_words(*found.node))}**: {x_low} to {x_high} × {y_low} to {y_high}  \n"
        f":small[{way} · {_cut(found)}]"
    )


def _cut(found: NodeNumbers) -> str:
    if found.is_leaf:
        return "a leaf"
    if found.cut is None:
        return "cut on the Hilbert curve; the parts may overlap"
    x, left, right = map(place, found.cut)
    return f"cut at x = {x}, then at y = {left} on the left and {right} on the right"


def _readings(found: NodeNumbers) -> Table:
    places = decimals([one.error for one in found.readings], 2)
    rows = tuple(
        (
            one.reading,
            amount(one.count, places),
            significant(one.variance, 3),
            significant(one.error, 3),
        )
        for one in found.readings
    )
    return Table(
        "",
        "The node before and after estimation",
        ("reading", *COLUMNS),
        rows,
        right=COLUMNS,
        notes=(EXACT if found.spending is None else _spent(found.spending),),
    )


def _spent(found: Spending) -> str:
    """What a count of each level spends, and the medians."""
    shares = ", ".join(f"{part:.3g}" for part in found.levels)
    of_a_record = " of each record of a person" if found.of_a_record else ""
    steps = counted(found.steps, "median step")
    take = "takes" if found.steps == 1 else "take"
    medians = f" The {steps} of a path {take} {found.share:.0%} of the budget."
    return (
        f"A count spends, level by level from the root: {shares} {found.unit}{of_a_record}."
        f"{medians if found.steps else ''}"
    )
