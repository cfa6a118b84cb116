"""The attack on the staff survey, worked out beforehand: what so many exact counts prove.

Eighty linear programs a state are too slow for a click. python -m dpviz.lessons.survey
writes the table again; a test works out every state anew and compares.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np

from dpviz.core.arrays import BoolArray, IntArray
from dpviz.experiments.attacks.reconstruction import (
    Attack,
    attack,
    exact_counts,
    groups_of,
    guess,
    noisy_counts,
)
from dpviz.intake.samples import load_sample
from dpviz.version import __version__

STOPS = (2, 6, 10, 12, 14, 16, 18, 20, 22, 25, 30, 40)  # how many counts are published
BAD = 4  # a mark of at most this is a bad one
SEED = 1
NOISY_DRAWS = 60
TABLE = Path(__file__).with_name("survey.json")
SIGNS = "?-+"  # open, no, yes


def secrets() -> BoolArray:
    """Who gave a bad mark, shape (40,)."""
    (ratings,) = load_sample("survey")
    return np.asarray(ratings <= BAD)


def groups(counts: int) -> BoolArray:
    """The groups of the first so many counts, shape (counts, 40)."""
    return groups_of(secrets().size, counts, np.random.default_rng(SEED))


def worked_out(counts: int) -> Attack:
    """One state from scratch."""
    chosen = groups(counts)
    return attack(chosen, exact_counts(chosen, secrets()))


@cache
def stored() -> dict[int, Attack]:
    """Every state, by the number of counts, as the table has it."""
    table = json.loads(TABLE.read_text(encoding="utf-8"))
    return {int(counts): _read(*texts) for counts, texts in table["states"].items()}


def guessed_right(counts: int, epsilon: float) -> IntArray:
    """How many marks a reader guesses right in each of 60 publications with noise, shape (60,)."""
    chosen, truth = groups(counts), secrets()
    rngs = (np.random.default_rng([SEED, draw]) for draw in range(NOISY_DRAWS))
    found = [guess(chosen, noisy_counts(chosen, truth, epsilon, rng)) for rng in rngs]
    return np.asarray(np.count_nonzero(np.array(found) == truth, axis=1))


def first_guess(counts: int, epsilon: float) -> BoolArray:
    """Which marks a reader guesses right in one publication with noise, shape (40,)."""
    chosen, truth = groups(counts), secrets()
    rng = np.random.default_rng([SEED, SEED])
    return np.asarray(guess(chosen, noisy_counts(chosen, truth, epsilon, rng)) == truth)


def _read(proved: str, guessed: str) -> Attack:
    marks = np.array([SIGNS.index(sign) - 1 for sign in proved])
    return Attack(marks, np.array([sign == "+" for sign in guessed]))


def _written(found: Attack) -> list[str]:
    return [
        "".join(SIGNS[mark + 1] for mark in found.proved.tolist()),
        "".join("+" if yes else "-" for yes in found.guessed.tolist()),
    ]


def write() -> None:
    """Work out all states and write the table."""
    states = {str(counts): _written(worked_out(counts)) for counts in STOPS}
    text = json.dumps({"dpviz": __version__, "states": states}, indent=1)
    TABLE.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
