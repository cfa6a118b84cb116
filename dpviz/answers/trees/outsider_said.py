"""What is said of a tree when nothing but its release is on screen."""

from __future__ import annotations

from dpviz.answers.markup import plain, private
from dpviz.answers.said import Line, Said
from dpviz.answers.trees.names import Names, spread_error, value
from dpviz.answers.trees.outsider import BandKind, OutsiderNumbers, known_errors

BANDS = {
    BandKind.NONE: "",
    BandKind.SIMULATED: "at each {} the truth lies in the band 19 times in 20",
    BandKind.NORMAL: "band: two standard errors at each {}",
}


def say(found: OutsiderNumbers, names: Names, spent: str) -> Said:
    """The fullest part of the axis, give or take the noise, and of what the release is made."""
    errors = ", ".join(map(spread_error, found.errors))
    return Said(
        Line(_headline(found, names)),
        Line(_made(found)),
        [("people on screen", "0"), ("spent", spent)],
        f"Noisy counts of {names.people} by level with standard errors {errors}, and their running "
        "counts with a band.",
    )


def _headline(found: OutsiderNumbers, names: Names) -> str:
    people, unit = plain(names.people), f" {plain(names.unit)}".rstrip()
    part, where = found.fullest, "are in the data"
    if found.parts > 1:
        low, high = (plain(value(end)) for end in part.ends)
        where = f"lie between {low} and {high}{unit}"
    margin = f", give or take {part.margin:,.0f}" if part.margin else ""
    count = private(f"{max(round(part.count), 0):,}")
    return f"About {count} {people} {where}{margin}."


def _made(found: OutsiderNumbers) -> str:
    made = f"{found.counts:,} noisy counts" if found.counts != 1 else "one noisy count"
    rest = ", combined" if found.combined and found.counts > 1 else ""
    return f"This is everything an outsider gets: {made}{rest}, each with its standard error."


def how_exact(found: OutsiderNumbers, people: str) -> str:
    """The standard errors of all parts in words: ± 59 to ± 99 students a part."""
    known = known_errors(found.errors)
    least, most = map(spread_error, known)
    return f"{least} {people} a part" if least == most else f"{least} to {most} {people} a part"


def band_text(found: OutsiderNumbers, axis: str) -> str:
    """What the band around the running counts holds; empty without one."""
    return BANDS[found.running.kind].format(axis)


def to_take_away(found: OutsiderNumbers, names: Names) -> str:
    """How many counts leave, and how good the finest of them are."""
    many = "One noisy count" if found.counts == 1 else f"{found.counts:,} noisy counts"
    good = f"good to {private(spread_error(found.finest))} {plain(names.people)}"
    return f"{many} to take away, the finest {good}, typically."
