"""What is said of methods compared by the errors of many rectangles."""

from dpviz.answers.number_text import counted, number, upper
from dpviz.answers.said import Line, Said, plain
from dpviz.answers.spatial.compared import LEAST, ComparedNumbers
from dpviz.answers.spatial.names import Names, percent, times

LEVEL = 1.1  # times the best error up to which the second method is level with the best
NOTE = (
    "Median relative error over {} of each shape that hold somebody (Cormode et al. "
    "2012, scaled to the map); one draw. Confidential."
)


def say(found: ComparedNumbers, names: Names) -> Said:
    """Which method comes closest over all shapes, and which on each."""
    sentence = _finding(found)
    strip = [
        (f"best on {shape}", found.methods[row])
        for shape, row in zip(shapes(found, names), found.best, strict=True)
    ]
    return Said(
        Line(plain(sentence)),
        Line(NOTE.format(counted(found.queries, "rectangle"))),
        strip,
        sentence,
    )


def shapes(found: ComparedNumbers, names: Names) -> list[str]:
    """Each shape of rectangle, with the map's unit: "4.58 × 4.53 km"."""
    return [f"{wide:.3g} × {high:.3g} {names.units}".rstrip() for wide, high in found.shapes]


def error_text(error: float) -> str:
    """One error in per cent, beside its dot."""
    return percent(error) if error >= LEAST else f"below {percent(LEAST)}"


def _finding(found: ComparedNumbers) -> str:
    best, *others = found.order
    if not others:
        return f"{upper(found.methods[best])} was compared with no other method."
    second, last = others[0], others[-1]
    name = found.methods
    level = found.factors[second] < LEVEL
    if last != second and found.factors[last] < LEVEL:
        return f"All {number(len(name))} methods are level."
    if level:
        said = f"{upper(name[best])} and {name[second]} are level"
    else:
        said = f"{upper(name[best])} comes closest"
    if last == second and level:
        return f"{said}."
    return f"{said}; {name[last]} is off by {times(found.factors[last])} times as much."
