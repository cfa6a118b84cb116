"""A release in words: the paragraph of methods that goes with it, and its rows for a card.

Everything is worked out from the release, and from public words about it that are handed over.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.answers import number_text
from dpviz.answers.number_text import asked_for, in_digits, number, upper, worded
from dpviz.catalogue import cards
from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Budget, Neighbours
from dpviz.core.card import Card
from dpviz.core.checks import checked_kind
from dpviz.core.errors import InvalidRelease
from dpviz.core.person_rows import PersonRows, rows_of
from dpviz.core.releases import NOTIONS, SECURE, QuantileRelease
from dpviz.core.scalars.release import NumberRelease
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.trees.histogram import HistogramRelease
from dpviz.core.trees.local_release import Reported
from dpviz.core.trees.place_release import PlaceRelease
from dpviz.core.trees.prefix_release import PrefixRelease
from dpviz.core.trees.release import TreeRelease

Release = (
    QuantileRelease
    | TreeRelease
    | PrefixRelease
    | HistogramRelease
    | PlaceRelease
    | SpatialRelease
    | Cells
    | NumberRelease
)

PLACES = re.compile(r", (Algorithm|Theorem|Corollary|§)[^;(]*")  # in a work
LISTED = 12  # values that a row lists
SURE = 0.95  # share of the releases of one number that its interval holds: 19 of 20
COUNT = "NoisyCount"
NUMBERS = {COUNT: "number of values of {}", "NoisySum": "sum of {}", "NoisyMean": "mean of {}"}
LIMITS = "above", "below"  # of what a count counts, as its parameters are called
PROTECTED = {
    Neighbours.ADD_REMOVE: "protecting the addition or removal of one person's record (one "
    "record a person)",
    Neighbours.REPLACE_ONE: "protecting the replacement of one person's record by any other (one "
    "record a person; how many records there are is public)",
}
PERSON = "protecting the addition or removal of one person with all their rows"
WHOLE = {
    "kept": "at most {} a person, drawn at random from theirs, {} counted",
    "shared": "the rows of a person share {} parts evenly, and counts are in parts",
}
UNPUBLISHED = "{} outside the bounds were {}; their number is not published."
DRAWN_ONCE = (
    "This release was drawn once, with secure random bits (AES-256 under a key that nobody kept), "
    "and its law is exact in the program; it spent {} for good, and whatever else is released "
    "about the same people adds to that."
)
SEEDED_ONCE = (
    "This release was drawn from a seed, to teach and to rehearse: whoever knows the seed knows "
    "the noise, so that it protects nobody."
)


@dataclass(frozen=True, slots=True)
class Told:
    """Public words that a release does not hold: all of them are chosen before or without the data.

    subject says what was measured, "yearly pay"; accuracy is a sentence about errors, and drawn one
    about how the release came about in place of the computed one.
    """

    subject: str = "the declared column"
    accuracy: str = ""
    drawn: str = ""


def paragraph(release: Release, told: Told | None = None) -> str:
    """What a reader needs to judge a release, as one paragraph of a report.

    Raises: InvalidRelease for a reference that is not private.
    """
    told = told or Told()
    sentences = (
        f"We release {what(release, told.subject)} under {promise(spent(release))}, "
        f"{protected(release)}.",
        f"Method: {method(release)}.",
        f"Declared before access: {declared(release)}.",
        told.accuracy or errors(release),
        told.drawn or drawn(release),
        clipped(release),
    )
    return " ".join(one for one in sentences if one)


def rows(release: Release, told: Told | None = None) -> list[tuple[str, str]]:
    """The same row by row, for a card."""
    told = told or Told()
    found = [("What", upper(what(release, told.subject)))]
    if isinstance(release, QuantileRelease):
        found.append(("Values", " · ".join(values(release))))
    if isinstance(release, NumberRelease):
        found.append(("Value", in_digits(release.value)))
    budget = spent(release)
    found += [
        ("Promise", f"{promise(budget)}, {protected(release)}"),
        ("Method", method(release)),
        ("Declared", declared(release)),
    ]
    if said := told.accuracy or errors(release):
        found.append(("How exact", said))
    return [*found, ("Spent", f"{budget}, for good"), ("Drawn", drawn(release))]


def spent(release: Release | Reported) -> Budget:
    """What a private release spent.

    Raises: InvalidRelease for a reference with exact counts or an exact structure.
    """
    exact = getattr(release, "non_private", ())
    if exact or release.spent is None:
        raise InvalidRelease(
            f"{release.mechanism} is a reference that protects nobody: its "
            f"{' and '.join(exact)} {'is' if exact == ('structure',) else 'are'} exact. "
            "There is no report of it; choose a private method."
        )
    return release.spent


def check_told(release: object) -> None:
    """Refuse what no report tells of. Raises: InvalidParameter."""
    kinds = "a release of quantiles, a tree, running counts, bins, places, a map or a number"
    checked_kind(release, Release, "A report", kinds, "Write others with to_json")


def what(release: Release, subject: str) -> str:
    """What was asked, counted: "the nine deciles of yearly pay"."""
    check_told(release)
    if isinstance(release, QuantileRelease):
        asked = asked_for(release.quantiles)
        return f"the {asked.removeprefix('one ')} of {subject}"
    if isinstance(release, NumberRelease):
        limits = (f"{word} {in_digits(limit)}" for word, limit in limits_of(release).items())
        named = NUMBERS.get(release.mechanism, "number of {}").format(subject)
        return " ".join(["the noisy", named, " and ".join(limits)]).rstrip()
    if isinstance(release, PrefixRelease):
        return (
            f"{number_text.counted(counted(release), 'noisy running count')} of {subject} (values "
            f"below the end of each of {number_text.counted(release.bins, 'equal interval')})"
        )
    many = f"{number_text.counted(counted(release), 'noisy count')} of {subject}"
    return f"{many} ({_places(release)})"


def _places(release: TreeRelease | HistogramRelease | PlaceRelease | SpatialRelease | Cells) -> str:
    """Where what is counted lies."""
    if isinstance(release, PlaceRelease):
        return f"public places by {listed(release.places.levels)}, and all of them"
    if isinstance(release, HistogramRelease):
        return "values between each public edge and the next"
    if isinstance(release, TreeRelease):
        return f"all values and nested equal intervals, {_deep(release.shape.height)}"
    if isinstance(release, SpatialRelease):
        return f"a box and nested rectangles, {_deep(release.shape.height)}"
    return "rectangles that cover a box"


def _deep(height: int) -> str:
    return f"{number(height)} {'level' if height == 1 else 'levels'} deep"


def limits_of(release: NumberRelease) -> dict[str, float]:
    """The public thresholds of a count, by the word before them."""
    known = {word: release.parameters.get(word) for word in LIMITS}
    return {word: float(limit) for word, limit in known.items() if isinstance(limit, int | float)}


def interval(release: NumberRelease) -> tuple[float, float]:
    """Around the published number: holds the one without noise in 19 of 20 releases, at least."""
    return release.value - off_by(release), release.value + off_by(release)


def off_by(release: NumberRelease) -> float:
    """By how much the noise moves 19 of 20 such numbers at most."""
    return release.noise.reach(release.scale, SURE)


def counted(
    release: TreeRelease | PrefixRelease | HistogramRelease | PlaceRelease | SpatialRelease | Cells,
) -> int:
    """How many noisy counts a release holds."""
    if isinstance(release, HistogramRelease):
        return release.counts.size
    if isinstance(release, PrefixRelease):
        return release.bins - (release.total is not None)  # a public N is no noisy count
    levels: Sequence[FloatArray] = (
        [release.counts] if isinstance(release, Cells) else release.counts
    )
    return sum(int(np.isfinite(level).sum()) for level in levels)


def values(release: QuantileRelease) -> list[str]:
    """The published values in the order of their quantiles; of many the first and last."""
    order = np.argsort(release.quantiles, kind="stable")
    said = [in_digits(float(value)) for value in release.values[order]]
    return said if len(said) <= LISTED else [*said[:5], "…", *said[-2:]]


def protected(release: Release) -> str:
    """Whom the promise is about: one record, or one person with several."""
    rows = rows_of(release.parameters)
    if rows is None:
        return PROTECTED[release.neighbours]
    return f"{PERSON} ({kept_of(rows)})"


def kept_of(rows: PersonRows) -> str:
    """What of a person's rows counts."""
    if rows.shared:
        return WHOLE["shared"].format(f"{rows.most:,}")
    return WHOLE["kept"].format(
        number_text.counted(rows.most, "row"), "is" if rows.most == 1 else "are"
    )


def promise(budget: Budget) -> str:
    """The notion with its number."""
    return f"{NOTIONS[str(budget.to_dict()['notion'])]} with {budget}"


def method(release: Release | Reported) -> str:
    """The mechanism, who described it, and what decides its law."""
    card = card_of(release.mechanism)
    named = release.mechanism
    if card is not None:
        named = f"{card.title.split(' (')[0]} ({_works(card.source, spent(release))})"
    return ", ".join([named, *_parameters(release)])


def _works(source: str, budget: Budget) -> str:
    """The works that a card names, without places in them; those on zCDP for ρ alone."""
    works = PLACES.sub("", source).split("; ")
    return "; ".join(one for one in works if isinstance(budget, ZCDP) or not one.startswith("zCDP"))


def card_of(mechanism: str) -> Card | None:
    """What a mechanism says of itself, by the name in a release."""
    return next((one for one in cards() if one.key == mechanism), None)


def _parameters(release: Release | Reported) -> list[str]:
    if isinstance(release, QuantileRelease):
        return _of_quantiles(release)
    if isinstance(release, NumberRelease):
        return [f"{_noise(release.noise.value)} noise"]
    found = []
    if isinstance(release, TreeRelease):
        found.append(f"fanout {release.shape.fanout}")
    if isinstance(release, SpatialRelease | Cells) and release.structure.share:
        found.append(f"{100 * release.structure.share:g} % of the budget chose the cells")
    noise = release.parameters.get("noise")
    return [*found, f"{_noise(str(noise))} noise"] if noise else found


def _of_quantiles(release: QuantileRelease) -> list[str]:
    """How a method for quantiles used its budget; nothing for one that has no row."""
    known, budget = release.parameters, spent(release)
    many = np.unique(release.quantiles).size  # equal ones are asked once
    if release.recursion is not None:
        return [_levels(round(float(release.recursion.level.max())), budget)]
    if release.evenly:
        return ["drawn evenly between the bounds, since so many quantiles had no room"]
    said: dict[str, object] = {**known, "noise": _noise(str(known.get("noise")))}
    if many > 1:
        said["all"] = "all of them"
        if not isinstance(budget, ApproxDP):
            said["share"] = f"{'ρ' if isinstance(budget, ZCDP) else 'ε'}/{many}"
    card = card_of(release.mechanism)
    try:
        return [] if card is None else [part.format(**said) for part in card.used]
    except KeyError:  # a release that does not say it, or a single quantile
        return []


def _levels(levels: int, budget: Budget) -> str:
    many = f"{number(levels)} {'level' if levels == 1 else 'levels'}"
    if isinstance(budget, ApproxDP) or levels == 1:
        return many
    return f"{many} of {'ρ' if isinstance(budget, ZCDP) else 'ε'}/{levels}"


def _noise(name: str) -> str:
    return " ".join(
        one.capitalize() if one in {"laplace", "gaussian"} else one for one in name.split("-")
    )


def declared(release: Release) -> str:
    """What was settled before anybody looked at the data."""
    if isinstance(release, NumberRelease):
        return f"bounds {span(release.bounds)}{_public_numbers(release)}"
    if isinstance(release, QuantileRelease | TreeRelease | PrefixRelease | HistogramRelease):
        steps = f", resolution {in_digits(release.resolution)}" if release.resolution else ""
        if isinstance(release, HistogramRelease):
            return f"bounds {span(release.bounds)}{steps}, {_edges(release.edges)}"
        total = None if isinstance(release, QuantileRelease) else release.total
        return f"bounds {span(release.bounds)}{steps}{_public_size(total)}"
    if isinstance(release, PlaceRelease):
        many = number_text.counted(len(release.places.places), "place")
        return f"a public list of {many}"
    total = release.total if isinstance(release, SpatialRelease) else None
    return f"a box of {span(release.box.x)} by {span(release.box.y)}{_public_size(total)}"


def listed(names: Sequence[str]) -> str:
    """Names in a row, with "and" before the last."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)


def _edges(edges: FloatArray) -> str:
    """The edges of bins; of many how many there are, and their ends."""
    said = [in_digits(float(edge)) for edge in edges]
    if len(said) <= LISTED:
        return f"edges {', '.join(said[:-1])} and {said[-1]}"
    return f"{len(said):,} edges from {said[0]} to {said[-1]}"


def _public_numbers(release: NumberRelease) -> str:
    """The thresholds of a count, or the number of records that a mean divides by."""
    limits = [in_digits(limit) for limit in limits_of(release).values()]
    name = "threshold" if len(limits) == 1 else "thresholds"
    said = f", {name} {' and '.join(limits)}" if limits else ""
    records = release.parameters.get("records")
    return said + _public_size(float(records) if isinstance(records, int | float) else None)


def _public_size(total: float | None) -> str:
    return "" if total is None else f", a public number of {worded(in_digits(total), 'record')}"


def span(bounds: Bounds) -> str:
    """Both ends."""
    return f"{in_digits(bounds.low)}–{in_digits(bounds.high)}"


def errors(release: Release) -> str:
    """How far noise moves counts and numbers, which is public; nothing for quantiles."""
    if isinstance(release, QuantileRelease):
        return ""
    if isinstance(release, NumberRelease):
        return _error_of_number(release)
    if isinstance(release, Cells):
        known = release.standard_errors
    elif isinstance(release, PrefixRelease):
        known = release.standard_errors[: counted(release)]
    elif isinstance(release, HistogramRelease):
        known = np.array([release.standard_error])
    else:
        known = np.array(
            release.standard_errors
            if isinstance(release, PlaceRelease)
            else np.sqrt([float(one) for one in release.variances])
        )
        known = known[np.isfinite(known)]
    if known.size == 0:
        return ""
    least, most = (_short(float(one)) for one in (known.min(), known.max()))
    size = least if least == most else f"{least} to {most}"
    return f"The standard error of each count as published is {worded(size, 'record')}."


def _error_of_number(release: NumberRelease) -> str:
    off = off_by(release)
    said = in_digits(off) if release.noise.whole else f"about {_short(off)}"
    if release.mechanism == COUNT:
        return f"19 of 20 such counts are off by at most {worded(said, 'record')}."
    return f"19 of 20 such numbers are off by at most {said}, besides what clipping cuts off."


def drawn(release: Release) -> str:
    """Where the noise came from."""
    budget = spent(release)
    return DRAWN_ONCE.format(budget) if release.randomness == SECURE else SEEDED_ONCE


def clipped(release: Release) -> str:
    """What became of values outside the declared bounds."""
    if isinstance(release, SpatialRelease | Cells):
        return UNPUBLISHED.format("Points", "moved to the edge")
    if isinstance(release, PlaceRelease):
        return "What is of no place in the list is in no count; how much that is is not published."
    said = UNPUBLISHED.format("Values", "clipped")
    if isinstance(release, HistogramRelease):
        ends = float(release.edges[0]), float(release.edges[-1])
        if ends != (release.bounds.low, release.bounds.high):
            return f"{said} Those outside the edges are in no bin."
    return said


def _short(value: float) -> str:
    """A number to three digits."""
    return in_digits(float(f"{value:.3g}"))
