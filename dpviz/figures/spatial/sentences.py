"""What a map's page says, from its numbers: headlines, second lines, and the row below.

Private numbers go through one function and true ones through another, so that a page marks them
as it likes and plain text stays plain.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dpviz.figures.spatial.answer import PEOPLE, Answer, Off, People, count, give_or_take, share

Mark = Callable[[str], str]


def as_it_is(text: str) -> str:
    """The text without marks."""
    return text


@dataclass(frozen=True, slots=True)
class Voice:
    """How a page speaks: of whom, and how it marks private and true numbers."""

    people: People = PEOPLE
    private: Mark = as_it_is
    true: Mark = as_it_is


def where(answer: Answer) -> str:
    """What was asked about."""
    return "in all" if answer.rectangle is None else "in the rectangle"


def finding(answer: Answer, voice: Voice) -> str:
    """The headline: what the private map counts, beside the truth where it is shown."""
    said = voice.people.after(count(answer.private)).split(" ", 1)
    published = f"{voice.private(said[0])} {said[1]} {where(answer)}"
    if answer.off is None:
        return released(answer, voice)
    return (
        f"The private map counts {published}; the truth is {voice.true(count(answer.off.truth))}."
    )


def released(answer: Answer, voice: Voice) -> str:
    """The headline of a release: the answer and its margin, which is public."""
    number, noun = voice.people.after(count(answer.private)).split(" ", 1)
    margin = give_or_take(answer.margin[1] - answer.private)
    return (
        f"About {voice.private(number)} {noun} {voice.people.are} {where(answer)}, "
        f"give or take {margin}."
    )


def why(answer: Answer, voice: Voice) -> str:
    """The second line of a headline with the truth: how far off, and which part is whose fault."""
    assert answer.off is not None
    off, missed = answer.off, answer.private - answer.off.truth
    part = share(missed, off.truth)
    return (
        f"Off by {count(abs(missed))}{f', or {part}' if part else ''}: {count(off.noise)} from the "
        f"noise, {count(off.uniformity)} because {voice.people.many} do not fill the cut cells "
        "evenly."
    )


def left_out(voice: Voice) -> str:
    """The second line of a release: what the margin does not cover."""
    return (
        "This is everything an outsider gets. The margin covers the noise, which is public; how "
        f"{voice.people.many} spread inside a cut cell it cannot know."
    )


def two_findings(answers: Sequence[tuple[str, Answer]], voice: Voice) -> str:
    """The headline of two methods beside each other; names are plain."""
    (first, one), (second, two) = answers
    number, noun = voice.people.after(count(one.private)).split(" ", 1)
    said = (
        f"{upper(first)} counts {voice.private(number)} {noun} {where(one)}, {second} "
        f"{voice.private(count(two.private))}"
    )
    if one.off is None:
        return f"{said}."
    return f"{said}; the truth is {voice.true(count(one.off.truth))}."


def two_reasons(answers: Sequence[tuple[str, Answer]]) -> str:
    """The second line of two methods: how far each is off and why, or their standard errors."""
    parts = [
        f"{name} is off by {count(abs(answer.private - answer.off.truth))} ({_parts(answer.off)})"
        if answer.off is not None
        else f"{name} has a standard error of {give_or_take(answer.error)}"
        for name, answer in answers
    ]
    return upper("; ".join(parts)) + "."


def _parts(off: Off) -> str:
    return f"{count(off.noise)} from the noise, {count(off.uniformity)} from uneven cells"


def upper(text: str) -> str:
    """A sentence's first letter; the rest stays as it is."""
    return text[:1].upper() + text[1:]


def between(answer: Answer) -> str:
    """The margin as two ends: "between 4,478 and 4,996"."""
    low, high = answer.margin
    return f"between {count(low)} and {count(high)}"


def percent_of_cells(found: int, cells: int) -> str:
    """A share of cells, whole per cent; little is not nothing, nearly all not all."""
    if cells == 0:
        return "–"
    percent = 100 * found / cells
    if 0 < percent < 0.5:
        return "less than 1 %"
    if 99.5 <= percent < 100:
        return "more than 99 %"
    return f"{percent:.0f} %"
