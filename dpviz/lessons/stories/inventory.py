"""The test of the course: 15 questions, each wrong option with its misconception, and who passes.

An option's figures are computed; the scene that teaches a question is named by its module.
"""

import hashlib
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.privacy.odds import odds_of
from dpviz.lessons.scene import MISCONCEPTIONS, Option, Scene
from dpviz.lessons.stories.listing import scene as named
from dpviz.lessons.words import at_most, whole
from dpviz.mechanisms.sums.noisy_sum import NoisySum

PASS = 10  # right answers of somebody who passed
EACH, ROWS, FAMILY, SUSPICION = 0.1, 12, 4, 0.1
TIMES, ERROR = 400, 10  # answers that are averaged, and how far each is off
RELEASES = 3
AGES, AGES_EPSILON = Bounds(0, 100), 0.5
CELLS = 65_536
DELTA, BESIDE, PEOPLE = 1 / 100, 1.0, 10_000  # δ beside so much ε


@dataclass(frozen=True, slots=True)
class Item:
    """A question, its four options a to d, and the module of the scene that teaches it."""

    question: str
    options: tuple[Option, ...]
    module: str

    @property
    def right(self) -> Option:
        """The key."""
        return next(one for one in self.options if one.right)

    @property
    def scene(self) -> Scene[Any]:
        """The scene that teaches it."""
        return named(self.module)

    def shuffled(self, seed: str) -> tuple[Option, ...]:
        """The options in an order that a phone has for itself."""
        return tuple(
            sorted(
                self.options,
                key=lambda one: hashlib.sha256(
                    f"{seed} {self.question} {one.key}".encode()
                ).digest(),
            )
        )


def suspicion(epsilon: float) -> float:
    """The most that a suspicion of 10 in 100 becomes by one answer at ε."""
    (most,) = odds_of(PureDP(epsilon), 0.5).posterior(np.array([SUSPICION]))[1]
    return float(most)


def sum_scale() -> float:
    """The scale of Laplace noise on the sum of ages, one person added or removed."""
    return NoisySum(noise=Noise.LAPLACE).scale(AGES, PureDP(AGES_EPSILON))


def _item(question: str, module: str, *texts: str | tuple[str, str]) -> Item:
    """A question; the option without a misconception is its key."""
    given = [(one,) if isinstance(one, str) else one for one in texts]
    options = tuple(Option(key, *one) for key, one in zip("abcd", given, strict=True))
    return Item(question, options, module)


def _of_a_suspicion() -> Item:
    return _item(
        f"A family of four answers alike. ε = {EACH:g} a person, one count. A suspicion of "
        f"{100 * SUSPICION:g} in 100 about them can become at most …",
        "two_worlds",
        (f"{at_most(suspicion(EACH))} in 100", "M15"),
        f"{at_most(suspicion(FAMILY * EACH))} in 100",
        (f"{100 * SUSPICION + FAMILY * EACH:g} in 100", "M6"),
        (f"{100 * (SUSPICION + FAMILY * EACH):g} in 100", "M6"),
    )


ITEMS = (
    _item(
        "A study is published with ε = 1. What does ε limit?",
        "two_worlds",
        ("The share of the people in the file whose data leak", "M6"),
        "How much likelier one person’s record makes any output",
        ("How far the answer lies from the truth", "M10"),
        ("How many people may see the answer", "M3"),
    ),
    _item(
        f"Each row is one purchase; ‘one row’ is protected with ε = {EACH:g}. Ana has {ROWS} rows. "
        "The limit for Ana?",
        "who_counts",
        (f"{EACH:g}: the promise holds for every row", "M15"),
        (f"{EACH * math.sqrt(ROWS):.2g}: noise of {ROWS} rows cancels in part", "M7"),
        f"{ROWS * EACH:.2g}: the losses of her rows add up",
        ("None: who protects rows protects nobody", "M5"),
    ),
    _item(
        f"One count is answered {TIMES} times with fresh noise, each typically off by {ERROR}. "
        "Their average is typically off by …",
        "tank",
        (f"{ERROR}", "M7"),
        (f"{ERROR / 2:g}", "M7"),
        (f"{ERROR / TIMES:g}", "M7"),
        f"{ERROR / math.sqrt(TIMES):g}",
    ),
    _item(
        f"Three releases about the same people, ε = {EACH:g} each. Together they spend …",
        "tank",
        f"{RELEASES * EACH:.2g}",
        (f"{EACH:g}, the largest of them counts", "M7"),
        (f"{EACH**RELEASES:.2g}, chances multiply", "M6"),
        (f"{EACH / RELEASES:.2g}, they share it", "M6"),
    ),
    _item(
        "A published private table is rounded, smoothed and cut at zero. Its ε …",
        "combined_levels",
        ("grows with every step", "M11"),
        ("falls, less detail is left to see", "M2"),
        "stays as it was",
        ("depends on how near the truth it gets", "M11"),
    ),
    _item(
        "A private study finds that smokers fall ill. Ana, known to smoke, took part and pays more "
        "insurance. Was the promise broken?",
        "promised",
        ("Yes, her own record made her pay more", "M8"),
        ("Yes, a private fact about her came out", "M5"),
        ("No, noise makes the result prove nothing", "M12"),
        "No, it would have come out without her",
    ),
    _item(
        "A private sum of pay needs an upper bound. A good source is …",
        "largest_value",
        "a public pay scale, though some earn more",
        ("the largest pay in the file, kept secret", "M9"),
        ("a pay that 99 in 100 of the file are below", "M9"),
        ("a billion, so that nobody is cut off", "M9"),
    ),
    _item(
        f"Why can a tree say ‘how many lie below x’ better than {whole(CELLS)} noisy cells?",
        "why_tree",
        ("A node of many people needs less noise", "M4"),
        f"It adds at most {math.log2(CELLS):g} of its noisy nodes",
        ("Each of its levels has the whole ε", "M13"),
        ("Its nodes share noise, which cancels", "M13"),
    ),
    _item(
        f"Sum of ages, bounds {AGES.low:g} to {AGES.high:g}, one person added or removed, "
        f"ε = {AGES_EPSILON:g}. The scale of the Laplace noise?",
        "largest_value",
        (f"{AGES_EPSILON:g}", "M4"),
        (f"{AGES.high * AGES_EPSILON:g}", "M4"),
        (f"{1 / AGES_EPSILON:g}", "M4"),
        f"{sum_scale():g}",
    ),
    _of_a_suspicion(),
    _item(
        "Same ε, 40 million people: coins on their phones instead of a trusted server. This "
        "gives …",
        "coins",
        "a larger error: the noise of all adds up",
        ("the same error: ε sets how large noise is", "M14"),
        ("a smaller error: many coins average out", "M4"),
        ("no promise: the server sees each answer", "M14"),
    ),
    _item(
        "Which of these breaks a promise that was proved correctly?",
        "what_breaks",
        ("The law of its noise is printed in full", "M16"),
        ("The attacker knows all records but one", "M3"),
        ("Its answer is smoothed before printing", "M11"),
        "One seed draws the noise of two months",
    ),
    _item(
        "A defensible way to choose ε is to …",
        "promised",
        ("try some on the file, keep the least that serves", "M9"),
        ("take 1, at which hardly 1 in 100 is at risk", "M6"),
        "fix risk and error, then try made-up data",
        ("raise it until the answers are close enough", "M10"),
    ),
    _item(
        f"δ = 1/{1 / DELTA:g} beside ε = {BESIDE:g}, and {whole(PEOPLE)} people. What may a method "
        f"do then that ε = {BESIDE:g} alone forbids?",
        "what_breaks",
        f"Publish about {whole(DELTA * PEOPLE)} whole records",
        (f"Be off by {100 * DELTA:g} %", "M17"),
        ("Double ε for everybody", "M17"),
        (f"Refuse one question in {1 / DELTA:g}", "M17"),
    ),
    _item(
        "Only exact counts over 20 and more people are published. Single people are then …",
        "attacker",
        ("safe, no group is small", "M2"),
        "open to attack, groups can be subtracted",
        ("safe, if names are left out", "M1"),
        ("safe, if there are fewer counts than people", "M3"),
    ),
)


def score(answers: tuple[str | None, ...]) -> int:
    """How many of the keys of options, one an item, are right."""
    return sum(item.right.key == one for item, one in zip(ITEMS, answers, strict=True))


def gift() -> str:
    """All questions in GIFT, which course systems read; a wrong option says its misconception."""
    return "\n\n".join(_in_gift(number, item) for number, item in enumerate(ITEMS, 1)) + "\n"


def _in_gift(number: int, item: Item) -> str:
    rows = "\n".join(
        f"  ={_escaped(one.text)}"
        if one.misconception is None
        else f"  ~{_escaped(one.text)} # {_escaped(MISCONCEPTIONS[one.misconception])}"
        for one in item.options
    )
    return f"::dpviz {number}::{_escaped(item.question)} {{\n{rows}\n}}"


def _escaped(text: str) -> str:
    """Text in which no sign means anything to the format."""
    return "".join(f"\\{sign}" if sign in "\\~=#{}:" else sign for sign in text)


def guessing() -> tuple[float, float]:
    """By guessing: the mean of right answers, and the chance to pass."""
    one, n = 1 / len(ITEMS[0].options), len(ITEMS)
    law = [math.comb(n, k) * one**k * (1 - one) ** (n - k) for k in range(n + 1)]
    return one * n, sum(law[PASS:])
