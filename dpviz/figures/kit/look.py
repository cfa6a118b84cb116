"""How pictures are drawn for one visitor: colours, and sizes that follow the screen."""

from dataclasses import dataclass
from typing import Literal, TypeVar

from dpviz.figures.kit.palette import LIGHT, Ink

FONT = "'Source Sans', 'Source Sans Pro', sans-serif"
SERIF = "'Source Serif', 'Source Serif Pro', serif"
TICK, WORDS = 14.5, 15.0  # px, of ticks and of all other words
LARGER_TEXT, LARGER_MARKS = 1.4, 1.5  # for the back row of a lecture hall

LESS = 0.5  # of what large words have above WORDS, on a phone

Screen = Literal["wide", "low", "narrow", "phone"]
Full = TypeVar("Full")
Brief = TypeVar("Brief")


@dataclass(frozen=True, slots=True)
class Look:
    """Colours and sizes of every picture on a page.

    screen says how much room there is: "phone" up to 640 px of width, "narrow" up to 1100, "low"
    for a larger window less than 800 px high, else "wide". Sizes are in px as read at arm's
    length; presenting makes them larger.
    """

    ink: Ink = LIGHT
    presenting: bool = False
    screen: Screen = "wide"

    @property
    def key(self) -> tuple[object, ...]:
        """What tells one look of the app's pages from another: marks and labels are the same."""
        return self.ink.dark, self.presenting, self.screen

    @property
    def phone(self) -> bool:
        """Whether pictures stand one below the other on a narrow screen."""
        return self.screen == "phone"

    def said(
        self,
        full: Full,
        brief: Brief,
        *,
        narrow: bool = False,
        low: bool = False,
        presenting: bool = False,
    ) -> Full | Brief:
        """What is said or shown in full, or in brief on a phone.

        narrow, low and presenting say that there is too little room on a narrow screen, in a low
        window, or for larger words, too.
        """
        scarce = {"phone": True, "narrow": narrow, "low": low}.get(self.screen, False)
        return brief if scarce or (presenting and self.presenting) else full

    def full(
        self, *parts: Full, narrow: bool = False, low: bool = False, presenting: bool = False
    ) -> list[Full]:
        """What stands only where there is room for all."""
        return list(self.said(parts, (), narrow=narrow, low=low, presenting=presenting))

    def large(self, size: float) -> float:
        """The size of large words, which lose half of what they have above others on a phone."""
        return WORDS + LESS * (size - WORDS) if self.phone else size

    def text(self, size: float = WORDS) -> float:
        """The size of words; presenting, at least 20 px from 14.5 on."""
        return round(size * LARGER_TEXT, 1) if self.presenting else size

    def mark(self, size: float) -> float:
        """The size of a dot or the width of a line."""
        return size * LARGER_MARKS if self.presenting else size
