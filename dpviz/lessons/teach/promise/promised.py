"""What is promised and what is not, and the label of a release: who decides what stands on it."""

import textwrap
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from dpviz.core.budgets import PureDP
from dpviz.experiments.privacy.odds import odds_of
from dpviz.figures.stage import frames, touched
from dpviz.figures.stage.colours import Colour
from dpviz.figures.stage.places import At, Mark
from dpviz.figures.stage.screen import Screen
from dpviz.figures.stage.written import eyebrow, figure
from dpviz.lessons.one_bound import EPSILON
from dpviz.lessons.scene import Beat, Control, Scene, Second, Sentences
from dpviz.lessons.staged import after
from dpviz.lessons.words import at_most, whole

SMOKER: tuple[tuple[str, Colour], ...] = (
    ("A private study finds that smoking causes cancer.", "ink"),
    ("Ana smokes; her insurance gets dearer, whether she took part or not.", "ink"),
    ("Has differential privacy failed?", "ink"),
    ("No: the study says the same, or nearly, without her.", "private"),
    ("DP protects what your record adds, not what is true of people like you.", "ink"),
)
ASKED = 3  # of its sentences, before it is opened
NAMES = {"epsilon": "ε", "unit": "unit", "often": "how often", "delta": "δ", "public": "public",
         "who": "who"}  # fmt: skip
BLANK = "blank"
STOPS = (  # what is filled in, in the order of the rows, whatever was tapped first
    BLANK,
    *("-".join(some) for many in range(1, 7) for some in combinations(NAMES, many)),
)
BOUND, PEOPLE = 1_000_000, 15_000  # public, of the average in “What may the largest value be?”
PRIOR = 0.1
COLUMN = 0.54  # of the width, where the answer stands beside the story
STEP = 500  # ms from sentence to sentence


@dataclass(frozen=True, slots=True)
class Label:
    """The label of one release by its rows, and which of them are filled in."""

    rows: tuple[tuple[str, str], ...]
    filled: tuple[bool, ...]

    @property
    def blanks(self) -> int:
        """How many rows are still blank."""
        return self.filled.count(False)


def numbers(stop: str, _: int = 1) -> Label:
    """The label of the private average of pay, with some rows filled in."""
    most = odds_of(PureDP(EPSILON), 0.5).posterior(np.array([PRIOR]))[1]
    suspected = at_most(float(most[0])).removesuffix(".0")
    rows = (
        ("ε", f"{EPSILON:g}: {100 * PRIOR:g} in 100 becomes at most {suspected}"),
        ("UNIT AND NEIGHBOURS", "one person, replaced"),
        ("HOW OFTEN", "once"),
        ("δ", "0"),
        ("WHAT WAS PUBLIC", f"the bound {whole(BOUND)}; {whole(PEOPLE)} people"),
        ("WHO DECIDES", "who answers for the data, beforehand"),
    )
    return Label(rows, tuple(name in stop.split("-") for name in NAMES))


def shown(stop: str) -> str:
    """A stop in words."""
    return ", ".join(NAMES.get(name, name) for name in stop.split("-"))


def ask(_: Label) -> Sentences:
    """What is to be thought about."""
    return Sentences(
        "A study, a smoker, an insurance: was the promise broken?",
        "Think, or ask your neighbour. Then open the card.",
    )


def say(_: Label) -> Sentences:
    """What is no leak."""
    return Sentences(
        "Has differential privacy failed? :blue[No].",
        "It protects what one record adds. What is true of people in general may be learnt.",
    )


def say_label(told: Label) -> Sentences:
    """How much of the label is filled in, and how ε is found."""
    many = len(told.rows)
    headline = {
        many: f"A promise has a label: {many} blanks.",
        0: "Without its label nobody can tell :blue[what is promised].",
    }.get(told.blanks, f"A promise has a label: {told.blanks} of {many} still blank.")
    return Sentences(
        headline,
        "Fix the cap on suspicion and the error you need, try both on invented data, round, stop.",
    )


def finding(_: Label) -> str:
    """The verdict of the first card."""
    return SMOKER[ASKED][0]


def alt(_: Label) -> str:
    """The first card in words."""
    return " ".join(text for text, _ in SMOKER)


def alt_label(told: Label) -> str:
    """The second card in words: blanks are said as blanks."""
    said = [
        f"{name.lower()}: {text if told.filled[row] else 'blank'}"
        for row, (name, text) in enumerate(told.rows)
    ]
    return f"The label of a private average of pay. {'. '.join(said)}."


def marks(told: Label, beat: Beat, screen: Screen) -> list[Mark]:
    """One of two cards."""
    if beat == "second":
        return _label(told, screen)
    return _smoker(len(SMOKER) if beat == "reveal" else ASKED, screen)


def _smoker(many: int, screen: Screen) -> list[Mark]:
    """So many of five sentences, to be read aloud: the story, and beside it the answer."""
    wide, size, step, gap, top, tall = screen.said(
        (31, 25, 46, 32, 86, 490), (38, 17, 26, 16, 24, 420)
    )
    found: list[Mark] = screen.full(
        eyebrow("story", (At(), At(0, 28)), "THE STORY"),
        eyebrow("answer", (At(COLUMN), At(0, 28)), "THE ANSWER"),
    )
    y, left = top, At()
    for i, (text, colour) in enumerate(SMOKER):
        if i == ASKED:
            y, left = screen.said((top, At(COLUMN)), (y, At()))
        lines = textwrap.wrap(text, wide)
        if i >= many:
            found += [_blank(f"blank {i} {j}", left, At(left.share + screen.said(0.4, 0.8)),
                             At((y + j * step) / tall, 4)) for j in range(len(lines))]  # fmt: skip
        for j, line in enumerate(lines):
            words = frames.label(f"card {i} {j}", (left, At(y / tall)), line, size=size,
                                 font="serif", weight=600 if i > 1 else 400,
                                 colour=colour)  # fmt: skip
            found += [after(words, STEP * max(0, i - ASKED), 400)] if i < many else []
            y += step
        y += gap
    return found


def _label(told: Label, screen: Screen) -> list[Mark]:
    """A row for each thing that must be said, in words or as a blank."""
    left, down, first, size = screen.said((At(0.27), 0, 0.1, 30), (At(), 26, 0.05, 18))
    found = []
    for i, (name, text) in enumerate(told.rows):
        y = first + 0.16 * i
        found.append(eyebrow(f"row {i}", (At(), At(y)), name))
        place = left, At(y, down)
        if told.filled[i]:
            found.append(figure(f"said {i}", place, text, size=size, colour="private"))
        else:
            found.append(_blank(f"open {i}", left, At(1), At(y, down + 4)))
        found.append(
            touched.tap(
                f"tap {i}",
                (At(), At(y, -26)),
                (At(1), At(y, down + 16)),
                list(NAMES)[i],
                BLANK,
                (f"{name}: blank", f"{name}: {text}"),
            )
        )
    return found


def _blank(name: str, start: At, end: At, y: At) -> Mark:
    """A line to write on."""
    return frames.rule(name, (start, y), (end, y), width=2, colour="second", dash="2 6")


SCENE = Scene(
    story="teach",
    name="promised",
    title="What is promised, who decides",
    seconds=45,
    goal="Knowledge about people in general stays possible; a promise is whole once ε, unit, "
    "repetition, δ, what was public and who decided are said.",
    question="Has differential privacy failed?",
    ask=ask,
    options=(),
    about="The study",
    finding=finding,
    control=Control("at", "Filled in", STOPS, BLANK, shown, kind="taps", beat="second"),
    numbers=numbers,
    say=say,
    marks=marks,
    second=Second("The label", say_label, alt_label),
    explanation="Differential privacy protects what your record adds, not what is true of people "
    "like you. Fix the cap on suspicion and the error you need first, try them on a stand-in "
    "(invented data), round, stop. Then write the label: without its unit, its repetitions and "
    "what was public, an ε says little.",
    full=("learn", {}),
    teacher="“Your secrets” and “secrets about you”: let the class judge the smoker before you "
    "open the card. Then ask for each row before you fill it in. Asked “Who decides?”: whoever "
    "answers for the data, in public, and not who wants the result.",
    alt=alt,
    term="ε (epsilon)",
    exercise="Write the label of the map in “Many noisy pieces, one good answer”.",
    answer="0.5 · one home, added or removed · once · 0 · the frame · you.",
    sources=("Dwork and Roth 2014", "McSherry"),
)
