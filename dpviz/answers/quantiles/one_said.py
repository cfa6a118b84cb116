"""What is said of one release of quantiles, beside the truth and alone."""

from dpviz.answers.number_text import asked_for, number, upper
from dpviz.answers.quantiles.answers import percent_of
from dpviz.answers.quantiles.one import AloneNumbers, OneNumbers
from dpviz.answers.quantiles.voice import Voice, row_name
from dpviz.answers.said import Line, plain, private, true

SHARES = {0.25: "A quarter", 0.5: "Half", 0.75: "Three quarters"}
OUTSIDE = "This is everything an outsider gets."
EVENLY = (
    "These numbers tell nothing of the column: so many quantiles had no room within δ, and were "
    "drawn evenly between the bounds."
)


def headline(found: OneNumbers, voice: Voice) -> str:
    """The quantile nearest to the median, as it was published and as it is."""
    middle = found.middle
    published, truth = private(voice.value(middle.published)), true(voice.value(middle.true))
    return f"{upper(row_name(middle.quantile))} is published as {published}; the truth is {truth}."


def how_far(found: OneNumbers, voice: Voice) -> Line:
    """The mean error, and where there is room the worst quantile."""
    worst = found.worst
    if found.quantiles.size == 1:
        return Line(plain(f"It is off by {voice.off(found.off)}."))
    name = upper(asked_for(found.quantiles))
    if worst.published == worst.true:
        return Line(plain(f"{name} are exactly right."))
    said = f"{name} are off by {voice.off(found.off)} on average"
    values = f"{voice.value(worst.published)} instead of {voice.value(worst.true)}"
    return Line(
        plain(f"{said}; the worst is {row_name(worst.quantile)}: {values}."), plain(f"{said}.")
    )


def strip(
    found: OneNumbers,
    voice: Voice,
    give_or_take: float | None,
    spent: str,
    *,
    about: bool,
    brief: bool = False,
) -> list[tuple[str, str]]:
    """This draw, the others, the distance in people, and what it cost.

    give_or_take is the half-width that an outsider is told, if there is one; about says that widths
    and draws are read between two stops, brief that there is no room to name the quantile.
    """
    said = [("this draw misses on average by", voice.off(found.off))]
    nearly = "about " if about else ""
    if give_or_take is not None:
        value = voice.words.unit.after(voice.value(give_or_take))
        row = "" if brief else f"{row_name(found.middle.quantile)}, "
        said.append((f"{row}give or take", nearly + value))
    elif found.nearly is not None:
        said.append(("19 of 20 other draws within", nearly + voice.off(found.nearly)))
    said.append((f"in {voice.words.people.many}", f"{found.missed:,.0f} of {found.people:,}"))
    return [*said, ("spent", spent)]


def alone_headline(found: AloneNumbers, voice: Voice) -> str:
    """Which share of the people lies below the published value, give or take."""
    share = SHARES.get(found.quantile, percent_of(found.quantile))
    value = voice.words.unit.after(voice.value(found.published))
    before, _, after = voice.words.at_most[0].partition("{}")
    people = plain(f"{share} of the {voice.words.people.many} {before}")
    digits, _, unit = value.partition(" ")
    end = plain(f" {unit}".rstrip() + after)
    margin = ""
    if found.half is not None:
        margin = plain(f", give or take {voice.value(found.half)}")
    return f"{people}{private(digits)}{end}{margin}."


def alone_line(found: AloneNumbers) -> Line:
    """That nothing but the release is on screen."""
    what = "The number" if found.many == 1 else f"The {number(found.many)} numbers"
    parts = f"{what} and the curve" if found.half is None else f"{what}, the error and the curve"
    return Line(f"{OUTSIDE} {parts} come from the release alone.", OUTSIDE)


def how_exact(found: AloneNumbers, voice: Voice, *, has_size: bool) -> str:
    """How far the numbers may be off, or why that is not known; plain."""
    if found.least is None or found.most is None:
        if not has_size:
            return "say under Data about how many people there are, and it is estimated"
        return "not estimated: at this budget, or by this method, the numbers do not tell"
    least, most = voice.value(found.least), voice.value(found.most)
    within = most if least == most else f"{least} to {most}"
    return f"about 19 in 20 within {voice.words.unit.after(within)}, estimated from the release"
