"""Words at the place where a promised budget is spent."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpviz.experiments.privacy.averaging import MOST
from dpviz.experiments.privacy.budget import Bill
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import words
from dpviz.figures.privacy.parts import bold


def promise_words(bill: Bill, look: Look) -> list[dict[str, Any]]:
    """Both sides of the line, each named where there is room for it."""
    if bill.affordable >= MOST:
        return []
    at = float(np.log10(max(bill.affordable, 1)))
    spent = bold(_spent(bill, look), look.ink.truth)
    broken = look.said("every answer from here on breaks the promise", "from here on it breaks")
    room = look.said(0.9, 1.6, presenting=True)  # decades for the words
    place: dict[str, Any] = {"stand": "top", "axes": ("x", "y domain")}
    after = place | {"align": "left", "shift": (8, -8)}
    before = place | {"align": "right", "shift": (-8, -8)}
    below = after | {"shift": (8, -look.text(30)), "colour": look.ink.danger_text}
    if at < room:
        return [words(look, spent, at, 1, **after), words(look, broken, at, 1, **below)]
    found = [words(look, spent, at, 1, **before)]
    if at <= 2:  # else there is no room to the right of the line
        found += look.full(words(look, broken, at, 1, **after | {"colour": look.ink.danger_text}))
    return found


def _spent(bill: Bill, look: Look) -> str:
    if bill.affordable == 0:
        return look.said("one answer is more than was promised", "one is too many")
    answers = "1 answer" if bill.affordable == 1 else f"{bill.affordable:,} answers"
    return look.said(f"{answers}: the budget is spent", f"{answers}: all spent")
