"""What is said of a made-up column."""

from dpviz.answers.number_text import percent
from dpviz.answers.quantiles.made_up import MadeUpNumbers
from dpviz.answers.said import Line, Said, plain, private, true
from dpviz.intake.samples import Noun

ALONE = "A release like any other: no point of it is anybody's. Tools that want a column take it."


def say(found: MadeUpNumbers, people: Noun, *, asked: bool, spent: str) -> Said:
    """How many stand in for how many; asked: their number was declared, and not drawn."""
    made, real = private(f"{found.count:,}"), found.real
    many = plain(people.many if found.count != 1 else people.one)
    headline = Line(f"{made} made-up {many} may go anywhere.")
    second = Line(plain(ALONE))
    if real is not None:
        people_there = true(f"{real.people:,}")
        stand = "stands" if found.count == 1 else "stand"
        ones = "one" if real.people == 1 else "ones"
        headline = Line(f"{made} made-up {many} {stand} in for {people_there} real {ones}.")
        off = (
            f"Their ranks are off by {percent(real.typical)} of the {people.many} on average, by "
            f"{percent(real.most)} at most."
        )
        second = Line(plain(off))
    bought = "as declared" if asked else "a noisy count, for a tenth of the budget"
    return Said(
        headline,
        second,
        [
            ("how many", bought),
            ("made of", "private quantiles, recursive halving"),
            ("spent", spent),
        ],
        "",
    )
