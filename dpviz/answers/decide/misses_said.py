"""How far made-up people carry: what real columns kept of the promises that were made on them."""

from collections.abc import Sequence

from dpviz.answers.decide.needs import PLACES, SHARE
from dpviz.answers.number_text import number
from dpviz.experiments.planning.decide_misses import Miss, misses

PROMISED = 95.0  # per cent of the releases: 19 times of 20
NAMED = 2  # columns that are named
TITLES = {"goodreads_pages": "Goodreads pages", "goodreads_ratings": "Goodreads ratings"}


def said(law: str, unit: str, measured: Sequence[Miss] | None = None) -> str:
    """One sentence, of columns whose two public numbers were known; empty where none was measured.

    Columns of the same law as the made-up people are told of, or of any law where there is none. A
    need in the column's unit or in per cent of the value is told beside those of people, which
    hardly hang on the shape.
    """
    every = misses() if measured is None else measured
    of_people = [one for one in every if one.unit == SHARE]
    alike = [one for one in every if one.unit == unit]
    alike = [one for one in alike if one.law == law] or alike
    if unit in (SHARE, PLACES) or not alike:
        return f"{_kept(of_people)}." if of_people else ""
    people = f"; in % of the people {_range(of_people)}" if of_people else ""
    return f"{_kept(alike)}{_named(alike)}{people}."


def _kept(rows: Sequence[Miss]) -> str:
    columns = f"{number(len(rows))} real column{'' if len(rows) == 1 else 's'}"
    return f"Promised {PROMISED:.0f} of 100 times, kept {_range(rows)} on {columns}"


def _range(rows: Sequence[Miss]) -> str:
    low, high = (f"{end(one.kept for one in rows):.0f}" for end in (min, max))
    return low if low == high else f"{low} to {high}"


def _named(rows: Sequence[Miss]) -> str:
    """Those that kept less than was promised, the worst first."""
    failed = sorted((one for one in rows if one.kept < PROMISED), key=lambda one: one.kept)
    listed = [f"{_title(one)} {one.kept:.0f}" for one in failed[:NAMED]]
    return f" ({', '.join(listed)})" if listed else ""


def _title(one: Miss) -> str:
    return TITLES.get(one.column, one.column[:1].lower() + one.column[1:].replace("_", " "))
