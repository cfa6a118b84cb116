"""Ten sentences about privacy, true or false, with reasons whose figures come from the scenes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.core.budgets import PureDP
from dpviz.experiments.privacy.odds import odds_of
from dpviz.lessons.scene import Scene
from dpviz.lessons.stories.listing import BY_KEY
from dpviz.lessons.words import at_most, whole


@dataclass(frozen=True, slots=True)
class Question:
    """A sentence, whether it holds, why, and the scene (story, number) that shows it."""

    statement: str
    holds: bool
    why: Callable[[], str]
    scene: tuple[str, int]


def _scene(story: str, number: int) -> Scene[Any]:
    return BY_KEY[story].scenes[number - 1]


def _found(story: str, number: int, stop: Any = None) -> Any:
    """The numbers of a scene, at a stop or where it opens revealed."""
    scene = _scene(story, number)
    return scene.numbers(scene.control.revealed if stop is None else stop, 1)


def _averages() -> str:
    two, many = _found("teach", 1), _found("teach", 2)
    return (
        f"Two averages gave {two.name}’s {whole(two.value)}; {many.counts} counts over groups of "
        f"{many.least} and more gave {many.proved} marks."
    )


def _small_groups() -> str:
    return f"No group of the second scene had fewer than {_found('teach', 2).least} people."


def _per_cent() -> str:
    most = odds_of(PureDP(1.0), 0.5).posterior(np.array([0.1]))
    return (
        f"Odds change at most {math.e:.2f} times: 10 in 100 becomes at most "
        f"{at_most(float(np.ravel(most)[-1]))}."
    )


QUESTIONS = (
    Question("Averages over large groups are anonymous.", False, _averages, ("teach", 1)),
    Question("Leaving out groups under five people is enough.", False, _small_groups, ("teach", 2)),
    Question("ε = 1 means a risk of 1 %.", False, _per_cent, ("teach", 4)),
    Question(
        "A million records need more noise than a thousand.",
        False,
        lambda: "One person changes a count by 1 in both; the relative error falls.",
        ("teach", 3),
    ),
    Question(
        "Each answer has noise, so I may ask as often as I like.",
        False,
        lambda: "A hundred answers at ε = 0.1 shrink the error tenfold and spend up to 10.",
        ("teach", 5),
    ),
    Question(
        "Taking the maximum of the file as bound is fine, it is not published.",
        False,
        lambda: "Everything after depends on that one person, without noise.",
        ("try", 1),
    ),
    Question(
        "Very wide bounds are the careful choice.",
        False,
        lambda: (
            "Noise of a sum grows with the bound. For medians of many people it is nearly true."
        ),
        ("teach", 6),
    ),
    Question(
        "Improving a noisy answer afterwards costs privacy.",
        False,
        lambda: "What is computed from published answers alone costs nothing.",
        ("teach", 8),
    ),
    Question(
        "Differential privacy keeps a study from finding out that smokers fall ill.",
        False,
        lambda: "It protects what one record adds, not what is true of people in general.",
        ("teach", 8),
    ),
    Question(
        "Differential privacy is a program that anonymises a data set.",
        False,
        lambda: (
            "It is a property of a method that publishes answers; the file itself stays "
            "confidential. Without ε, unit and number of releases, “we use it” says nothing."
        ),
        ("show", 5),
    ),
)
