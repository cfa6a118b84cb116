"""Where will the median fall? A private quantile is drawn, likeliest where its rank is right."""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.experiments.privacy.quantile_law import QuantileLaw
from dpviz.experiments.privacy.quantile_query import QuantileQuery
from dpviz.figures.stage import answers, findings, frames
from dpviz.figures.stage.drawing import DOTS, Drawing, Side
from dpviz.figures.stage.frames import Anchor, Tick
from dpviz.figures.stage.places import At, Mark, On
from dpviz.figures.stage.screen import Screen
from dpviz.figures.stage.written import eyebrow, figure
from dpviz.intake.samples import sample_column
from dpviz.lessons import halving
from dpviz.lessons.scene import Beat, Control, Scene, Second, Sentences, options
from dpviz.lessons.staged import after, entering
from dpviz.lessons.words import STRENGTH, plain, whole

NEAR, FAR = 5_000.0, 10_000.0
ASKED = 0.2  # the ε of the question
ANSWERS = 100
BASE = At(1, -40)
TOP, FOOT = 0.12, 0.49  # shares of the picture between which the staircase stands


@dataclass(frozen=True, slots=True, eq=False)
class OneMedian:
    """A column and the law of its private median. Confidential."""

    epsilon: float
    draw: int
    column: Column
    truth: float
    law: QuantileLaw

    @property
    def low(self) -> float:
        """The lowest salary."""
        return float(self.column.values[0])

    @property
    def high(self) -> float:
        """The highest salary."""
        return float(self.column.values[-1])

    @property
    def near(self) -> float:
        """Of 100 private medians, how many fall near the true one."""
        return 100 * self.law.within(NEAR, self.truth)

    @property
    def further(self) -> float:
        """Of 100 private medians, how many fall within twice as far of the true one."""
        return 100 * self.law.within(FAR, self.truth)

    @property
    def above(self) -> float:
        """Of 100 private medians, how many fall above all salaries but the highest."""
        return 100 * (1 - float(self.law.up_to(self.column.values[-2])))

    @property
    def beyond(self) -> float:
        """Of 100 private medians, how many fall below or above every salary."""
        return 100 * self.law.outside(self.low, self.high)

    @property
    def answers(self) -> FloatArray:
        """Equally likely answers, so that counting them gives chances."""
        return self.law.at((np.arange(ANSWERS) + 0.5) / ANSWERS)

    @property
    def percentiles_off(self) -> tuple[float, float]:
        """Mean gap in people of 99 percentiles, by halving and one by one."""
        return halving.missed(self.epsilon, self.draw)


@cache
def numbers(epsilon: float, draw: int = 1) -> OneMedian:
    """The law at this ε, in closed form."""
    column = sample_column("office")
    query = QuantileQuery(0.5, Neighbours.ADD_REMOVE)
    law = query.law(column, PureDP(epsilon), np.random.default_rng(draw))
    return OneMedian(epsilon, draw, column, query.truth(column), law)


def tenths(epsilon: float) -> tuple[float, ...]:
    """Ten equally likely medians: so many of ten lie near as the law says."""
    return tuple(numbers(epsilon).law.at((np.arange(DOTS) + 0.5) / DOTS).tolist())


def of_100(number: float) -> str:
    """So many of 100, with a decimal near the ends."""
    at_ends = 0.05 <= number < 0.95 or 99.5 < number < 99.95
    return plain(number, 1) if at_ends else whole(number)


def ask(told: OneMedian) -> Sentences:
    """What is known before the guess."""
    return Sentences(
        "Where can the private median fall?",
        f"{told.column.n} salaries, public range 0 to {whole(told.column.bounds.high)}. The exact "
        f"upper median, {told.column.n // 2 + 1}st of {told.column.n}, is Bela’s salary, "
        f"{whole(told.truth)}.",
    )


def say(told: OneMedian) -> Sentences:
    """How often it falls near the truth, and how often where nobody is."""
    share = "half of the" if abs(told.near - 50) < 1 else f"{of_100(told.near)} of 100"
    outside = f"{none_or(told.beyond)} below or above every salary"
    if round(told.above) >= ANSWERS / 4:
        outside = (
            f"{of_100(told.above)} lie above {told.column.n - 1} of the {told.column.n} salaries"
        )
    return Sentences(
        f"ε = {told.epsilon:g}: :blue[{share} private medians] lie within {whole(NEAR)}.",
        f"Of 100, {of_100(told.near)} lie within {whole(NEAR)} of the true {whole(told.truth)}, "
        f"{of_100(told.further)} within {whole(FAR)}; {outside}.",
    )


def none_or(number: float) -> str:
    """So many of 100, or none."""
    found = of_100(number)
    return "none" if found == "0" else found


def finding(told: OneMedian) -> str:
    """Where it falls, in numbers."""
    return (
        f"{of_100(told.near)} of 100 private medians lie within {whole(NEAR)} of the true one, "
        f"{none_or(told.beyond)} below or above every salary"
    )


def say_tree(told: OneMedian) -> Sentences:
    """How many rounds many quantiles take, and what they are off by."""
    count, rounds = halving.ASKED.count, halving.ASKED.levels
    by_halving, one_by_one = (plain(one, 0 if one >= 3 else 1) for one in told.percentiles_off)
    return Sentences(
        f"{count} percentiles take :blue[{rounds} rounds], not {count}.",
        f"Everyone sits in one half: a round costs ε/{rounds}. Of {whole(halving.people().n)} "
        f"people off by {by_halving} on average, not {one_by_one}.",
    )


def alt(told: OneMedian) -> str:
    """The picture in words."""
    return (
        f"A staircase of {told.column.n} salaries and below it a stepped blue curve with "
        f"{ANSWERS} dots, highest near {whole(told.truth)}. {of_100(told.near)} of 100 lie within "
        f"{whole(NEAR)} of it, {of_100(told.beyond)} below or above every salary."
    )


def alt_tree(_: OneMedian) -> str:
    """The tree in words."""
    return (
        f"A tree of {halving.ASKED.levels} rounds: the median first, then one answer in each half, "
        f"until {halving.ASKED.count} percentiles are there."
    )


def marks(told: OneMedian, beat: Beat, screen: Screen) -> list[Mark]:
    """How many earn less than each value, and below it where a private median falls."""
    if beat == "second":
        return halving.tree(screen)
    public, left = told.column.bounds, At(0, screen.px(50))
    pay = frames.axis("pay", "x", (public.low, public.high), left, At(1, -6), at=BASE,
                      ticks=_ticks(told, screen), line=True)  # fmt: skip
    half, everybody = told.column.n // 2, told.column.n
    earn = frames.axis(
        "earn", "y", (0, everybody), At(FOOT), At(TOP), at=left,
        ticks=[Tick(0, "0"), Tick(half, str(half), "bold"), Tick(everybody, str(everybody))],
    )  # fmt: skip
    found = [] if beat == "predict" else _law(told, screen)
    bands = [one for one in found if one["kind"] == "band"]
    return [pay, earn, *bands, *_staircase(told, screen), *found[len(bands):]]  # fmt: skip


def _ticks(told: OneMedian, screen: Screen) -> list[Tick]:
    high = told.column.bounds.high
    return [
        Tick(0, "0"),
        Tick(told.truth, f"{whole(told.truth)} true", "bold"),
        *[Tick(one, whole(one)) for one in screen.said((100_000, 150_000), (100_000,))],
        Tick(high, whole(high), anchor="end"),
    ]


def _staircase(told: OneMedian, screen: Screen) -> list[Mark]:
    """One step a person, and where half of them earn less."""
    column, half = told.column, told.column.n // 2
    x = [column.bounds.low, *column.values.tolist(), column.bounds.high]
    y = [0, *range(1, column.n + 1), column.n]
    middle = On("pay", told.truth), On("earn", half)
    return [
        eyebrow("eyebrow", (At(), At(0, 22)), "HOW MANY EARN LESS"),
        findings.curve("staircase", ("pay", "earn"), x, y, width=3, colour="ink", steps=True),
        frames.rule("half", (On("pay", x[0]), middle[1]), middle, width=2, dash="2 6"),
        frames.rule("down", middle, (middle[0], BASE), width=2, dash="2 6"),
        answers.errorbar("median", "pay", middle[1], told.truth, 0, height=0, radius=7,
                         colour="ink"),
        frames.label("half earn", (On("pay", told.truth, screen.px(18)), On("earn", half, 8)),
                     f"half earn less than {whole(told.truth)}", weight=700, halo=True),
    ]  # fmt: skip


def _law(told: OneMedian, screen: Screen) -> list[Mark]:
    """The chance of every place, and 100 dots that are equally likely; bands come first."""
    public, columns = told.column.bounds, screen.said(72, 36)
    step = public.width / columns
    edges = np.linspace(public.low, public.high, columns + 1)
    heights = ANSWERS * np.diff(told.law.up_to(edges))
    place = np.clip(np.floor((told.answers - public.low) / step), 0, columns - 1)
    highest = max(float(heights.max()), float(np.bincount(place.astype(int)).max()))
    row = max(
        1, math.ceil(math.sqrt(highest / screen.said(11.5, 15.5)))
    )  # dots side by side, so that they fit
    up = frames.axis("up", "y", (0, 1), BASE, At(TOP), most=("pay", step / row**2))
    law = answers.law("law", ("pay", "up"), public.low, heights.tolist(), step=step, fill=0.12)
    dots = answers.dots("answers", ("pay", "up"), (public.low + (place + 0.5) * step).tolist(),
                        step=step, row=row)  # fmt: skip
    start = On("pay", told.truth), On("earn", told.column.n // 2)
    beside, y = screen.said((At(0.43), 0.69), (At(0.5), 0.545))
    anchor: Anchor = screen.said("start", "middle")
    return [
        *[after(one, 0) for one in _bands(told)],
        up,
        after(law, 0, 600),
        entering(dots, start, 20, 600),
        after(figure("equally", (beside, At(y)),
                     screen.said(f"{ANSWERS} equally likely answers", f"{ANSWERS} answers"),
                     size=screen.size(22), colour="private", halo=True, anchor=anchor), 2_800),
        *screen.full(
            after(frames.label("only one", (beside, At(y, 29)), "Only one is ever published.",
                               colour="second"), 3_000)
        ),
        *[after(one, 3_000) for one in _band_words(told, screen)],
    ]  # fmt: skip


def _bands(told: OneMedian) -> list[Mark]:
    """Where nobody is."""
    public = told.column.bounds
    ends = {"below": (public.low, told.low), "above": (told.high, public.high)}
    return [findings.band(name, "pay", span, At(0.09), BASE) for name, span in ends.items()]


def _band_words(told: OneMedian, screen: Screen) -> list[Mark]:
    public = told.column.bounds
    places = {"below": (public.low + told.low) / 2, "above": (told.high + public.high) / 2}
    found = []
    for name, middle in places.items():
        lines, apart = screen.said(
            ([f"{name} every", "salary"], 27), ([name, "every", "salary"], 19)
        )
        found += [
            frames.label(f"{name} {i}", (On("pay", middle), At(0.63, apart * i)), line,
                         anchor="middle", colour="second")
            for i, line in enumerate(lines)
        ]  # fmt: skip
    return found


SCENE = Scene(
    story="teach",
    name="median",
    title="Where will the median fall?",
    seconds=75,
    goal="A private quantile is drawn, likeliest where its rank is right; many quantiles are asked "
    "in a few rounds.",
    question="The exact upper median, 49,100, is Bela's salary. Where can the private one fall, at "
    "ε = 0.2?",
    ask=ask,
    options=options(
        ("All ten within 5,000", "M10"),
        ("Three to nine of ten within 5,000", None),
        ("One or two of ten within 5,000", "M12"),
        ("None within 5,000", "M12"),
    ),
    drawing=Drawing(
        "d",
        "DROP TEN PRIVATE MEDIANS",
        "of 10 dots",
        across=Side(0, 200_000, ((0, "0"), (49_100, "49,100 true"), (200_000, "200k")), log=False),
        up=Side(0, 10, (), log=False),
        truth=lambda: tenths(ASKED),
        regions=((10, 10, "a"), (3, 9, "b"), (1, 2, "c")),
        other="d",
        names=("a dot",),
        centre=49_100,
        near=NEAR,
    ),
    about="At ε = 0.2",
    finding=finding,
    control=Control(
        "eps",
        "ε",
        (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0),
        ASKED,
        lambda stop: f"{stop:g} {STRENGTH.get(stop, '')}".rstrip(),
    ),
    numbers=numbers,
    say=say,
    marks=marks,
    second=Second("Ask for 99", say_tree, alt_tree, start=1.0),
    explanation="Each place gets points for how well it splits people in half. The answer is drawn "
    "at random, good places far more often. Many quantiles: ask for the middle, then each half on "
    "its own. Everyone sits in one half, so a round costs once.",
    full=("neighbours", {"data": "office", "view": "quantile", "eps": "1"}),
    teacher="The ticks show why: dense people, steep curve. Good in rank is not good in value: in "
    "a gap the value may be far off. Asked “Is the exact median harmless?”: all nine exact deciles "
    "here are salaries of ten people, by name.",
    alt=alt,
    exercise="How many rounds for 9, 99, 255 quantiles, and what does each get of ε = 1?",
    answer="4, 7, 8 rounds: 1/4, 1/7, 1/8 each; one by one it would be 1/9, 1/99, 1/255.",
    term="Mechanism",
    formula="chance ~ e^(:blue[ε]·points)",
)
