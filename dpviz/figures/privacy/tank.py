"""The ledger as tanks: one holds the promise and drains, the rest was never promised."""

from __future__ import annotations

import math
from typing import Any

from dpviz.answers.privacy.amounts import epsilon_text
from dpviz.experiments.privacy.budget import Bill
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.panels import Place
from dpviz.figures.kit.picture import axis, words
from dpviz.figures.privacy.parts import area, big, bold

AXES = ("x2", "y2")
FEW, MANY = 4, 10  # tanks in a row
MOST = MANY * MANY
SIDE = 0.78  # of a tank, where one stands on each unit
SINGLE = (2.8, 3.96)  # width and height of the one tank, in a square of FEW
MARKS = 60  # answers that get a mark of their own


def tank_axes(look: Look, bill: Bill, place: Place) -> dict[str, Any]:
    """Both axes of the tanks in a part of the picture: units are square, rows start at the top."""
    row = in_row(bill)
    rows = max(math.ceil(_squares(bill)[0] / row), 1) if bill.is_overspent else FEW
    aspect = {"scaleanchor": "x2", "scaleratio": 1, "constrain": "domain", "constraintoward": "top"}
    hidden = {"showticklabels": False}
    shown = max(rows, row)
    return {
        "xaxis2": axis(
            look,
            domain=place.across,
            range=[0, row],
            anchor="y2",
            constrain="domain",
            constraintoward="left",
            **hidden,
        ),
        "yaxis2": axis(
            look, domain=place.up, range=[-shown, 0.02], anchor="x2", **aspect, **hidden
        ),
    }


def in_row(bill: Bill) -> int:
    """How many tanks stand in a row."""
    return FEW if not bill.is_overspent or bill.tanks <= FEW * FEW else MANY


def tanks(bill: Bill, look: Look) -> list[dict[str, Any]]:
    """The one tank as full as it is, or all tanks that were taken, to scale."""
    return _all_taken(bill, look) if bill.is_overspent else _one(bill, look)


def _one(bill: Bill, look: Look) -> list[dict[str, Any]]:
    """The promise: what is left stands blue in it, what was taken has a mark for each answer."""
    ink, (width, height) = look.ink, SINGLE
    left = height * max(1 - bill.tanks, 0.0)
    shapes = [
        area(AXES, (0.04, width, -height, -height + left), translucent(ink.private, 0.5)),
        area(AXES, (0.04, width, -height + left, 0), ink.band),
    ]
    if bill.answers <= MARKS:
        drop = height * bill.size / bill.promise
        shapes += [
            _stroke((0.04, width), (-taken * drop, -taken * drop), ink.page, look.mark(2))
            for taken in range(1, bill.answers + 1)
        ]
    sides = [((0.04, 0.04), (0, -height)), ((0.04, width), (-height, -height))]
    sides.append(((width, width), (-height, 0)))
    return shapes + [_stroke(x, y, ink.truth, look.mark(2)) for x, y in sides]


def _squares(bill: Bill) -> tuple[int, float]:
    """How many squares are drawn, and how many tanks one of them stands for."""
    worth = 1.0
    while bill.tanks / worth > MOST:
        worth *= 10
    return math.ceil(bill.tanks / worth - 1e-9), worth


def _all_taken(bill: Bill, look: Look) -> list[dict[str, Any]]:
    row, ink = in_row(bill), look.ink
    squares, worth = _squares(bill)
    shapes = []
    for number in range(squares):
        x, y = number % row + 0.04, -(number // row) - SIDE
        full = min(bill.tanks / worth - number, 1.0)
        ends = (x, x + SIDE, y, y + SIDE * full)
        shapes.append(area(AXES, ends, ink.danger))
    blue = (0.04, 0.04 + SIDE / worth, -SIDE, 0)  # one tank, to scale
    shapes += [area(AXES, blue, ink.page), area(AXES, blue, translucent(ink.private, 0.5))]
    if worth == 1:
        shapes += [
            _stroke((x, x), (-SIDE, 0), ink.truth, look.mark(2)) for x in (0.04, 0.04 + SIDE)
        ]
        shapes.append(_stroke((0.04, 0.04 + SIDE), (-SIDE, -SIDE), ink.truth, look.mark(2)))
    return shapes


def _stroke(
    x: tuple[float, float], y: tuple[float, float], colour: str, width: float
) -> dict[str, Any]:
    return {
        "type": "line",
        "xref": AXES[0],
        "yref": AXES[1],
        "x0": x[0],
        "x1": x[1],
        "y0": y[0],
        "y1": y[1],
        "line": {"color": colour, "width": width},
    }


def tank_words(bill: Bill, look: Look, x: float, y: float) -> list[dict[str, Any]]:
    """What the tanks say, below them: a large line and a small one, from a corner of the paper."""
    ink = look.ink
    place: dict[str, Any] = {"axes": ("paper", "paper"), "stand": "bottom"}
    head, colour, below = _wording(bill, look)
    lift = (0, look.text(26))
    return [
        big(look, head, x, y, size=look.large(26), colour=colour, shift=lift, **place),
        words(look, below, x, y, colour=ink.second, **place),
    ]


def _wording(bill: Bill, look: Look) -> tuple[str, str, str]:
    ink, symbol = look.ink, bill.symbol
    if bill.is_overspent:
        number = f"{bill.tanks:,.{0 if bill.tanks >= 100 else 1}f}".removesuffix(".0")
        worth = _squares(bill)[1]
        below = look.said("one had been promised, in blue", "one was promised, in blue")
        if worth > 1:
            below = f"one was promised; a square is {worth:,.0f}"
        head = look.said(f"{number} tanks were taken", f"{number} tanks taken")
        return head, ink.danger_text, below
    left = bill.promise - bill.spent
    if left <= 1e-9 * bill.promise:
        return "The tank is empty", ink.truth, "as promised; the next answer breaks it"
    text = bold(f"{symbol} = {epsilon_text(left)} is left", ink.private)
    return text, ink.private, f"of {symbol} = {epsilon_text(bill.promise)} promised"
