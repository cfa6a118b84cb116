"""What a view says of its numbers: two sentences, a strip, tables, and its picture in words.

Private numbers are marked blue, true ones bold; texts of a file are not trusted.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

# how much room words have: all of it, that of large words, or that of a small screen
Size = Literal["full", "large", "small"]
NOTICE = "Teaching view: shows true data"


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence in Markdown, and how it is said where room is scarce."""

    full: str
    brief: str = ""

    def __call__(self, *, brief: bool = False) -> str:
        """The form that fits."""
        return self.brief if brief and self.brief else self.full


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of texts under a title, which is Markdown, as the notes below them are.

    alt says the table in words. right names the columns of numbers, each with what it means, if
    that needs saying. A table without rows is its title and notes alone.
    """

    title: str
    alt: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: Mapping[str, str | None] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Said:
    """Everything that is said beside a picture; strip holds words and their numbers, plain.

    strips are those of screens where room is scarce, by their names.
    """

    headline: Line
    second: Line
    strip: Sequence[tuple[str, str]]
    alt: str
    chips: Sequence[str] = ()
    tables: Sequence[Table] = ()
    strips: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)


def plain(text: str) -> str:
    """Text from a visitor's file with Markdown switched off."""
    return re.sub(r"([\\`*_{}\[\]()<>#+\-.!|~$:^=])", r"\\\1", text)


def private(text: str) -> str:
    """A published number, in blue; text is plain."""
    return f":blue[{plain(text)}]"


def true(text: str) -> str:
    """A true number, in bold ink; text is plain."""
    return f"**{plain(text)}**"


def danger(text: str) -> str:
    """What leaked about one person; text is plain."""
    return f":orange[{plain(text)}]"


def unmarked(sentence: str) -> str:
    """A sentence without its Markdown."""
    bare = re.sub(r":(?:blue|orange)\[((?:\\.|[^\]\\])*)\]", r"\1", sentence).replace("**", "")
    return re.sub(r"\\(.)", r"\1", bare)


def html_safe(text: str) -> str:
    """Text from a visitor's file made safe for the labels and hovers of pictures."""
    return (
        text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("$", "&#36;")
    )
