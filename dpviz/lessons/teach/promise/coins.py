"""Coins on 40 phones: a promise without anybody to trust, and what it costs."""

import math
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from scipy.special import ndtr

from dpviz.answers.privacy.trust import NOISE, CountLaws
from dpviz.core.arrays import BoolArray, FloatArray, IntArray
from dpviz.experiments.privacy.loss import log_law
from dpviz.experiments.privacy.randomised_response import EXACT, RandomisedResponse
from dpviz.figures.stage import answers, findings, people, pieces, tallies
from dpviz.figures.stage.drawing import Drawing, Side
from dpviz.figures.stage.frames import Anchor, Tick, label
from dpviz.figures.stage.places import At, Mark, On
from dpviz.figures.stage.screen import Column, Panel, Screen
from dpviz.figures.stage.written import beside
from dpviz.lessons import survey
from dpviz.lessons.scene import Beat, Control, Scene, Sentences, options
from dpviz.lessons.staged import after
from dpviz.lessons.words import whole

STOPS = tuple(40 * 10**i for i in range(7))  # people who answer: forty to forty million
LAWS = CountLaws(RandomisedResponse.coins())  # as the page One person draws them
COINS, SCALE = LAWS.coins, LAWS.scale
RUNS, USUAL = 40, 0.95
SEEDS = 3, 31, 32  # of the phones in view, of other answers of phones, of the server's
FAR = 300  # beyond any noise of the server
SIDE = 12  # columns on each side of the truth
UNITS = 2, 6  # people a column among 40 and 400; the next are tens of these


@dataclass(frozen=True, slots=True, eq=False)
class TwoTrusts:
    """A count of bad marks among so many people, published without and with a trusted server.

    marks and sent (40,) are what the phones in view know and say, said how many say "bad",
    estimated what follows. phones and server are 40 published answers each, among 40 people the
    first of phones is that in view; phones_law and server_law are the chances of columns of so
    many people (unit, server_unit), SIDE on each side of the truth. reaches are how far 19 of 20
    answers of phones are off at every stop, trusted that of a server, which is the same at all.
    """

    people: int
    truth: int
    marks: BoolArray
    sent: BoolArray
    said: int
    estimated: int
    phones: FloatArray
    server: FloatArray
    unit: int
    server_unit: int
    phones_law: FloatArray
    server_law: FloatArray
    reaches: tuple[float, ...]
    trusted: int

    @property
    def reach(self) -> float:
        """How far 19 of 20 answers of the phones are off."""
        return self.reaches[STOPS.index(self.people)]

    @property
    def share(self) -> float:
        """The same, as per cent of the people."""
        return 100 * self.reach / self.people

    @property
    def odds(self) -> int:
        """How many times likelier an answer can be in one world, for both."""
        return round(math.exp(COINS.epsilon))


@lru_cache(maxsize=16)
def numbers(people: int, draw: int = 1) -> TwoTrusts:
    """Both kinds of answers, and their laws."""
    first, second, third = SEEDS
    marks = survey.secrets()
    sent = COINS.release(marks.astype(np.int64), np.random.default_rng([first, draw])) == 1
    said, few = int(sent.sum()), marks.size
    truth = int(marks.sum()) * people // few
    reports = COINS.sums(truth, people, np.random.default_rng([second, draw]), RUNS)
    if people == few:
        reports[0] = said
    unit = UNITS[STOPS.index(people) % 2] * 10 ** (STOPS.index(people) // 2)
    server_unit = 1 if people == few else unit
    noise = NOISE.draw(SCALE, (RUNS,), np.random.default_rng([third, draw]))
    return TwoTrusts(
        people=people,
        truth=truth,
        marks=marks,
        sent=sent,
        said=said,
        estimated=round(float(COINS.estimate(np.array(said), few))),
        phones=COINS.estimate(reports, people).round(),
        server=truth + noise,
        unit=unit,
        server_unit=server_unit,
        phones_law=_phones_law(truth, people, unit),
        server_law=_server_law(server_unit),
        reaches=_reaches(),
        trusted=round(LAWS.server_reach(USUAL)),
    )


@cache
def _reaches() -> tuple[float, ...]:
    """How far 19 of 20 answers of the phones are off at every stop."""
    bad, few = int(survey.secrets().sum()), STOPS[0]
    return tuple(LAWS.coins_reach(bad * one // few, one, USUAL) for one in STOPS)


def columns(offsets: FloatArray, unit: int) -> IntArray:
    """In which column of the picture an answer so far from the truth stands, from 0 on."""
    return np.clip(np.rint(offsets / unit), -SIDE, SIDE).astype(np.int64) + SIDE


def _phones_law(truth: int, people: int, unit: int) -> FloatArray:
    """The chance of every column: exact among few people, normal among many."""
    if people <= EXACT:
        values, chances = COINS.law(truth, people)
        return _summed(values - truth, chances, unit)
    edges = unit * (np.arange(-SIDE, SIDE + 2) - 0.5)
    return np.asarray(np.diff(ndtr(edges / COINS.deviation(truth, people))))


def _server_law(unit: int) -> FloatArray:
    """The same for the server's noise."""
    reach = np.arange(-FAR, FAR + 1.0)
    return _summed(reach, np.exp(log_law(NOISE, SCALE, reach)), unit)


def _summed(offsets: FloatArray, chances: FloatArray, unit: int) -> FloatArray:
    return np.bincount(columns(offsets, unit), chances, 2 * SIDE + 1).astype(np.float64)


SHOWN = (2.0, 20_000.0)  # errors on the axis
GRID = {10: "10", 100: "100", 1_000: "1k", 10_000: "10k"}
EARLY = 2  # the last stop whose number stands right of its dot
LINES = ("people", "off")
MOST = 24, 41  # answers in the highest column, two or one of them wide


def spelled(number: int) -> str:
    """A number of people in a sentence: 40,000 or 40 million."""
    return whole(number) if number < 1_000_000 else f"{number / 1_000_000:g} million"


def short(number: int) -> str:
    """The same where there is little room: 400k or 40 M."""
    if number < 10_000:
        return whole(number)
    return f"{number // 1_000}k" if number < 1_000_000 else f"{number / 1_000_000:g} M"


def percent(share: float) -> str:
    """A share in per cent with the digits that count: 25, 2.7, 0.03."""
    return f"{share:.2g}" if share >= 0.1 else f"{share:.1g}"


def ask(told: TwoTrusts) -> Sentences:
    """What is known before the guess."""
    return Sentences(
        "Trust a server with every mark, or toss coins on phones?",
        f"Both promise: a bad mark makes no answer over {told.odds} times likelier. Of "
        f"{told.people}: phones ± {whole(told.reach)}, server ± {told.trusted}.",
    )


def say(told: TwoTrusts) -> Sentences:
    """How far both are off."""
    off = whole(told.reach)
    return Sentences(
        f"Trust nobody: :blue[± {off}]. Trust a server: :blue[± {told.trusted}]. Same promise.",
        f"A phone tells the truth {round(4 * COINS.true)} times in 4: at most {told.odds} to 1. "
        f"Of {spelled(told.people)} people ± {off} is {percent(told.share)} %.",
    )


def finding(told: TwoTrusts) -> str:
    """Both lines in numbers."""
    return (
        f"phones go from ± {whole(told.reaches[0])} to ± {whole(told.reaches[-1])}, a server "
        f"stays at ± {told.trusted}"
    )


def alt(told: TwoTrusts) -> str:
    """The picture in words."""
    return (
        f"{len(told.marks)} phones with coins, a wide heap of answers, 19 of 20 within "
        f"{whole(told.reach)} of {whole(told.truth)}; one server, a narrow heap, 19 of 20 within "
        f"{told.trusted}. Two lines over the number of people: phones rise to "
        f"{whole(told.reaches[-1])}, the server’s is flat."
    )


def marks(told: TwoTrusts, beat: Beat, screen: Screen) -> list[Mark]:
    """Phones and a server, the answers of each, and how far they are off over all people."""
    places = ((0, 0.245), (0, 0.27)), ((0.29, 0.66), (0.28, 0.57)), ((0.7, 1), (0.6, 1))
    given, public, chart = screen.columns(*(Column(*one) for one in places))
    (phones, server), (first, second) = given.halves(0.04), public.halves(0.04)
    heading = pieces.heading(public, "public", "40 PUBLISHED ANSWERS", "private")
    return [*_phones(told, phones), *_server(told, server), heading,
            *_heap("phones", told, first), *_heap("server", told, second),
            *_chart(told, chart, seen=beat != "predict")]  # fmt: skip


def _phones(told: TwoTrusts, panel: Panel) -> list[Mark]:
    """Forty phones, and what follows from what they say."""
    quarter = len(told.marks) // 4
    sent = panel.said(f"{told.said} say “bad”: ", "")
    runs = [(sent, "second"), (f"2 × ({told.said} − {quarter}) = ", "ink"),
            (str(told.estimated), "private")]  # fmt: skip
    return [
        pieces.heading(panel, "phones head", "COINS ON PHONES"),
        tallies.phones("coins", (panel.left, panel.y(0, 48)), (panel.right, panel.y(1, -36)),
                       told.marks.tolist(), told.sent.tolist(), columns=8),
        label("sum", (panel.left, panel.y(1, -8)), runs, weight=600),
    ]  # fmt: skip


def _server(told: TwoTrusts, panel: Panel) -> list[Mark]:
    """Everybody's mark on one server, which adds noise once."""
    top, bottom = panel.y(0, 48), panel.y(1, -36)
    box = (panel.x(0.49), top), (panel.x(0.78), bottom)
    middle = At((top.share + bottom.share) / 2, (top.px + bottom.px) / 2 + 9)
    return [
        pieces.heading(panel, "server head", "ONE SERVER"),
        tallies.phones("marks", (panel.left, top), (panel.x(0.42), bottom), told.marks.tolist()),
        people.closed("server", *box, 0),
        answers.barrier("noise", panel.x(0.92), top, bottom, half=19, scale=panel.px(0.7)),
        pieces.number(panel, "known", (panel.x(0.635), middle), short(told.truth), 24, "on_closed",
                      "middle"),
        label("server words", (panel.left, panel.y(1, -8)), "adds the noise once", weight=600),
    ]  # fmt: skip


def _heap(name: str, told: TwoTrusts, panel: Panel) -> list[Mark]:
    """Forty answers over their law, and how far 19 of 20 are off."""
    unit, reach, law, values = (
        (told.unit, told.reach, told.phones_law, told.phones) if name == "phones"
        else (told.server_unit, told.trusted, told.server_law, told.server)
    )  # fmt: skip
    truth, side, low = told.truth, (SIDE + 0.5) * told.unit, told.truth - (SIDE + 0.5) * unit
    few = told.people == STOPS[0]
    steps = panel.said((-8, -4, 0, 4, 8) if few else (-8, 0, 8), (-8, 0, 8) if few else (0,))
    ticks = [Tick(truth + one * told.unit, whole(truth + one * told.unit), "" if one else "bold",
                  name=str(one)) for one in steps]  # fmt: skip
    at = truth + unit * (columns(values - truth, unit) - SIDE)
    beyond = On(f"{name} x", truth + max(reach, 1.5 * unit), 12)
    anchor: Anchor = panel.said("start", "end")
    place, upper = panel.said((beyond, panel.y(0.5)), (panel.right, panel.line(1)))
    span, near = ((truth - one, truth + one) for one in (side, reach))
    return [
        *pieces.heap(name, panel, (panel.y(1, -32), panel.y(0, 60)), span, near, ticks,
                     MOST[not few], (low, (len(values) * law).tolist()), at.tolist(), step=unit,
                     row=1 if few else 2),
        pieces.number(panel, f"{name} reach", (place, upper), f"± {whole(reach)}", 24,
                      anchor=anchor, halo=True),
        *panel.full(label(f"{name} usual", (place, beside(upper, 28)), "19 times of 20",
                          colour="second", halo=True)),
    ]  # fmt: skip


def _chart(told: TwoTrusts, panel: Panel, *, seen: bool) -> list[Mark]:
    """How far both are off, over the number of people."""
    left, right, base = panel.x(0, 58), panel.x(1, -30), panel.y(1, -46)
    now, most, low = STOPS.index(told.people), STOPS[-1], On("off", told.trusted, -12)
    ticks = [Tick(one, short(one), "bold" if one in {STOPS[0], most} else "")
             for one in (STOPS[0], STOPS[2], STOPS[4], most)]  # fmt: skip
    found = [
        pieces.heading(panel, "chart head", "± WHEN MORE PEOPLE ANSWER"),
        *pieces.axes_of(LINES, ((STOPS[0], most), SHOWN), (left, right, base, panel.y(0, 56)),
                        (ticks, [Tick(one, text) for one, text in GRID.items()]), log=(True, True)),
        *pieces.grid("off", list(GRID), left, right),
        findings.curve("server line", LINES, STOPS, [told.trusted] * len(STOPS), width=5,
                       dotted=True, chosen=now),
        label("server word", (On("people", STOPS[4]), low), "server", weight=700,
              colour="private", anchor="middle"),
        pieces.number(panel, "server number", (right, low), str(told.trusted), 24, anchor="end"),
    ]  # fmt: skip
    first = pieces.dot("first", "people", STOPS[0], On("off", told.reaches[0]), 6.5)
    if not seen:
        return [*found, first, *_number(told, panel, 0)]
    line = findings.curve("phones line", LINES, STOPS, told.reaches, width=6, chosen=now)
    word = label("phones word", (On("people", STOPS[4], 16), On("off", told.reaches[4], 28)),
                 "phones", weight=700, colour="private")  # fmt: skip
    return [*found, after(line, 0, 1_200), after(word, 1_200), *_number(told, panel, now)]


def _number(told: TwoTrusts, panel: Panel, now: int) -> list[Mark]:
    """How far the phones are off, beside their dot: right of it below, left of it above."""
    late = now > EARLY
    anchor: Anchor = "end" if late else "start"
    aside, first, second = (26, 10, 40) if not now else (-46, -2, 26) if late else (14, 34, 62)
    x, y = On("people", told.people, panel.px(aside)), told.reaches[now]
    share = label("phones share", (x, On("off", y, second)), f"{percent(told.share)} %",
                  colour="second", anchor=anchor)  # fmt: skip
    number = pieces.number(panel, "phones number", (x, On("off", y, first)), whole(y), 26,
                           anchor=anchor, halo=True)  # fmt: skip
    return [number, *panel.full(*[share] * (now > 0))]


SCENE = Scene(
    story="teach",
    name="coins",
    title="Coins on 40 phones",
    seconds=75,
    goal="A promise without a trusted server, and its price.",
    question="Each phone tosses a coin: heads, it sends the truth; tails, a second coin answers. A "
    "server promises the same. From 40 to 40 million people, the error of the phones goes …",
    ask=ask,
    options=options(
        ("Nowhere, it stays as flat as the server’s", "M14",
         "Every phone adds a noise of its own, the server adds one in all."),
        ("Down: more coins average out", "M4",
         "As a share of the people it falls, but a count adds up what all coins do."),
        ("Up, ten times for a hundred times the people", None),
        ("Up, a hundred times for a hundred times the people", "M4",
         "Coins partly cancel: their sum grows with the root of the people."),
    ),
    drawing=Drawing(
        "c",
        "HOW FAR OFF ARE THE PHONES?",
        "people off",
        across=Side(STOPS[0], STOPS[-1], ((STOPS[0], "40 people"), (STOPS[-1], "40 million"))),
        up=Side(1, 1e8, ((10, "10"), (1_000, "1k"), (100_000, "100k"), (1e7, "10M"))),
        at=(STOPS[-1],),
        names=("40 million",),
        given=lambda: ((STOPS[0], numbers(STOPS[0]).reach),),
        truth=lambda: (numbers(STOPS[-1]).reach,),
        regions=((5, 3_578, "a"), (0, 5, "b"), (3_578, 32_206, "c")),
        other="d",
        level=lambda: (numbers(STOPS[0]).trusted, "server"),
    ),
    about="From 40 people to 40 million",
    finding=finding,
    control=Control("at", "People", STOPS, STOPS[0], spelled),
    numbers=numbers,
    say=say,
    marks=marks,
    explanation="Of 40 phones about 10 say “bad” by their second coin, and about 20 tell the truth "
    "by their first: so take 10 off and double. Phones add 40 noises, the server one. "
    "Their sum grows with √n, people with n: a country does not feel it. So the first "
    "question is whom one must trust.",
    full=("learn", {"story": "teach"}),
    teacher="Begin with real coins and hands. Asked “Ana’s phone said bad?”: from 10 in 100 to "
    "25. “Each month anew?”: a majority of 9 months is true in 95 of 100, so a phone needs a "
    "budget, too.",
    alt=alt,
    exercise="60 of 100 phones say yes. How many people really do?",
    answer="2 × (60 − 25) = 70.",
    term="Local, central",
    formula="≤ 3 : 1",
)  # fmt: skip
