"""A hundred people: those suspected before in ink, those that a release adds, the rest outlines."""

from __future__ import annotations

from dpviz.answers.decide.risk import HUNDRED, ROW, RiskNumbers, RiskSaid, Run
from dpviz.figures.decide.svg import LETTER, attributes, number, runs, styled, svg, wrapped
from dpviz.figures.kit.look import WORDS, Look

DESK, PRESENTING, PHONE, SMALL = 31.0, 33.5, 19.4, 22.4  # px from one figure to the next
FIGURE = (14.4, 20.0)  # px that one figure takes at DESK
GAP = 22.0  # px between the figures and their notes
NOTES = {"wide": 148.0, "phone": 146.0, "presenting": 106.0}  # px of the notes' width
ROWS = {"wide": (0, 1, 4, 7), "phone": (0, 1, 3.3, 7.2), "presenting": (0, 1)}  # notes start here
LINE, PARAGRAPH = 1.36, 0.4  # sizes, from line to line, and more before a paragraph
SMALL_NOTE = 226.0  # px


def risks(found: RiskNumbers, said: RiskSaid, look: Look) -> str:
    """The figures with notes at their right, as SVG."""
    screen = "presenting" if look.presenting and not look.phone else "wide"
    if look.phone or (look.screen == "narrow" and not look.presenting):
        screen = "phone"
    pitch = {"phone": PHONE, "presenting": PRESENTING, "wide": DESK}[screen]
    left = ROW * pitch + (GAP if screen != "phone" else 16.0)
    size = 14.5 if screen == "phone" else look.text(WORDS)
    drawn = _figures(found, HUNDRED, pitch, look)
    end = 0.0
    for note, row in zip(said.notes[screen], ROWS[screen], strict=True):
        middle = (row + 0.5) * pitch + 0.35 * size
        top = max(middle, end + PARAGRAPH * size) if row > 1 else middle
        text, end = _note(note, (left, top), NOTES[screen], size, look)
        drawn += text
    return svg(drawn, left + NOTES[screen], max(ROW * pitch, end), said.alt)


def small_risks(found: RiskNumbers, said: RiskSaid, look: Look) -> str:
    """As many rows as the suspected fill, at least two, with one sentence beside them."""
    size = look.text(WORDS)
    pitch = SMALL if not look.presenting else PRESENTING
    left, room = ROW * pitch + 14, SMALL_NOTE * look.text(1)
    if look.phone:
        pitch = PHONE
        left, room = ROW * pitch + 12, 150.0
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
    found = []
    for one in people:
        x = (one % ROW + 0.5) * pitch - wide / 2
        y = (one // ROW + 0.5) * pitch - high / 2
        found.append(_person(x, y, wide, high))
    return "".join(found)


def _person(x: float, y: float, wide: float, high: float) -> str:
    """A head and shoulders."""
    head, arc = 0.215 * high, 0.36 * wide
    body = 0.46 * high
    start = f"M{number(x + wide / 2 - head)} {number(y + head)}"
    r = number(head)
    turn = f"a{r} {r} 0 1 0 {number(2 * head)} 0a{r} {r} 0 1 0 {number(-2 * head)} 0z"
    down, across = number(high - body - arc), number(wide - 2 * arc)
    a = number(arc)
    shoulders = (
        f"M{number(x)} {number(y + high)}v-{down}a{a} {a} 0 0 1 {a}-{a}h{across}"
        f"a{a} {a} 0 0 1 {a} {a}v{down}z"
    )
    return start + turn + shoulders
