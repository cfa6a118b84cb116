"""Two harmless averages, one salary: exact statistics add up to one person's record."""

from dataclasses import dataclass

from dpviz.core.arrays import FloatArray
from dpviz.experiments.attacks.differencing import Recovered, difference_of_averages
from dpviz.figures.stage import answers, findings, frames, people
from dpviz.figures.stage.frames import Anchor, Tick
from dpviz.figures.stage.places import At, Mark, On
from dpviz.figures.stage.screen import Screen
from dpviz.figures.stage.written import eyebrow, figure
from dpviz.intake.samples import load_sample, sample_names
from dpviz.lessons.scene import Beat, Control, Scene, Sentences, options
from dpviz.lessons.staged import after, stepping
from dpviz.lessons.words import plain, whole

ANA, GRID = 0, 100.0  # pay is known to be in hundreds
LINE, LEVEL = 0.25, 0.49  # heights of what separates, and of the published averages
PUBLISHED, PAY = (49_000.0, 52_000.0), (0.0, 160_000.0)  # what the two axes show


@dataclass(frozen=True, slots=True, eq=False)
class TwoAverages:
    """What was published before and after Ana left, and what it says of her pay."""

    name: str
    pay: FloatArray
    rounding: float
    found: Recovered

    @property
    def people(self) -> int:
        """How many work there before she leaves."""
        return int(self.pay.size)

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
    return TwoAverages(name, pay, rounding, difference_of_averages(pay, ANA, rounding, GRID))


def places(rounding: float) -> int:
    """Decimals of an average that was rounded so."""
    return 2 if rounding < 1 else 0


def ask(told: TwoAverages) -> Sentences:
    """What is known before the guess."""
    return Sentences(
        f"Two averages. What do they tell about {told.name}?",
        f"March: {told.people} staff. April: {told.people - 1}, {told.name} has left. Pay is in "
        "whole hundreds. What can a reader work out?",
    )


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
        f"Rounded to {whole(told.rounding)}: :orange[{whole(found.possible)} pays remain].",
        f"{told.name} earns from :orange[{whole(found.low)} to {whole(found.high)}], for certain, "
        "by two averages alone.",
    )


def finding(told: TwoAverages) -> str:
    """How many pays fit both averages."""
    if told.exact:
        return f"1 pay remains, {whole(told.value)}"
    return f"{whole(told.found.possible)} pays remain"


def alt(told: TwoAverages) -> str:
    """The picture in words."""
    decimals = places(told.rounding)
    before, after = (plain(one, decimals) for one in (told.found.before, told.found.after))
    marked = f"marks one dot in vermilion: {told.name}, {whole(told.value)}"
    if not told.exact:
        marked = f"leaves {whole(told.found.possible)} pays for {told.name}"
    return (
        f"{told.people} dots of pay stay above the line, confidential. Below it two published "
        f"averages, {before} and {after}; their difference, scaled up, {marked}."
    )


def marks(told: TwoAverages, beat: Beat, screen: Screen) -> list[Mark]:
    """Forty dots of pay above the line; below it two averages, and what their difference says."""
    pay = frames.axis(
        "pay", "x", PAY, At(0, 12), At(1, -24), at=At(1, -34),
        ticks=[Tick(one, f"{one / 1000:g}k" if one else "0")
               for one in range(0, 160_001, screen.said(40_000, 80_000))], line=True,
    )  # fmt: skip
    published = frames.axis(
        "published", "x", PUBLISHED, At(0, 12), At(1, -24), at=At(LEVEL),
        ticks=[Tick(one, f"{one:,}") for one in (49_500, 51_500)], line=True,
    )  # fmt: skip
    found = [
        pay,
        published,
        frames.axis("up", "y", (0, 1), At(LINE, -12), At(0.07)),
        answers.barrier("no noise", At(LINE), At(), At(1), direction="horizontal", none=True),
        eyebrow("confidential", (At(), At(0.05)), "CONFIDENTIAL"),
        eyebrow("no", (At(1), At(0.05)), "NO NOISE", anchor="end", colour="danger_text"),
        eyebrow("public", (At(), At(LINE, 30)), "PUBLISHED"),
        *_averages(told, screen),
        eyebrow("reader", (At(), At(0.66)), screen.said("WORKED OUT BY A READER", "WORKED OUT")),
        *_everybody(told),
    ]  # fmt: skip
    return found if beat == "predict" else [*found, *_leak(told, screen)]


def _averages(told: TwoAverages, screen: Screen) -> list[Mark]:
    """The two published numbers over their axis."""
    decimals = places(told.rounding)
    marks = []
    for name, value, side in (("April", told.found.after, -1), ("March", told.found.before, 1)):
        place = On("published", value, 14 * side)
        anchor: Anchor = "end" if side < 0 else "start"
        marks += [
            frames.label(f"{name} word", (place, At(LEVEL, -42)), name,
                         size=15, colour="second", anchor=anchor),
            figure(f"{name} number", (place, At(LEVEL, -14)), plain(value, decimals),
                   size=screen.size(22), anchor=anchor),
            answers.errorbar(f"{name} dot", "published", At(LEVEL), value, 0, height=0, radius=6,
                             colour="ink"),
        ]  # fmt: skip
    return marks


def _everybody(told: TwoAverages) -> list[Mark]:
    """One dot a person, without names; nothing of it is published."""
    inside = told.pay.clip(*PAY)
    heights = [0.06 + 0.9 * ((7 * i) % 10) / 10 for i in range(inside.size)]
    return [
        people.points("staff", ("pay", "up"), inside.tolist(), heights, radius=5.0, colour="ink")
    ]


def _leak(told: TwoAverages, screen: Screen) -> list[Mark]:
    """The beam from the two averages to her pay, or the band of what they leave open."""
    found = told.found
    low, high = (max(PAY[0], found.low), min(PAY[1], found.high))
    middle = (found.before + found.after) / 2
    value = min(told.value, PAY[1])
    end, start = value / PAY[1], (middle - PUBLISHED[0]) / (PUBLISHED[1] - PUBLISHED[0])
    share = end + 0.42 * (start - end)  # where the beam passes the words
    right = share < 0.66
    share = max(share, end) if right else min(share, end)
    beside = At(share, 36 - 36 * share) if right else At(share, -12 - 36 * share)
    place, formula = screen.said((beside, At(0.66)), (At(1), At(0.72)))
    anchor: Anchor = screen.said("start" if right else "end", "end")
    beam = findings.beam(
        "beam", (On("published", middle), At(LEVEL, 6)), [(On("pay", value), At(1, -34))], head=9
    )
    number = whole(value) if told.exact else f"{whole(low)} to {whole(high)}"
    words = f"LEAK: {told.name}’s pay, exactly" if told.exact else f"LEAK: {told.name} earns"
    spread = [] if told.exact else [
        after(findings.band("open", "pay", (low, high), At(0.7), At(1, -34)), 700)
    ]  # fmt: skip
    return [
        *spread,
        stepping(beam, [(30 * i, beam | {"share": i / 30}) for i in range(30)]),
        after(figure("pay number", (place, At(0.81)), number, size=screen.size(30),
                     colour="danger_text", anchor=anchor, halo=True), 900),
        after(frames.label("leak", (place, At(0.81, 26)), words, size=15, anchor=anchor,
                           colour="danger_text", halo=True), 1100),
        after(frames.label("formula", (At(1), formula),
                           f"{told.people} × March − {told.people - 1} × April", size=15,
                           colour="second", anchor="end"), 1100),
    ]  # fmt: skip


SCENE = Scene(
    story="teach",
    name="averages",
    title="Two harmless averages, one salary",
    seconds=60,
    goal="Exact statistics can add up to one person's record; nobody has to break in.",
    question="Two averages, exact to a cent, are published. What can a reader find out about Ana's "
    "pay?",
    ask=ask,
    options=options(
        ("Nothing, averages are anonymous", "M1"),
        ("A rough range, she is one of 40", "M1"),
        ("Her pay, exactly", None),
        ("Only an insider could", "M3"),
    ),
    about="Averages exact to a cent",
    finding=finding,
    control=Control(
        "at",
        "Averages rounded to",
        (0.01, 1.0, 10.0, 100.0, 1000.0),
        0.01,
        lambda stop: "a cent" if stop < 1 else whole(stop),
    ),
    numbers=numbers,
    say=say,
    marks=marks,
    explanation="An average times the number of people is a total. Two totals that differ in one "
    "person differ by that person's pay. Nobody broke a rule. Rounding blurs the "
    "difference but promises nothing: more publications can undo it.",
    full=("data", {"data": "office"}),
    teacher="Ask for hands before the reveal. Say “this is "
    "subtraction, not hacking”. Asked “Would they publish both?”: two dates, or a total "
    "and the same total without one person, do the same, and so do any two groups that differ in "
    "one.",
    alt=alt,
    exercise="Average of all 40: 50,550. Average without the director: 48,051.28. His pay?",
    answer="40 × 50,550 − 39 × 48,051.28 = 148,000 (to the nearest hundred).",
)
