"""The numbers of the second scene: what many exact counts prove, and many noisy ones do not."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from dpviz.core.randomness.noise import Noise
from dpviz.intake.samples import sample_names
from dpviz.lessons import survey

USUAL = 0.95


@dataclass(frozen=True, slots=True, eq=False)
class ManyCounts:
    """What so many exact counts prove, and what is left of it with noise.

    marks has one sign a person: "?" open, "-" a good mark proved, "+" a bad one; sizes are those of
    the smallest and the largest group. curve has how many marks 0, 1, 2 … 40 counts prove. With
    noise: within how much of the truth 19 of 20 counts are, how many marks each of 60 draws gets
    right, and the guesses of the first, with those that are right.
    """

    counts: int
    names: tuple[str, ...]
    marks: str
    sizes: tuple[int, int]
    content: int
    curve: tuple[int, ...]
    reach: int
    noisy: tuple[int, ...]
    guesses: str
    right: tuple[bool, ...]

    @property
    def people(self) -> int:
        """How many marks there are to prove."""
        return len(self.names)

    @property
    def proved(self) -> int:
        """How many marks the equations prove."""
        return self.people - self.marks.count("?")

    @property
    def noisy_mean(self) -> float:
        """How many marks are guessed right from noisy counts, on average."""
        return float(np.mean(self.noisy))


@cache
def numbers(counts: int, _: int = 1) -> ManyCounts:
    """The stored attack at this number of counts, without and with noise."""
    found, noisy = survey.stored()[counts], survey.stored_noisy()[counts]
    sizes, secrets = survey.groups(counts).sum(axis=1), survey.secrets()
    return ManyCounts(
        counts=counts,
        names=sample_names("survey"),
        marks="".join(survey.SIGNS[mark + 1] for mark in found.proved.tolist()),
        sizes=(int(sizes.min()), int(sizes.max())),
        content=int(np.count_nonzero(~secrets)),
        curve=survey.stored_proved(),
        reach=int(Noise.DISCRETE_LAPLACE.reach(counts / survey.EPSILON, USUAL)),
        noisy=tuple(noisy.right.tolist()),
        guesses="".join("+" if bad else "-" for bad in noisy.guessed.tolist()),
        right=tuple((noisy.guessed == secrets).tolist()),
    )
