"""The picture of a page: it takes what the window leaves, and follows its height without a rerun."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import streamlit as st
from _plotly_utils.utils import is_skipped_key, to_typed_array_spec
from plotly.basedatatypes import BaseFigure
from streamlit.delta_generator import DeltaGenerator

from dpviz.figures.kit.picture import Picture
from dpviz.ui.visit import screen, state


@dataclass(frozen=True, slots=True)
class Packed:
    """A picture as plotly.js takes it, arrays packed: to be kept, for one visitor or for all."""

    figure: Picture

    @classmethod
    def of(cls, picture: Picture) -> Packed:
        """Pack a picture, and leave it as it is."""
        return cls(cast("Picture", _packed(picture)))


class Ready(BaseFigure):  # type: ignore[misc]  # plotly ships no types
    """A figure that is a plain dict already: it is neither validated nor copied on its way out.

    Validating a figure takes twenty times as long as drawing it; the tests of every picture do it.
    """

    def __init__(self, picture: Picture | Packed) -> None:
        self._picture = picture if isinstance(picture, Packed) else Packed.of(picture)

    def to_dict(self) -> Picture:
        """The figure as plotly.js takes it."""
        return self._picture.figure


def _packed(part: Any) -> Any:
    """The same dicts and lists anew, arrays as plotly.js reads them at once."""
    if isinstance(part, dict):
        return {
            key: value if is_skipped_key(key) else _packed(value) for key, value in part.items()
        }
    if isinstance(part, np.ndarray):
        if part.dtype == np.float64 and part.ndim == 1 and part.size:  # nearly all of them
            return {"dtype": "f8", "bdata": b64encode(part.tobytes()).decode("ascii")}
        return to_typed_array_spec(part)
    return [_packed(one) for one in part] if isinstance(part, list) else part


def hero(
    picture: Picture | Packed,
    key: str,
    alt: str,
    *,
    slides: str = "dpviz",
    scroll: bool = False,
    **others: Any,
) -> Any:
    """Show the picture of a page; alt is its sentence, slides the name of the file it is saved as.

    A page has one hero, or two of which the first is the main one. others go to st.plotly_chart
    (on_select, selection_mode).
    """
    with st.container(key=f"hero_{key}"):
        return drawn(picture, key, alt, slides=slides, scroll=scroll, height="stretch", **others)


def drawn(
    picture: Picture | Packed,
    key: str,
    alt: str,
    *,
    slides: str = "dpviz",
    scroll: bool = False,
    place: DeltaGenerator | None = None,
    **others: Any,
) -> Any:
    """A picture wherever it stands; its height is among others."""
    return (place or st).plotly_chart(
        Ready(picture), key=key, alt=alt, theme=None, config=_options(slides, scroll), **others
    )


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
