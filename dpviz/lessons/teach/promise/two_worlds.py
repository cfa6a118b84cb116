"""With Ana, without Ana: no answer is more than e^ε times likelier in one world than the other.

World A: Ana's mark is bad. World B: it is good, or she is not in the file: one count less.
"""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from dpviz.core.budgets import PureDP
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.loss import log_law, noise_loss
from dpviz.experiments.privacy.odds import odds_of
from dpviz.figures.stage import answers, findings, pieces
from dpviz.figures.stage.frames import Anchor, Tick, axis, label, rule
from dpviz.figures.stage.places import Mark, On
from dpviz.figures.stage.screen import Column, Panel, Screen
from dpviz.intake.samples import load_sample, sample_column, sample_names
from dpviz.lessons.scene import Beat, Control, Scene, Sentences, options
from dpviz.lessons.staged import after, stepping
from dpviz.lessons.words import at_most, epsilon, whole

NOISE, LINE, ANA = Noise.DISCRETE_LAPLACE, 4, 0
PRIOR = 0.1  # the suspicion before
GROUP = 4  # people who answer alike
FIRST, LAST = 5, 26  # answers in view
OUTCOMES, EVERY = 8, 260  # answers that might have come, and ms of each
TURNED = OUTCOMES * EVERY  # ms until the answer that stays
CLOSE = 0.1  # ε below which ratios are shown in place of bars
FARTHEST = 4  # of the answer that is pointed at from the truth


@dataclass(frozen=True, slots=True, eq=False)
class TwoWorlds:
    """The laws of one count with and without a person, and what an answer does to a suspicion.

    with_law and without_law are the chances of the answers in view; shown is the one pointed at.
    """

    name: str
    epsilon: float
    truth: int
    without: int
    ratio: float
    most: float
    with_law: tuple[float, ...]
    without_law: tuple[float, ...]
    shown: int
    high_with: float
    high_without: float

    @property
    def times(self) -> str:
        """The largest ratio, rounded up."""
        if self.ratio < 10:
            return f"{math.ceil(round(100 * self.ratio, 9)) / 100:.2f}"
        return whole(math.ceil(round(self.ratio, 9)))

    @property
    def likelier(self) -> str:
        """How many times likelier an answer is, to the nearest."""
        return f"{self.ratio:.2f}" if self.ratio < 10 else whole(self.ratio)

    @property
    def odds(self) -> str:
        """The odds before, times the largest ratio, as a sum that can be checked."""
        before = round(100 * PRIOR)
        after = digits(before * self.ratio)
        return f"{before} : {100 - before} × {digits(self.ratio)} = {after} : {100 - before}"

    @property
    def close(self) -> bool:
        """Whether the two laws lie too close to be told apart as bars."""
        return self.epsilon < CLOSE

    @property
    def at_most(self) -> str:
        """The largest suspicion after an answer, in 100, rounded up."""
        return at_most(self.most).removesuffix(".0")

    @property
    def added(self) -> int:
        """Whole people in 100 that an answer adds to the suspicion."""
        return round(100 * self.most) - round(100 * PRIOR)


def digits(number: float) -> str:
    """A number with four digits that count, or all of its whole ones."""
    return f"{number:.4g}" if number < 1_000 else whole(number)


@cache
def numbers(eps: float, _: int = 1) -> TwoWorlds:
    """Both laws, in closed form."""
    column, query, budget = sample_column("survey"), CountQuery(LINE, NOISE), PureDP(eps)
    truth, scale = int(query.truth(column)), query.scale(budget)
    without = truth - int(load_sample("survey")[0][ANA] <= LINE)
    inside, outside = (
        tuple(np.exp(log_law(NOISE, scale, np.arange(FIRST, LAST + 1.0) - centre)).tolist())
        for centre in (truth, without)
    )
    upwards = (1 + NOISE.within(scale, 0)) / 2  # P(noise ≥ 0)
    return TwoWorlds(
        name=sample_names("survey")[ANA],
        epsilon=eps,
        truth=truth,
        without=without,
        ratio=math.exp(noise_loss(NOISE, scale, truth, without).largest),
        most=float(odds_of(budget, 0.5).posterior(np.array([PRIOR]))[1][0]),
        with_law=inside,
        without_law=outside,
        shown=truth + min(FARTHEST, int(NOISE.reach(scale, 0.5))),
        high_with=upwards,
        high_without=1 - upwards,
    )


def remark() -> str:
    """What a group of people who answer alike may become suspected of."""
    odds = odds_of(PureDP(GROUP * SCENE.control.start), 0.5)
    most = at_most(float(odds.posterior(np.array([PRIOR]))[1][0]))
    return (
        f"Records that move together add up: a family of {GROUP} who answer alike counts as "
        f"{GROUP} × {SCENE.control.start:g}, and {100 * PRIOR:g} in 100 becomes at most {most}."
    )


def ask(told: TwoWorlds) -> Sentences:
    """What is known before the guess."""
    return Sentences(
        f"How sure can an answer make you about {told.name}?",
        f"You know every mark but {told.name}’s, and give 10 in 100 that hers is bad. "
        f"A count with ε = {told.epsilon:g} comes out.",
    )


def say(told: TwoWorlds) -> Sentences:
    """The most that a suspicion becomes, and how often an answer from the truth on comes."""
    many = 1_000 if 1_000 * told.high_without >= 1 else 100_000  # a rare answer is not none
    inside, outside = (whole(many * one) for one in (told.high_with, told.high_without))
    return Sentences(
        f"Whatever comes out, 10 in 100 becomes :orange[at most {told.at_most}].",
        f"Odds × e^{told.epsilon:g}: **{told.odds}**. {told.truth} or more: {inside} in "
        f"{whole(many)} if hers is bad, {outside} if not.",
    )


def finding(told: TwoWorlds) -> str:
    """The most that a suspicion becomes, by its odds."""
    return f"at most {told.at_most} in 100, for the odds are {told.odds}"


def alt(told: TwoWorlds) -> str:
    """The picture in words."""
    before = round(100 * PRIOR)
    shape = "A strip of ratios" if told.close else "Two bell-shaped sets of bars, one step apart"
    return (
        f"{shape}: no answer is more than {told.times} times as likely in one world as in the "
        f"other. Beside them a hundred figures, {before} "
        f"filled before the answer and {before + told.added} after it."
    )


def marks(told: TwoWorlds, beat: Beat, screen: Screen) -> list[Mark]:
    """Both laws on one axis, and a hundred people of whom some are suspected."""
    laws, people = screen.columns(Column((0, 0.55), (0.385, 1)), Column((0.618, 1), (0, 0.37)))
    base, top = laws.y(1, -60), laws.line(4.6)
    beside: tuple[Anchor, Anchor] = screen.said(("middle", "middle"), ("end", "start"))
    ticks = [
        Tick(told.without, str(told.without), "bold", beside[0]),
        Tick(told.truth, str(told.truth), "ink", beside[1]),
        *(Tick(one, str(one)) for one in (FIRST, 10, 20, 25)),
    ]
    bars = ("answer", "chance")
    given = [
        pieces.heading(laws, "chances", "CHANCE OF EVERY ANSWER"),
        axis("answer", "x", (FIRST - 0.5, LAST + 0.5), laws.left, laws.right, at=base, ticks=ticks,
             line=True),
        axis("chance", "y", (0, max(*told.with_law, *told.without_law)), base, top),
    ]  # fmt: skip
    inside = answers.law("with", bars, FIRST - 0.5, told.with_law, form="bars")
    outside = answers.law("without", bars, FIRST - 0.5, told.without_law, form="bars", dotted=True)
    if beat == "predict":
        return [*given, inside, outside, *_named(told, laws), *_people(told, people)]
    shown = [inside, _pointed(told), outside, *_named(told, laws), *_dot(told, laws)]
    words = f"Good or absent: {told.truth - told.without} lower. A replaced value costs up to 2ε."
    apart = label("apart", (laws.left, laws.y(1, -5)), words, colour="second")
    return [*given, *(_ratios(told, laws) if told.close else shown), *_said(told, laws),
            *laws.full(after(apart, TURNED)), *_people(told, people, seen=True)]  # fmt: skip


def _named(told: TwoWorlds, laws: Panel) -> list[Mark]:
    """What each kind of bar is, beside the two peaks and out of the answer's way."""
    crossed = told.truth < told.shown
    right = On("answer", (told.shown if crossed else told.truth) + 0.5)
    left = On("answer", told.without - 0.5)
    first = laws.line(2.9)
    apart = laws.line(3.8).px - first.px
    mark = f"{told.name}’s mark"
    without = {"without word": f"{mark} is good", "without word too": "or not in the file"}
    inside = {"with word": mark, "with word too": "is bad"}
    return [
        *pieces.lines((left, first), apart, without, weight=700, anchor="end"),
        *pieces.lines((right, first), apart, inside, weight=700, colour="private"),
    ]


def _ratios(told: TwoWorlds, laws: Panel) -> list[Mark]:
    """How many times as likely each answer is in the first world as in the second."""
    top, base = laws.line(5.5), laws.line(8)
    edge, y = told.truth - 0.5, laws.line(7.05)
    spans = {"less": (FIRST - 0.5, edge, 1 / told.ratio), "more": (edge, LAST + 0.5, told.ratio)}
    found = []
    for name, (low, high, ratio) in spans.items():
        found += [
            findings.band(f"{name} likely", "answer", (low, high), top, base),
            pieces.number(laws, f"{name} ratio", (On("answer", (low + high) / 2), y),
                          f"× {ratio:.2f}", 26, anchor="middle"),
        ]  # fmt: skip
    text = f"as likely if {told.name}’s mark is bad"
    words = label("ratio words", (laws.left, laws.line(5)), text)
    line = rule("edge", (On("answer", edge), top), (On("answer", edge), base), width=3)
    return [*found, line, words]


def _pointed(told: TwoWorlds) -> Mark:
    """The bar of the answer that came."""
    chance = told.with_law[told.shown - FIRST]
    bar = answers.law("came", ("answer", "chance"), told.shown - 0.5, [chance], form="bars", fill=1)
    return stepping(
        bar,
        [(ms, bar | {"start": one - 0.5, "heights": [told.with_law[one - FIRST]]})
         for ms, one in _others(told)],
    )  # fmt: skip


def _others(told: TwoWorlds) -> list[tuple[float, int]]:
    """Answers that might have come as well, in turn from either world, and when they are seen."""
    rng = np.random.default_rng([4, told.shown])
    values = np.arange(FIRST, LAST + 1)
    laws = [np.array(one) / sum(one) for one in (told.with_law, told.without_law)]
    drawn = [int(rng.choice(values, p=laws[turn % 2])) for turn in range(OUTCOMES)]
    return [(EVERY * turn, one) for turn, one in enumerate(drawn)]


def _dot(told: TwoWorlds, laws: Panel) -> list[Mark]:
    """The answer that came, over its bar, and where there is room a line to its words."""
    heights = {
        one: On("chance", told.with_law[one - FIRST], -16)
        for one in (told.shown, *(other for _, other in _others(told)))
    }
    dot = pieces.dot("dot", "answer", told.shown, heights[told.shown], 6)
    x, chance = On("answer", told.shown), told.with_law[told.shown - FIRST]
    lead = rule("lead", (x, laws.line(2.6)), (x, On("chance", chance, -30)), colour="second")
    return [
        stepping(dot, [(ms, dot | {"value": one, "at": heights[one].to_json()})
                       for ms, one in _others(told)]),
        *laws.full(after(lead, TURNED)),
    ]  # fmt: skip


def _likelier(told: TwoWorlds, answer: int) -> str:
    """In which world an answer is likelier, and how much."""
    world = "bad" if answer >= told.truth else "not"
    return f"{answer} is {told.likelier} times likelier if it is {world}"


def _said(told: TwoWorlds, laws: Panel) -> list[Mark]:
    """How much likelier the answer that came is in one world."""
    first, second = ((laws.right, laws.line(one)) for one in (1, 2))
    times = pieces.number(laws, "times", first, _likelier(told, told.shown), 20, anchor="end")
    more = f"and so is every answer from {told.truth} on"
    return [
        stepping(
            times, [(ms, times | {"text": _likelier(told, one)}) for ms, one in _others(told)]
        ),
        after(label("more", second, more, colour="second", anchor="end"), TURNED),
    ]


def _people(told: TwoWorlds, panel: Panel, *, seen: bool = False) -> list[Mark]:
    """A hundred people: suspected before, what an answer adds, and the most that can become."""
    top = panel.line(0), panel.line(1), panel.line(1.5)
    room, added = panel.said((10, (45, 38.5)), (20, (17.9, 21))), told.added * seen
    *words, people = pieces.suspects(panel, told.name, top, round(100 * PRIOR), added, room)
    most = after(pieces.at_most(panel, panel.line(1), told.at_most), TURNED + 600)
    return [*words, after(people, TURNED, 600), *[most] * seen]


SCENE = Scene(
    story="teach",
    name="two_worlds",
    title="With Ana, without Ana",
    seconds=90,
    goal="No answer is more than e^ε times likelier if Ana's mark is bad than if it is good or not "
    "in the file; what that does to a guess.",
    question="You know everyone's mark but Ana's, and think it 10 in 100 likely that hers is bad. "
    "A private count with ε = 0.1 comes out. Now your suspicion can be at most …",
    ask=ask,
    options=options(
        ("10 in 100: nothing is learnt", "M5"),
        ("10.1 in 100: ε is a per cent", "M6"),
        ("11 in 100", None),
        ("20 in 100: 0.1 is added", "M6"),
    ),
    about="At ε = 0.1",
    finding=finding,
    control=Control(
        "eps", "ε", (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0), 0.1, epsilon
    ),
    numbers=numbers,
    say=say,
    marks=marks,
    explanation="The promise compares two worlds: Ana's mark is bad; or it is good, or she is not "
    "in the file. Every published answer must be almost equally likely in both. So her record adds "
    "little to what an answer says, whatever the attacker knows, today or later. Good or absent, "
    "this count is 1 lower. In general a replaced value is one record out and one in, and costs up "
    "to 2ε.",
    full=("neighbours", {"view": "meaning", "eps": "0.1", "n_prior": "10"}),
    teacher="Play five rounds of the game against the class at ε = 0.1, then at 5. Asked “What if "
    "the attacker starts at 50 in 100?”: at most 52.5, 73.2, 99.4 at 0.1, 1, 5. “Two worlds, why "
    "not ‘nothing is learnt’?”: keep it for the closing (smoker).",
    alt=alt,
    remark=remark,
    exercise="Suspicion 1 in 100, ε = 1: at most?",
    answer="Odds 1/99 times 2.72 = 0.0275, so 2.7 in 100.",
    term="ε (epsilon)",
    formula="odds × e^:blue[ε], e^(1.1) = 3",
)
