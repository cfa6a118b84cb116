"""Twenty-two counts, forty secrets: large groups do not protect, a budget of noise does."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from dpviz.intake.samples import sample_names
from dpviz.lessons import survey
from dpviz.lessons.scene import Control, Scene, Sentences, options
from dpviz.lessons.words import plain, whole

EPSILON = 1.0  # of all noisy counts together, in the second beat


@dataclass(frozen=True, slots=True, eq=False)
class ManyCounts:
    """What so many exact counts prove, and what is left of it with noise.

    marks has one sign a person: "?" open, "-" a good mark proved, "+" a bad one; least is the size
    of the smallest group. With noise: mean number of marks guessed right, and those of one draw.
    """

    counts: int
    names: tuple[str, ...]
    marks: str
    least: int
    content: int
    noisy_mean: float
    noisy_right: tuple[bool, ...]

    @property
    def proved(self) -> int:
        """How many marks the equations prove."""
        return len(self.marks) - self.marks.count("?")


@cache
def numbers(counts: int, _: int = 1) -> ManyCounts:
    """The stored attack at this number of counts; with noise it is worked out."""
    found, groups = survey.stored()[counts], survey.groups(counts)
    return ManyCounts(
        counts=counts,
        names=sample_names("survey"),
        marks="".join(survey.SIGNS[mark + 1] for mark in found.proved.tolist()),
        least=int(groups.sum(axis=1).min()),
        content=int(np.count_nonzero(~survey.secrets())),
        noisy_mean=float(survey.guessed_right(counts, EPSILON).mean()),
        noisy_right=tuple(survey.first_guess(counts, EPSILON).tolist()),
    )


def say(told: ManyCounts) -> Sentences:
    """How many marks are proved."""
    people, counts = len(told.names), whole(told.counts)
    every = f"all {people}" if told.proved == people else whole(told.proved)
    proof = f"prove {every} marks" if told.proved else "prove nothing yet"
    return Sentences(
        f"{counts} counts :orange[{proof}]." if told.proved else f"{counts} counts {proof}.",
        f"{counts} exact counts, no group below {told.least} people: "
        + (f":orange[{every} marks are proved]." if told.proved else "nobody's mark is proved."),
    )


def say_with_noise(told: ManyCounts) -> Sentences:
    """How many marks a reader still guesses right."""
    right, people = whole(told.noisy_mean), len(told.names)
    return Sentences(
        f"With noise, :blue[{right} of {people}] marks are guessed: no better than a coin.",
        f"The same {whole(told.counts)} counts, with ε = {EPSILON:g} for all together: "
        f":blue[{right} of {people}] right on average of {survey.NOISY_DRAWS} draws, worse than "
        f"guessing that everyone is content ({told.content}).",
    )


def alt(told: ManyCounts) -> str:
    """The picture in words."""
    return (
        f"Forty named tiles; with {told.counts} counts {told.proved} of them are vermilion. A "
        f"curve of people proved reaches {plain(told.proved, 0)} at {told.counts} counts."
    )


SCENE = Scene(
    story="teach",
    number=2,
    title="Twenty-two counts, forty secrets",
    seconds=90,
    goal="Large groups do not protect; enough exact counts determine every record. Noise paid "
    "from one budget stops it.",
    question="Each count is over a group of 13 to 28 people: “in this group 8 gave a bad "
    "mark”. Ten counts prove nothing about anybody. How many does it take to prove all 40 marks?",
    options=options(
        ("No number does: no group is small", "M2"),
        ("No more than 22", None),
        ("40, one for each person", "M3"),
        ("Hundreds", "M3"),
    ),
    control=Control("at", "Counts published", survey.STOPS, 10, whole, revealed=22),
    numbers=numbers,
    say=say,
    explanation="Every count is an equation about 40 unknown yes-or-no values. Ten equations leave "
    "many solutions; 22 leave one, and 14 do for a reader who tries only yes and no. Group size "
    "never entered. With noise, the equations contradict each other, and the attacker solves for "
    "the noise.",
    full=("learn", {"story": "teach", "scene": "2"}),
    teacher="Drag slowly from 10 to 22: nothing, nothing, then the tiles fall like dominoes. Asked "
    "“Round the counts to 5?”: least squares still gets 28, 33, 37, 40 right from 22, 40, "
    "80, 160 counts. “Real?”: 34 tables of the 2010 US census let researchers of the Census "
    "Bureau reconstruct every record (five traits each) in 70 % of blocks, 97 million people; how "
    "much harm follows is disputed.",
    alt=alt,
    exercise="Cyra + Femi: 1 bad mark; Femi + Hana: 2; Cyra + Hana: 1. Who?",
    answer="Femi and Hana.",
    sources=("Dinur and Nissim 2003", "Abowd et al. 2023", "Muralidhar 2022"),
)
