"""What is said of the fanout of a tree for a CDF."""

from dpviz.answers.said import Line, Said, plain, private
from dpviz.answers.trees.fanouts import FanoutsNumbers
from dpviz.answers.trees.names import Names, spread_error

WORTH_SAYING = 0.005  # share of the error


def say(found: FanoutsNumbers, names: Names) -> Said:
    """The best fanout for so many parts, and how good the tree's own is."""
    headline, second = _sentences(found, names)
    return Said(
        headline,
        Line(second),
        [
            ("every level of a tree", "an equal share"),
            ("read", "as measured" if found.raw else "after least squares"),
            ("dots", "best fanout"),
        ],
        "Typical error of a running count against the number of parts, for several fanouts",
    )


def _sentences(found: FanoutsNumbers, names: Names) -> tuple[Line, str]:
    if found.leaves < 2:
        return Line("A tree with one part has no running counts to compare."), ""
    least = spread_error(found.least)
    good = f"{private(least)} {plain(names.noun(least))}"
    said = f"For a CDF of {found.leaves:,} parts fanout {private(str(found.best))} errs least:"
    headline = Line(f"{said} a running count is good to {good}.", f"{said} good to {good}.")
    second = "That is the fanout of your tree."
    if found.own != found.best:
        own = plain(spread_error(found.own_error))
        second = f"With your fanout of {found.own} it is good to {own}."
    if found.split_gain > WORTH_SAYING:
        gain = f"{100 * found.split_gain:.0f} %"
        second += f" A binary tree with the best split of its budget errs {gain} less still."
    return headline, second
