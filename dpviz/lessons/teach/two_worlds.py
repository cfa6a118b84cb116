"""With Ana, without Ana: no answer is more than e^ε times likelier in one world than the other.

World A: Ana's mark is bad. World B: it is good, or she is not in the file: one count less.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from dpviz.core.budgets import PureDP
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.loss import log_law, noise_loss
from dpviz.experiments.privacy.odds import odds_of
from dpviz.figures.stage import answers, findings, tallies
from dpviz.figures.stage.frames import Tick, axis, label, rule
from dpviz.figures.stage.places import At, Mark, On
from dpviz.intake.samples import load_sample, sample_column, sample_names
from dpviz.lessons.scene import Beat, Control, Scene, Sentences, options
from dpviz.lessons.staged import after, stepping
from dpviz.lessons.words import at_most, epsilon, whole
from dpviz.lessons.written import eyebrow, figure

NOISE, LINE, ANA = Noise.DISCRETE_LAPLACE, 4, 0
PRIOR = 0.1  # the suspicion before
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


def ask(told: TwoWorlds) -> Sentences:
    """What is known before the guess."""
    return Sentences(
        f"How sure can an answer make you about {told.name}?",
        f"You know every mark but {told.name}’s, and give 10 in 100 that hers is bad. "
        f"A count with ε = {told.epsilon:g} comes out.",
    )


def say(told: TwoWorlds) -> Sentences:
    """The most that a suspicion becomes, and how often an answer from the truth on comes."""
    inside, outside = (whole(1000 * one) for one in (told.high_with, told.high_without))
    return Sentences(
        f"Whatever comes out, 10 in 100 becomes :orange[at most {told.at_most}].",
        f"Odds **{told.odds}**. {told.truth} or more: {inside} in 1,000 if hers is bad, {outside} "
        "if not.",
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


def marks(told: TwoWorlds, beat: Beat, phone: bool) -> list[Mark]:
    """Both laws on one axis, and a hundred people of whom some are suspected."""
    top, base = (At(0, 252), At(1, -30)) if phone else (At(0, 176), At(1, -52))
    right = At(1) if phone else At(0.55)
    centres = [
        Tick(told.without, str(told.without), "bold", "end" if phone else "middle"),
        Tick(told.truth, str(told.truth), "ink", "start" if phone else "middle"),
    ]
    ticks = [*centres, *(Tick(one, str(one)) for one in (FIRST, 10, 20, 25))]
    bars = ("answer", "chance")
    highest = max(*told.with_law, *told.without_law)
    given = [
        axis(
            "answer", "x", (FIRST - 0.5, LAST + 0.5), At(), right, at=base, ticks=ticks, line=True
        ),
        axis("chance", "y", (0, highest), base, top),
        answers.law("with", bars, FIRST - 0.5, told.with_law, form="bars"),
    ]
    hollow = answers.law("without", bars, FIRST - 0.5, told.without_law, form="bars", dotted=True)
    named = _named(told, phone)
    if beat == "predict":
        return [*given, hollow, *named, *_people(told, 0, phone)]
    if told.close:
        return [*given[:2], *_ratios(told, phone), *_said(told, phone),
                *_people(told, told.added, phone), _after(told, phone)]  # fmt: skip
    return [*given, _pointed(told), hollow, *named, *_said(told, phone),
            *_people(told, told.added, phone), _after(told, phone)]  # fmt: skip


def _named(told: TwoWorlds, phone: bool) -> list[Mark]:
    """What each kind of bar is, beside the two peaks and out of the answer's way."""
    crossed = told.truth < told.shown
    right = On("answer", (told.shown if crossed else told.truth) + 0.5)
    first, second = (At(0, 216), At(0, 233)) if phone else (At(0, 142), At(0, 166))
    left = On("answer", told.without - 0.5)
    return [
        *_heading(phone),
        label("without word", (left, first), f"{told.name}’s mark is good", weight=700,
              anchor="end"),
        label("without word too", (left, second), "or not in the file", weight=700, anchor="end"),
        label("with word", (right, first), f"{told.name}’s mark", weight=700, colour="private"),
        label("with word too", (right, second), "is bad", weight=700, colour="private"),
    ]  # fmt: skip


def _heading(phone: bool) -> list[Mark]:
    return [] if phone else [eyebrow("chances", (At(), At(0, 34)), "CHANCE OF EVERY ANSWER")]


def _ratios(told: TwoWorlds, phone: bool) -> list[Mark]:
    """How many times as likely each answer is in the first world as in the second."""
    top, base = (At(0, 290), At(0, 330)) if phone else (At(0, 250), At(0, 320))
    edge, y = told.truth - 0.5, At(0, 316 if phone else 294)
    spans = {"less": (FIRST - 0.5, edge, 1 / told.ratio), "more": (edge, LAST + 0.5, told.ratio)}
    found = []
    for name, (low, high, ratio) in spans.items():
        found += [
            findings.band(f"{name} likely", "answer", (low, high), top, base),
            figure(f"{name} ratio", (On("answer", (low + high) / 2), y), f"× {ratio:.2f}",
                   size=18 if phone else 26, colour="private", anchor="middle"),
        ]  # fmt: skip
    words = f"as likely if {told.name}’s mark is bad"
    place = At() if phone else On("answer", FIRST - 0.5), At(0, 278 if phone else 236)
    return [*_heading(phone), *found, rule("edge", (On("answer", edge), top),
            (On("answer", edge), base), width=3), label("ratio words", place, words)]  # fmt: skip


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


def _likelier(told: TwoWorlds, answer: int) -> str:
    """In which world an answer is likelier, and how much."""
    world = "bad" if answer >= told.truth else "not"
    return f"{answer} is {told.likelier} times likelier if it is {world}"


def _said(told: TwoWorlds, phone: bool) -> list[Mark]:
    """The answer that came, and how much likelier it is in one world."""
    chance = told.with_law[told.shown - FIRST]
    x, height = On("answer", told.shown), On("chance", chance, -14 if phone else -16)
    dot = answers.errorbar("dot", "answer", height, told.shown, 0, height=0, radius=6)
    words, others = _likelier(told, told.shown), _others(told)
    more = f"and so is every answer from {told.truth} on"
    heights = {one: On("chance", told.with_law[one - FIRST], height.px) for _, one in others}
    found = [] if told.close else [
        stepping(dot, [(ms, dot | {"value": one, "at": heights[one].to_json()})
                       for ms, one in others])
    ]  # fmt: skip
    place, size, upper, lower = (At(1), 17, 176, 196) if phone else (At(0.55), 20, 82, 110)
    if not phone and not told.close:
        lead = rule("lead", (x, At(0, 127)), (x, On("chance", chance, -30)), colour="second")
        found.append(after(lead, TURNED))
    times = figure("times", (place, At(0, upper)), words, size=size, colour="private",
                   anchor="end")  # fmt: skip
    return [
        *found,
        stepping(times, [(ms, times | {"text": _likelier(told, one)}) for ms, one in others]),
        after(label("more", (place, At(0, lower)), more, colour="second", anchor="end"), TURNED),
    ]  # fmt: skip


def _people(told: TwoWorlds, added: int, phone: bool) -> list[Mark]:
    """A hundred people: suspected before, and what an answer adds."""
    before = round(100 * PRIOR)
    left, y = (At(), 16) if phone else (At(0.618), 34)
    people = tallies.people(
        "people", (left, At(0, 52 if phone else 94)), before, added,
        columns=20 if phone else 10, size=(17.9, 21) if phone else (45, 38.5),
    )  # fmt: skip
    return [
        eyebrow("suspicion", (left, At(0, y)), f"A SUSPICION ABOUT {told.name.upper()}"),
        figure("before", (left, At(0, 42 if phone else 78)), f"{before} in 100",
               size=18 if phone else 20),
        after(people, TURNED, 600),
    ]  # fmt: skip


def _after(told: TwoWorlds, phone: bool) -> Mark:
    """The most that it can become."""
    return after(
        figure("after", (At(1), At(0, 42 if phone else 78)), f"at most {told.at_most}",
               size=20 if phone else 26, colour="danger_text", anchor="end"), TURNED + 600,
    )  # fmt: skip


SCENE = Scene(
    story="teach",
    number=4,
    title="With Ana, without Ana",
    seconds=90,
    goal="No answer is more than e^ε times likelier if Ana's mark is bad than if it is good or "
    "not in "
    "the file; what that does to a guess.",
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
    explanation="The promise compares two worlds: Ana's mark is bad; or it is good, or she is "
    "not in "
    "the file. Every published answer must be almost equally likely in both. So her record adds "
    "little to what an answer says, whatever the attacker knows, today or later. One count is 1 "
    "apart either way; in general a replaced value costs up to 2ε.",
    full=("neighbours", {"view": "meaning", "eps": "0.1", "n_prior": "10"}),
    teacher="Play five rounds of the game against the class at ε = 0.1, then at 5. Asked “What if "
    "the attacker starts at 50 in 100?”: at most 52.5, 73.2, 99.4 at 0.1, 1, 5. “Two worlds, why "
    "not ‘nothing is learnt’?”: keep it for the closing (smoker). Families: a household of four "
    "at ε = 0.1 counts as 0.4: 10 becomes at most 14.3.",
    alt=alt,
    exercise="Suspicion 1 in 100, ε = 1: at most?",
    answer="Odds 1/99 times 2.72 = 0.0275, so 2.7 in 100.",
)
