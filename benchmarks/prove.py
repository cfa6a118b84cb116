"""How often the best guesser of "I am in this data. Prove it." is right, and the bound.

Each of five answers says one of two things, in or out, by a factor of e^ε: discrete Laplace noise
at a distance of one has no other ratios. So the best guesser counts them, and is right as often as
three of five coins of e^ε/(1 + e^ε) fall so. Links are drawn besides. Run by hand or `make bench`.
"""

from __future__ import annotations

import math

import numpy as np

from benchmarks.results import Table
from dpviz.core.arrays import FloatArray
from dpviz.core.randomness.noise import Noise
from dpviz.lessons.start.numbers import STOPS

TITLE = "Five answers of a link: how often the best guesser is right, in 100"
MEASURES = (TITLE,)
ANSWERS, LINKS, SEED = 5, 200_000, 1


def run() -> list[Table]:
    """Print and return the table."""
    rng = np.random.default_rng(SEED)
    rows = [
        [
            f"{epsilon:g}",
            f"{100 * exact(epsilon):.2f}",
            drawn(epsilon, rng),
            f"{bound(epsilon):.2f}",
        ]
        for epsilon in STOPS
    ]
    for row in rows:
        print(*row, sep="  ", flush=True)
    header = ("ε of an answer", "exactly", f"of {LINKS:,} links", "at most, by ε of all five")
    return [Table(TITLE, header, rows, "Half of all people who send a link are in.")]


def exact(epsilon: float) -> float:
    """The chance that more than half of the answers are on the side of the truth."""
    told = 1 / (1 + math.exp(-epsilon))
    return sum(
        math.comb(ANSWERS, right) * told**right * (1 - told) ** (ANSWERS - right)
        for right in range(ANSWERS // 2 + 1, ANSWERS + 1)
    )


def bound(epsilon: float) -> float:
    """By the promise of all answers together, in 100."""
    return 100 / (1 + math.exp(-ANSWERS * epsilon))


def drawn(epsilon: float, rng: np.random.Generator) -> str:
    """Of links with noise of the package, guessed by what their answers tell, in 100."""
    is_in = rng.random(LINKS) < 0.5
    noise: FloatArray = Noise.DISCRETE_LAPLACE.draw(1 / epsilon, (LINKS, ANSWERS), rng)
    answers = noise + is_in[:, None]  # above a count of others that is 0
    towards = np.abs(answers).sum(axis=1) - np.abs(answers - 1).sum(axis=1)  # log ratio over ε
    return f"{100 * np.mean((towards > 0) == is_in):.2f}"


if __name__ == "__main__":
    run()
