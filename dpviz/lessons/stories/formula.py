"""The one formula of a story, which grows from scene to scene: each part opens its word."""

import re
from dataclasses import dataclass
from html import escape
from pathlib import Path

from dpviz.answers.said import unmarked
from dpviz.lessons.glossary import MEANING
from dpviz.lessons.stories.telling import Place

# its colours are called second, ink, private, panel and hairline
CSS = Path(__file__).with_name("formula.css").read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Part:
    """What a scene adds: how it is written, the term that explains it, whether it is new here."""

    written: str
    term: str
    new: bool


def parts(place: Place) -> tuple[Part, ...]:
    """The formula as far as a place has it: what is asked about is added with the answer.

    A part that says the same as an earlier one more generally stands in its place.
    """
    found: dict[str, Part] = {}
    for scene in place.story.scenes[: place.scene.number]:
        new = scene.name == place.scene.name
        if scene.formula and not (new and place.beat == "predict"):
            bare = unmarked(scene.formula)
            side = bare.partition(" ~ ")[0] if " ~ " in bare else bare
            found[side] = Part(scene.formula if new else bare, scene.term, new)
    return tuple(found.values())


def as_html(place: Place, style: str = "") -> str:
    """The strip below the picture; "" before its first part.

    CSS styles it; style says its colours where the page has none of these names.
    """
    shown = "".join(
        f'<details name="formula" class="{"new" if one.new else "old"}">'
        f"<summary>{written(one.written)}</summary>"
        f"<p><b>{escape(one.term)}.</b> {escape(MEANING[one.term])}</p></details>"
        for one in parts(place)
    )
    said = "The formula so far; each part opens its word"
    own = f' style="{style}"' if style else ""
    head = f'<div class="formula" role="group" aria-label="{said}"{own}>'
    return f"{head}<span>So far</span>{shown}</div>" if shown else ""


def written(formula: str) -> str:
    """A part as HTML: powers are raised, and what the control moves is marked."""
    found = re.sub(r"\^(?:\(([^)]*)\)|(:blue\[\w+\]|\w+))", r"<sup>\1\2</sup>", escape(formula))
    return re.sub(r":blue\[(.*?)\]", r"<em>\1</em>", found)
