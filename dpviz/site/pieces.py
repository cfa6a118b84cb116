"""Many texts that are alike in few bytes: each piece once, and its numbers beside its form."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

HOLE, FIRST = "¤", "~"  # where a number stood; a number that is the first one of its piece again
NUMBER = re.compile(r"\d[\d,.]*\d|\d")
MOST = 200  # numbers of a piece; one with more of them is like no other
ENDS = re.compile(r"(?=<[^/])|(?<=z)(?=M)|(?<=\. )(?=[A-Z])")  # elements, outlines, sentences


@dataclass(frozen=True, slots=True)
class Pieces:
    """forms are texts with holes; a piece is the number of its form, and its numbers, as a text."""

    forms: dict[str, int] = field(default_factory=dict)
    pieces: dict[str, int] = field(default_factory=dict)
    known: dict[str, int] = field(default_factory=dict)

    def piece(self, text: str) -> int:
        """The place of a text among the pieces."""
        if text not in self.known:
            self.known[text] = self._added(text)
        return self.known[text]

    def _added(self, text: str) -> int:
        numbers = NUMBER.findall(text)
        is_own = len(numbers) > MOST
        form, numbers = (text, []) if is_own else (NUMBER.sub(HOLE, text), numbers)
        at = self.forms.setdefault(form, len(self.forms))
        again = [FIRST if place and one == numbers[0] else one for place, one in enumerate(numbers)]
        return self.pieces.setdefault(" ".join([str(at), *again]), len(self.pieces))

    def drawing(self, svg: str) -> str:
        """The places of a drawing's pieces: "0-7 12 9"."""
        runs: list[list[int]] = []
        for place in map(self.piece, filter(None, ENDS.split(svg))):
            if runs and place == runs[-1][1] + 1:
                runs[-1][1] = place
            else:
                runs.append([place, place])
        return " ".join(f"{low}" if low == high else f"{low}-{high}" for low, high in runs)

    def to_dict(self) -> dict[str, Any]:
        """As a page carries them: the forms, and the pieces with "|" between."""
        return {"forms": list(self.forms), "pieces": "|".join(self.pieces)}
