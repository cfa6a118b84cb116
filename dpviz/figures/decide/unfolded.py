"""The frontier over the rail: a line a method, the need, the answer above its ring."""

from dpviz.answers.decide.budget.rail import RailNumbers
from dpviz.answers.decide.budget.unfolded import Line, UnfoldedNumbers, UnfoldedSaid, unit_text
from dpviz.figures.decide.rail import DESK, SIDE, SMALL, halo
from dpviz.figures.decide.svg import BOLD, LETTER, attributes, number, svg, words
from dpviz.figures.kit.look import TICK, WORDS, Look
from dpviz.figures.kit.palette import Ink

HIGH, LOW_HIGH = 432.0, 250.0  # px, and in a low window
TITLE = 26.0  # px above the picture
DOT = 8.0  # px
LEADS, OTHERS = "blue", ("amber", "green", "violet", "pink", "brown")
APART = 1.25  # lines of words, so that two names do not touch


def unfolded(
    found: UnfoldedNumbers, said: UnfoldedSaid, rail: RailNumbers, look: Look, width: float = DESK
) -> str:
    """The picture as SVG, as wide as the rail below it."""
    place = _Place(found, rail, look, width)
    parts = [
        words(said.title, place.left, 0.9 * place.text, place.text, look.ink.second),
        *_ticks(found, place),
        *(_line(found.lines[at], place, at) for at in reversed(range(len(found.lines)))),
        *_names(found, said, place),
        *_need(found, said, place),
    ]
    return svg("".join(parts), width, place.bottom, said.alt)


class _Place:
    """Where budgets and errors stand, in px."""

    def __init__(self, found: UnfoldedNumbers, rail: RailNumbers, look: Look, width: float) -> None:
        self.found, self.rail, self.look, self.width = found, rail, look, width
        self.text = look.text(TICK)
        self.left, self.right = SIDE * look.text(1), width - SIDE * look.text(1)
        self.top = TITLE * look.text(1)
        self.bottom = look.said(HIGH, LOW_HIGH, low=True)

    def x(self, size: float) -> float:
        """Where a budget stands: as on the rail."""
        return self.left + (self.right - self.left) * self.rail.share(size)

    def y(self, off: float) -> float:
        """Where an error stands."""
        return self.bottom - (self.bottom - self.top) * self.found.share(off)


def _ticks(found: UnfoldedNumbers, place: _Place) -> list[str]:
    """Round errors, each with a hairline; its number stands at the right end, above it."""
    ink, size, drawn = place.look.ink, place.text, []
    for one in found.ticks:
        y = place.y(one)
        hair = attributes(x1=place.left, x2=place.right, y1=y, y2=y, stroke=ink.hairline)
        drawn.append(f"<line{hair}/>")
        if y > place.top + size:
            end = {"text_anchor": "end"}
            drawn.append(words(unit_text(one), place.right, y - 4, size, ink.second, **end))
    return drawn


def _hue(one: Line, at: int, ink: Ink) -> str:
    """A method has its own hue, the same in every picture; where it has none, by its rank."""
    if one.key in ink.marks:
        return one.key
    return LEADS if at == 0 else OTHERS[(at - 1) % len(OTHERS)]


def _line(one: Line, place: _Place, at: int) -> str:
    """What a method is off by: the one that answers is bold."""
    points = (
        f"{number(place.x(float(size)))} {number(place.y(float(off)))}"
        for size, off in zip(one.sizes, one.offs, strict=True)
    )
    ink = place.look.ink
    style = attributes(
        data_kind=one.key,
        d=f"M{'L'.join(points)}",
        fill="none",
        stroke=ink.of(_hue(one, at, ink)),
        stroke_width=place.look.mark(4 if at == 0 else 1.6),
        stroke_linejoin="round",
    )
    return f"<path{style}/>"


def _names(found: UnfoldedNumbers, said: UnfoldedSaid, place: _Place) -> list[str]:
    """A list of the methods at the right, by what they need; the answering one in blue."""
    if place.width < SMALL:
        return []
    ink, size = place.look.ink, place.look.text(WORDS)
    longest = max((len(one) for one in said.names.values()), default=0)
    x = place.right - 5 * size - LETTER * size * longest
    drawn = []
    for at, one in enumerate(found.lines):
        y = place.top + (1.6 + at * APART) * size
        colour, weight = ink.written(_hue(one, at, ink)), BOLD if at == 0 else None
        drawn.append(words(said.names[one.key], x, y, size, colour, weight=weight, **halo(ink)))
    return drawn


def _need(found: UnfoldedNumbers, said: UnfoldedSaid, place: _Place) -> list[str]:
    """The need across the picture, and the answer on it, with a line down to its ring."""
    ink, y = place.look.ink, place.y(found.need)
    dash = attributes(x1=place.left, x2=place.right, y1=y, y2=y, stroke=ink.truth,
                      stroke_width=1.5, stroke_dasharray="6 5", data_kind="need")  # fmt: skip
    name = words(
        said.need, place.left, y + 1.2 * place.text, place.text, ink.truth, weight=BOLD, **halo(ink)
    )
    if found.size is None:
        return [f"<line{dash}/>", name]
    x = place.x(found.size)
    down = attributes(x1=x, x2=x, y1=y, y2=place.bottom, stroke=ink.private, stroke_width=2)
    dot = attributes(
        data_kind="answer", cx=x, cy=y, r=place.look.mark(DOT), fill=ink.page,
        stroke=ink.private, stroke_width=place.look.mark(3.5),
    )  # fmt: skip
    return [f"<line{dash}/>", name, f"<line{down}/>", f"<circle{dot}/>"]
