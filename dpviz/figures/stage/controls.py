"""Controls of a stage: a slider of named stops, a switch, buttons."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from dpviz.core.errors import InvalidParameter

Control = dict[str, Any]
EVERY, FIRST = 85, 500  # ms between two dots of a play, and before the first play


@dataclass(frozen=True, slots=True)
class Heights:
    """How high the picture is, as CSS: on a wide screen, a low one (under 800 px), and a phone."""

    wide: str
    low: str
    phone: str

    def drawn(self) -> "Heights":
        """Lower on a phone, so that the button below a drawing is seen."""
        return Heights(self.wide, self.low, "340px")

    def less(self, px: int) -> "Heights":
        """Lower by so many px where other lines stand beside the picture; a phone scrolls."""
        whole, less = "100dvh", f"100dvh - {px}px"
        return replace(self, wide=self.wide.replace(whole, less), low=self.low.replace(whole, less))

    def to_dict(self) -> dict[str, str]:
        """As the stage's component reads it."""
        return asdict(self)


def slider(
    name: str,
    label: tuple[str, ...],
    says: str,
    stops: Sequence[tuple[str, str]],
    *,
    own: bool = False,
    marks: Sequence[str] | None = None,
) -> Control:
    """Stops as (value, words); label stands before the value, its first part in blue.

    own sets the label above the words of the stop. marks are what stands below the track in place
    of these words, "" for nothing; the first and the last one stand on a phone, too.
    """
    if len(stops) < 2:
        raise InvalidParameter(f"A slider needs at least two stops, '{name}' has {len(stops)}.")
    listed: list[dict[str, Any]] = [{"value": value, "text": text} for value, text in stops]
    for place, (stop, mark) in enumerate(zip(listed, marks or (), strict=False)):
        stop |= {"mark": mark, "ends": place in {0, len(listed) - 1}}
    return {
        "kind": "slider",
        "name": name,
        "label": list(label),
        "says": says,
        "stops": listed,
        "own": own,
    }


def toggle(name: str, text: str, on: str, off: str) -> Control:
    """A switch between two values."""
    return {"kind": "toggle", "name": name, "text": text, "on": on, "off": off}


def press(name: str, text: str, value: str) -> Control:
    """A button that says one thing, once."""
    return {"kind": "press", "name": name, "text": text, "value": value}


def number(name: str, label: str, least: float, most: float) -> Control:
    """A field for any number from least to most; another entry is refused in words."""
    wrong = f"Type a number from {least:,.10g} to {most:,.15g}."
    return {"kind": "number", "name": name, "label": label, "least": least, "most": most,
            "wrong": wrong}  # fmt: skip


def go(value: str, text: str, look: str, *, hint: str = "", off: bool = False) -> Control:
    """A button that asks the page for something each time: the way on or back, or an answer.

    look is its CSS class: "quiet", "answer" or "forward"; hint is the key that does the same.
    """
    return {"kind": "go", "name": "go", "text": text, "value": value, "look": look, "hint": hint,
            "off": off}  # fmt: skip


def draw(text: str, on: str, unit: str, *, dots: int = 0, shared: bool = False) -> Control:
    """The row of a guess that is drawn: its number, and the button that locks it.

    on is what the button says once the truth is seen; a shared guess goes to the page at once.
    """
    return {"kind": "draw", "name": "guess", "text": text, "on": on, "kept": "Locked", "unit": unit,
            "dots": dots, "shared": shared}  # fmt: skip


def words(text: str) -> Control:
    """A line above the row that follows."""
    return {"kind": "words", "name": "words", "text": text}


def taps(name: str, text: str) -> Control:
    """What is tapped in the picture itself, and the words that say so."""
    return {"kind": "taps", "name": name, "text": text}


def sure(text: str) -> Control:
    """A first answer is only marked, and this line asks for a second one, which counts."""
    return {"kind": "sure", "name": "sure", "text": text}


def play(
    name: str, text: str, sets: int, source: str, off: tuple[float, float] = (0.0, 0.0)
) -> Control:
    """Lets the dots fly from beside a label through the barrier; each play shows the next set."""
    if sets < 1:
        raise InvalidParameter(f"A play needs at least one set of draws, got {sets}.")
    timing = {"every": EVERY, "first": FIRST}
    return timing | {
        "kind": "play",
        "name": name,
        "text": text,
        "sets": sets,
        "from": source,
        "off": list(off),
    }
