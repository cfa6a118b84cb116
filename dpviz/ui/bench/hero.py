"""The picture of a page: it takes what the window leaves, and follows its height without a rerun."""

import json
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, cast

import numpy as np
import streamlit as st
from _plotly_utils.utils import is_skipped_key, to_typed_array_spec
from plotly.utils import PlotlyJSONEncoder

from dpviz.figures.kit.picture import Picture
from dpviz.ui.beside import component
from dpviz.ui.kit.process.front_end import scripts_of
from dpviz.ui.visit import screen, state

HTML = '<div class="plot" role="figure" data-testid="stPlotlyChart"><div></div></div>'
LIBRARY = "PlotlyChart"

Picks = Literal["points", "box"]


@dataclass(frozen=True, slots=True)
class Packed:
    """A picture as it is sent, arrays packed: to be kept, for one visitor or for all."""

    json: bytes

    @classmethod
    def of(cls, picture: Picture) -> "Packed":
        """Pack a picture, and leave it as it is."""
        return cls(written(cast("Picture", _packed(picture))))

    def and_more(self, others: Picture) -> bytes:
        """The same with other entries of the whole picture."""
        return self.json[:-1] + b"," + written(others)[1:]


_is_skipped = cache(is_skipped_key)  # of some fifty names in all pictures


def _packed(part: Any) -> Any:
    """The same dicts and lists anew, arrays as plotly.js reads them at once."""
    if isinstance(part, dict):
        return {key: value if _is_skipped(key) else _packed(value) for key, value in part.items()}
    if isinstance(part, np.ndarray):
        if part.dtype == np.float64 and part.ndim == 1 and part.size:  # nearly all of them
            return {"dtype": "f8", "bdata": b64encode(part.tobytes()).decode("ascii")}
        return to_typed_array_spec(part)
    return [_packed(one) for one in part] if isinstance(part, list) else part


def hero(
    picture: Picture | Packed, key: str, alt: str, *, slides: str = "dpviz", **others: Any
) -> None:
    """Show the picture of a page; alt is its sentence, slides the name of the file it is saved as.

    A page has one hero, or two of which the first is the main one. others are those of drawn.
    """
    with st.container(key=f"hero_{key}"):
        drawn(picture, key, alt, slides=slides, height="stretch", **others)


def drawn(
    picture: Picture | Packed,
    key: str,
    alt: str,
    *,
    height: int | str,
    slides: str = "dpviz",
    scroll: bool = False,
    picks: Picks = "points",
    picked: Callable[[], None] | None = None,
) -> None:
    """A picture wherever it stands.

    picked is called when a mark was clicked, or a rectangle drawn where picks says so: what it was
    is told by visitor.selection.
    """
    one = picture if isinstance(picture, Packed) else Packed.of(picture)
    more: Picture = {"config": _options(slides, scroll), "alt": alt, "library": library()}
    # plotly.js writes its own styles into the page's head
    plot = component(__file__, "plot", HTML, isolated=False)
    if picked is None:
        plot(key=key, data=one.and_more(more), height=height)
    else:
        data = one.and_more(more | {"picks": picks})
        plot(key=key, data=data, height=height, on_picked_change=picked)


def library() -> str:
    """The script of Streamlit's front end that holds plotly.js, as a path below the server's own."""
    (found,) = (one for one in scripts_of(LIBRARY) if f"/{LIBRARY}." in one)
    return found


def written(sent: Picture) -> bytes:
    """What is sent of a picture; not a number is null, which JSON can say."""
    return json.dumps(sent, cls=PlotlyJSONEncoder, separators=(",", ":")).encode()


def _options(name: str, scroll: bool) -> dict[str, object]:
    return {
        "displaylogo": False,
        "displayModeBar": False if state.get("present") or screen.room() == "phone" else "hover",
        "scrollZoom": scroll,
        "doubleClick": "reset",
        "modeBarButtonsToRemove": [
            "select2d", "lasso2d", "autoScale2d", "zoomIn2d", "zoomOut2d", "zoom2d", "pan2d",
        ],
        "toImageButtonOptions": {
            "format": "png", "filename": name, "width": 1280, "height": 720, "scale": 1.5,
        },
    }  # fmt: skip
