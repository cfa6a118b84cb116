"""What is said of recursive halving."""

from __future__ import annotations

from dpviz.answers.markup import plain, private
from dpviz.answers.number_text import number, upper
from dpviz.intake.samples import Words


def in_steps(m: int, steps: int, symbol: str, asked: str) -> str:
    """The headline: m quantiles in so many steps."""
    if steps == 1:
        return f"{upper(plain(asked))} in one step: it may spend all of {plain(symbol)}."
    share, alone = private(f"{symbol}/{steps}"), plain(f"{symbol}/{m}")
    counted = number(steps)
    return f"{upper(plain(asked))} in {counted} steps: each step may spend {share}, not {alone}."


def halves(first: str, value: str, words: Words, count: int | None) -> str:
    """Its second line; count is the number of people, confidential, or None."""
    out_of = "" if count is None else f" from all {words.people.counted(count)}"
    one = upper(words.people.one)
    return plain(
        f"{upper(first)} came out as {value}{out_of}. Each {one.lower()} is then in one half only, "
        "so both halves can be asked for the price of one."
    )
