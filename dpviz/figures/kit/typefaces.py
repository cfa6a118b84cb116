"""The project's two typefaces as files, and as CSS for a page that needs no other file."""

import base64
from functools import cache
from importlib.resources import files
from pathlib import Path

FACES = {"sans": "Dpviz Sans", "serif": "Dpviz Serif"}
FALLBACK = {"sans": "system-ui, sans-serif", "serif": "Georgia, serif"}


def font(name: str) -> bytes:
    """A file of the folder of fonts."""
    return files(__package__).joinpath("fonts", name).read_bytes()


@cache
def faces(*, inline: bool) -> str:
    """The typefaces as CSS: files beside the page, or the page's own."""
    return "".join(
        f"@font-face{{font-family:'{called}';src:url({_address(name, inline)}) format('woff2');"
        "font-weight:400 700;font-display:swap}"
        for name, called in FACES.items()
    )


def _address(name: str, inline: bool) -> str:
    if not inline:
        return f"{name}.woff2"
    data = base64.b64encode(font(f"{name}.woff2")).decode()
    return f"data:font/woff2;base64,{data}"


def style_of(module: str, name: str, sans: str, serif: str) -> str:
    """The style of a page to print, a file beside a module's, in the typefaces it is to have."""
    style = Path(module).with_name(f"{name}.css").read_text(encoding="utf-8")
    return f"\n{style.replace('$sans', sans).replace('$serif', serif)}"
