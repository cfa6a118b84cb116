"""Ten sentences about privacy, true or false, with reasons whose figures come from the scenes."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dpviz.lessons.one_bound import STOPS
from dpviz.lessons.scene import Scene
from dpviz.lessons.stories.listing import scene as named
from dpviz.lessons.teach.attacks.names_removed import agreeing
from dpviz.lessons.words import at_most, whole

THREE, EACH = 3, 0.1  # answers, and ε of each


@dataclass(frozen=True, slots=True)
class Question:
    """A sentence, whether it holds, why, and the name of the scene that shows it."""

    statement: str
    holds: bool
    why: Callable[[], str]
    name: str

    @property
    def scene(self) -> Scene[Any]:
        """The scene that shows it."""
        return named(self.name)


def _found(name: str, stop: Any = None) -> Any:
    """The numbers of a scene, at a stop or where it opens revealed."""
    scene = named(name)
    return scene.numbers(scene.control.revealed if stop is None else stop, 1)


def _added() -> str:
    """What several answers spend: ε of one answer, times their number."""
    return f"Losses add: {THREE} × {EACH:g} = {THREE * EACH:.2g}, whoever asks, however often."


def _same_noise() -> str:
    told = _found("same_noise")
    small, large = told.staff, told.students
    return (
        f"One person changes either count by 1: at ε = {told.epsilon:g} both are within "
        f"{small.reach}, of {small.people} people and of {whole(large.people)}."
    )


def _contradict() -> str:
    return (
        f"Each has noise of its own. Two counts of one group agree in {whole(100 * agreeing(1.0))} "
        "of 100 pairs at ε = 1."
    )


def _averages() -> str:
    two, many = _found("averages"), _found("attacker").machine
    least, most = many.sizes
    return (
        f"Two averages gave {two.name}’s {whole(two.value)}; {many.counts} counts over groups of "
        f"{least} to {most} gave {many.proved} marks."
    )


def _per_cent() -> str:
    told = _found("suspicion", 1.0)
    return (
        f"It multiplies odds, at most {math.ceil(100 * math.e) / 100:.2f} times: 10 in 100 "
        "becomes at most "
        f"{at_most(told.most)}."
    )


def _wide() -> str:
    told = _found("largest_value")
    best = STOPS[told.best]
    return (
        f"Noise of a sum grows with the bound: an average under {told.bound / 1e6:g} million is "
        "off "
        f"by {whole(told.error)}, under {whole(best)} by {whole(told.error_at(told.best))}."
    )


QUESTIONS = (
    Question("Large averages are anonymous.", False, _averages, "averages"),
    Question(f"{THREE} answers at {EACH:g} cost {THREE * EACH:.2g}.", True, _added, "tank"),
    Question(
        "Publishing the law of the noise weakens it.",
        False,
        lambda: "The promise is proved for a reader who knows the law. Only the draw is secret.",
        "same_noise",
    ),
    Question(
        "A million records need no more noise on a count than a thousand.",
        True,
        _same_noise,
        "same_noise",
    ),
    Question("ε = 1 is a risk of 1 %.", False, _per_cent, "suspicion"),
    Question(
        "Rounding a private answer is free.",
        True,
        lambda: "What is computed from published answers alone costs nothing.",
        "combined_levels",
    ),
    Question("Very wide bounds are the careful choice for a sum.", False, _wide, "largest_value"),
    Question(
        "Two private tables of the same people may contradict each other.",
        True,
        _contradict,
        "names_removed",
    ),
    Question(
        "Differential privacy keeps a study from finding that smokers fall ill.",
        False,
        lambda: "It protects what one record adds, not what is true of people in general.",
        "promised",
    ),
    Question(
        "Coins on phones protect even from the server.",
        True,
        lambda: (
            "If each phone answers by its coins, the server never knows whose answer is the truth. "
            "The price is more noise: that of every phone adds up."
        ),
        "coins",
    ),
)
