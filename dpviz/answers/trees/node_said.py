"""What is said of one node of a noisy tree."""

from dpviz.answers.number_text import amount, decimals
from dpviz.answers.said import Line, Said, Table, plain, private
from dpviz.answers.trees.levels_said import TITLES, with_error
from dpviz.answers.trees.names import READING_NAMES, node_words, value
from dpviz.answers.trees.node import NodeNumbers, NodeWeights

COLUMNS = {
    "count": "People, as each reading estimates them.",
    "s.e.": "Standard error: the root of the variance, known before the draw.",
    "error": "Count − true count in this draw. Confidential.",
}


def say(found: NodeNumbers, made: NodeWeights) -> Said:
    """What the node's estimate is made of, and its readings beside each other."""
    part = part_text(found)
    headline = (
        f"For {plain(part)} the part's own noisy count weighs only {private(f'{made.own:.2f}')}."
    )
    if made.used <= 1:
        headline = f"For {plain(part)} nothing but the part's own noisy count is known."
    second = (
        f"The efficient estimate is a weighted sum of {made.used:,} noisy counts: bars up are "
        "added, bars down subtracted."
    )
    if made.used == 1:
        second = "The efficient estimate is one noisy count as it is."
    return Said(
        Line(headline),
        Line(second),
        [("part", part), ("own weight", amount(made.own, 2))],
        f"Weights of all noisy counts in the estimate of {node_words(*found.node)}",
        tables=(_readings(found, made),),
    )


def strip(found: NodeNumbers) -> list[tuple[str, str]]:
    """The node's numbers in place of those of the release."""
    said = [("part", part_text(found))]
    said += [
        (TITLES[one.reading].lower(), with_error(one.count, one.error)) for one in found.readings
    ]
    return said if found.true is None else [*said, ("true", f"{found.true:,.0f}")]


def part_text(found: NodeNumbers) -> str:
    """The node's part of the axis: 12.5 to 25."""
    return " to ".join(map(value, found.part))


def _readings(found: NodeNumbers, made: NodeWeights) -> Table:
    places = decimals([one.error for one in found.readings])
    rows = []
    for one in found.readings:
        numbers = [one.count, one.error, *([] if one.off is None else [one.off])]
        rows.append((READING_NAMES[one.reading], *(amount(number, places) for number in numbers)))
    columns = list(COLUMNS) if found.true is not None else list(COLUMNS)[:-1]
    path = " → ".join(node_words(*node) for node in found.path)
    true = "" if found.true is None else f" True count {found.true:,.0f}, confidential."
    heaviest = " · ".join(
        f"{node_words(*node)}: {amount(weight, 3)}" for node, weight in made.heaviest
    )
    return Table(
        "",
        "The node under each estimator",
        ("reading", *columns),
        tuple(rows),
        right={name: COLUMNS[name] for name in columns},
        notes=(f"Path {path}.{true}", f"Heaviest weights, by node: {heaviest}"),
    )
