"""Needs in words: what an amount is of, how often it is kept, and the need to begin with."""

from dataclasses import dataclass

from dpviz.answers.decide.price import Need
from dpviz.answers.decide.sentences import CELLS, COUNT, CURVE, HISTOGRAM, RUNNING
from dpviz.intake.samples import Noun

VALUE, UNIT, SHARE, PEOPLE, PLACES = UNITS = ("value", "unit", "share", "people", "places")
OFTEN = {
    0.5: "half of the times",
    0.8: "4 times of 5",
    0.9: "9 times of 10",
    0.95: "19 times of 20",
    0.99: "99 times of 100",
}
# kinds of number of the samples, as a person would choose them for a file
KIND_OF_SAMPLE = {"exam": "mark", "ages": "age", "hours": "hours", "salaries": "money",
                  "ratings": "stars", "waiting": "minutes", "office": "money",
                  "survey": "mark"}  # fmt: skip
# the amount that a kind of number begins with, for quantiles
_OF_KIND: dict[str, tuple[float, str]] = {
    "money": (2, VALUE),
    "mark": (1, UNIT),
    "age": (1, UNIT),
    "hours": (1, UNIT),
    "stars": (0.5, UNIT),
    "minutes": (1, UNIT),
}
_OTHERWISE = (1, SHARE)
_OF_FORM: dict[str, float] = {
    COUNT: 10,
    HISTOGRAM: 12,
    CURVE: 50,
    CELLS: 150,
    RUNNING: 20,
}  # people
_FIRST_AMOUNT = {VALUE: 2.0, UNIT: 1.0, SHARE: 1.0, PEOPLE: 10.0, PLACES: 10.0}


@dataclass(frozen=True, slots=True)
class NeedNames:
    """What an amount can be of: the column, its unit, whose words may be empty, and the people."""

    column: str
    unit: Noun
    people: Noun


def units_of(form: str, low: float | None) -> list[str]:
    """Units of a form; no per cent of a value that may be negative or is not bounded yet."""
    if form in _OF_FORM:
        return [PEOPLE, SHARE]
    of_value = [VALUE] if low is not None and low >= 0 else []
    return [*of_value, UNIT, SHARE, PLACES]


def first_need(
    form: str, kind: str, low: float | None, unit: str = "", size: float | None = None
) -> Need:
    """The need that a sentence begins with, by the kind of number and the lower bound alone.

    With a unit that a person has chosen, the amount that goes with it.
    """
    amount, of = (
        _OF_KIND.get(kind, _OTHERWISE) if form not in _OF_FORM else (_OF_FORM[form], PEOPLE)
    )
    if of not in units_of(form, low):
        amount, of = _OTHERWISE
    if unit and unit != of:
        amount, of = _FIRST_AMOUNT[unit], unit
    if of == PLACES and size:
        amount = max(1.0, float(f"{size / 100:.1g}"))  # one in a hundred
    return Need(amount, of)


def unit_word(unit: str, names: NeedNames, amount: float = 2) -> str:
    """What an amount is of, as it stands behind its number: "% of salary", "marks", "places"."""
    own, people = (one.one if amount == 1 else one.many for one in (names.unit, names.people))
    words = {
        VALUE: f"% of {names.column}",
        UNIT: own or f"in {names.column}",
        SHARE: f"% of the {names.people.many}",
        PEOPLE: people,
        PLACES: "place" if amount == 1 else "places",
    }
    return words[unit]


def often_words(sure: float) -> str:
    """How often a need is kept: "19 times of 20"."""
    return OFTEN.get(sure, f"{100 * sure:g} % of the times")
