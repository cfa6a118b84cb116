"""Names removed: a few harmless facts single people out, and tables with noise contradict."""

import math
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from dpviz.core.randomness.noise import Noise
from dpviz.figures.stage import answers, frames, tallies
from dpviz.figures.stage.colours import Colour
from dpviz.figures.stage.frames import Tick
from dpviz.figures.stage.places import At, Mark, On
from dpviz.figures.stage.screen import Column, Panel, Screen
from dpviz.figures.stage.written import eyebrow, figure
from dpviz.intake.samples import sample_texts
from dpviz.lessons.scene import Beat, Control, Scene, Second, Sentences, options
from dpviz.lessons.staged import after
from dpviz.lessons.words import listed, plain, whole

FACTS = {
    "team": "team",
    "floor": "floor",
    "travel": "way to work",
    "age": "age group",
    "parent": "parent or not",
}  # columns of the office, and their words
AGES = 30, 45  # where the second and the third age group begin
WORDS = "no", "One", "Two", "Three", "Four", "Five"
COLUMNS = {1: 5, 2: 8, 3: 9, 4: 9, 5: 10}  # of piles side by side
EPSILONS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
EACH = 1.0  # ε of each of two tables of the same blocks


@dataclass(frozen=True, slots=True)
class Piles:
    """People without names, in piles of those with the same facts.

    piles has the pile of each person, the largest piles first; alone how many are in a pile of one
    with 1, 2 … 5 facts; like_ana is the size of Ana's pile. agreeing has the chance that two noisy
    counts of one block are the same at each ε, same of how many in 100 blocks two tables agree,
    without noise and each with noise of its own at ε = 1.
    """

    facts: int
    piles: tuple[int, ...]
    alone: tuple[int, ...]
    like_ana: int
    agreeing: tuple[float, ...]
    same: tuple[float, float]

    @property
    def people(self) -> int:
        """How many are in the file."""
        return len(self.piles)

    @property
    def now(self) -> int:
        """How many stand alone with the facts that are known."""
        return self.alone[self.facts - 1]


@cache
def known() -> tuple[tuple[str, ...], ...]:
    """The facts of each person, ages in three groups."""
    columns = [sample_texts("office", name) for name in FACTS]
    groups = ["".join("+" for edge in AGES if int(age) >= edge) for age in columns[3]]
    return tuple(zip(*columns[:3], groups, columns[4], strict=True))


@cache
def numbers(facts: int, _: int = 1) -> Piles:
    """The piles that so many facts leave."""
    sizes = [Counter(one[:many] for one in known()) for many in range(1, len(FACTS) + 1)]
    now = sizes[facts - 1]
    order = {key: place for place, (key, _size) in enumerate(now.most_common())}
    return Piles(
        facts=facts,
        piles=tuple(order[one[:facts]] for one in known()),
        alone=tuple(sum(size == 1 for size in one.values()) for one in sizes),
        like_ana=now[known()[0][:facts]],
        agreeing=tuple(agreeing(1 / epsilon) for epsilon in EPSILONS),
        same=(100.0, 100 * agreeing(1 / EACH)),
    )


def agreeing(scale: float) -> float:
    """The chance that two counts with noise of their own on one truth are the same."""
    within = [Noise.DISCRETE_LAPLACE.within(scale, t) for t in range(math.ceil(40 * scale))]
    return within[0] ** 2 + sum((high - low) ** 2 / 2 for low, high in pairwise(within))


def ask(told: Piles) -> Sentences:
    """What is known before the guess."""
    *first, last = FACTS.values()
    return Sentences(
        f"Names are deleted. How many of {told.people} stand alone?",
        f"Known of each: {', '.join(first)}, {last}. By team alone, nobody is the only one.",
    )


def say(told: Piles) -> Sentences:
    """How many are the only one with their facts, and how many share Ana's."""
    noun = "fact" if told.facts == 1 else "facts"
    found = f":orange[{told.now} of {told.people}] stand alone" if told.now else "nobody is alone"
    return Sentences(
        f"{WORDS[told.facts]} harmless {noun}, no name: {found}.",
        f"By {listed(list(FACTS.values())[: told.facts])}. Ana is one of {told.like_ana} who are "
        "alike.",
    )


def say_of_tables(told: Piles) -> Sentences:
    """How often two tables of the same blocks agree, without noise and with it."""
    before, now = told.same
    return Sentences(
        f"Noisy tables contradict each other: :blue[{whole(now)} of 100] agree.",
        f"Two tables count one block: {whole(before)} of 100 agree without noise, {whole(now)} "
        f"each with its own, ε = {EACH:g}.",
    )


def finding(told: Piles) -> str:
    """How many are the only one with their facts."""
    return f"{told.now} of {told.people} are the only one"


def alt(told: Piles) -> str:
    """The picture in words."""
    piles = len(set(told.piles))
    return (
        f"{told.people} nameless tiles split into {piles} piles by {told.facts} "
        f"{'fact' if told.facts == 1 else 'facts'}; {told.now} piles of one are vermilion."
    )


def alt_of_tables(told: Piles) -> str:
    """The second picture in words."""
    shares = listed([percent(one) for one in told.agreeing])
    before, now = told.same
    return (
        f"Two rows of a hundred dots, blocks that agree in two tables: {whole(before)} without "
        f"noise, {whole(now)} with noise of ε = {EACH:g} in each. Bars rise with ε: two noisy "
        f"counts agree in {shares} of 100."
    )


def percent(share: float) -> str:
    """A share in 100, with a decimal where it is small."""
    return plain(100 * share, 1 if share < 0.03 else 0)


def marks(told: Piles, beat: Beat, screen: Screen) -> list[Mark]:
    """Piles of people, and beside them the facts that are known; or two tables, and their law."""
    left, right = screen.columns(Column((0, 0.58), (0.42, 1)), Column((0.645, 1), (0.04, 0.4)))
    tables = beat == "second"
    wall = answers.barrier(
        "noise", At(0, 6), At(), At(1), direction="horizontal", none=not tables,
        half=answers.half_width(1.0), scale=0.2,
    )  # fmt: skip
    shown = _tables(told, left) + _law(told, right) if tables else _split(told, left)
    return [wall, *shown, *([] if tables else _facts(told, beat == "reveal", right))]


def _split(told: Piles, panel: Panel) -> list[Mark]:
    """A tile a person, in piles of those who are alike."""
    tiles = tallies.piles(
        "piles", (panel.left, panel.y(0, panel.said(56, 10))), (panel.right, panel.y(1, -6)),
        told.piles, columns=COLUMNS[told.facts],
    )  # fmt: skip
    words = f"{told.people} PEOPLE WITHOUT NAMES"
    head = eyebrow("piles head", (panel.left, panel.line(0)), words)
    return [*panel.full(head), after(tiles, 0, 1200)]


def _facts(told: Piles, seen: bool, panel: Panel) -> list[Mark]:
    """The facts in their order, and how many each leaves alone."""
    found = [
        eyebrow("facts head", (panel.left, panel.line(0)), "KNOWN"),
        eyebrow("alone head", (panel.right, panel.line(0)), "STAND ALONE", colour="danger_text",
                anchor="end"),
    ]  # fmt: skip
    for place, words in enumerate(FACTS.values()):
        y, used = panel.line(1.1 * place + 1), place < told.facts
        alone = whole(told.alone[place]) if used else "" if seen else "?"
        colour = _leaks(told.alone[place]) if used else "second"
        found += [
            frames.label(f"fact {place}", (panel.left, y), words, size=16,
                         weight=700 if used else 400, colour="ink" if used else "second"),
            figure(f"alone {place}", (panel.right, y), alone, size=20, colour=colour,
                   anchor="end"),
        ]  # fmt: skip
    if not seen:
        return found
    sum_of = figure("found", (panel.right, panel.line(7.6)), f"{told.now} of {told.people}",
                    size=40, colour=_leaks(told.now), anchor="end")  # fmt: skip
    return [*found, *panel.full(after(sum_of, 1000))]


def _leaks(alone: int) -> Colour:
    return "danger_text" if alone else "ink"


def _tables(told: Piles, panel: Panel) -> list[Mark]:
    """Of a hundred blocks, those that have the same number of people in both tables."""
    words = panel.said("BLOCKS THAT AGREE IN TWO TABLES", "BLOCKS THAT AGREE")
    found = [eyebrow("blocks head", (panel.left, panel.line(0)), words)]
    rows: list[tuple[str, Colour]] = [
        ("without noise", "ink"),
        (f"each with noise, ε = {EACH:g}", "private"),
    ]
    columns, size = panel.said((25, (22, 19)), (25, (11, 11)))
    for place, (said, colour) in enumerate(rows):
        top = 0.16 + 0.43 * place
        found += [
            frames.label(f"table {place}", (panel.left, panel.y(top, 16)), said, weight=700),
            tallies.people(f"agreeing {place}", (panel.left, panel.y(top, 32)),
                           round(told.same[place]), 0, columns=columns, form="dot", size=size,
                           colour=colour),
            figure(f"same {place}", (panel.right, panel.y(top, 70)), whole(told.same[place]),
                   size=panel.size(30), colour=colour, anchor="end"),
        ]  # fmt: skip
    return found


def _law(told: Piles, panel: Panel) -> list[Mark]:
    """How often two noisy counts of one block are the same, at every ε."""
    foot, last = panel.y(1, -52), len(EPSILONS) - 0.5
    ticks = [Tick(place, f"{one:g}") for place, one in enumerate(EPSILONS)]
    heights = [100 * share for share in told.agreeing]
    words = panel.said("TWO NOISY COUNTS AGREE, OF 100", "NOISY COUNTS AGREE, OF 100")
    return [
        eyebrow("law head", (panel.left, panel.line(0)), words, colour="private"),
        frames.axis("epsilon", "x", (-0.5, last), panel.left, panel.x(1, -30), at=foot, ticks=ticks,
                    line=True),
        frames.axis("share", "y", (0, 100), foot, panel.line(1.8)),
        answers.law("agree", ("epsilon", "share"), -0.5, heights, form="bars"),
        *(figure(f"agree {place}", (On("epsilon", place), On("share", height, -6)),
                 percent(height / 100), size=panel.size(18), colour="private", anchor="middle")
          for place, height in enumerate(heights)),
        frames.label("epsilon word", (panel.right, panel.y(1, -30)), "ε", anchor="end", size=17),
    ]  # fmt: skip


SCENE = Scene(
    story="teach",
    name="names_removed",
    title="Names removed",
    seconds=75,
    goal="Few harmless facts identify; noisy tables contradict each other, and that is the price.",
    question="Names are deleted. We know team, floor, way to work, age group and parent or not. Of "
    "40, how many are the only one?",
    ask=ask,
    options=options(
        ("0", "M1", "A name is one fact of many: the others do without it."),
        ("4", "M1", "That is how many are not alone."),
        ("15", "M2", "That many are alone with three facts already."),
        ("36", None),
    ),
    about="With five facts",
    finding=finding,
    control=Control("at", "Facts known", tuple(COLUMNS), 1, whole, revealed=5, beat="reveal"),
    numbers=numbers,
    say=say,
    marks=marks,
    explanation="Removing names removes little. Noise protects people in the smallest block, too; "
    "two tables, each with noise of its own, contradict each other there, unless they are fitted "
    "to each other before they are published. Add blocks up before you use them.",
    full=("learn", {"story": "teach"}),
    teacher="In the room: somebody thinks of a person and names one fact after the other; whoever "
    "it does not fit sits down. Asked “Why not publish one table only?”: many users need many "
    "tables, and each has noise of its own. Asked “So the noise is a fault?”: no, it is the price; "
    "the sum of many blocks is hardly touched.",
    alt=alt,
    exercise="1,000 blocks, each count at ε = 1, so ± 3: their sum?",
    answer="± 84: the sd of a count is 1.36, that of the sum √1,000 times as much, 43, and 19 of "
    "20 sums lie within 1.96 sd.",
    second=Second("Two tables", say_of_tables, alt_of_tables),
    sources=("Sweeney 2000",),
)
