"""Two harmless averages, one salary: exact statistics add up to one person's record."""

from __future__ import annotations

from dataclasses import dataclass

from dpviz.experiments.attacks.differencing import Recovered, difference_of_averages
from dpviz.intake.samples import load_sample, sample_names
from dpviz.lessons.scene import Control, Scene, Sentences, options
from dpviz.lessons.words import plain, whole

ANA, GRID = 0, 100.0  # pay is known to be in hundreds


@dataclass(frozen=True, slots=True)
class TwoAverages:
    """What was published before and after Ana left, and what it says of her pay."""

    name: str
    people: int
    rounding: float
    found: Recovered

    @property
    def exact(self) -> bool:
        """Whether one possible pay is left."""
        return self.found.possible == 1

    @property
    def value(self) -> float:
        """The only possible pay on the grid, or the estimate as it is."""
        return round(self.found.estimate / GRID) * GRID if self.exact else self.found.estimate


def numbers(rounding: float, _: int = 1) -> TwoAverages:
    """The two averages of the office, rounded, and their difference taken apart."""
    (pay,) = load_sample("office")
    name = sample_names("office")[ANA]
    return TwoAverages(name, pay.size, rounding, difference_of_averages(pay, ANA, rounding, GRID))


def places(rounding: float) -> int:
    """Decimals of an average that was rounded so."""
    return 2 if rounding < 1 else 0


def say(told: TwoAverages) -> Sentences:
    """Her pay where one is left, else the range."""
    found = told.found
    if told.exact:
        pay = whole(told.value)
        return Sentences(
            f"They tell her salary: :orange[{pay}].",
            f"Two averages, both correct, both harmless: {told.name} earns :orange[{pay}].",
        )
    return Sentences(
        f"Rounded, they still tell that she earns over :orange[{whole(found.low)}].",
        f"Averages rounded to {whole(told.rounding)}: {whole(found.estimate)} ± "
        f"{whole(found.margin)}, {whole(found.possible)} possible salaries.",
    )


def alt(told: TwoAverages) -> str:
    """The picture in words."""
    decimals = places(told.rounding)
    before, after = (plain(one, decimals) for one in (told.found.before, told.found.after))
    return (
        f"Forty dots of pay. Two published averages, {before} and {after}; their difference, "
        f"scaled up, marks one dot in vermilion: {told.name}, {whole(told.value)}."
    )


SCENE = Scene(
    story="teach",
    number=1,
    title="Two harmless averages, one salary",
    seconds=60,
    goal="Exact statistics add up to one person's record; nobody has to break in.",
    question="Two exact averages are published. What can a reader find out about Ana's pay?",
    options=options(
        ("Nothing, averages are anonymous", "M1"),
        ("A rough range, she is one of 40", "M1"),
        ("Her pay, exactly", None),
        ("Only an insider could", "M3"),
    ),
    control=Control(
        "at",
        "Averages rounded to",
        (0.01, 1.0, 10.0, 100.0, 1000.0),
        0.01,
        lambda stop: "a cent" if stop < 1 else whole(stop),
    ),
    numbers=numbers,
    say=say,
    explanation="An average times the number of people is a total. Two totals that differ in one "
    "person differ by that person's pay. Nobody broke a rule. Rounding helps only when it ruins "
    "the numbers, and one more publication can undo it.",
    full=("data", {"data": "office"}),
    teacher="Ask for hands before the reveal; most choose the rough range. Say “this is "
    "subtraction, not hacking”. Asked “Would they publish both?”: two dates, two "
    "departments, or a total and a total without one team do the same.",
    alt=alt,
    exercise="Average of all 40: 50,550. Average without the director: 48,051.28. His pay?",
    answer="40 × 50,550 − 39 × 48,051.28 = 148,000 (to the nearest hundred).",
)
