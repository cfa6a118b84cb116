"""Many exact counts over large groups, and the yes-or-no secrets that they prove.

No privacy here: each count is an equation about the secrets. Linear programs prove a secret where
every solution between 0 and 1 agrees; least squares guess the rest. With whole numbers still fewer
counts are enough, so what is proved here is a lower bound.
Source: Dinur and Nissim 2003.
"""

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import BoolArray, FloatArray, IntArray
from dpviz.core.confidential import confidential
from dpviz.core.randomness.noise import Noise

OPEN, NO, YES = -1, 0, 1
SURE = 1e-6  # a linear program's answer is this far from 0 or 1 before a secret counts as proved


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class Attack:
    """What an attacker has after a number of counts.

    Shapes: proved and guessed (n,): proved is OPEN, NO or YES; guessed the attacker's best guess.
    """

    proved: IntArray
    guessed: BoolArray

    @property
    def known(self) -> int:
        """How many secrets are proved."""
        return int(np.count_nonzero(self.proved != OPEN))


def groups_of(people: int, counts: int, rng: np.random.Generator) -> BoolArray:
    """Who belongs to which group, shape (counts, people): everybody by a fair coin each time."""
    return np.asarray(rng.random((counts, people)) < 0.5)


def exact_counts(groups: BoolArray, secrets: BoolArray) -> FloatArray:
    """How many of each group have the secret, shape (counts,)."""
    return np.asarray(groups @ secrets.astype(float))


def noisy_counts(
    groups: BoolArray, secrets: BoolArray, epsilon: float, rng: np.random.Generator
) -> FloatArray:
    """The same counts with discrete Laplace noise, ε shared equally by all of them."""
    counts = exact_counts(groups, secrets)
    return counts + Noise.DISCRETE_LAPLACE.draw(counts.size / epsilon, counts.shape, rng)


def guess(groups: BoolArray, counts: FloatArray) -> BoolArray:
    """Least squares between 0 and 1, rounded; shape (people,)."""
    from scipy.optimize import lsq_linear  # noqa: PLC0415  # most of what imports this never solves

    found = lsq_linear(groups.astype(float), counts, bounds=(0, 1), method="bvls")
    return np.asarray(found.x > 0.5)


def attack(groups: BoolArray, counts: FloatArray) -> Attack:
    """Prove what equations alone prove, and guess the rest.

    Raises: ValueError if no secrets fit the counts, as with noise.
    """
    from scipy.optimize import linprog  # noqa: PLC0415

    matrix = groups.astype(float)
    people = matrix.shape[1]
    ends = np.empty((2, people))
    for person in range(people):  # a linear program each way for each of a few dozen people
        for way, sign in enumerate((1.0, -1.0)):
            goal = np.zeros(people)
            goal[person] = sign
            found = linprog(goal, A_eq=matrix, b_eq=counts, bounds=(0, 1))
            if found.status != 0:
                raise ValueError("No secrets between 0 and 1 fit these counts.")
            ends[way, person] = sign * float(found.fun or 0.0)
    proved = np.full(people, OPEN)
    proved[ends[1] < 1 - SURE] = NO
    proved[ends[0] > SURE] = YES
    return Attack(proved, guess(groups, counts))
