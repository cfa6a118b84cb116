"""What is said of all columns of a table under one budget."""

from dpviz.answers.number_text import counted
from dpviz.answers.quantiles.answers import percent_of, percents_of
from dpviz.answers.quantiles.profile import ProfileNumbers
from dpviz.answers.said import Line, Said, Table, plain

ABOUT = (
    "A person may stand in every column, so the shares of the columns add up to the whole budget. "
    "A column with twice the weight gets twice the share."
)


def say(found: ProfileNumbers, symbol: str, spent: str) -> Said:
    """The promise about all columns together, and the middle of the first."""
    many, about = counted(len(found.columns), "column"), f" {ABOUT}"
    headline = f"{many}, one promise: {plain(spent)} for all of them together."
    if len(found.columns) == 1:
        headline, about = f"One column under a promise of {plain(spent)}.", ""
    first = found.columns[0]
    at, value = first.quantiles[first.middle], first.writing.value(first.values[first.middle])
    part = "half" if at == 0.5 else percent_of(at)
    strip = [("all together", spent)]
    if found.each is not None:
        strip.insert(0, ("each column spends", f"{symbol} = {found.each:.3g}"))
    return Said(
        Line(headline),
        Line(f"{plain(first.name)}: {part} are at most {plain(value)}.{about}"),
        strip,
        "Published quantiles of every column, a line a column",
        tables=[_table(found)],
    )


def _table(found: ProfileNumbers) -> Table:
    heads = ("share of the budget", *percents_of(found.columns[0].quantiles))
    rows = tuple(
        (one.name, f"{one.share:.1%}", *map(one.writing.value, one.values)) for one in found.columns
    )
    right = dict.fromkeys(heads)
    return Table("", "Quantiles of all columns", ("column", *heads), rows, right)
