"""A file whose every number and word can be recognised, and everything that a page shows.

What may be seen while the truth is off: what the visitor declares (bounds, N), releases, the
file's name and the names of its columns, which the visitor chooses among. What may not: any count
of rows or values, the least, the greatest or the mean value, and any text in a cell. In links and
in the log not even names may stand.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from google.protobuf.json_format import MessageToDict
from streamlit.testing.v1 import AppTest

from tests.browser.steps import decoded
from tests.pages.pictures import COMPONENT

N, UNREADABLE, MISSING = 7919, 1237, 1013
ROWS = N + UNREADABLE + MISSING
CELL, NAME, SECOND, FILE = "zebrafishword", "kelvinprobe", "quokkascore", "payroll_2031.csv"
LOW, HIGH = 35_000.0, 83_000.0  # declared; both ends lie outside
VALUES = np.random.default_rng(7919).uniform(31_400, 88_600, N).round(3)
VALUES[[100, 200]] = 31_337.125, 88_675.625
OTHERS = np.random.default_rng(9177).uniform(-3.25, 4.75, N).round(4)

WHOLE = {
    ROWS,
    N,
    UNREADABLE,
    MISSING,
    int(((LOW > VALUES) | (HIGH < VALUES)).sum()),
    N // 2,
    -(-N // 2),
}
PLACES = {31_337.125, 88_675.625, round(float(VALUES.mean()), 3)}
HASH = re.compile(r"\$\$ID-[0-9a-f]{32}")  # names of widgets hold any digits by chance
MARKS = "[,.\\u2009\\u202f\\u00a0' ]?"


def content() -> bytes:
    """The file: two columns, rows without a number strewn in."""
    cells = [f"{x},{y}" for x, y in zip(VALUES, OTHERS, strict=True)]
    cells += [f"{CELL},1"] * UNREADABLE + [",2"] * MISSING
    order = np.random.default_rng(1).permutation(ROWS)
    return "\n".join([f"{NAME},{SECOND}", *(cells[at] for at in order)]).encode()


def _grouped(number: int) -> str:
    """A whole number with or without marks between its thousands."""
    return MARKS.join(f"{number:,}".split(","))


def _patterns(whole: set[int]) -> list[str]:
    counts = [rf"(?<![\d.,]){_grouped(one)}(?![\d])(?!\.\d*[1-9])" for one in sorted(whole)]
    places = [rf"(?<![\d.,]){_grouped(int(one))}[.,]{f'{one % 1:.3f}'[2]}" for one in PLACES]
    return [*counts, *places, CELL]


SPACES = (*",.\u2009\u202f\u00a0' ", "")
FORMS = [
    CELL,
    *{mark.join(f"{int(one):,}".split(",")) for one in WHOLE | PLACES for mark in SPACES},
]
NEW_PLOT = "Plotly.newPlot("
EVERY = re.compile("|".join(_patterns(WHOLE)))
# small counts are also numbers of nodes and leaves in a chart
IN_CHARTS = re.compile("|".join(_patterns({ROWS, N})))
NAMES = re.compile(f"{NAME}|{SECOND}|payroll|2031", re.IGNORECASE)


def told(app: AppTest) -> list[str]:
    """What a page says of the file: on screen, in its links and in its charts' data."""
    found = []
    for kind, message in _messages(app._tree):
        if message.get("componentName") == COMPONENT:
            found += _in_chart(json.loads(message.pop("bytes")))
        elif kind == "arrow_data_frame":
            message.pop("data", None)  # read below, as a frame
        sent = HASH.sub("", json.dumps(message, ensure_ascii=False))
        found += _hits(EVERY, sent, kind)
    for frame in (*app.dataframe, *app.table):
        found += _hits(EVERY, frame.value.to_csv(), "table")
    link = json.dumps(app.query_params, ensure_ascii=False)
    return found + _hits(EVERY, link, "link") + _hits(NAMES, link, "link")


def everything(app: AppTest) -> str:
    """All texts, numbers and charts that the server sends of a page, and its link."""
    sent = [message for _, message in _messages(app._tree)]
    frames = [frame.value.to_csv() for frame in (*app.dataframe, *app.table)]
    return json.dumps([sent, frames, app.query_params], ensure_ascii=False, sort_keys=True)


def _hits(pattern: re.Pattern[str], text: str, where: str) -> list[str]:
    return [
        f"{where}: …{text[max(0, hit.start() - 60) : hit.end() + 30]}…"
        for hit in (pattern.finditer(text) if pattern is NAMES else found(pattern, text))
    ]


def found(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """As finditer, but first looks for what a hit begins with: texts have millions of digits."""
    for form in FORMS:
        at = text.find(form)
        while at >= 0:
            if hit := pattern.match(text, at):
                yield hit
            at = text.find(form, at + 1)


def _messages(node: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Everything that the server sends of a tree: each element and block, with all its texts."""
    proto = getattr(node, "proto", None)
    if proto is not None:
        written = {"bytes": proto.bytes.decode()} if getattr(proto, "bytes", b"") else {}
        yield node.type, MessageToDict(proto) | written
    for child in getattr(node, "children", {}).values():
        yield from _messages(child)


def _in_chart(spec: Any) -> list[str]:
    """The numbers and texts of a chart, arrays decoded."""
    found: list[str] = []

    def walk(part: Any) -> Any:
        if isinstance(part, dict) and "bdata" in part:
            numbers = decoded(part).astype(float)
            wanted = np.array([ROWS, N, *PLACES])
            near = np.isclose(numbers[:, None], wanted, rtol=1e-9, atol=0)
            found.extend(f"chart: {numbers[at]}" for at in np.flatnonzero(near.any(axis=1)))
            return None
        if isinstance(part, dict):
            return {key: walk(one) for key, one in part.items()}
        return [walk(one) for one in part] if isinstance(part, list) else part

    rest = walk(spec)
    return found + _hits(IN_CHARTS, json.dumps(rest, ensure_ascii=False), "chart")


def _arguments(call: str) -> list[Any]:
    """What a page of a figure gives to Plotly: the name of its place, traces, layout, settings."""
    found, read = [], json.JSONDecoder()
    while (call := call.lstrip(" ,\n"))[0] != ")":
        one, end = read.raw_decode(call)
        found.append(one)
        call = call[end:]
    return found


def said_by(data: Any) -> list[str]:
    """What a download tells; the library inside a page of a figure is nobody's data."""
    text = data() if callable(data) else data
    text = text.decode(errors="replace") if isinstance(text, bytes) else str(text)
    if NEW_PLOT in text:
        library, call = text.rsplit(NEW_PLOT, 1)
        head = library[: library.index("<script>")]
        return [*_in_chart(_arguments(call)), *_hits(EVERY, head, "download")]
    if "level" in text[:40]:  # level and number name a node, and "7,919" is one; the rest must not
        rest = ["; ".join(line.split(",")[2:]) for line in text.splitlines()]
        return _hits(IN_CHARTS, "\n".join(rest), "download")
    return _hits(EVERY, text, "download")
