"""The stage's drawing without a browser: the same JavaScript in an embedded engine."""

import json
import re
import threading
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, cast

import quickjs

from dpviz.figures.kit.look import Look
from dpviz.figures.stage.colours import theme_of
from dpviz.figures.stage.stage import Stage

MODULES = (
    "place",
    "grains",
    "marks",
    "findings",
    "tallies",
    "guess",
    "svg",
    "draw",
)  # each after those that it imports
MOVING = (
    "motion",
    "paper",
    "pad",
    "touch",
    "controls",
    "component",
)  # what a page has around the drawing
IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";$', re.MULTILINE)
EXPORT = re.compile(r"^export (function|const) (\w+)", re.MULTILINE)
_ENGINE = threading.local()  # an engine belongs to the thread that made it


@cache
def drawing() -> str:
    """The drawing as one script, for an engine or a page that loads no modules."""
    return "\n".join(enclosed(name, module(__package__, name)) for name in MODULES)


@cache
def staging() -> str:
    """The drawing, its motion and its controls as one script, which gives $component.stageIn."""
    return "\n".join([drawing(), *(enclosed(name, module(__package__, name)) for name in MOVING)])


@cache
def style() -> str:
    """How a stage and its controls look, as CSS."""
    return files(__package__).joinpath("stage.css").read_text(encoding="utf-8")


def module(package: str, name: str) -> str:
    """The text of a JavaScript module of a room."""
    return files(package).joinpath(f"{name}.js").read_text(encoding="utf-8")


def enclosed(name: str, text: str) -> str:
    """A module as a constant that holds its exports, so that one script can hold several."""
    exported = ", ".join(found for _, found in EXPORT.findall(text))
    body = EXPORT.sub(r"\1 \2", linked(text))
    return f"const ${name} = (() => {{\n{body}return {{ {exported} }};\n}})();"


def linked(text: str) -> str:
    """A module that takes what it imports from the constants of other modules."""
    return IMPORT.sub(r"const {\1} = $\2;", text)


def svg(stage: Stage, width: int, height: int, look: Look) -> str:
    """A stage as SVG text, in the state that it names."""
    return drawn(stage, width, height, theme_of(look))


def drawn(stage: Stage, width: int, height: int, theme: Mapping[str, str]) -> str:
    """The same in any colours, such as CSS variables, by the names of theme_of."""
    found = _context().get("drawn")(json.dumps(stage.to_dict()), width, height, json.dumps(theme))
    return str(found)


def shapes(stage: Stage, width: int, height: int, theme: Mapping[str, str]) -> list[dict[str, Any]]:
    """The shapes of the same drawing, back to front: what tags draw, in px and colours."""
    found = _context().get("arranged")(
        json.dumps(stage.to_dict()), width, height, json.dumps(theme)
    )
    return cast("list[dict[str, Any]]", json.loads(str(found)))


def evaluated(script: str) -> str:
    """What an expression over the drawing's modules says."""
    return str(_context().eval(f'[{script}, ""].join("")'))


def _context() -> quickjs.Context:
    if not hasattr(_ENGINE, "context"):
        context = quickjs.Context()
        context.eval(drawing())
        context.eval(
            "var drawn = (data, width, height, theme) =>"
            # joined, since the engine hands a long string over only when it is in one piece
            ' [$draw.draw(JSON.parse(data), width, height, JSON.parse(theme)), ""].join("");'
        )
        context.eval(
            "var arranged = (data, width, height, theme) => [JSON.stringify($draw.arrange("
            'JSON.parse(data), width, height, JSON.parse(theme))), ""].join("");'
        )
        _ENGINE.context = context
    context = _ENGINE.context
    assert isinstance(context, quickjs.Context)
    return context
