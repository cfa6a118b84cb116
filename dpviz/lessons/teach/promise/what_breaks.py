"""What breaks it: a promise that was proved, and three gaps in the program that should keep it."""

import math
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.attacks.program_leaks import exposed, telling_answers, telling_medians
from dpviz.figures.stage import answers, findings, frames, tallies
from dpviz.figures.stage.colours import Colour
from dpviz.figures.stage.places import At, Mark
from dpviz.figures.stage.screen import Column, Panel, Screen
from dpviz.figures.stage.written import eyebrow, figure
from dpviz.lessons.scene import Beat, Control, Scene, Second, Sentences, options
from dpviz.lessons.staged import after
from dpviz.lessons.words import plain, whole

STOPS = CHANCE, SEED, DIGITS = "delta", "seed", "floats"
EPSILON = 0.1
MARCH, APRIL = 16, 15  # bad marks, with Ana's and without
PEOPLE = 15_000
DELTAS = 1e-3, 1e-4, 1e-5, 1e-6, 1e-10
KNOWN = 7  # the seed of both months
FRESH = 5  # pairs of releases with noise of their own
RUNS, MEDIANS, RECORD = 10_000, 200_000, 0.3


@dataclass(frozen=True, slots=True)
class BrokenPromises:
    """What each gap lets through.

    exposed is the chance for each of DELTAS that somebody is published in full; march and april are
    published with the noise of one seed, fresh differences with noise of their own; telling,
    weak_telling (ε = 1) and medians are shares of answers that another file can never give.
    """

    stop: str
    exposed: tuple[float, ...]
    march: int
    april: int
    fresh: tuple[int, ...]
    telling: float
    weak_telling: float
    medians: float

    @property
    def apart(self) -> int:
        """What the two months of one seed say of Ana."""
        return self.march - self.april


def numbers(stop: str, draw: int = 1) -> BrokenPromises:
    """All three gaps; the stop says which one is open."""
    return replace(_gaps(draw), stop=stop)


@cache
def _gaps(draw: int) -> BrokenPromises:
    march, april = (
        count + round(float(_noise((1,), np.random.default_rng(KNOWN))[0]))
        for count in (MARCH, APRIL)
    )
    fresh = _noise((FRESH, 2), np.random.default_rng(draw + 1))
    telling, weak = (
        telling_answers(MARCH, APRIL, 1 / epsilon, RUNS, np.random.default_rng(draw + 1))
        for epsilon in (EPSILON, 1.0)
    )
    return BrokenPromises(
        stop=CHANCE,
        exposed=tuple(exposed(delta, PEOPLE) for delta in DELTAS),
        march=march,
        april=april,
        fresh=tuple((MARCH - APRIL + fresh[:, 0] - fresh[:, 1]).astype(int).tolist()),
        telling=telling,
        weak_telling=weak,
        medians=telling_medians(RECORD, MEDIANS, np.random.default_rng([12, draw])),
    )


def _noise(size: tuple[int, ...], rng: np.random.Generator) -> FloatArray:
    return Noise.DISCRETE_LAPLACE.draw(1 / EPSILON, size, rng)


NAMES = {CHANCE: "a chance δ", SEED: "the seed", DIGITS: "the digits"}
POWERS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
ONE = 2  # of DELTAS, which the headline is about
DIGIT_WORDS: tuple[tuple[str, Colour], ...] = (
    ("cannot come", "danger_text"), (f"from {APRIL};", "danger_text"),
    ("whole numbers:", "private"), ("none", "private"),
)  # fmt: skip
MILLION = 1e-4  # chances below are said in a million


def power(delta: float) -> str:
    """A power of ten: 10⁻⁵."""
    return f"10{str(round(math.log10(delta))).translate(POWERS)}"


def of_hundred(chance: float) -> str:
    """A chance of releases in a hundred, or, where it is tiny, in a million."""
    if chance < MILLION:
        return f"{chance * 1e6:.2g} in a million"
    return plain(100 * chance, 0 if chance > 0.0995 else 1)


def signed(values: tuple[int, ...]) -> str:
    """Whole numbers in a row."""
    return ", ".join(map(whole, values))


def ask(_: BrokenPromises) -> Sentences:
    """What is known before the guess."""
    return Sentences(
        f"Four releases of one count, all proved: ε = {EPSILON:g}.",
        f"With Ana's bad mark the count is {MARCH}, without it {APRIL}. The noise should hide "
        "which.",
    )


def say(told: BrokenPromises) -> Sentences:
    """What passes through the gap that is open."""
    if told.stop == CHANCE:
        shares = [of_hundred(one) for one in told.exposed]
        return Sentences(
            f"{whole(PEOPLE)} people, δ = {power(DELTAS[ONE])}: :orange[{shares[ONE]} of 100] "
            "expose somebody.",
            f"“Each record in full with chance δ” keeps (0, δ). At {power(DELTAS[0])} it is "
            f"{shares[0]} of 100, at {power(DELTAS[-1])} {shares[-1]}.",
        )
    if told.stop == SEED:
        return Sentences(
            "One seed for two months: :orange[Ana's mark is out].",
            f"Published {told.march} and {told.april}: {told.apart} apart, which is Ana. With fresh"
            f" noise they would be {signed(told.fresh)} apart.",
        )
    telling = whole(100 * told.telling)
    return Sentences(
        f"The proof holds. :orange[The program leaks]: {telling} in 100.",
        f"Of textbook answers for {MARCH}, {telling} in 100 cannot come from {APRIL}, by their "
        "last digits. Of whole numbers none.",
    )


def leak(told: BrokenPromises, stop: str) -> str:
    """What passes through a gap, in short."""
    return {
        CHANCE: f"{of_hundred(told.exposed[ONE])} of 100 releases",
        SEED: f"{told.march} − {told.april} = {told.apart}: Ana",
        DIGITS: f"{whole(100 * told.telling)} of 100 answers",
    }[stop]


def finding(told: BrokenPromises) -> str:
    """What a seed and what digits give away."""
    return (
        f"of its answers {whole(100 * told.telling)} in 100 exclude {APRIL}; a seed that is known "
        f"or used twice takes the noise off"
    )


def alt(told: BrokenPromises) -> str:
    """The picture in words."""
    barrier = "A barrier with three gaps: chance, seed, digits. "
    if told.stop == CHANCE:
        rows = [f"{of_hundred(one)} at δ = {power(delta)}"
                for delta, one in zip(DELTAS, told.exposed, strict=True)]  # fmt: skip
        return f"{barrier}Of 100 releases somebody is exposed in {', '.join(rows)}."
    if told.stop == SEED:
        return (
            f"{barrier}Seed {KNOWN} twice: {told.march} − {told.april} = {told.apart}. Fresh "
            f"noise: {signed(told.fresh)}."
        )
    return (
        f"{barrier}A hundred textbook answers for {MARCH}, {whole(100 * told.telling)} of them "
        f"hatched: they cannot come from {APRIL}."
    )


def remark() -> str:
    """Two more shares of answers that tell two files apart."""
    told = numbers(DIGITS)
    return (
        f"At ε = 1 it is {whole(100 * told.weak_telling)} in 100; a textbook median of one record "
        f"tells it from an empty file in {whole(100 * told.medians)} of 100 releases."
    )


def marks(told: BrokenPromises, beat: Beat, screen: Screen) -> list[Mark]:
    """The barrier with its gaps on the left, and what comes through the open one."""
    gate, seen = screen.columns(Column((0, 0.45), (0, 0.43)), Column((0.5, 1), (0.47, 1)))
    found = _barrier(told, beat, gate)
    if beat == "predict":
        return [*found, *_published(seen)]
    shown = {CHANCE: _chances, SEED: _months, DIGITS: _digits}[told.stop](told, seen)
    return [*found, *(after(one, 700) for one in shown)]


def _published(panel: Panel) -> list[Mark]:
    """What is published before anybody asks how: a number, and the promise."""
    return [
        eyebrow("public", (panel.left, panel.line(0)), "PUBLIC", colour="private"),
        figure("published", (panel.left, panel.y(0.4)), f"{MARCH} + noise",
               size=panel.size(40), colour="private"),
        frames.label("promise", (panel.left, panel.y(0.4, 40)), f"ε = {EPSILON:g}, proved",
                     size=panel.size(18), colour="private"),
    ]  # fmt: skip


def _barrier(told: BrokenPromises, beat: Beat, panel: Panel) -> list[Mark]:
    """Three names in front of the noise; the chosen one's gap is open and a beam passes."""
    at, tall = panel.x(0.84), 40
    heights = {stop: 0.36 + 0.25 * i for i, stop in enumerate(STOPS)}
    chosen = heights[told.stop]
    gaps = [] if beat == "predict" else [(panel.y(chosen, -tall / 2), panel.y(chosen, tall / 2))]
    found = [
        eyebrow("confidential", (panel.left, panel.line(0)), "CONFIDENTIAL"),
        frames.label("counts", (panel.left, panel.line(1)),
                     f"{MARCH} bad marks, {APRIL} without Ana",
                     size=panel.size(18)),
        answers.barrier("barrier", at, panel.y(0.1), panel.y(1), gaps=gaps,
                        half=answers.half_width(EPSILON), scale=panel.px(0.5)),
    ]  # fmt: skip
    for stop, y in heights.items():
        strong = beat != "predict" and stop == told.stop
        found.append(
            frames.label(f"name {stop}", (panel.left, panel.y(y, 8)), NAMES[stop],
                         size=panel.size(22), font="serif", weight=700 if strong else 400,
                         colour="danger_text" if strong else "ink")
        )  # fmt: skip
        if beat != "predict":
            found.append(
                frames.label(f"leak {stop}", (panel.left, panel.y(y, panel.said(37, 32))),
                             leak(told, stop), size=panel.size(18), colour="danger_text")
            )  # fmt: skip
    if gaps:
        start, end = (panel.x(0.5), panel.y(chosen)), (panel.x(1, -8), panel.y(chosen))
        found.append(after(findings.beam("beam", start, [end], width=panel.px(7)), 0, 700))
    return found


def _chances(told: BrokenPromises, panel: Panel) -> list[Mark]:
    """A bar for each δ: releases of a hundred in which somebody is published in full."""
    found = [eyebrow("head", (panel.left, panel.line(0)), "RELEASES THAT EXPOSE SOMEBODY")]
    for i, (delta, chance) in enumerate(zip(DELTAS, told.exposed, strict=True)):
        y, start = panel.y(0.2 + 0.18 * i), panel.x(0.29)
        end = panel.x(0.29 + 0.39 * chance)
        words = of_hundred(chance) + (" of 100" if i == 0 else "")
        found += [
            figure(f"delta {i}", (panel.left, At(y.share, y.px + 7)), f"δ = {power(delta)}"),
            findings.beam(f"bar {i}", (start, y), [(end, y)], width=panel.px(18), head=0),
            figure(f"share {i}", (At(end.share, end.px + 10), At(y.share, y.px + 7)), words,
                   colour="danger_text", size=panel.size(24 if i == ONE else 20)),
        ]  # fmt: skip
    return found


def _months(told: BrokenPromises, panel: Panel) -> list[Mark]:
    """Two months with one seed, their difference, and differences of fresh noise."""
    lines: tuple[tuple[str, float, str, Colour], ...] = (
        ("march", 0.24, f"March: {MARCH} + {told.march - MARCH} = {told.march}", "private"),
        ("april", 0.4, f"April: {APRIL} + {told.april - APRIL} = {told.april}", "private"),
        ("apart", 0.6, f"{told.march} − {told.april} = {told.apart}: Ana", "danger_text"),
        ("fresh", 0.95, signed(told.fresh), "private"),
    )
    return [
        eyebrow("head", (panel.left, panel.line(0)), f"SEED {KNOWN}, TWICE"),
        *(figure(name, (panel.left, panel.y(y)), text, colour=colour, size=panel.size(28))
          for name, y, text, colour in lines),
        eyebrow("fresh head", (panel.left, panel.y(0.8)), "FRESH NOISE: APART BY"),
    ]  # fmt: skip


def _digits(told: BrokenPromises, panel: Panel) -> list[Mark]:
    """A hundred answers, hatched where no draw gives the same digits from the other count."""
    side = panel.px(33)
    telling = round(100 * told.telling)
    return [
        eyebrow("head", (panel.left, panel.line(0)), f"100 TEXTBOOK ANSWERS FOR {MARCH}"),
        tallies.people("answers", (panel.left, panel.y(0.14)), 0, telling, form="dot",
                       size=(side, side)),
        figure("telling", (panel.x(0.64), panel.y(0.3)), f"{telling}", size=panel.size(52),
               colour="danger_text"),
        *(frames.label(f"words {i}", (panel.x(0.64), panel.y(0.3, 46 + 28 * i)), text,
                       size=panel.size(18), colour=colour)
          for i, (text, colour) in enumerate(DIGIT_WORDS)),
    ]  # fmt: skip


SCENE = Scene(
    story="teach",
    name="what_breaks",
    title="What breaks it",
    seconds=90,
    goal="A proof covers a method, not a program: δ must be tiny, the seed secret, the noise "
    "exact.",
    question=f"Which release of “{MARCH}” with ε = {EPSILON:g} is safest?",
    ask=ask,
    options=options(
        ("Its seed is printed, for reproduction", "M16",
         "Whoever knows the seed draws the same noise and takes it off."),
        ("Textbook code with 16 digits", "M16"),
        ("The same seed every month", "M16", "The noise cancels in the difference of two months."),
        ("Only the law of its noise is printed", None),
    ),
    about="Textbook code with 16 digits",
    finding=finding,
    control=Control("at", "Gap", STOPS, CHANCE, NAMES.__getitem__, revealed=DIGITS),
    numbers=numbers,
    say=say,
    marks=marks,
    explanation="δ allows a chance of total failure: a method may publish each record in full with "
    "chance δ, of n people n × δ on average. So δ must be far below 1/n. A known or "
    "repeated seed takes the noise off again. Fractions in a computer have gaps, and gaps tell "
    "files apart: use whole-number noise from a secret stream.",
    full=("learn", {}),
    teacher="The dots of “One count, a hundred times” have a seed, to teach; a release has none. "
    "Ask why the law of the noise may be printed: the promise is worked out for an attacker who "
    "knows it.",
    alt=alt,
    remark=remark,
    second=Second("A chance δ", say, alt, start=CHANCE),
    term="δ, ρ",
    formula="… + :blue[δ]",
    exercise="Each of 1 million records is published in full with chance δ = 10⁻⁶. How many are "
    "exposed on average?",
    answer="One: 1,000,000 × 10⁻⁶.",
    sources=("Mironov 2012", "Haney et al. 2022"),
)  # fmt: skip
