"""The rail of a budget: noise lying on an axis, the answer as a ring, what others chose below."""

from functools import lru_cache

from dpviz.answers.decide.budget.rail import Mound, RailNumbers, RailSaid, mound
from dpviz.answers.privacy.deployments import Deployment
from dpviz.figures.decide.svg import BOLD, LETTER, attributes, number, words
from dpviz.figures.decide.svg import svg as whole
from dpviz.figures.kit.look import SERIF, TICK, WORDS, Look
from dpviz.figures.kit.palette import Ink

DESK = 1110.0  # px
SIDE = 14.0  # px that the axis stays away from both ends
TOP, NOISE = 12.0, 44.0  # px above the mound, and of its height
NUMBER, RING, STROKE = 26.0, 10.0, 4.0  # px of the answer, and of its ring
SMALL, LARGE = 700.0, 1000.0  # px: a narrower rail has few ticks and no note; no names of others
GRAIN = 1.5  # px
FINER = 2.0  # steps of a grain's place in a px: whole numbers are short
REACH = {"start": 1.0, "middle": 0.5, "end": 0.0}  # of words, at the right of where they are
SERIF_LETTER = 0.44  # mean width, in sizes


def rail(found: RailNumbers, said: RailSaid, look: Look, width: float = DESK) -> str:
    """The rail as SVG, so many px wide. Presenting, and where it is narrow, it shows no others."""
    place = _Place(found, look, width)
    parts = [
        _noise(mound(found.low, found.high), place),
        _axis(found, place),
        _ticks(found, place),
        _ends(said, place),
        *_answer(found, said, place),
    ]
    bottom = place.line + 2.1 * place.text
    if width >= LARGE and not look.presenting and found.others:
        parts += _others(found, said, place)
        bottom = place.line + 5.6 * place.text
    return whole("".join(parts), width, round(bottom), said.alt)


class _Place:
    """Where things are, in px: the axis from left to right at height line."""

    def __init__(self, found: RailNumbers, look: Look, width: float) -> None:
        self.found, self.look, self.width = found, look, width
        self.text = look.text(TICK)
        self.left, self.right = SIDE * look.text(1), width - SIDE * look.text(1)
        self.noise = look.mark(NOISE)
        self.line = TOP * look.text(1) + self.noise

    def x(self, size: float) -> float:
        """Where a budget stands."""
        return self.left + (self.right - self.left) * self.found.share(size)

    def reach(self, said: RailSaid) -> tuple[float, float]:
        """From where to where the words of the answer go: above its ring, and on the rail."""
        if self.found.size is None:
            middle, half = (self.left + self.right) / 2, self.wide(said.note) / 2
            return middle - half, middle + half
        half = len(said.answer) * SERIF_LETTER * self.look.mark(NUMBER) / 2
        centre = min(max(self.x(self.found.size), self.left + half), self.right - half)
        return centre - half, centre + half

    def wide(self, note: str) -> float:
        """How wide a note is, about."""
        return len(note) * LETTER * self.look.text(WORDS)


def _noise(noise: Mound, place: _Place) -> str:
    """All grains of a kind as one path of dots."""
    ink = place.look.ink
    wide, high = (place.right - place.left) * FINER, place.noise * FINER
    kinds = (("bare", noise.bare, ink.second), ("private", noise.private, ink.private))
    drawn = ""
    for kind, grains, colour in kinds:
        style = {"stroke": colour, "stroke_width": GRAIN * FINER, "stroke_linecap": "round"}
        d = _dots(grains, wide, high)
        drawn += f"<path{attributes(data_kind=kind, d=d, fill='none', **style)}/>"
    shift = f"translate({number(place.left)} {number(place.line - 2)}) scale({1 / FINER:g})"
    return f'<g transform="{shift}" opacity="0.8">{drawn}</g>'


@lru_cache(maxsize=16)
def _dots(grains: tuple[tuple[float, float], ...], wide: float, high: float) -> str:
    return "".join(f"M{at * wide:.0f}-{up * high:.0f}h0" for at, up in grains)


def _axis(found: RailNumbers, place: _Place) -> str:
    """A line from ink to blue, as people become private numbers; the spread pale on it."""
    ink, wide = place.look.ink, place.look.mark(3)
    stops = f'<stop stop-color="{ink.truth}"/><stop offset="0.55" stop-color="{ink.private}"/>'
    shade = f'<defs><linearGradient id="rail-ink">{stops}</linearGradient></defs>'
    line = {"x": place.left, "y": place.line - wide / 2, "width": place.right - place.left}
    drawn = f"<rect{attributes(height=wide, fill='url(#rail-ink)', **line)}/>"
    if found.spread is not None:
        low, high = (place.x(one) for one in found.spread)
        box = {"x": low, "y": place.line - 4.5, "width": high - low, "height": 9, "rx": 4}
        pale = attributes(data_kind="spread", fill=ink.private, fill_opacity=0.35, **box)
        drawn += f"<rect{pale}/>"
    return shade + drawn


def _ticks(found: RailNumbers, place: _Place) -> str:
    """Round budgets."""
    ink, size = place.look.ink, place.text
    ticks = found.ticks if place.width >= SMALL else found.few
    drawn = ""
    for one in ticks:
        x = place.x(one)
        mark = {"x1": x, "x2": x, "y1": place.line + 2, "y2": place.line + 7}
        drawn += f"<line{attributes(stroke=ink.grain, **mark)}/>"
        half = LETTER * size * len(f"{one:g}") / 2
        centre, y = max(x, half), place.line + 7 + 1.1 * size
        drawn += words(f"{one:g}", centre, y, size, ink.second, text_anchor="middle")
    return drawn


def _ends(said: RailSaid, place: _Place) -> str:
    """What both ends mean, where the answer leaves them room."""
    ink, size, around = place.look.ink, place.text, halo(place.look.ink)
    first, last = place.reach(said)
    room = 6 * size
    drawn = ""
    if first > place.left + room:
        y = place.line - place.noise + 0.15 * size
        drawn += words("more noise", place.left - 2, y, size, ink.second, **around)
    if last < place.right - room:
        end = {"text_anchor": "end"} | around
        y = place.line - place.look.mark(12)
        drawn += words("less noise", place.right, y, size, ink.second, **end)
    return drawn


def halo(ink: Ink) -> dict[str, object]:
    """Paper around words that lie on grains."""
    return {
        "stroke": ink.page,
        "stroke_width": 5,
        "stroke_linejoin": "round",
        "paint_order": "stroke",
    }


def _answer(found: RailNumbers, said: RailSaid, place: _Place) -> list[str]:
    """A ring on the axis, hollow until it is spent; above it the number and its note."""
    ink, look = place.look.ink, place.look
    note_size = look.text(WORDS)
    y = place.line - look.mark(20)
    if found.size is None:
        if not said.note:
            return []
        x = (place.left + place.right) / 2
        return [
            words(said.note, x, y, note_size, ink.second, text_anchor="middle", **halo(look.ink))
        ]
    x, radius = place.x(found.size), look.mark(RING)
    is_spent = found.state == "spent"
    fill = ink.private if is_spent else ink.page
    ring = attributes(
        data_kind="spent" if is_spent else "answer",
        cx=x,
        cy=place.line,
        r=radius,
        fill=fill,
        stroke=ink.page if is_spent else ink.private,
        stroke_width=1.5 if is_spent else look.mark(STROKE),
    )
    size = look.mark(NUMBER)
    first, last = place.reach(said)
    found_words = [
        f"<circle{ring}/>",
        words(said.answer, (first + last) / 2, y, size, ink.written("blue"), weight=BOLD,
              text_anchor="middle", **halo(look.ink) | {"font_family": SERIF}),
    ]  # fmt: skip
    if place.width >= SMALL and not look.presenting:
        found_words.append(_note(said.note, (first, last), y, place))
    return found_words


def _note(note: str, answer: tuple[float, float], y: float, place: _Place) -> str:
    """What the number is, at its right, or at its left, where it has room."""
    size = place.look.text(WORDS)
    first, last = answer[0] - 12, answer[1] + 12
    wide = place.wide(note)
    if last + wide < place.right - 5 * size:
        x, anchor = last, "start"
    elif first - wide > place.left:
        x, anchor = first, "end"
    else:
        return ""  # no side has room; the picture's words say it
    ink, around = place.look.ink, halo(place.look.ink)
    return words(note, x, y, size, ink.second, text_anchor=anchor, **around)


def _others(found: RailNumbers, said: RailSaid, place: _Place) -> list[str]:
    """Triangles and stretches of what others chose, each over its name and what it protects."""
    ink, size = place.look.ink, place.text
    y = place.line + 2.4 * size
    first, second = y + 1.35 * size, y + 2.5 * size
    title, note = said.title
    drawn = [
        words(title, place.left - 4, first, size, ink.truth, weight=BOLD),
        words(note, place.left - 4, second, size, ink.second),
    ]
    drawn += [_tick(one, y, place) for one in found.further if one.low <= found.high]
    taken = place.left + LETTER * size * max(len(title), len(note))
    for one, (name, protects) in zip(found.others, said.others, strict=True):
        drawn.append(_mark(one, y, place))
        wide = LETTER * size * max(len(name), len(protects))
        at = _name_at(one, wide, taken + size, place)
        if at is not None:
            drawn.append(words(name, at[0], first, size, ink.truth, weight=BOLD, text_anchor=at[1]))
            drawn.append(words(protects, at[0], second, size, ink.second, text_anchor=at[1]))
            taken = at[0] + wide * REACH[at[1]]
    return drawn


def _mark(one: Deployment, y: float, place: _Place) -> str:
    """A thick line for a range, a triangle for a single number."""
    ink, low, high = place.look.ink, place.x(one.low), place.x(one.high)
    if one.is_range:
        box = {"x": low, "y": y - 2.5, "width": high - low, "height": 5, "rx": 2.5}
        return f"<rect{attributes(data_kind='others', fill=ink.grain, **box)}/>"
    d = f"M{number(low)} {number(y - 6)}l6 10h-12z"
    return f"<path{attributes(data_kind='others', d=d, fill=ink.truth)}/>"


def _tick(one: Deployment, y: float, place: _Place) -> str:
    """One without a name: a small line, two for the ends of a range."""
    ends = dict.fromkeys((one.low, one.high))
    d = "".join(f"M{number(place.x(end))} {number(y - 5)}v9" for end in ends)
    look = attributes(data_kind="further", d=d, stroke=place.look.ink.second, stroke_width=1.5)
    return f"<path{look}/>"


def _name_at(one: Deployment, wide: float, free: float, place: _Place) -> tuple[float, str] | None:
    """A range's name starts with it, or on it; a single one is centred, or ends at the axis's end.

    None where what is free from its left on has no room for it: then its mark alone is there.
    """
    x = place.x(one.low)
    if one.is_range:
        x = max(x, free)
        return (x, "start") if x <= place.x(one.high) else None
    at = (place.right, "end") if x + wide > place.right else (x, "middle")
    return at if at[0] - wide * (1 - REACH[at[1]]) >= free else None
