"""The curves that a first answer about quantiles is read from, written by scripts.decide_curves.

They are about families of made-up columns: for each law three spreads and three numbers of people,
interpolated in the logarithms of both; and about every sample, on the sample itself. All are in
pure ε, add/remove. What they say is about right, no more: the check measures the very question.

There is no first number (an empty answer) for a set of quantiles that is not like one of the four
stored ones, for spreads of more than twice or less than half of the stored ones, and for fewer than
150 people. More than 20,000 people are reckoned from 20,000 by ε × people, which errs to the safe
side: fewer people lie less evenly.
"""

import json
import math
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.quantiles import QuantileSet
from dpviz.experiments.planning.answers import QUESTIONS
from dpviz.experiments.planning.pooled_errors import MOST, SURES, UNITS, OffCurve, steps
from dpviz.experiments.planning.shaped import LAWS, Shape, usual
from dpviz.experiments.planning.stored import STEP, packed, unpacked

NAME = "decide_curves.json"
SPREADS: dict[str, tuple[float, ...]] = {
    "money": (0.35, 0.5, 0.7),
    "mark": (0.125, 0.18, 0.26),
    "spending": (0.7, 1.0, 1.4),
    "stars": (1.0,),
    "flat": (1.0,),
}
SIZES = (1_500, 5_000, 20_000)  # people of the stored columns
FEWEST = 150
PLACES, FIRST, RATIO = 9, 100.0, 2.0  # ε × people of the stored sizes of the budget
BEYOND = math.log(2.0)  # how far a spread may lie beyond the stored ones
ALIKE = (
    2.0  # sets of quantiles this many times as many, or as near to the ends, are like each other
)
SAME = 1.1  # steps that make up so much the same part of the bounds are alike
HALF_STEP = 0.7  # steps that rounding adds to the largest of several errors, about
COLUMNS, RELEASES, OF_SAMPLE = 50, 4, 400  # behind a stored size: of a family, and of a sample

Stored = Mapping[str, Any]


@cache
def stored() -> Stored:
    """Everything that is stored, read once: version, families and samples."""
    text = files("dpviz.experiments.planning").joinpath(NAME).read_text(encoding="utf-8")
    found: Stored = json.loads(text)
    return found


def reached(people: int) -> FloatArray:
    """ε × people at which curves are stored; of very few people from a quarter of them on."""
    return np.asarray(min(FIRST, people / 4) * RATIO ** np.arange(PLACES), dtype=np.float64)


def question_like(quantiles: QuantileSet) -> str | None:
    """The stored set that is most like a set of quantiles: in number, and as near to the ends."""
    asked = quantiles.distinct
    found = min(QUESTIONS, key=lambda one: abs(math.log(QUESTIONS[one].size / asked.size)))
    known = QUESTIONS[found]
    is_many = max(known.size / asked.size, asked.size / known.size) > ALIKE
    nearest = min(float(asked[0]), 1 - float(asked[-1]))
    return None if is_many or nearest * ALIKE < known[0] * (1 - 1e-9) else found


def family_shape(law: str, spread: float) -> Shape:
    """The shape that a stored family of columns is about."""
    shape, _ = usual(law, LAWS[law].bounds, LAWS[law].resolution)
    return shape.widened(spread / shape.spread)


def key_of(law: str, spread: float, people: float) -> str:
    """The name of a family among the stored ones."""
    return f"{law} {spread:g} {people:.0f}"


def family_curves(shape: Shape, people: int, quantiles: QuantileSet) -> dict[str, OffCurve]:
    """A curve for each method, of made-up people in pure ε; empty without a first number."""
    question, spreads = question_like(quantiles), SPREADS[shape.law]
    log_spread = math.log(shape.spread)
    lowest, highest = math.log(spreads[0]), math.log(spreads[-1])
    if question is None or people < FEWEST:
        return {}
    if not lowest - BEYOND <= log_spread <= highest + BEYOND:
        return {}
    corners = [
        (key_of(shape.law, spread, size), own * other)
        for spread, own in _weights(spreads, log_spread, beyond=True)
        for size, other in _weights(SIZES, math.log(people), beyond=False)
    ]
    kept = {key: stored()["families"][key].get(question, {}) for key, _ in corners}
    first = kept[corners[0][0]]
    return {
        way: _curve(shape, people, [(part, _table(kept[key][way])) for key, part in corners])
        for way in first
        if all(way in entry for entry in kept.values())
    }


def _weights(
    known: tuple[float, ...], log_wanted: float, *, beyond: bool
) -> list[tuple[float, float]]:
    """The two known numbers around a wanted one, with their weights on a log scale."""
    if len(known) == 1:
        return [(known[0], 1.0)]
    logs = np.log(known)
    at = int(np.clip(np.searchsorted(logs, log_wanted), 1, logs.size - 1))
    share = float((log_wanted - logs[at - 1]) / (logs[at] - logs[at - 1]))
    share = share if beyond else min(max(share, 0.0), 1.0)
    return [(known[at - 1], 1 - share), (known[at], share)]


def _table(texts: list[str]) -> FloatArray:
    """Logarithms of errors (units, sures, k), relative to value, scale and people."""
    lines = np.array([unpacked(text, PLACES) for text in texts])
    lines = np.where(np.isnan(lines), MOST, np.maximum(lines, 1e-6))
    logs: FloatArray = np.log(lines).reshape(len(UNITS), len(SURES), PLACES)
    return logs


def _curve(shape: Shape, people: int, tables: list[tuple[float, FloatArray]]) -> OffCurve:
    """Relative errors, between tables with these weights, in the units and steps of a shape."""
    value, unit, share = np.exp(np.sum([part * logs for part, logs in tables], axis=0))
    own = family_shape(shape.law, SPREADS[shape.law][0])
    theirs, ours = own.resolution / own.scale, shape.resolution / shape.scale
    is_same = theirs == ours or (min(theirs, ours) > 0 and 1 / SAME < theirs / ours < SAME)
    if is_same:
        stepped = unit * (ours / theirs if theirs else 1.0)
    elif shape.law == "stars":
        stepped = np.full_like(unit, MOST)  # with other steps they are other stars
    else:
        stepped = np.maximum(unit - HALF_STEP * theirs, 0.0) + HALF_STEP * ours
    lines = np.stack([100 * value, shape.scale * stepped, 100 * share])
    return OffCurve(reached(people) / people, lines, shape.resolution, people)


def sample_curves(key: str, quantiles: QuantileSet) -> dict[str, OffCurve]:
    """The same of a sample, on itself; those that were checked already say at which sizes."""
    entry, question = stored()["samples"].get(key), question_like(quantiles)
    if entry is None or question is None:
        return {}
    is_exact = np.array_equal(quantiles.distinct, QUESTIONS[question])
    found = {}
    for way, (sizes, checked, *texts) in entry.get(question, {}).items():
        lines = np.array([unpacked(text, len(sizes)) for text in texts])
        lines = np.where(np.isnan(lines), MOST, lines).reshape(len(UNITS), len(SURES), -1)
        factors = np.array([100.0, entry["scale"], 100.0])[:, None, None]
        known = frozenset(map(float, checked if is_exact else ()))
        found[way] = OffCurve(
            np.array(sizes), lines * factors, entry["step"], entry["people"], known
        )
    return found


def packed_lines(curve: OffCurve, scale: float, *, keeps_steps: bool = False) -> list[str]:
    """The lines of a curve for the file, relative to value, scale and people.

    Rounded up; where steps are kept, but for those that would come to stand for one step more.
    """
    factors = np.array([100.0, scale, 100.0])[:, None, None]
    apart = np.array([0.0, curve.step / scale, 1 / curve.people])
    relative = np.where(curve.smooth >= MOST, np.nan, curve.smooth / factors)
    found = []
    for lines, step in zip(relative, apart.tolist(), strict=True):
        for line in lines:
            back = unpacked(packed(line, up=True), line.size)
            moved = [
                keeps_steps and step > 0 and steps(new, step) > steps(old, step) + step / 2
                for new, old in zip(back.tolist(), line.tolist(), strict=True)
            ]
            found.append(packed(np.where(moved, back / math.exp(STEP), back)))
    return found
