"""The stage's drawing without a browser: the same JavaScript in an embedded engine."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

import quickjs

from dpviz.figures.kit.look import Look
from dpviz.figures.stage.colours import theme_of
from dpviz.figures.stage.stage import Stage

# each after those that it imports
DRAWING = ("place.js", "grains.js", "marks.js", "svg.js", "draw.js")
_IMPORT = re.compile(r"^import [^;]*;\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?!default)", re.MULTILINE)
_ENGINE = threading.local()  # an engine belongs to the thread that made it


@cache
def drawing() -> str:
    """The drawing as one script, for an engine or a page that loads no modules."""
    folder = files(__package__)
    return joined(folder.joinpath(name).read_text(encoding="utf-8") for name in DRAWING)


def joined(modules: Iterable[str]) -> str:
    """Modules as one script: their functions see each other by name, so imports go."""
    texts = (_EXPORT.sub("", _IMPORT.sub("", text)) for text in modules)
    return "\n".join(texts)


def svg(stage: Stage, width: int, height: int, look: Look) -> str:
    """A stage as SVG text, in the state that it names."""
    drawn = _context().get("drawn")(
        json.dumps(stage.to_dict()), width, height, json.dumps(theme_of(look))
    )
    return str(drawn)


def _context() -> quickjs.Context:
    if not hasattr(_ENGINE, "context"):
        context = quickjs.Context()
        context.eval(drawing())
        context.eval(
            "var drawn = (data, width, height, theme) =>"
            " draw(JSON.parse(data), width, height, JSON.parse(theme));"
        )
        _ENGINE.context = context
    context = _ENGINE.context
    assert isinstance(context, quickjs.Context)
    return context
