"""The game of scene 4: a coin decides whether Ana is in the count; who can tell from the answer?"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.core.budgets import PureDP
from dpviz.core.checks import checked_whole
from dpviz.core.errors import InvalidParameter
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.lessons.words import whole

QUERY = CountQuery(4, Noise.DISCRETE_LAPLACE)  # marks of at most 4 in the staff survey
WITH, WITHOUT = 16, 15  # bad marks with and without Ana's
ROUNDS, MOST = 5, 100  # with a class, and that one draw holds


@dataclass(frozen=True, slots=True)
class Round:
    """One round: the hidden coin, and the answer that is published."""

    inside: bool
    answer: int


@dataclass(frozen=True, slots=True)
class Tally:
    """How many guesses were right so far."""

    right: int = 0
    rounds: int = 0

    def after(self, played: Round, inside: bool) -> "Tally":
        """The tally with one more guess."""
        return Tally(self.right + (played.inside == inside), self.rounds + 1)


def rounds(epsilon: float, draw: int = 1, count: int = ROUNDS) -> tuple[Round, ...]:
    """The first rounds of a draw, each with a fair coin and its own noise.

    Raises: InvalidBudget for an ε that is not positive, InvalidParameter for a count outside 1–100.
    """
    count = checked_whole(count, "count", 1, MOST)
    rng = np.random.default_rng(draw)
    inside = rng.random(MOST) < 0.5  # hidden
    truth = np.where(inside, WITH, WITHOUT)
    published = truth + QUERY.noise.draw(QUERY.scale(PureDP(epsilon)), (MOST,), rng)
    every = zip(inside.tolist(), published.tolist(), strict=True)
    return tuple(Round(coin, int(answer)) for coin, answer in every)[:count]


def tally(played: Sequence[Round], guesses: Sequence[bool]) -> Tally:
    """How many of the guesses are right. Raises: InvalidParameter for more guesses than rounds."""
    if len(guesses) > len(played):
        raise InvalidParameter(f"{len(played)} rounds cannot have {len(guesses)} guesses.")
    found = Tally()
    for one, inside in zip(played, guesses, strict=False):
        found = found.after(one, inside)
    return found


def counter(stop: float) -> str:
    """What a lecture counts the phones of a game under, by how many of five rounds they got."""
    return f"game {stop:g}"


def of_class(bins: Sequence[int]) -> Tally:
    """The tally over all phones; bins count those with 0, 1, 2 … right, of five rounds each."""
    return Tally(sum(right * phones for right, phones in enumerate(bins)), ROUNDS * sum(bins))


def expected(epsilon: float) -> float:
    """The share of rounds that the best guesser gets right, 1/(1 + e^−ε): nobody does better."""
    return 1 / (1 + math.exp(-PureDP(epsilon).epsilon))


def said_of_class(bins: Sequence[int], epsilon: float) -> str:
    """The tally over all phones beside the theory."""
    found = of_class(bins)
    return f"{sum(bins)} phones, {found.rounds} rounds: {said(found, epsilon)}"


def said(found: Tally, epsilon: float) -> str:
    """The tally beside the theory."""
    most = whole(math.ceil(1000 * expected(epsilon)))
    best = f"Nobody can expect more than {most} in 1,000 rounds."
    return f"{found.right} of {found.rounds} right. {best}" if found.rounds else best
