"""What is said of many quantiles and one curve."""

import math

from dpviz.answers.number_text import significant, upper
from dpviz.answers.said import Line, Said, Table, plain, private, unmarked
from dpviz.answers.studies.many import ManyNumbers
from dpviz.experiments.planning.stand_ins import shape_of
from dpviz.experiments.statements.many import BINS, COUNTS, EPSILONS, PEOPLE, RUNS
from dpviz.intake.samples import ANYBODY

NAMES = {
    "halving": "asked by halving",
    "together": "asked all at once",
    "tree": "one curve, a noisy tree",
    "density": f"one density of {BINS} bins",
}
MOST = COUNTS[-1]
TIED = (
    "Where values are tied, a smoothed draw (HSJointExp) leaves the ties: of a million values, "
    "eight in ten of them 65,000, its quartiles at ε = 0.5 are 64,999.6, 65,000.2 and 65,000.8 for "
    "values that were moved by up to 1; with a declared resolution ours are 65,000 three times. "
    "A library crashed there."
)


def say(found: ManyNumbers) -> Said:
    """From how many on, and by how much at the ends."""
    first, then = headline(found), second(found)
    return Said(
        Line(first), Line(then), strip(found), unmarked(f"{first} {then}"), tables=(table(found),)
    )


def headline(found: ManyNumbers) -> str:
    """The crossing."""
    crosses = found.place.crosses
    if math.isinf(crosses):
        return f"Up to {MOST} quantiles, asking for each errs less than one curve."
    if crosses <= 1:
        return "One curve errs less even for one quantile."
    return f"From {private(f'{math.ceil(crosses)}')} quantiles on, one curve errs less than asking."


def second(found: ManyNumbers) -> str:
    """Both at the ends."""
    asked, curve = ([_people(one[at]) for at in (0, -1)] for one in (found.asking, found.curve))
    shape = shape_of(found.place.shape)
    said = f"{shape.title} of {found.place.people:,}, ε = {found.place.epsilon:g}"
    return plain(
        f"{said}: asking is off by {asked[0]} for one quantile, by {asked[1]} for {MOST}; a curve "
        f"by {curve[0]} and {curve[1]}. It is bought once, and read as often as one likes."
    )


def _people(number: float) -> str:
    return ANYBODY.people.after(significant(float(number), 2))


def strip(found: ManyNumbers) -> list[tuple[str, str]]:
    """Where, and from how many."""
    return [
        ("made-up column", shape_of(found.place.shape).title),
        ("one curve from", crossing_text(found.place.crosses)),
        ("releases a place", f"{RUNS}"),
    ]


def crossing_text(crosses: float) -> str:
    """An m rounded up, or that there is none."""
    return f"above {MOST}" if math.isinf(crosses) else f"{math.ceil(crosses)}"


def table(found: ManyNumbers) -> Table:
    """The crossing by people and ε."""
    rows = tuple(
        (f"{people:,}", *(crossing_text(found.crosses[people, one]) for one in EPSILONS))
        for people in PEOPLE
    )
    columns = ("people", *(f"ε = {one:g}" for one in EPSILONS))
    return Table(
        f"{upper('quantiles from which one curve errs less')}, by people and ε",
        "From how many quantiles on one curve errs less, by people and ε",
        columns,
        rows,
        dict.fromkeys(columns),
        (TIED,),
    )
