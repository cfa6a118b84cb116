"""Pieces of pictures that several scenes share, put together from marks."""

from collections.abc import Mapping, Sequence
from typing import Any

from dpviz.figures.stage import answers, findings, people, tallies
from dpviz.figures.stage.colours import Colour
from dpviz.figures.stage.frames import Anchor, Run, Tick, axis, label, rule
from dpviz.figures.stage.places import At, Mark, On, Place, Spot
from dpviz.figures.stage.screen import Panel, Screen
from dpviz.figures.stage.written import beside, eyebrow, figure

Span = tuple[float, float]


def heading(
    panel: Panel, name: str, text: str, colour: Colour = "ink", anchor: Anchor = "start"
) -> Mark:
    """A small heading at the upper edge of a panel, at its left or at its right end."""
    x = panel.right if anchor == "end" else panel.left
    return eyebrow(name, (x, panel.line(0)), text, colour=colour, anchor=anchor)


def number(
    screen: Screen, name: str, at: Spot, text: str | Sequence[Run], size: float,
    colour: Colour = "private", anchor: Anchor = "start", *, halo: bool = False,
) -> Mark:  # fmt: skip
    """A finding in large type, smaller where there is little room."""
    px = screen.size(size)
    return figure(name, at, text, size=px, colour=colour, anchor=anchor, halo=halo)


def lines(at: Spot, apart: float, texts: Mapping[str, str], **style: Any) -> list[Mark]:
    """Lines of words by their names, so many px below each other."""
    x, first = at
    every = enumerate(texts.items())
    return [label(name, (x, further(first, i * apart)), text, **style) for i, (name, text) in every]


def further(place: Place, px: float) -> Place:
    """A place so many px further right or down."""
    if isinstance(place, At):
        return beside(place, px)
    return On(place.axis, place.value, place.px + px)


def dot(
    name: str, axis_of: str, value: float, at: Place, radius: float, colour: Colour = "private"
) -> Mark:
    """A value on an axis, at a height of the picture."""
    return answers.errorbar(name, axis_of, at, value, 0, height=0, radius=radius, colour=colour)


def point(name: str, at: Spot, head: float, colour: Colour = "private") -> Mark:
    """A dot at a spot."""
    return findings.beam(name, at, [at], head=head, colour=colour)


def grid(axis_of: str, values: Sequence[float], left: Place, right: Place) -> list[Mark]:
    """Thin lines across at values of an axis that goes up."""
    return [
        rule(f"grid {one}", (left, On(axis_of, one)), (right, On(axis_of, one)), width=1,
             colour="hairline")
        for one in values
    ]  # fmt: skip


def heap(
    name: str, panel: Panel, ends: tuple[At, At], span: Span, near: Span, ticks: Sequence[Tick],
    most: float, law: tuple[float, Sequence[float]], values: Sequence[float], *, step: float,
    row: int,
) -> list[Mark]:  # fmt: skip
    """Answers in columns over their law, and the stretch of those that are near the truth.

    ends are the heights of the axis and of a column of `most` dots, law where it starts and how
    high its columns are.
    """
    base, top = ends
    x, y = axes = f"{name} x", f"{name} y"
    start, heights = law
    return [
        axis(x, "x", span, panel.left, panel.right, at=base, ticks=ticks, line=True),
        axis(y, "y", (0, most), base, top),
        findings.band(f"{name} near", x, near, beside(top, -6), base),
        answers.law(f"{name} law", axes, start, heights, step=step, fill=0.12),
        answers.dots(f"{name} dots", axes, values, step=step, row=row),
    ]


def scatter(
    name: str, axes: tuple[str, str], x: Sequence[float], y: Sequence[float], *, radius: float,
    colour: Colour = "private", opacity: float = 1.0,
) -> list[Mark]:  # fmt: skip
    """Dots at values of two axes, if there are any."""
    if not len(x):
        return []
    return [people.points(name, axes, x, y, radius=radius, colour=colour, opacity=opacity)]


def axes_of(
    names: tuple[str, str], spans: tuple[Span, Span], ends: tuple[At, At, At, At],
    ticks: tuple[Sequence[Tick], Sequence[Tick]], *, log: tuple[bool, bool] = (False, False),
) -> list[Mark]:  # fmt: skip
    """Two axes; ends are where they stand: left, right, foot and top."""
    (x, y), (left, right, foot, top) = names, ends
    return [
        axis(x, "x", spans[0], left, right, at=foot, ticks=ticks[0], log=log[0], line=True),
        axis(y, "y", spans[1], foot, top, at=left, ticks=ticks[1], log=log[1]),
    ]


def suspects(
    panel: Panel, name: str, top: tuple[At, At, At], before: int, added: int,
    room: tuple[int, tuple[float, float]],
) -> list[Mark]:  # fmt: skip
    """A hundred people: suspected before, and added; top has where heading, number and they stand.

    room is how many of them stand in a row, and the size of each.
    """
    columns, size = room
    first, second, third = top
    return [
        eyebrow("suspicion", (panel.left, first), f"A SUSPICION ABOUT {name.upper()}"),
        number(panel, "before", (panel.left, second), f"{before} in 100", 20, "ink"),
        tallies.people("people", (panel.left, third), before, added, columns=columns, size=size),
    ]


def at_most(panel: Panel, y: At, many: int | str) -> Mark:
    """The most that a suspicion can become, at the right end of its line."""
    place = panel.right, y
    return number(panel, "after", place, f"at most {many}", 26, "danger_text", "end")


def budget(
    panel: Panel, level: float, over: int, slots: int, promise: str, pays: tuple[str, str]
) -> list[Mark]:
    """A tank under its heading, the tanks spent beyond it, and beside it what it pays for."""
    corner, far, rest, (wide, high) = panel.said(
        ((panel.left, panel.line(0.45)), (panel.x(0, 96), panel.line(4.4)),
         (panel.left, panel.line(7.2)), (33.0, 38.0)),
        ((panel.left, panel.line(1.5)), (At(0, 56), panel.y(1, -20)),
         (At(0, 76), panel.line(1.5)), (28.0, 21.5)),
    )  # fmt: skip
    fine, x = 1 + (over > 50), panel.x(0, 114)
    return [
        tallies.tank("tank", corner, far, level, slots=slots, over=over, over_at=rest,
                     over_size=(wide / fine, high), over_row=10 * fine),
        heading(panel, "budget", "PRIVACY BUDGET"),
        *panel.full(
            figure("promise", (x, panel.line(1.6)), promise, size=24),
            label("pays", (x, panel.line(2.9)), pays[0]),
            label("each", (x, panel.line(3.9)), pays[1]),
        ),
    ]  # fmt: skip


def named_tiles(
    panel: Panel, names: Sequence[str], states: Sequence[tallies.Tile], words: Sequence[str]
) -> Mark:
    """A tile a person, eight in a row on a desk, four on a phone."""
    place = panel.left, panel.y(0, 56)
    return panel.said(
        tallies.tiles("tiles", place, names, states, words),
        tallies.tiles("tiles", place, names, states, words, columns=4, size=(87.25, 21.6), gap=3,
                      text=14.5, inline=True),
    )  # fmt: skip


def note(panel: Panel, place: int, sign: str, words: str, count: str, unit: str) -> list[Mark]:
    """A line of notes: a sign, what was asked, and the count that was told."""
    y = panel.line(1.2 * place + 1)
    return [
        label(f"sign {place}", (panel.left, y), sign, weight=700),
        label(f"note {place}", (panel.x(0, 30), y), words, size=16),
        number(panel, f"count {place}", (panel.x(1, -112), y), count, 22, "ink", "end"),
        label(f"unit {place}", (panel.right, y), unit, colour="second", anchor="end"),
    ]
