"""What is said of the CDF of a noisy tree."""

from collections.abc import Iterator

from dpviz.answers.number_text import significant
from dpviz.answers.said import Line, Said, Table, plain, private, true
from dpviz.answers.trees.cdf import MOST_LEAVES, CdfNumbers
from dpviz.answers.trees.names import Names
from dpviz.estimators.trees.cdf_summary import Reading

ENDS = (
    "Ends are edges of parts, so that the first interval holds the column's own quantile at "
    "least so often; the second adds that people were drawn at random, and is approximate."
)


def say(found: CdfNumbers, names: Names) -> Said:
    """How far the whole curve can be off, how far it is, and what is read from it."""
    wide, axis = f"± {found.together:,.0f}", plain(names.axis)
    people = plain(names.noun(wide))
    headline = (
        f"One release gives the whole curve, to within {private(wide)} {people} at every {axis}."
    )
    second = f"With {plain(sure(found))} probability all counts lie within the outer band at once."
    if found.off is None:
        second += " The inner band is for each count, the outer one for all together."
    else:
        second += f" This draw's smoothed curve is off by at most {true(f'{found.off:,.0f}')}."
    strip = [
        ("points", f"{found.edges.size:,}"),
        ("each within", f"± {found.widest:,.0f}"),
        ("all within", wide),
    ]
    alt = "Running counts from the tree, raw and smoothed, with bands"
    alt += "" if found.truth is None else " and the truth"
    return Said(Line(headline), Line(second), strip, alt, tables=tuple(_quantiles(found)))


def sure(found: CdfNumbers) -> str:
    """How often the bands hold: 95 %."""
    return f"{100 * found.sure:.3g} %"


def readings(found: CdfNumbers, also: Reading | None) -> Table:
    """Totals, medians and a range with their standard errors."""
    title = "**Read from the smoothed CDF**, ranges from the counts as they are"
    alt = "Numbers read from the CDF with their standard errors"
    if not found.knows_errors:
        note = "Standard errors are known for the raw and the efficient reading."
        return Table(title, alt, (), (), notes=(note,))
    said = tuple(
        (one.name, significant(one.value, 5), significant(one.standard_error, 3), one.method)
        for one in (*found.readings, *(() if also is None else (also,)))
    )
    notes = ("The range ends before it starts.",) if also is None else ()
    right = dict.fromkeys(("value", "standard error"))
    return Table(title, alt, ("reading", "value", "standard error", "how"), said, right, notes)


def _quantiles(found: CdfNumbers) -> Iterator[Table]:
    """Where quantiles lie, from the release alone: what an outsider has, with the truth or not."""
    alt = "Intervals for quantiles from the release alone"
    if not found.knows_errors:
        return
    if not found.intervals:
        few = f"Intervals for quantiles are worked out for trees of up to {MOST_LEAVES:,} leaves."
        yield Table("", alt, (), (), notes=(few,))
        return
    yield Table(
        f"**Where quantiles lie, {plain(sure(found))} certain**, from the release alone",
        alt,
        ("quantile", "of these people", "of all whom they stand for"),
        tuple((f"{one.q:g}", _ends(one.noise), _ends(one.sampling)) for one in found.intervals),
        notes=(ENDS,),
    )


def _ends(ends: tuple[float, float]) -> str:
    return f"{ends[0]:,.6g} to {ends[1]:,.6g}"
