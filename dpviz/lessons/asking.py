"""The attacker's desk: people are tapped into groups, counts become notes, and noise ends it.

The script beside this module is the desk in the app and in the static edition; all its numbers are
drawn here, and its words are said here.
"""

from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from dpviz.core.randomness.noise import Noise
from dpviz.experiments.attacks.one_mark import most_right
from dpviz.figures.stage import engine
from dpviz.intake.samples import sample_names
from dpviz.lessons import survey
from dpviz.lessons.words import at_most

LEAST, APART = 10, 5  # people in a group, and that two groups differ in
RULES = {"none": (1, 0), "ten": (LEAST, 0), "five": (LEAST, APART)}
PARTS = {"0.25": "¼ tank", "0.5": "½ tank", "1": "the whole tank"}
TANKS = {"0": "empty", "0.25": "¼", "0.5": "½", "0.75": "¾", "1": "full"}
DRAWS, ROUNDS = 240, 120  # of noise for each part, and coins for the mark
HINT = 60.0  # seconds until it is seen
SIGNS = "●○□◇△▽◎☆"  # of the lines of the notes


@cache
def desk() -> dict[str, Any]:
    """All that the script needs: marks, rules, noise and coins, and the words."""
    rng = np.random.default_rng([2, 40])
    name = sample_names("survey")[0]
    best = at_most(most_right(survey.EPSILON))
    return {
        "names": list(sample_names("survey")),
        "marks": survey.secrets().astype(int).tolist(),
        "rules": {rule: {"least": least, "apart": apart} for rule, (least, apart) in RULES.items()},
        "shares": {part: _noise(float(part), rng) for part in PARTS},
        "coins": rng.integers(0, 2, ROUNDS).tolist(),
        "hint": HINT,
        "words": {
            "rules": {
                "none": "Your turn: tap people into a group, then ask how many bad marks it gave.",
                "ten": f"Your turn: the office answers for groups of {LEAST} or more. Whose mark "
                "can you get?",
                "five": f"Your turn: groups of {LEAST} or more, and any two differ in {APART} "
                "people or more.",
            },
            "noisy": f"Your turn: a coin gives {name} a mark. One tank pays for your counts of any "
            f"groups, even of {name} alone. Then guess.",
            "ask": "Ask",
            "again": "Start again",
            "parts": PARTS,
            "left": "The tank",
            "tanks": TANKS,
            "guess": {"0": f"Guess: {name} is good", "1": f"Guess: {name} is bad"},
            "was": {"0": f"{name}’s mark was good.", "1": f"{name}’s mark was bad."},
            "right": f"right. Nobody can expect more than {best} of 100.",
            "people": "people",
            "unit": "bad marks",
            "marks": {"0": "good", "1": "bad"},
            "signs": list(SIGNS),
            "few": "The office answers for {least} people or more; these are {n}.",
            "near": "This group and {sign} must differ in {apart} people or more.",
            "full": "The notes are full: start again.",
            "hint": "Hint: once with her, once without.",
        },
    }


def _noise(part: float, rng: np.random.Generator) -> list[int]:
    """Draws of the noise of a count that takes a part of the tank."""
    scale = 1 / (survey.EPSILON * part)
    return [int(one) for one in Noise.DISCRETE_LAPLACE.draw(scale, (DRAWS,), rng)]


def script() -> str:
    """The desk's script as a module of the stage's."""
    return engine.module(__package__, "asking")


def style() -> str:
    """How the desk looks, as CSS."""
    return files(__package__).joinpath("asking.css").read_text(encoding="utf-8")
