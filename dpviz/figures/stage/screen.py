"""Where a picture is seen: its parts stand side by side on a desk, one below another on a phone.

A scene says what it has, for a desk; the screen says how large that is and where it stands.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

from dpviz.core.errors import InvalidParameter
from dpviz.figures.stage.answers import barrier
from dpviz.figures.stage.places import At, Mark

Full = TypeVar("Full")
Brief = TypeVar("Brief")
READABLE = 14.5  # px: no words are smaller
LENGTHS, WORDS = 0.6, 0.4  # on a phone: of all lengths, and of what words have above READABLE
LINES = (34.0, 20.0, 28.0), (16.0, 4.0, 20.0)  # px on a desk, on a phone: heading, gap, line


@dataclass(frozen=True, slots=True)
class Screen:
    """Where a picture is seen: all of it has room on a desk, the brief form of it on a phone."""

    narrow: bool

    def px(self, length: float) -> float:
        """A distance, a width or a radius in px."""
        return LENGTHS * length if self.narrow else length

    def size(self, px: float) -> float:
        """The size of words: large ones lose some on a phone, small ones nothing."""
        return READABLE + WORDS * max(0.0, px - READABLE) if self.narrow else px

    def said(self, full: Full, brief: Brief) -> Full | Brief:
        """What is said or shown in full, or in brief where there is little room."""
        return brief if self.narrow else full

    def full(self, *marks: Mark) -> list[Mark]:
        """Marks that stand only where there is room for all."""
        return [] if self.narrow else list(marks)

    def columns(self, *parts: Column) -> tuple[Panel, ...]:
        """Panels beside each other over the whole height, or below each other over the width."""
        return tuple(
            Panel(self.narrow, At(), At(1), At(part.down[0]), At(part.down[1]))
            if self.narrow
            else Panel(self.narrow, At(part.across[0]), At(part.across[1]), At(), At(1))
            for part in parts
        )


@dataclass(frozen=True, slots=True)
class Column:
    """A part of a picture: from and to shares of the width on a desk, of the height on a phone."""

    across: tuple[float, float] = (0.0, 1.0)
    down: tuple[float, float] = (0.0, 1.0)

    def __post_init__(self) -> None:
        for low, high in (self.across, self.down):
            if not 0 <= low < high <= 1:
                raise InvalidParameter(f"A column cannot go from {low:g} to {high:g}.")


@dataclass(frozen=True, slots=True)
class Panel(Screen):
    """A rectangle between shares of the picture. Px in it are a desk's, and fewer on a phone."""

    left: At
    right: At
    top: At
    bottom: At

    def x(self, share: float = 0.0, px: float = 0.0) -> At:
        """A place between the panel's left edge (0) and its right one (1), and px from there."""
        return _between(self.left, self.right, share, self.px(px))

    def y(self, share: float = 0.0, px: float = 0.0) -> At:
        """A place between the panel's upper edge (0) and its lower one (1), and px from there."""
        return _between(self.top, self.bottom, share, self.px(px))

    def line(self, number: float) -> At:
        """The baseline of a line of words: 0 is the heading, 1 the first line below it."""
        first, gap, height = LINES[self.narrow]
        return At(self.top.share, first + gap * (number > 0) + height * number)

    def halves(self, gap: float = 0.0) -> tuple[Panel, Panel]:
        """Two panels below each other on a desk, beside each other on a phone, a share apart."""
        first, last = (1 - gap) / 2, (1 + gap) / 2
        if self.narrow:
            return replace(self, right=self.x(first)), replace(self, left=self.x(last))
        return replace(self, bottom=self.y(first)), replace(self, top=self.y(last))

    def wall(self, name: str, *, half: float, bar: float = 3.0, scale: float = 1.0) -> Mark:
        """The noise that the panel ends at: right of it on a desk, below it on a phone."""
        if self.narrow:
            return barrier(name, self.bottom, self.left, self.right, direction="horizontal",
                           half=half, bar=bar, scale=self.px(scale))  # fmt: skip
        return barrier(name, self.right, self.y(0, 54), self.y(1, -8), half=half, bar=bar,
                       scale=scale)  # fmt: skip


DESK, PHONE = Screen(narrow=False), Screen(narrow=True)
STAMP = PHONE  # a small picture on paper has as little room


def screen_of(phone: bool) -> Screen:
    """A phone, or a desk."""
    return PHONE if phone else DESK


def _between(low: At, high: At, share: float, px: float) -> At:
    return At(low.share + share * (high.share - low.share), px)
