"""Sentences of the stories as HTML, and data as a page carries them."""

import html
import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

KINDS = {"blue": "private", "orange": "danger"}
FEWEST = 24  # numbers of a list that is written once, wherever it stands


def text(said: str) -> str:
    """Plain text as HTML."""
    return html.escape(said, quote=False)


def marked(said: str) -> str:
    """A sentence with its coloured and bold phrases; a ± stays on the line of its number."""
    found = text(said.replace("± ", "±\N{NO-BREAK SPACE}"))
    for name, kind in KINDS.items():
        found = re.sub(rf":{name}\[((?:\\.|[^\]\\])*)\]", rf'<span class="{kind}">\1</span>', found)
    found = re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", found)
    return re.sub(r"\\(?=[^\w\s])", "", found)


def packed(data: object) -> str:
    """Data as JSON for a script element."""
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("</", "<\\/")


def shared(data: Any) -> dict[str, Any]:
    """Data in which a list of many numbers that stands in several places is written once.

    In its places stands {"$": i}, the list itself is lists[i].
    """
    seen = Counter(json.dumps(one) for one in _numbers_in(data))
    lists: list[Any] = []
    places: dict[str, int] = {}

    def put(one: Any) -> Any:
        if _is_long(one) and seen[key := json.dumps(one)] > 1:
            if key not in places:
                places[key] = len(lists)
                lists.append(one)
            return {"$": places[key]}
        if isinstance(one, dict):
            return {name: put(value) for name, value in one.items()}
        return [put(value) for value in one] if isinstance(one, list | tuple) else one

    return {"page": put(data), "lists": lists}


def _numbers_in(one: Any) -> Iterator[Any]:
    if _is_long(one):
        yield one
    elif isinstance(one, dict | list | tuple):
        for value in one.values() if isinstance(one, dict) else one:
            yield from _numbers_in(value)


def _is_long(one: Any) -> bool:
    return (
        isinstance(one, list)
        and len(one) >= FEWEST
        and all(isinstance(value, int | float) for value in one)
    )
