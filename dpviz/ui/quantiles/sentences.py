"""The sentences of the Quantiles page, computed from its numbers; Markdown with private and true."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential
from dpviz.figures.quantiles.answers import Answers, Writing, percent_of
from dpviz.intake.samples import Words
from dpviz.reports.words import asked_for, number, upper
from dpviz.ui.bench.headline import plain, private, true

SHARES = {0.25: "A quarter", 0.5: "Half", 0.75: "Three quarters"}
OUTSIDE = "This is everything an outsider gets."
EVENLY = (
    "These numbers tell nothing of the column: so many quantiles had no room within δ, and were "
    "drawn evenly between the bounds."
)


@dataclass(frozen=True, slots=True)
class Voice:
    """How a column is spoken of: its words, and how its numbers are written."""

    words: Words
    writing: Writing

    def off(self, error: float) -> str:
        """An error with its unit: "1.2 marks"."""
        return self.words.unit.after(self.writing.error(error))

    def value(self, number: float) -> str:
        """A value as it is published."""
        return self.writing.value(number)


def row_name(quantile: float) -> str:
    """What one quantile is called."""
    return "the median" if quantile == 0.5 else f"the {percent_of(quantile)} point"


def found(answers: Answers, voice: Voice) -> str:
    """The headline of a release beside the truth."""
    assert answers.truth is not None
    at = answers.middle
    published = private(voice.value(float(answers.published[at])))
    truth = true(voice.value(float(answers.truth[at])))
    name = upper(row_name(float(answers.quantiles[at])))
    return f"{name} is published as {published}; the truth is {truth}."


def how_far(answers: Answers, voice: Voice, *, short: bool = False) -> str:
    """Its second line: the mean error, and the worst quantile unless it is to be short."""
    assert answers.truth is not None
    errors = np.abs(answers.errors)
    if answers.quantiles.size == 1:
        return plain(f"It is off by {voice.off(float(errors[0]))}.")
    name = upper(asked_for(answers.quantiles))
    if not errors.any():
        return plain(f"{name} are exactly right.")
    said = f"{name} are off by {voice.off(float(errors.mean()))} on average"
    worst = int(errors.argmax())
    if short:
        return plain(f"{said}.")
    values = [voice.value(float(side[worst])) for side in (answers.published, answers.truth)]
    where = row_name(float(answers.quantiles[worst]))
    return plain(f"{said}; the worst is {where}: {values[0]} instead of {values[1]}.")


def released(answers: Answers, voice: Voice, half_widths: FloatArray | None) -> str:
    """The headline of a release alone."""
    at = answers.middle
    quantile = float(answers.quantiles[at])
    share = SHARES.get(quantile, percent_of(quantile))
    value = voice.words.unit.after(voice.value(float(answers.published[at])))
    before, _, after = voice.words.at_most[0].partition("{}")
    people = plain(f"{share} of the {voice.words.people.many} {before}")
    digits, _, unit = value.partition(" ")
    end = plain(f" {unit}".rstrip() + after)
    margin = ""
    if half_widths is not None:
        margin = plain(f", give or take {voice.value(float(half_widths[at]))}")
    return f"{people}{private(digits)}{end}{margin}."


def outside(answers: Answers, *, has_bands: bool, short: bool = False) -> str:
    """Its second line."""
    if short:
        return OUTSIDE
    one = answers.quantiles.size == 1
    what = "The number" if one else f"The {number(answers.quantiles.size)} numbers"
    parts = f"{what}, the error and the curve" if has_bands else f"{what} and the curve"
    return f"{OUTSIDE} {parts} come from the release alone."


@confidential("name")
@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """One compared method: its name in words, and each draw's mean error, (r,)."""

    name: str
    errors: FloatArray
    median_error: float

    @property
    def mean(self) -> float:
        """The mean error over all draws."""
        return float(self.errors.mean())


def are_level(one: Ranked, other: Ranked) -> bool:
    """Whether two methods differ by less than two standard errors."""
    spread = [each.errors.var() / max(each.errors.size, 1) for each in (one, other)]
    return abs(one.mean - other.mean) < 2 * float(np.sqrt(sum(spread)))


def closest(ranked: Sequence[Ranked], voice: Voice, colour: Callable[[str], str] = true) -> str:
    """The headline of a comparison, its methods sorted: which one is best."""
    best = ranked[0]
    if len(ranked) == 1:
        return f"{upper(plain(best.name))} is off by {private(voice.off(best.mean))} on average."
    if are_level(best, ranked[1]):
        names = f"{upper(plain(best.name))} and {plain(ranked[1].name)}"
        digits, _, unit = voice.off(best.mean).partition(" ")
        return f"{names} are level: off by {private(digits)}{plain(f' {unit}'.rstrip())}."
    name = colour(upper(best.name))
    digits, _, unit = voice.off(best.mean).partition(" ")
    off = f"{private(digits)}{plain(f' {unit}'.rstrip())}"
    return f"{name} comes closest: off by {off} on average."


def farthest(ranked: Sequence[Ranked], voice: Voice, budget: str, *, short: bool = False) -> str:
    """Its second line: the worst, its factor, and who is best for the middle quantile alone."""
    if len(ranked) == 1:
        return "Choose a second method to compare it with."
    best, worst = ranked[0], ranked[-1]
    if are_level(best, worst):
        return plain(
            f"What {number(best.errors.size)} draws of each say of a difference is chance."
        )
    said = f"{upper(worst.name)} misses by {voice.off(worst.mean)}"
    if best.mean > 0 and worst.mean / best.mean >= 1.05:
        said += f", {worst.mean / best.mean:.1f} times as much,"
    said += f" for the same {budget}."
    middle = min(ranked, key=lambda one: one.median_error)
    if middle.name != best.name and not short:
        said += (
            f" For the median alone {middle.name} is best, off by {voice.off(middle.median_error)}."
        )
    return plain(said)


def in_steps(m: int, steps: int, symbol: str, asked: str) -> str:
    """The headline of the recursion."""
    if steps == 1:
        return f"{upper(plain(asked))} in one step: it may spend all of {plain(symbol)}."
    share, alone = private(f"{symbol}/{steps}"), plain(f"{symbol}/{m}")
    counted = number(steps)
    return f"{upper(plain(asked))} in {counted} steps: each step may spend {share}, not {alone}."


def halves(first: str, value: str, words: Words, count: int | None) -> str:
    """Its second line; count is the number of people, confidential, or None."""
    out_of = "" if count is None else f" from all {words.people.counted(count)}"
    one = upper(words.people.one)
    return plain(
        f"{upper(first)} came out as {value}{out_of}. Each {one.lower()} is then in one half only, "
        "so both halves can be asked for the price of one."
    )
