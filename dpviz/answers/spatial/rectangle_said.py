"""What is said of a rectangle on a private map: headlines, second lines, and a card of its parts.

Private numbers go through one function and true ones through another, so that a page marks them
as it likes and plain text stays plain.
"""

from collections.abc import Sequence

from dpviz.answers.number_text import upper
from dpviz.answers.spatial.names import Voice, count, give_or_take, share
from dpviz.answers.spatial.rectangle import RectangleError, RectangleNumbers

Named = Sequence[tuple[str, RectangleNumbers]]


def where(found: RectangleNumbers) -> str:
    """What was asked about."""
    return "in all" if found.rectangle is None else "in the rectangle"


def finding(found: RectangleNumbers, voice: Voice, *, private: bool = True) -> str:
    """The headline: what the map counts, beside the truth where it is shown.

    private says whether the map protects anybody at all.
    """
    if found.off is None:
        return released(found, voice)
    return (
        f"The {'private ' if private else ''}map counts {voice.counted(found.private)} "
        f"{where(found)}; the truth is {voice.true(count(found.off.truth))}."
    )


def released(found: RectangleNumbers, voice: Voice) -> str:
    """The headline of a release: the answer and its margin, which is public."""
    do = voice.names.do(count(found.private))
    return (
        f"About {voice.counted(found.private)} {do} {where(found)}, give or take "
        f"{give_or_take(found.half)}."
    )


def why(found: RectangleNumbers, voice: Voice) -> str:
    """The second line of a headline with the truth: how far off, and which part is whose fault."""
    assert found.off is not None
    off = found.off
    part = share(off.part)
    return (
        f"Off by {count(off.missed)}{f', or {part}' if part else ''}: {count(off.noise)} from the "
        f"noise, {count(off.uniformity)} because {voice.names.many} do not fill the cut cells "
        "evenly."
    )


def left_out(voice: Voice) -> str:
    """The second line of a release: what the margin does not cover."""
    return (
        "This is everything an outsider gets. The margin covers the noise, which is public; how "
        f"{voice.names.many} spread inside a cut cell it cannot know."
    )


def two_findings(found: Named, voice: Voice) -> str:
    """The headline of two methods beside each other; names are plain."""
    (first, one), (second, two) = found
    said = (
        f"{upper(first)} counts {voice.counted(one.private)} {where(one)}, {second} "
        f"{voice.private(count(two.private))}"
    )
    if one.off is None:
        return f"{said}."
    return f"{said}; the truth is {voice.true(count(one.off.truth))}."


def two_reasons(found: Named) -> str:
    """The second line of two methods: how far each is off and why, or their standard errors."""
    parts = [
        f"{name} is off by {count(one.off.missed)} ({_parts(one.off)})"
        if one.off is not None
        else f"{name} has a standard error of {give_or_take(one.error)}"
        for name, one in found
    ]
    return upper("; ".join(parts)) + "."


def _parts(off: RectangleError) -> str:
    return f"{count(off.noise)} from the noise, {count(off.uniformity)} from uneven cells"


def between(found: RectangleNumbers) -> str:
    """The margin as two ends: "between 4,478 and 4,996"."""
    low, high = map(count, found.margin)
    return f"between {low} and {high}"


def interval_title(found: RectangleNumbers, voice: Voice) -> str:
    """What stands above the answer on an axis of its own."""
    return f"{upper(voice.names.many)} {where(found)}, about 19 times in 20"


def card(found: RectangleNumbers, *, private: bool = True) -> list[tuple[str, str]]:
    """The answer, the truth and both parts of the error, row by row; with the truth alone."""
    assert found.off is not None
    number = f"{count(found.private)} ± {give_or_take(found.error)}"
    return [
        ("Private" if private else "Not private", number),
        ("True", count(found.off.truth)),
        ("From the noise", count(found.off.noise)),
        ("From cut cells", count(found.off.uniformity)),
    ]
