"""Writes the API page from the docstrings of the facade into build/docs: `make docs`."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pdoc
import pdoc.doc
import pdoc.render

import dpviz
from dpviz.version import __version__

# docstrings say these on lines of their own, which HTML would run together
LABEL = re.compile(r"\n((?:Shapes|Units|Guarantee|Raises|Cost|Limits|Source)\b[^:\n]*:)")
OWN = pdoc.doc.Class.own_members.func
ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build" / "docs"
TASKS = ROOT / "docs" / "tasks.md"


def opened() -> str:
    """What the page of the facade says before the index: five tasks, then its docstring."""
    return f"{TASKS.read_text(encoding='utf-8')}\n## The names\n\n{dpviz.__doc__}"


def with_inherited(one: pdoc.doc.Class) -> list[pdoc.doc.Doc[Any]]:
    """What a class has of its own, and what it has from classes that have no page."""
    found = list(OWN(one))
    for (module, _), members in one.inherited_members.items():
        if module.startswith("dpviz."):
            found += members
    return found


def write(folder: Path) -> Path:
    """Write the pages of all public names as plain HTML that loads nothing from elsewhere.

    Modules below the facade are private, so they have no pages, but for dpviz.releases and choices.
    """
    pdoc.render.configure(
        docformat="google", search=False, show_source=False, footer_text=f"dpviz {__version__}"
    )
    said, dpviz.__doc__ = dpviz.__doc__, opened()
    pdoc.doc.Class.own_members = property(with_inherited)  # type: ignore[assignment]
    try:
        pdoc.pdoc("dpviz", r"!dpviz\.(?!releases$|choices$).*", output_directory=folder)
    finally:
        dpviz.__doc__ = said
    for page in folder.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        page.write_text(LABEL.sub(r"<br>\n\1", text), encoding="utf-8")
    return folder / "dpviz.html"


if __name__ == "__main__":
    sys.stdout.write(f"{write(FOLDER)}\n")
