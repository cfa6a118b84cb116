"""One count, a hundred times: noise has a size that depends on ε, not on the number of people."""

import math
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np

from dpviz.core.budgets import PureDP
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.figures.stage import people, pieces
from dpviz.figures.stage.answers import half_width
from dpviz.figures.stage.colours import Colour
from dpviz.figures.stage.frames import Anchor, Tick, label, rule
from dpviz.figures.stage.places import At, Mark, On, Place
from dpviz.figures.stage.screen import Column, Panel, Screen
from dpviz.figures.stage.written import beside, eyebrow, figure
from dpviz.intake.samples import sample_column
from dpviz.lessons.scene import Beat, Control, Scene, Sentences, options
from dpviz.lessons.staged import after, entering
from dpviz.lessons.words import epsilon, whole

NOISE, DRAWS, USUAL = Noise.DISCRETE_LAPLACE, 100, 0.95
SIDE = 8  # columns on each side of the truth


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """One count of one group, published a hundred times. reach holds 19 of 20 answers by law."""

    people: int
    truth: int
    reach: int
    noise: tuple[int, ...]

    @property
    def within(self) -> int:
        """How many answers are within reach of the truth."""
        return sum(abs(one) <= self.reach for one in self.noise)

    @property
    def negative(self) -> int:
        """How many answers are below zero people."""
        return sum(self.truth + one < 0 for one in self.noise)


@dataclass(frozen=True, slots=True, eq=False)
class TwoGroups:
    """The office and the students under one ε; unit is how many people a column holds.

    law has the expected dots of each column, the truth in the middle, as in every column's name.
    """

    epsilon: float
    unit: int
    law: tuple[float, ...]
    staff: Row
    students: Row

    @property
    def highest(self) -> list[int]:
        """The dots of each group's fullest column."""
        return [
            max(map(self.columns(row).count, (0, 1, -1))) for row in (self.staff, self.students)
        ]

    def columns(self, row: Row) -> list[int]:
        """The columns of a row's dots, those in view; 0 is the truth."""
        found = [_column(one, self.unit) for one in row.noise]
        return [one for one in found if abs(one) <= SIDE]


@cache
def numbers(eps: float, draw: int = 1) -> TwoGroups:
    """A hundred counts of each group; they have noise of their own."""
    unit = max(1, round(1 / eps))
    return TwoGroups(
        epsilon=eps,
        unit=unit,
        law=_law(eps, unit),
        staff=_row("survey", 4, eps, np.random.default_rng(draw)),
        students=_row("exam", 49, eps, np.random.default_rng([draw, 2])),
    )


def _row(sample: str, threshold: float, eps: float, rng: np.random.Generator) -> Row:
    column, query, budget = sample_column(sample), CountQuery(threshold, NOISE), PureDP(eps)
    truth = query.truth(column)
    noise = query.release_many(column, budget, rng, DRAWS) - truth
    reach = NOISE.reach(query.scale(budget), USUAL)
    return Row(column.n, int(truth), int(reach), tuple(int(one) for one in noise))


def _column(noise: int, unit: int) -> int:
    """The nearest column; a tie goes to the one nearer to the truth."""
    return int(math.copysign(math.ceil(abs(noise) / unit - 0.5), noise))


def _law(eps: float, unit: int) -> tuple[float, ...]:
    """The expected dots of each column in view."""
    upto = [NOISE.within(1 / eps, unit // 2 + unit * i) for i in range(SIDE + 1)]
    side = [(high - low) / 2 for low, high in pairwise(upto)]
    return tuple(DRAWS * one for one in (*reversed(side), upto[0], *side))


FELT, DROWNED = 0.02, 0.2  # noise as a share of the people


def ask(told: TwoGroups) -> Sentences:
    """What is known before the guess."""
    staff, students = told.staff, told.students
    return Sentences(
        f"Count among {whole(students.people)}, not {staff.people}: how much noise?",
        "ε is the dial: smaller, more noise. What it promises: next scene. At "
        f"ε = {told.epsilon:g} a count is ± {staff.reach}.",
    )


def finding(told: TwoGroups) -> str:
    """How large the noise is in both groups."""
    staff, students = told.staff, told.students
    return (
        f"19 of 20 counts are within {staff.reach} for {staff.people} people, within "
        f"{students.reach} for {whole(students.people)}"
    )


def say(told: TwoGroups) -> Sentences:
    """How many answers of each group are near the truth."""
    staff, students, strength = told.staff, told.students, f"ε = {told.epsilon:g}"
    groups = f"{staff.people} people or {whole(students.people)}"
    if not staff.reach:
        return Sentences(
            f"{groups}: the same, :orange[hardly any noise].",
            f"{strength}: of {DRAWS} answers, {staff.within} (staff) and {students.within} "
            f"(students) are the truth: hardly any protection.",
        )
    counted = (
        f"{strength}: of {DRAWS} answers, {staff.within} (staff) and {students.within} (students) "
        f"are within {staff.reach}."
    )
    below = f" {staff.negative} for the staff are below 0."
    return Sentences(f"{groups}: :blue[the same noise].", counted + below * (staff.negative > 0))


def alt(told: TwoGroups) -> str:
    """The picture in words."""
    staff, students = told.staff, told.students
    low, high = (staff.truth + one for one in (min(staff.noise), max(staff.noise)))
    return (
        f"A hundred blue dots stacked around a black line at {staff.truth}, from {whole(low)} to "
        f"{whole(high)}. Below, the same shape around {whole(students.truth)}."
    )


@dataclass(frozen=True, slots=True)
class Group:
    """One of the two groups, in words."""

    name: str
    size: str
    said: tuple[str, str]


STAFF = Group("staff", "a small group", ("of {:,} staff gave", "a bad mark"))
STUDENTS = Group("students", "a large group", ("of {:,} students", "failed"))


def marks(told: TwoGroups, beat: Beat, screen: Screen) -> list[Mark]:
    """Two groups, one barrier, and behind it the same noise twice."""
    inside, public = screen.columns(Column((0, 0.41), (0, 0.386)), Column((0.455, 0.89), (0.43, 1)))
    (crowd, other), (first, second) = inside.halves(), public.halves(0.04)
    unit = f"1 column = {told.unit} people"
    found = [
        *_given(told.staff, STAFF, crowd),
        *_given(told.students, STUDENTS, other),
        eyebrow("confidential", (inside.left, inside.line(0)), "CONFIDENTIAL"),
        *inside.full(eyebrow("word", (inside.right, inside.line(0)), "NOISE", anchor="middle")),
        eyebrow("public", (public.left, public.line(0)), public.said("PUBLIC", "PUBLIC, NOISY"),
                colour="private"),
        inside.wall("noise", half=half_width(told.epsilon), scale=0.55),
        *([label("unit", (public.right, public.line(0)), unit, colour="second", anchor="end")]
          * (told.unit > 1)),
        *_answers(told, told.staff, STAFF, first),
    ]  # fmt: skip
    if beat == "predict":
        return found
    gate = inside.said((inside.right, second.y(0.5)), (second.left, inside.bottom))
    return [*found, *_later(_answers(told, told.students, STUDENTS, second), gate)]


def _given(row: Row, group: Group, panel: Panel) -> list[Mark]:
    """A crowd, so that area is people, and its true count."""
    name, count = group.name, whole(row.truth)
    x, crowd, spacing = panel.said(
        (panel.x(0, 254), (panel.x(0, 115), panel.y(0.5)), 2.62),
        (panel.left, (panel.x(0.66), panel.y(0.38)), 0.8),
    )
    y, line, start = panel.y(0.5, -8), panel.y(0.5, -22), beside(x, 24 + 23 * len(count))
    below = zip(group.said, panel.said((34, 60), (42, 61)), strict=True)
    way = rule(f"{name} way", (start, line), (beside(panel.right, -40), line), dash="1.6 6")
    return [
        people.crowd(f"{name} crowd", crowd, row.people, row.truth, spacing=spacing),
        figure(f"{name} count", (x, y), count, size=panel.size(33)),
        *(label(f"{name} words {px}", (x, beside(y, px)), words.format(row.people))
          for words, px in below),
        *panel.full(way),
    ]  # fmt: skip


def _answers(told: TwoGroups, row: Row, group: Group, panel: Panel) -> list[Mark]:
    """A hundred answers over their law, and how many are near the truth."""
    name, unit = group.name, told.unit
    top, base = panel.said(panel.y(0.18), panel.y(0.31)), panel.y(0.83)
    low, high = (row.truth + (SIDE + 0.5) * unit * side for side in (-1, 1))
    ticks = [
        Tick(row.truth + j * unit, whole(row.truth + j * unit), "" if j else "bold", name=str(j))
        for j in panel.said((-6, -3, 0, 3, 6), (-6, 0, 6))
    ]
    most = max(46.5, *told.law, *told.highest)
    near = (row.truth - row.reach - 0.5, row.truth + row.reach + 0.5)
    columns = [row.truth + i * unit for i in told.columns(row)]
    return [
        *pieces.heap(name, panel, (base, top), (low, high), near, ticks, 1.02 * most,
                     (low, told.law), columns, step=unit,
                     row=panel.said(3 if most < 60 else 4, 2)),
        *_words(told, row, group, panel),
    ]  # fmt: skip


def _words(told: TwoGroups, row: Row, group: Group, panel: Panel) -> list[Mark]:
    """How many answers are near; beside them, where there is room, what that is to the group."""
    name, count = group.name, f"{row.within} of {DRAWS}"
    near = f"within {row.reach}" if row.reach else "are exact"
    left, right = (On(f"{name} x", row.truth + 3.5 * told.unit * side, 14 * side)
                   for side in (-1, 1))  # fmt: skip
    upper, apart = panel.said((panel.y(0.43), 28), (panel.line(1.3), 20))
    lower = beside(upper, apart)
    start: Place = panel.said(left, panel.left)
    anchor: Anchor = panel.said("end", "start")
    share = f"{row.reach} in {whole(row.people)}"
    colour: Colour = "private" if row.reach else "danger_text"
    return [
        figure(f"{name} number", (start, upper), count, colour="private", anchor=anchor),
        label(f"{name} near words", (start, lower), near, colour="second", anchor=anchor),
        *panel.full(
            figure(f"{name} share", (right, upper), share, colour=colour),
            label(f"{name} felt", (right, lower), felt(row, group.size), colour="second"),
        ),
    ]


def felt(row: Row, group: str) -> str:
    """What noise of this reach is to a group of so many people."""
    share = row.reach / row.people
    if not share:
        return "hardly hidden"
    if share < FELT:
        return "nobody will notice"
    return f"{group} {'feels it' if share < DROWNED else 'drowns'}"


def _later(made: list[Mark], gate: tuple[At, At]) -> list[Mark]:
    """The dots alone, through the barrier one by one; then the band and the number, then words."""
    x, y, near, law, dots, number, *words = made
    return [
        x,
        y,
        after(near, 2900, 300),
        after(law, 2900, 300),
        entering(dots, gate, every=22),
        after(number, 2900),
        *(after(one, 3100) for one in words),
    ]


SCENE = Scene(
    story="teach",
    name="same_noise",
    title="One count, a hundred times",
    seconds=60,
    goal="Noise has a known size that depends on ε, not on the number of people.",
    question="16 of 40 staff gave a bad mark. With ε = 1 the published count is nearly always "
    "within 3 of it. Now we count among 6,000 students, same ε. The noise is …",
    ask=ask,
    options=options(
        ("150 times larger", "M4"),
        ("The same, within 3", None),
        ("Smaller, it averages out", "M4"),
        ("As large as it takes to hide everybody", "M5"),
    ),
    about="At ε = 1",
    finding=finding,
    control=Control(
        "eps", "ε", (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0), 1.0, epsilon
    ),
    numbers=numbers,
    say=say,
    marks=marks,
    explanation="One person can change this count by 1. The noise only has to blur a difference "
    "of 1, in an office or in a country. So small groups drown and large ones hardly notice. "
    "Smaller ε, wider blur. It is Laplace noise: small amounts are likely, large ones ever less. "
    "Its scale is 1/ε.",
    full=(
        "budget",
        {"data": "survey", "n_noise": "discrete-laplace", "n_side": "up to",
         "n_line": "4", "b_eps": "1", "b_k": "100"},
    ),
    teacher="Let the dots fall in silence. Say “the law of the noise is public; only the draw is "
    "secret”. Asked “Minus 37 people?”: leave it or cut at 0; cutting is free (“Many "
    "noisy pieces, one good answer”), but biases averages.",
    alt=alt,
    exercise="Town of 2,000, ε = 0.1: how wrong is a count in 19 of 20 cases, in people and per "
    "cent?",
    answer="At most 30, which is 1.5 %.",
    term="Noise",
    formula="noise ~ 1/:blue[ε]",
)  # fmt: skip
