"""What is said of noise on the counts of named places."""

import math

from dpviz.answers.number_text import amount, percent, significant
from dpviz.answers.said import Line, Said, Table, plain, private, unmarked
from dpviz.answers.spatial.places import PlaceLevel, PlacesNumbers
from dpviz.answers.trees.names import spread_error

PUBLIC = "The numbers of people are public here: nothing is released, and no file is read."
BELOW_ZERO = (
    "Nearly half of an empty place's noisy counts are below 0; to cut them off would add people to "
    "small places."
)
LEVELS = ("level", "places", "share of the budget", "± measured", "± after least squares",
          "people in the median place", "± of the median place", "smaller than its noise",
          "people there")  # fmt: skip
DRAWN = ("place", "people", "noisy count", "after least squares")


def plural(name: str) -> str:
    """The name of a level for several places."""
    is_short = name.endswith("y") and name[-2:-1] not in set("aeiou")
    return f"{name[:-1]}ies" if is_short else f"{name}s"


def share_text(share: float) -> str:
    """How much of a place noise is."""
    return percent(share) if math.isfinite(share) else "not measured"


def say(found: PlacesNumbers) -> Said:
    """How large noise is at the top and at the bottom, and who lives where it is large."""
    first, then = _headline(found), _second(found)
    strip = [(plural(one.name) if one.places > 1 else one.name, _short(one))
             for one in found.levels]  # fmt: skip
    return Said(
        Line(first, _brief(found)),
        Line(then, _harmed(found)),
        strip,
        unmarked(f"Two standard errors over the people of each place. {first} {then}"),
        chips=("numbers of people are public",),
        tables=(_levels(found), _one_draw(found)),
    )


def _much(level: PlaceLevel) -> str:
    return f"Noise of {private(_error(level.spread))} is {private(share_text(level.share))}"


def _short(level: PlaceLevel) -> str:
    if math.isinf(level.spread):
        return "not measured"
    return f"{_error(level.spread)}, {share_text(level.share)}"


def _error(error: float) -> str:
    return spread_error(error).replace("–", "not measured")


def _headline(found: PlacesNumbers) -> str:
    top, last = found.levels[0], found.levels[-1]
    where = f"of the median {plain(last.name)}, and {_drowned(found)}."
    if math.isinf(top.spread):
        return f"The {plain(top.name)} is not measured; {_much(last)} {where}".replace("; N", "; n")
    small = f"{private(_error(last.spread))} is {private(share_text(last.share))}"
    return f"{_much(top)} of the {plain(top.name)}; {small} {where}"


def _brief(found: PlacesNumbers) -> str:
    last = found.levels[-1]
    if math.isinf(last.spread):
        return f"The {plain(plural(last.name))} are not measured."
    return f"Noise of {private(_error(last.spread))}: {_drowned(found)}."


def _drowned(found: PlacesNumbers) -> str:
    last = found.levels[-1]
    many = plain(plural(last.name))
    if last.drowned == 0:
        return f"none of {last.places:,} {many} is smaller than its noise"
    if last.drowned == last.places:
        return f"all {last.places:,} {many} are smaller than their noise"
    verb = "is smaller than its" if last.drowned == 1 else "are smaller than their"
    return f"{last.drowned:,} of {last.places:,} {many} {verb} noise"


def _harmed(found: PlacesNumbers) -> str:
    last = found.levels[-1]
    if last.drowned == 0:
        return "Whom does noise harm? Nobody lives in a place that is smaller than its noise."
    living = "1 person" if last.living == 1 else f"{last.living:,} people"
    share = percent(found.harmed) if found.harmed else "none"
    where = "everywhere" if last.drowned == last.places else f"in small {plain(plural(last.name))}"
    return f"Whom does noise harm? Those who live {where}: {living}, {share} of all."


def _second(found: PlacesNumbers) -> str:
    removed = [
        f"{percent(one.removed)} for a {plain(one.name)}" for one in found.levels[1:] if one.removed
    ]
    saved = f" Least squares remove of the variance {', '.join(removed)}." if removed else ""
    return f"{_harmed(found)}{saved}"


def _levels(found: PlacesNumbers) -> Table:
    rows = tuple(
        (
            one.name, f"{one.places:,}", percent(share), _error(one.before), _error(one.after),
            significant(one.middle), share_text(one.share), f"{one.drowned:,}", f"{one.living:,}",
        )
        for one, share in zip(found.levels, found.shares, strict=True)
    )  # fmt: skip
    reading = "after least squares" if found.is_after else "as measured"
    return Table(
        f"Two standard errors by level, about 19 of 20 counts are nearer; shares {reading}",
        "Noise of every level before and after least squares",
        LEVELS,
        rows,
        dict.fromkeys(LEVELS[1:]),
        (PUBLIC,),
    )


def _one_draw(found: PlacesNumbers) -> Table:
    rows = tuple(
        (
            one.name, f"{one.people:,}", "–" if one.noisy is None else significant(one.noisy),
            amount(one.after, 1),
        )
        for one in found.drawn
    )  # fmt: skip
    return Table(
        "One draw, from the whole down to a smallest place",
        "Noisy counts of one draw before and after least squares",
        DRAWN,
        rows,
        dict.fromkeys(DRAWN[1:]),
        (BELOW_ZERO,),
    )
