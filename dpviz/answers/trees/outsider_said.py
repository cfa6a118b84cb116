"""What is said of a tree when nothing but its release is on screen."""

from dpviz.answers.said import Line, Said, plain, private
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
    part, unit = found.fullest, f" {plain(names.unit)}".rstrip()
    count = f"{max(round(part.count), 0):,}"
    where = f"{'is' if count == '1' else 'are'} in the data"
    if found.parts > 1:
        low, high = (plain(value(end)) for end in part.ends)
        where = f"{'lies' if count == '1' else 'lie'} between {low} and {high}{unit}"
    margin = f", give or take {part.margin:,.0f}" if part.margin else ""
    return f"About {private(count)} {plain(names.noun(count))} {where}{margin}."


def _made(found: OutsiderNumbers) -> str:
    made = f"{found.counts:,} noisy counts" if found.counts != 1 else "one noisy count"
    rest = ", combined" if found.combined and found.counts > 1 else ""
    return f"This is everything an outsider gets: {made}{rest}, each with its standard error."


def how_exact(found: OutsiderNumbers, names: Names) -> str:
    """The standard errors of all parts in words: ± 59 to ± 99 students a part."""
    least, most = map(spread_error, known_errors(found.errors))
    said = least if least == most else f"{least} to {most}"
    return f"{said} {names.noun(said)} a part"


def band_text(found: OutsiderNumbers, axis: str) -> str:
    """What the band around the running counts holds; empty without one."""
    return BANDS[found.running.kind].format(axis)


def to_take_away(found: OutsiderNumbers, names: Names) -> str:
    """How many counts leave, and how good the finest of them are."""
    many = "One noisy count" if found.counts == 1 else f"{found.counts:,} noisy counts"
    finest = spread_error(found.finest)
    good = f"good to {private(finest)} {plain(names.noun(finest))}"
    return f"{many} to take away, the finest {good}, typically."
