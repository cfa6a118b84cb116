"""What is said of quantiles before they are published, and after; and the words of their panels."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from dpviz.answers.decide.quantile_buys import QuantileBuys
from dpviz.answers.decide.quantile_panels import Panels, given, nearest
from dpviz.answers.number_text import asked_for, in_digits, lowered, number, significant, upper
from dpviz.answers.quantiles.answers import MANY, Writing, percent_of
from dpviz.answers.quantiles.one_said import SHARES
from dpviz.answers.said import Line, Said, Size, html_safe, plain, private, unmarked
from dpviz.core.confidential import confidential
from dpviz.intake.samples import Noun

QUARTILES = {0.25: "A first quartile", 0.5: "A median", 0.75: "A third quartile"}
ARTICLES = ("8", "11", "18")  # how numbers begin that take "an"
MANY_QUARTILES = {0.25: "First quartiles", 0.5: "Medians", 0.75: "Third quartiles"}
LISTED = 3  # columns of a headline; of more the first two
LONGEST = 14  # letters of what is made up, in the picture
BELOW = 36  # letters below the errors: of more the need alone is said
VERBS = {"are": "are below", "is": "is below"}


@dataclass(frozen=True, slots=True)
class StandIn:
    """Made-up values: half lie below middle, one in ten above tenth; source says from where."""

    middle: float
    tenth: float
    source: str


@dataclass(frozen=True, slots=True)
class BuysNames:
    """How a column is spoken of, plain.

    at_most goes on after "half": "earn at most {}". made_up is what stand-ins are of ("pay"); need
    ("2 %") and often ("19 times of 20") are those of the sentence, line is whose. is_sample: it was
    computed on a public sample, so that a median is the median of these people, not one like it.
    """

    people: Noun
    unit: Noun
    at_most: str
    made_up: str
    need: str
    often: str = "19 times of 20"
    is_sample: bool = False
    stand_in: StandIn | None = None
    line: str = "your need"


def say(found: QuantileBuys, names: BuysNames) -> Said:
    """The middle-most value, what the picture is of, and the picture in words."""
    first = headline(found, names)
    then = second(found, names)
    alt = f"{unmarked(first)} {_listed(found, names)}"
    return Said(Line(first), Line(then, _short(found, names)), (), alt)


def headline(found: QuantileBuys, names: BuysNames) -> str:
    """The quantile nearest to the median, with how far off it is at most."""
    row = nearest(found.quantiles, 0.5)
    quantile, write = float(found.quantiles[row]), writing(found)
    value = write.value(float(found.published[row]))
    off = plain(error_text(float(given(found)[row])))
    if not names.is_sample and not found.is_published:
        name = QUARTILES.get(quantile) or _point(quantile)
        unit = plain(names.unit.after(value).removeprefix(value))
        return f"{plain(name)} like {private(value)}{unit}, give or take {off}."
    unit = plain(names.unit.after(value).removeprefix(value))
    # no braces of the value's own markup may be read as a place to fill
    before, _, after = names.at_most.partition("{}")
    end = f"{plain(before)}{private(value)}{unit}{plain(after)}"
    return f"{plain(_share_of(quantile, names))} {end}, give or take {off}."


def of_columns(published: Mapping[str, QuantileBuys]) -> Said:
    """One number of each column that was released, in their order, and what the picture is of.

    Names of columns are untrusted text.
    """
    names = list(published)
    shown = names if len(names) <= LISTED else names[: LISTED - 1]
    first = published[names[0]]
    quantile = float(first.quantiles[nearest(first.quantiles, 0.5)])
    what = MANY_QUARTILES.get(quantile) or f"{upper(percent_of(quantile))} points"
    listed = [_of_column(name, published[name]) for name in shown]
    if len(shown) < len(names):
        listed.append(f"{number(len(names) - len(shown))} more columns")
    said = f"{plain(what)}: {', '.join(listed[:-1])} and {listed[-1]}."
    drawn = f"The picture is of {plain(names[0])}."
    second = Line(f"{second_once(first)} {drawn}", drawn)
    return Said(Line(said), second, (), f"{unmarked(said)} {unmarked(drawn)}")


def _of_column(name: str, found: QuantileBuys) -> str:
    row = nearest(found.quantiles, 0.5)
    value = writing(found).value(float(found.published[row]))
    return f"{plain(name)} {private(value)} ± {plain(error_text(float(given(found)[row])))}"


def in_each(said: str, columns: int) -> Line:
    """A headline about one column that holds of each."""
    goes_on = lowered(said)
    return Line(f"In each of {number(columns)} columns: {goes_on}", f"In each: {goes_on}")


def _point(quantile: float) -> str:
    name = percent_of(quantile)
    return f"{'An' if name.startswith(ARTICLES) else 'A'} {name} point"


def _share_of(quantile: float, names: BuysNames) -> str:
    """Half; of people with a name of their own "Half of the students"."""
    many = "" if names.people.many in {"people", ""} else names.people.many
    if quantile in SHARES:
        return f"{SHARES[quantile]} of the {many}" if many else SHARES[quantile]
    return f"{100 * quantile:.4g} of 100 {many}".rstrip()


def second(found: QuantileBuys, names: BuysNames) -> str:
    """What is drawn, and what hollow means."""
    if found.is_published:
        return second_once(found, is_sample=names.is_sample)
    if names.is_sample:
        beside = ", beside the truth in black" if found.truth is not None else ""
        return f"One release as it could be, hollow until it is published{beside}."
    if names.stand_in is None:
        return "One release as it could be, of made-up people. Hollow: not published."
    return f"{made_up(found, names, names.stand_in)} Hollow: not published."


def second_once(found: QuantileBuys, *, is_sample: bool = False) -> str:
    """Where the widths of a release come from; of a file, what they rest on."""
    if found.quantiles.size == 1:
        widths = "Width: as rehearsed, and half more"
        rests = "how densely people lie there is assumed"
    else:
        anew = f"the wider of rehearsed and of publishing these {number(found.quantiles.size)} anew"
        widths = f"Widths: {anew}, a quarter more, and half at both ends"
        rests = "too small where people lie in heaps or beside a gap"
    return f"Every number here may leave the house. {widths}{'' if is_sample else f'; {rests}'}."


def made_up(found: QuantileBuys, names: BuysNames, of: StandIn) -> str:
    """The two public numbers that made-up people are drawn from."""
    write = writing(found)
    middle, tenth = (f"**{plain(write.value(one))}**" for one in (of.middle, of.tenth))
    return (
        f"Made-up {plain(names.made_up)}: half below {middle}, one in ten above {tenth} "
        f"(from **{plain(of.source)}**)."
    )


def _short(found: QuantileBuys, names: BuysNames) -> str:
    if found.is_published:
        return "Every number here may leave the house."
    if names.is_sample:
        return "As it could be: hollow, not published."
    return f"On made-up {plain(names.made_up)}. Nothing is spent."


def _listed(found: QuantileBuys, names: BuysNames) -> str:
    """Every value with its width; of many the number alone."""
    name = upper(asked_for(found.quantiles))
    state = "published" if found.is_published else "not published"
    if found.quantiles.size > MANY:
        return f"{name}, {state}, each with how far off it is, {names.often}."
    write = writing(found)
    rows = zip(found.quantiles, found.published, given(found), strict=True)
    listed = "; ".join(
        f"{percent_of(float(q))}: {write.value(float(value))} ± {error_text(float(off))}"
        for q, value, off in rows
    )
    return f"{name}, {state}, {names.often}: {listed}."


def writing(found: QuantileBuys) -> Writing:
    """How values are written."""
    return Writing.of(found.bounds, found.resolution)


def error_text(off: float) -> str:
    """How far off a value is at most."""
    return f"{off:,.10g}" if math.isfinite(off) else significant(off)


@confidential("less", "off", "enlarged", "need")
@dataclass(frozen=True, slots=True)
class PanelTexts:
    """Words of the two panels, safe for pictures: one entry a quantile in the tuples.

    less and off are the titles, end is the last tick, truths are empty while the truth is hidden.
    """

    less: str
    off: str
    shares: tuple[str, ...]
    values: tuple[str, ...]
    truths: tuple[str, ...]
    offs: tuple[str, ...]
    ticks: tuple[str, ...]
    end: str
    enlarged: str
    need: str
    made_up: str


def texts(found: QuantileBuys, shown: Panels, names: BuysNames, size: Size = "full") -> PanelTexts:
    """The words, as many as have room."""
    brief = size != "full"
    write = writing(found)
    truth = () if found.truth is None else tuple(found.truth.tolist())
    less, off = _titles(names, size)
    many, need, enlarged = html_safe(names.made_up), html_safe(f"{names.line}: {names.need}"), ""
    if not brief and len(need) + len(_enlarged(shown.enlarged)) <= BELOW:
        enlarged = _enlarged(shown.enlarged)
    return PanelTexts(
        less=less,
        off=off,
        shares=tuple(f"{100 * q:.4g}" for q in found.quantiles.tolist()),
        values=tuple(write.value(one) for one in found.published.tolist()),
        truths=tuple(write.value(one) for one in truth),
        offs=tuple(f"± {error_text(one)}" for one in shown.given.tolist()),
        ticks=tuple(tick(one) for one in shown.ticks),
        end=_end(found, shown, names, brief=brief),
        enlarged=enlarged,
        need=need,
        made_up="" if brief or len(many) > LONGEST else f"made-up {many}",
    )


def _titles(names: BuysNames, size: Size) -> tuple[str, str]:
    verb = names.at_most.split(" ", 1)[0]
    less = VERBS.get(verb, f"{verb} less")
    if size == "small":
        return f"Of 100, {less}", "Off by"
    if size == "large":
        return f"Of 100 {html_safe(names.people.many)}, {less}", "Off by"
    return f"How many of 100 {less}", f"Off by at most, {names.often.replace(' times', '')}"


def _enlarged(times: float) -> str:
    return f"{times:,.0f} times enlarged" if times >= 1.95 else "on a scale of its own"


def _end(found: QuantileBuys, shown: Panels, names: BuysNames, *, brief: bool) -> str:
    """The last tick: the bound with its unit, or how far the bounds go on."""
    last = tick(found.bounds.high)
    if not shown.is_cut:
        return html_safe(last if brief else names.unit.after(last))
    return "" if brief else f"on to {last} ›"


def tick(value: float) -> str:
    """A place on the axis of values."""
    return in_digits(round(float(value), 10))
