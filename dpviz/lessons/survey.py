"""The attack on the staff survey, worked out beforehand: what so many exact counts prove.

Eighty linear programs a state are too slow for a click. python -m dpviz.lessons.survey
writes the table again; a test works out every state anew and compares.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

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
NOISY_DRAWS, EPSILON = 60, 1.0  # publications with noise; ε of all their counts together
TABLE = Path(__file__).with_name("survey.json")
SIGNS = "?-+"  # open, no, yes


@dataclass(frozen=True, slots=True, eq=False)
class Noisy:
    """What a reader guesses from the same counts with noise.

    guessed is the guess of one publication, shape (40,); right has how many are right in each of
    60, shape (60,).
    """

    guessed: BoolArray
    right: IntArray


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
    states: dict[str, list[str]] = _table()["states"]
    return {int(counts): _read(*texts) for counts, texts in states.items()}


@cache
def stored_noisy() -> dict[int, Noisy]:
    """Guesses with ε = 1 for all counts together, by their number, as the table has them."""
    states = _table()["noisy"]
    return {
        int(counts): Noisy(_signs(one["guessed"]) > 0, _numbers(one["right"]))
        for counts, one in states.items()
    }


@cache
def stored_proved() -> tuple[int, ...]:
    """How many marks 0, 1, 2 … 40 counts prove, as the table has it."""
    return tuple(_numbers(_table()["proved"]).tolist())


def guessed_right(counts: int, epsilon: float) -> IntArray:
    """How many marks a reader guesses right in each of 60 publications with noise, shape (60,)."""
    rngs = (np.random.default_rng([SEED, draw]) for draw in range(NOISY_DRAWS))
    found = [noisy_guess(counts, epsilon, rng) for rng in rngs]
    return np.asarray(np.count_nonzero(np.array(found) == secrets(), axis=1))


def noisy_guess(counts: int, epsilon: float, rng: np.random.Generator | None = None) -> BoolArray:
    """Which marks a reader guesses to be bad after one publication with noise, shape (40,)."""
    chosen = groups(counts)
    own = np.random.default_rng([SEED, SEED]) if rng is None else rng
    return guess(chosen, noisy_counts(chosen, secrets(), epsilon, own))


def _table() -> Any:
    return json.loads(TABLE.read_text(encoding="utf-8"))


def _read(proved: str, guessed: str) -> Attack:
    return Attack(_signs(proved), _signs(guessed) > 0)


def _signs(text: str) -> IntArray:
    return np.array([SIGNS.index(sign) - 1 for sign in text])


def _written(signs: IntArray) -> str:
    return "".join(SIGNS[sign + 1] for sign in signs.tolist())


def _numbers(text: str) -> IntArray:
    return np.array([int(number) for number in text.split()])


def _joined(numbers: list[int]) -> str:
    return " ".join(map(str, numbers))


def write() -> None:
    """Work out all states and write the table."""
    most = max(STOPS)
    every = {counts: worked_out(counts) for counts in range(1, most + 1)}
    states = {
        str(counts): [_written(every[counts].proved), _written(1 * every[counts].guessed)]
        for counts in STOPS
    }
    noisy = {
        str(counts): {
            "guessed": _written(1 * noisy_guess(counts, EPSILON)),
            "right": _joined(guessed_right(counts, EPSILON).tolist()),
        }
        for counts in STOPS
    }
    proved = [0, *(every[counts].known for counts in range(1, most + 1))]
    table = {"dpviz": __version__, "states": states, "noisy": noisy, "proved": _joined(proved)}
    TABLE.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
