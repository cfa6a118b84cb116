"""Galleries: cards with a small picture each, which are real buttons and say which one was picked.

    card = Card("exam", "Exam marks", "6,000 students: a heap at the pass mark", picture)
    key = gallery("data_gallery", [Row([card, ...])], picked="exam", shape=Shape(columns=5))

Everything that a card shows is plain text or a picture made in shapes.py; the browser draws it as
SVG with colours that follow the theme by themselves. What it sends back is the key of the card
that was clicked, or reached by Tab and Enter, once. Pictures are sent until the first click says
that the browser holds them: then only their names travel.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from dpviz.ui import visitor
from dpviz.ui.beside import component
from dpviz.ui.kit.gallery.shapes import Still

_HELD = "_gallery_held"  # which sets of pictures this visitor's browser holds
_component: Any = component(__file__, "gallery", "<div class='gallery'></div>")
Mark = Literal["full", "half", "empty"]


@dataclass(frozen=True, slots=True)
class Card:
    """One card.

    note is its one line; mark is drawn at the right of the title and said as mark_words by screen
    readers; in_use are the words that a picked card shows there. picture may be missing: then the
    card is words alone.
    """

    key: str
    title: str
    note: str
    picture: Still | None = None
    mark: Mark | None = None
    mark_words: str = ""
    in_use: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """Cards under a heading; without a title the cards stand alone. note is grey beside it."""

    cards: Sequence[Card]
    title: str = ""
    note: str = ""


SAID = [one.name for one in fields(Card) if one.name != "picture"]


@dataclass(frozen=True, slots=True)
class Shape:
    """How the cards stand: how many abreast on a wide screen and on a phone, and how large.

    Rows that fit beside each other share a line. picture_height is in px on a wide screen, 0 for
    as high as the picture's box at the card's width; large makes the words larger, too.
    """

    columns: int = 8
    phone_columns: int = 2
    picture_height: int = 0
    large: bool = False


def gallery(
    key: str,
    rows: Sequence[Row],
    *,
    picked: str = "",
    shape: Shape = Shape(),
    on_pick: Callable[[str], None] | None = None,
) -> str | None:
    """Draw cards; returns the key of the card that was just clicked, else None.

    picked is the card that is in use: it has an ink frame and is pressed. on_pick is called with
    the key before the script runs again, so that it may set the keys of widgets.
    """

    def clicked() -> None:
        found = _told(visitor.held(key).get("pick"))
        if found and on_pick is not None:
            on_pick(found)

    known = {card.key for row in rows for card in row.cards}
    found = _component(
        key=key,
        data=payload(rows, picked, shape, _held()),
        on_pick_change=clicked,
        on_lost_change=lambda: _held().clear(),
    )
    chosen = _told(found.pick)
    return chosen if chosen in known else None


def still(key: str, picture: Still, alt: str, *, height: int = 0) -> None:
    """One picture alone, as wide as its place; alt says in words what it shows."""
    _component(key=key, data={"still": picture, "alt": alt, "height": height})


def payload(
    rows: Sequence[Row], picked: str, shape: Shape, held: Sequence[str] = ()
) -> dict[str, Any]:
    """What is sent to the browser; the pictures are left out when it already holds them."""
    pictures = {c.key: c.picture for row in rows for c in row.cards if c.picture is not None}
    text = json.dumps(pictures, separators=(",", ":"), sort_keys=True)
    name = hashlib.sha256(text.encode()).hexdigest()[:16]
    cards = [
        {
            "title": row.title,
            "note": row.note,
            "cards": [
                {name: said for name in SAID if (said := getattr(card, name))} for card in row.cards
            ],
        }
        for row in rows
    ]
    sent = {"rows": cards, "picked": picked, "shape": asdict(shape), "name": name}
    return sent if name in held else sent | {"pictures": pictures}


def _held() -> list[str]:
    held: list[str] = visitor.first(_HELD, list)
    return held


def _told(pick: object) -> str:
    """The card's key in a message of the browser, which also names the pictures it holds."""
    if not isinstance(pick, dict):
        return ""
    name = pick.get("name")
    if isinstance(name, str) and name not in _held():
        _held().append(name)
    return str(pick.get("key", ""))
