"""Components of the page whose style and script are files beside the module that mounts them."""

from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st


@cache
def component(module: str, name: str, html: str | None = None, *, isolated: bool = True) -> Any:
    """The component of name.js and, where there is one, name.css beside a module's file.

    isolated keeps its styles to itself. Raises: FileNotFoundError without a script.
    """
    style = Path(module).with_name(f"{name}.css")
    return st.components.v2.component(
        f"dpviz_{name}",
        html=html,
        css=style.read_text(encoding="utf-8") if style.exists() else None,
        js=style.with_suffix(".js").read_text(encoding="utf-8"),
        isolate_styles=isolated,
    )
