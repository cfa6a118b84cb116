"""One count, a hundred times: noise has a size that depends on ε, not on the number of people."""

from __future__ import annotations

from dataclasses import dataclass

from dpviz.figures.stage import answers, findings, people
from dpviz.figures.stage.answers import half_width
from dpviz.figures.stage.frames import Anchor, Tick, axis, label, rule
from dpviz.figures.stage.places import At, Mark, On, Place
from dpviz.figures.stage.screen import Screen
from dpviz.lessons.scene import Beat, Control, Scene, Sentences, options
from dpviz.lessons.staged import after, entering
from dpviz.lessons.two_groups import DRAWS, SIDE, Row, TwoGroups, numbers
from dpviz.lessons.words import epsilon, whole
from dpviz.lessons.written import beside, eyebrow, figure

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
        none = "no noise, no" if staff.within == students.within == DRAWS else "hardly any"
        return Sentences(
            f"{groups}: the same, :orange[hardly any noise].",
            f"{strength}: of {DRAWS} answers, {staff.within} (staff) and {students.within} "
            f"(students) are the truth: {none} protection.",
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
class Region:
    """Where one group stands: its crowd, its count, and its answers (left, right, top, base)."""

    name: str
    group: str
    words: tuple[str, str]
    crowd: tuple[At, At]
    count: tuple[At, At]
    panel: tuple[At, At, At, At]


STAFF = "staff", "a small group", ("of {:,} staff gave", "a bad mark")
STUDENTS = "students", "a large group", ("of {:,} students", "failed")
LEFT, RIGHT = At(0.455), At(0.89)  # of the columns
WIDE = (
    Region(*STAFF, (At(0, 115), At(0.28)), (At(0, 254), At(0.285)),
           (LEFT, RIGHT, At(0.085), At(0.453))),
    Region(*STUDENTS, (At(0, 115), At(1, -132)), (At(0, 254), At(0.715)),
           (LEFT, RIGHT, At(0.546), At(0.914))),
)  # fmt: skip
PHONE = (
    Region(*STAFF, (At(0, 62), At(0, 62)), (At(), At(0, 71)),
           (At(0, 2), At(0.47), At(0, 256), At(0, 390))),
    Region(*STUDENTS, (At(0.525, 118), At(0, 62)), (At(0.525), At(0, 71)),
           (At(0.53), At(1, -2), At(0, 256), At(0, 390))),
)  # fmt: skip


def marks(told: TwoGroups, beat: Beat, screen: Screen) -> list[Mark]:
    """Two groups, one barrier, and behind it the same noise twice."""
    phone = screen.narrow
    upper, lower = PHONE if phone else WIDE
    found = [
        *_given(told.staff, upper, phone),
        *_given(told.students, lower, phone),
        *_barrier(told, phone),
        *_answers(told, told.staff, upper, phone),
    ]
    if beat == "predict":
        return found
    return [*found, *_later(_answers(told, told.students, lower, phone), lower, phone)]


def _given(row: Row, region: Region, phone: bool) -> list[Mark]:
    """A crowd, so that area is people, and its true count."""
    name, (x, y), count = region.name, region.count, whole(row.truth)
    size, first, line, spacing = (26, 47, 19, 0.8) if phone else (33, 34, 26, 2.62)
    marks = [
        people.crowd(f"{name} crowd", region.crowd, row.people, row.truth, spacing=spacing),
        figure(f"{name} count", (x, y), count, size=size),
        *(label(f"{name} words {i}", (x, beside(y, first + i * line)), words.format(row.people))
          for i, words in enumerate(region.words)),
    ]  # fmt: skip
    if phone:
        return marks
    line_y, start = beside(y, -14), beside(x, 24 + 23 * len(count))
    way = rule(f"{name} way", (start, line_y), (At(0.41, -40), line_y), dash="1.6 6")
    return [*marks, way]


def _barrier(told: TwoGroups, phone: bool) -> list[Mark]:
    half, unit = half_width(told.epsilon), f"1 column = {told.unit} people"
    public, end = (At(), At(1)) if phone else (LEFT, RIGHT)
    y = At(0, 197 if phone else 34)
    barrier = (
        answers.barrier("noise", At(0, 162), At(), At(1), direction="horizontal", half=half,
                        scale=0.3)
        if phone
        else answers.barrier("noise", At(0.41), At(0, 34), At(1, -8), half=half, scale=0.55)
    )  # fmt: skip
    return [
        eyebrow("confidential", (At(), At(0, 16 if phone else 34)), "CONFIDENTIAL"),
        *([] if phone else [eyebrow("word", (At(0.41), At(0, 17)), "NOISE", anchor="middle")]),
        eyebrow("public", (public, y), "PUBLIC, NOISY" if phone else "PUBLIC", colour="private"),
        barrier,
        *([label("unit", (end, y), unit, colour="second", anchor="end")] * (told.unit > 1)),
    ]


def _answers(told: TwoGroups, row: Row, region: Region, phone: bool) -> list[Mark]:
    """A hundred answers over their law, and how many are near the truth."""
    name, unit, (left, right, top, base) = region.name, told.unit, region.panel
    x, y = f"{name} x", f"{name} y"
    low, high = (row.truth + (SIDE + 0.5) * unit * side for side in (-1, 1))
    at = {j: row.truth + j * unit for j in ((-6, 0, 6) if phone else (-6, -3, 0, 3, 6))}
    ticks = [Tick(one, whole(one), "" if j else "bold", name=str(j)) for j, one in at.items()]
    most = max(46.5, *told.law, *told.highest)
    dots_a_row = 2 if phone else 3 if most < 60 else 4
    near = (row.truth - row.reach - 0.5, row.truth + row.reach + 0.5)
    columns = [row.truth + i * unit for i in told.columns(row)]
    return [
        axis(x, "x", (low, high), left, right, at=base, ticks=ticks, line=True),
        axis(y, "y", (0, 1.02 * most), base, top),
        findings.band(f"{name} near", x, near, beside(top, -6), base),
        answers.law(f"{name} law", (x, y), low, told.law, step=unit, fill=0.12),
        answers.dots(f"{name} dots", (x, y), columns, step=unit, row=dots_a_row),
        *_words(told, row, region, phone),
    ]


def _words(told: TwoGroups, row: Row, region: Region, phone: bool) -> list[Mark]:
    """How many answers are near; beside them, where there is room, what that is to the group."""
    name, count = region.name, f"{row.within} of {DRAWS}"
    near = f"within {row.reach}" if row.reach else "are exact"
    left, right = (On(f"{name} x", row.truth + 3.5 * told.unit * side, 14 * side)
                   for side in (-1, 1))  # fmt: skip
    upper, lower = (At(0, 226), At(0, 246)) if phone else (
        beside(region.panel[2], 76), beside(region.panel[2], 106)
    )  # fmt: skip
    start: Place = region.panel[0] if phone else left
    anchor: Anchor = "start" if phone else "end"
    found = [
        figure(f"{name} number", (start, upper), count, colour="private", anchor=anchor),
        label(f"{name} near words", (start, lower), near, colour="second", anchor=anchor),
    ]
    if phone:
        return found
    share = f"{row.reach} in {whole(row.people)}"
    return [
        *found,
        figure(
            f"{name} share", (right, upper), share, colour="private" if row.reach else "danger_text"
        ),
        label(f"{name} felt", (right, lower), felt(row, region.group), colour="second"),
    ]


def felt(row: Row, group: str) -> str:
    """What noise of this reach is to a group of so many people."""
    share = row.reach / row.people
    if not share:
        return "hardly hidden"
    if share < FELT:
        return "nobody will notice"
    return f"{group} {'feels it' if share < DROWNED else 'drowns'}"


def _later(made: list[Mark], region: Region, phone: bool) -> list[Mark]:
    """The dots alone, through the barrier one by one; then the band and the number, then words."""
    gate = (region.panel[0], At(0, 162)) if phone else (At(0.41), beside(region.panel[2], 76))
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
    number=3,
    title="One count, a hundred times",
    seconds=75,
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
    "Smaller ε, wider blur.",
    full=(
        "budget",
        {"data": "survey", "n_noise": "discrete-laplace", "n_side": "up to",
         "n_line": "4", "b_eps": "1", "b_k": "100"},
    ),
    teacher="Let the dots fall in silence. Say “the law of the noise is public; only the draw is "
    "secret”. Asked “Minus 37 people?”: leave it or cut at 0; cutting is allowed (scene 8), but "
    "biases averages.",
    alt=alt,
    exercise="Town of 2,000, ε = 0.1: how wrong is a count in 19 of 20 cases, in people and per "
    "cent?",
    answer="At most 30, which is 1.5 %.",
)  # fmt: skip
