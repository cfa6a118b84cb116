"""The pictures of plotly.js on a page, as they are sent."""

import json
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

from dpviz.figures.kit.labels import width
from tests.browser.steps import decoded

COMPONENT = "dpviz_plot"
DRAWINGS = tuple(
    f"dpviz_{name}"
    for name in (
        "drawing", "stage", "still", "slides", "gallery", "flat_barrier", "offers", "doors",
        "prove",
    )
)  # fmt: skip
PHONE = 374  # px that a picture has of a phone's 390


@dataclass(frozen=True, slots=True)
class Sent:
    """One picture: the text that is sent, and what it says."""

    spec: str

    @property
    def figure(self) -> dict[str, Any]:
        return dict(json.loads(self.spec))

    @property
    def alt(self) -> str:
        return str(self.figure["alt"])


def is_picture(component: Any) -> bool:
    """Whether a component's message is a picture of plotly.js."""
    return str(component.component_name) == COMPONENT


def pictures(app: AppTest) -> list[Sent]:
    """All of them, from top to bottom."""
    found = (one.proto for one in app.get("bidi_component"))
    return [Sent(one.bytes.decode()) for one in found if is_picture(one)]


def drawn(app: AppTest) -> dict[str, Any]:
    """All that is drawn on a page, by names."""
    found: dict[str, Any] = {}
    for at, sent in enumerate(pictures(app)):
        for name, one in sent.figure["layout"].items():
            kind = name if name in {"annotations", "shapes", "images"} else "layout"
            found.setdefault(f"{at} {kind}", []).append([name, one])
        for trace in sent.figure["data"]:
            found.setdefault(f"{at} trace {trace.get('name', '')}", []).append(trace)
    for number, one in enumerate(app.get("bidi_component")):
        if one.proto.component_name in DRAWINGS:
            found[f"{number} {one.proto.component_name}"] = one.proto.json or one.proto.mixed.json
    return found


def crowded(figure: dict[str, Any]) -> list[str]:
    """Words at the axes across of a picture on a phone that touch each other or its edges."""
    layout, found = figure["layout"], []
    margin, rows = layout["margin"], dict[float, list[tuple[float, float, str]]]()
    across = PHONE - margin["l"] - margin["r"]
    for name, axis in layout.items():
        if not name.startswith("xaxis") or not axis.get("showticklabels", True):
            continue
        if "range" not in axis:  # plotly.js finds it, and places for the ticks
            continue
        foot = layout["yaxis" + axis.get("anchor", "y")[1:]].get("domain", (0, 1))[0]
        vals, (low, high) = np.asarray(decoded(axis.get("tickvals", ())), float), axis["range"]
        left, right = axis.get("domain", (0, 1))
        said = axis.get("ticktext") or [f"{one:,.10g}" for one in vals]
        shares = ((np.log10(vals) if axis.get("type") == "log" else vals) - low) / (high - low)
        for share, text in zip(shares.tolist(), said, strict=True):
            if -1e-9 <= share <= 1 + 1e-9:
                at = margin["l"] + across * (left + (right - left) * share)
                half = width(text) / 2
                rows.setdefault(round(foot, 3), []).append((at - half, at + half, text))
    for row in rows.values():
        row.sort()
        found += [text for start, end, text in row if start < 0 or end > PHONE]
        found += [f"{a[2]}|{b[2]}" for a, b in pairwise(row) if a[1] > b[0]]
    return found
