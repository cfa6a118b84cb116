"""A hundred people: those suspected before in ink, those that a release adds, the rest outlines."""

from dataclasses import dataclass

from dpviz.answers.decide.risk import HUNDRED, ROW, RiskNumbers, RiskSaid, Run
from dpviz.answers.said import Size
from dpviz.figures.decide.svg import LETTER, attributes, number, runs, styled, svg, wrapped
from dpviz.figures.kit.look import TICK, WORDS, Look

DESK = 31.0  # px from one figure to the next, where there is room
FIGURE = (14.4, 20.0)  # px that one figure takes there


@dataclass(frozen=True, slots=True)
class Room:
    """Where figures and their notes stand: px from one figure to the next, between, and of notes.

    rows are those of the figures at which the notes begin; small is for the small picture.
    """

    size: Size
    pitch: float
    gap: float
    notes: float
    rows: tuple[float, ...]


FULL = Room("full", DESK, 22.0, 148.0, (0, 1, 4, 7))
LARGE = Room("large", 29.0, 18.0, 106.0, (0, 1))
SMALL = Room("small", 19.4, 16.0, 146.0, (0, 1, 3.3, 7.2))
# px from one figure of the small picture to the next, before its note and of it
BESIDE, SMALL_BESIDE = (22.4, 14.0, 226.0), (19.4, 12.0, 150.0)
LINE, PARAGRAPH = 1.36, 0.4  # sizes, from line to line, and more before a paragraph


def risks(found: RiskNumbers, said: RiskSaid, look: Look) -> str:
    """The figures with notes at their right, as SVG."""
    is_narrow = not look.presenting  # a narrow window has no room for all notes, either
    room = look.said(LARGE if look.presenting else FULL, SMALL, narrow=is_narrow)
    left, size = ROW * room.pitch + room.gap, look.said(look.text(WORDS), TICK, narrow=is_narrow)
    drawn = _figures(found, HUNDRED, room.pitch, look)
    end = 0.0
    for note, row in zip(said.notes[room.size], room.rows, strict=True):
        middle = (row + 0.5) * room.pitch + 0.35 * size
        top = max(middle, end + PARAGRAPH * size) if row > 1 else middle
        text, end = _note(note, (left, top), room.notes, size, look)
        drawn += text
    return svg(drawn, left + room.notes, max(ROW * room.pitch, end), said.alt)


def small_risks(found: RiskNumbers, said: RiskSaid, look: Look) -> str:
    """As many rows as the suspected fill, at least two, with one sentence beside them."""
    size = look.text(WORDS)
    pitch, gap, room = look.said(BESIDE, SMALL_BESIDE, presenting=True)
    left, room = ROW * pitch + gap, look.said(room * look.text(1), room)
    drawn = _figures(found, found.rows * ROW, pitch, look)
    lines = len(wrapped(said.small_note, int(room / (LETTER * size))))
    high = max(found.rows * pitch, lines * LINE * size)
    top = high / 2 - (lines - 1) / 2 * LINE * size + 0.35 * size
    text, _ = _note(said.small_note, (left, top), room, size, look)
    return svg(drawn + text, left + room, high, said.small_alt)


def _note(
    note: tuple[Run, ...], at: tuple[float, float], room: float, size: float, look: Look
) -> tuple[str, float]:
    """A paragraph from its first baseline on, and where the next one may have its own."""
    x, y = at
    drawn = ""
    for line in wrapped(note, int(room / (LETTER * size))):
        drawn += runs(styled(line, look), x, y, size)
        y += LINE * size
    return drawn, y


def _figures(found: RiskNumbers, people: int, pitch: float, look: Look) -> str:
    """One path for each kind of people, row by row."""
    ink, after = look.ink, min(found.after, people)
    hollow = {"fill": "none", "stroke": ink.grain, "stroke_width": 1.1, "stroke_opacity": 0.75}
    kinds = (
        ("before", range(found.before), {"fill": ink.truth}),
        ("added", range(found.before, after), {"fill": ink.danger}),
        ("others", range(after, people), hollow),
    )
    return "".join(
        f"<path{attributes(data_kind=kind, d=_path(those, pitch), **style)}/>"
        for kind, those, style in kinds
        if those
    )


def _path(people: range, pitch: float) -> str:
    """Heads and bodies of people at their places, ten in a row."""
    scale = pitch / DESK
    wide, high = (scale * one for one in FIGURE)
    radius, arc = 0.215 * high, 0.36 * wide
    r, a, twice = number(radius), number(arc), number(2 * radius)
    down, across = number(0.54 * high - arc), number(wide - 2 * arc)
    head = f"a{r} {r} 0 1 0 {twice} 0a{r} {r} 0 1 0 -{twice} 0z"
    shoulders = f"v-{down}a{a} {a} 0 0 1 {a}-{a}h{across}a{a} {a} 0 0 1 {a} {a}v{down}z"
    found = []
    for one in people:
        x, y = (one % ROW + 0.5) * pitch, (one // ROW + 0.5) * pitch - high / 2
        found.append(f"M{number(x - radius)} {number(y + radius)}{head}")
        found.append(f"M{number(x - wide / 2)} {number(y + high)}{shoulders}")
    return "".join(found)
