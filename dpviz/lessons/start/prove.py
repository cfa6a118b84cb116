"""What the sheet "I am in this data. Prove it." is given: public numbers of the sample alone.

A visitor's number never leaves the browser. Answers for a link are drawn there, from its secure
generator by exact discrete Laplace noise, each ε-DP for the one bit whether they are counted.
"""

from functools import cache
from importlib.resources import files
from typing import Any

from dpviz.figures.stage.engine import module
from dpviz.lessons.start import numbers

FIRST = 0.1  # ε of an answer at first: five of them are for a link


def data() -> dict[str, Any]:
    """The visitor takes Ida's place: count is how many others are over the threshold."""
    people = numbers.people()
    return {
        "count": people.count(False),
        "everybody": people.everybody,
        "over": numbers.THRESHOLD,
        "stops": numbers.STOPS,
        "epsilon": FIRST,
    }


@cache
def script() -> str:
    """The module's text; it exports prove(box, data, hash)."""
    return module(__package__, "prove")


@cache
def style() -> str:
    """How it looks, as CSS over the theme's own variables."""
    return files(__package__).joinpath("prove.css").read_text(encoding="utf-8")
