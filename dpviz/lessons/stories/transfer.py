"""What a scene taught, asked in another guise two scenes later, with one tap."""

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.attacks.reconstruction import exact_counts, groups_of, guess
from dpviz.lessons import survey
from dpviz.lessons.scene import Scene
from dpviz.lessons.stories.inventory import suspicion
from dpviz.lessons.words import at_most, whole
from dpviz.mechanisms.sums.noisy_sum import NoisySum

STEP, COUNTS, SEED = 5, 160, 1  # counts are rounded so, and there are so many
FAMILY, EACH = 4, 0.1
ROWS, MOST_ROW = 12, 10
HOURS, HOURLY = 720, 0.01
CELLS = 1_024
AGES, WIDE = Bounds(0, 100), Bounds(0, 1_000)


@dataclass(frozen=True, slots=True)
class Transfer:
    """A question after the scene `after`, put below the scene `at`; the first option is right.

    why is the reason in computed figures.
    """

    after: str
    at: str
    question: str
    options: tuple[str, ...]
    why: Callable[[], str]

    @property
    def right(self) -> str:
        """The option that holds."""
        return self.options[0]

    def shuffled(self, room: str = "") -> list[str]:
        """The options in the order of a room."""
        seed = f"{room} {self.after} {self.at}"
        return sorted(
            self.options, key=lambda one: hashlib.sha256(f"{seed} {one}".encode()).digest()
        )

    def judged(self, said: str) -> str:
        """What an answer means."""
        return f"{'Yes' if said == self.right else 'No'}: **{self.right}**. {self.why()}"


@cache
def found_of_rounded() -> int:
    """How many of all marks follow from many counts that were rounded."""
    secrets = survey.secrets()
    groups = groups_of(secrets.size, COUNTS, np.random.default_rng(SEED))
    counts = STEP * np.round(exact_counts(groups, secrets) / STEP)
    return int((guess(groups, counts) == secrets).sum())


def hourly() -> tuple[float, float]:
    """How far off one answer of a dashboard is on average, and the average of a month of them."""
    p = math.exp(-HOURLY)
    alone = 2 * p / (1 - p * p)
    mean = math.sqrt(2 / math.pi * Noise.DISCRETE_LAPLACE.variance(1 / HOURLY) / HOURS)
    return alone, mean


def widened() -> float:
    """How much the noise of a sum of ages grows by a bound of 1,000 in place of 100."""
    wide, tight = (
        NoisySum(noise=Noise.LAPLACE).scale(bounds, PureDP(1)) for bounds in (WIDE, AGES)
    )
    return wide / tight


def _rounded() -> str:
    people = survey.secrets().size
    return (
        f"{COUNTS} counts rounded to {STEP} give {found_of_rounded()} of the {people} marks: "
        "rounding only costs the attacker more counts."
    )


def _off() -> str:
    alone, mean = hourly()
    return (
        f"One answer is off by {whole(alone)} on average, the mean of {HOURS} by {mean:.1f}, and "
        f"ε = {HOURS * HOURLY:.1f} is spent."
    )


def _nodes() -> str:
    levels = round(math.log2(CELLS))
    return (
        f"At most one node a level below the root, so {levels}. Each has ε/{levels + 1}, for "
        f"everybody is counted on {levels + 1} levels."
    )


TRANSFERS = (
    Transfer(
        "attacker",
        "same_noise",
        f"The office publishes counts of any group rounded to {STEP}. Is that enough?",
        ("No, it takes more counts", "Yes, single people drown", "Yes, above groups of 10"),
        _rounded,
    ),
    Transfer(
        "coins",
        "two_worlds",
        "Coins on phones, or noise by a server, at the same ε: whose promise is weaker?",
        ("Neither", "That of the phones", "That of the server"),
        lambda: (
            "The same ε limits the same odds. What differs is whom one must trust, and the error."
        ),
    ),
    Transfer(
        "two_worlds",
        "tank",
        f"A family of {FAMILY} answers alike, ε = {EACH:g} a person. 10 in 100 becomes at most …",
        (f"{at_most(suspicion(FAMILY * EACH))}", f"{whole(100 * suspicion(EACH))}", "44"),
        lambda: f"{FAMILY} × {EACH:g} = {FAMILY * EACH:g}: odds 10 : 90 × e^{FAMILY * EACH:g}.",
    ),
    Transfer(
        "who_counts",
        "largest_value",
        f"At most {ROWS} lunches a person count, each as {MOST_ROW} at most; a person is "
        "protected. The sensitivity of the sum?",
        (f"{ROWS * MOST_ROW}", f"{MOST_ROW}", f"{ROWS}"),
        lambda: f"All rows of a person may go at once: {ROWS} × {MOST_ROW} = {ROWS * MOST_ROW}.",
    ),
    Transfer(
        "tank",
        "median",
        f"A dashboard counts anew every hour with ε = {HOURLY:g}. The mean of a month is off by …",
        (
            f"about {hourly()[1]:.0f}",
            f"about {whole(hourly()[0])}, as one answer",
            f"about {whole(hourly()[0] * HOURS)}",
        ),
        _off,
    ),
    Transfer(
        "largest_value",
        "why_tree",
        f"A sum of ages under a bound of {whole(WIDE.high)} in place of {whole(AGES.high)}: the "
        "noise …",
        (
            f"grows {whole(widened())} times",
            "stays: nobody is that old",
            "falls: nobody is clipped",
        ),
        lambda: "Noise must cover the most that one person could add, and that is the bound.",
    ),
    Transfer(
        "why_tree",
        "what_breaks",
        f"A running count over {whole(CELLS)} cells, from the tree as drawn: it adds at most …",
        (
            f"{round(math.log2(CELLS))} nodes",
            f"{round(math.sqrt(CELLS))} nodes",
            f"{whole(CELLS)} nodes",
        ),
        _nodes,
    ),
)
BY_PLACE = {one.at: one for one in TRANSFERS}


def below(scene: Scene[object]) -> Transfer | None:
    """What is asked again below a scene; None where nothing is."""
    return BY_PLACE.get(scene.name)
