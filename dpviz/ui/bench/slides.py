"""The picture of a page at slide size, 1920 × 1080, put together by the browser from what it shows."""

from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from dpviz.answers.said import NOTICE, unmarked
from dpviz.ui.visit.page import Visit

HERE = Path(__file__).parent


@cache
def _component() -> Any:
    return st.components.v2.component(
        "dpviz_slides",
        html='<div class="slides"></div>',
        js=(HERE / "slides.js").read_text(encoding="utf-8"),
        css=(HERE / "slides.css").read_text(encoding="utf-8"),
    )


def slides(now: Visit, hero: str, sentence: str, file: str) -> None:
    """Two buttons that save the picture of this hero, as PNG and as SVG.

    sentence is the page's headline, Markdown and all; it becomes the title. While true data is on
    screen the slide says so.
    """
    _component()(
        key=f"slides_{hero}",
        data={
            "hero": hero,
            "title": unmarked(sentence),
            "notice": NOTICE if now.truth else "",
            "file": file,
        },
    )
