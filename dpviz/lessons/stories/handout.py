"""The handout of a story: one HTML page that prints on A4, pictures as SVG, answers at the end.

Made without a browser: the pictures are the stage's own drawing. Light only, since it is printed.
"""

import html
import re
from typing import Any

from dpviz.figures.kit.look import FONT, SERIF, Look
from dpviz.figures.kit.typefaces import style_of
from dpviz.figures.stage.engine import svg
from dpviz.lessons.scene import Beat, Scene, Sentences
from dpviz.lessons.stories.listing import BY_KEY
from dpviz.version import __version__

WIDTH, HEIGHT = 1184, 490  # px that pictures are laid out for
COLOURS = {"blue": "#006DAA", "orange": "#B44A00"}
STYLE = style_of(__file__, "handout", FONT, SERIF)
VIEWPORT = "<meta name='viewport' content='width=device-width, initial-scale=1'>"


def handout(story: str) -> str:
    """A story as one HTML page: pictures, sentences, exercises, and the answers on the last page.

    Raises: KeyError for a story that there is not.
    """
    told = BY_KEY[story]
    parts = [_section(scene) for scene in told.scenes]
    answers = "".join(
        f"<li value='{scene.number}'>{_right(scene)}{_text(scene.answer)}</li>"
        for scene in told.scenes
    )
    return printed(
        _text(told.title),
        STYLE,
        f"<h1>{_text(told.title)}: {_text(told.line)}</h1>"
        f"<p><small>For {_text(told.audience)}, {told.minutes} min. Invented data. "
        f"Made with dpviz {__version__}.</small></p>"
        f"{''.join(parts)}<div class='answers'><h1>Answers</h1><ol>{answers}</ol></div>",
    )


def decision_card(epsilon: float) -> str:
    """The card of the last scene of Show as one printable page."""
    scene = BY_KEY["show"].scenes[-1]
    said = scene.say(scene.numbers(epsilon, 1))
    empty = "".join(
        f"<p>{name}</p><div class='lines'></div>" for name in ("Date", "Who decides", "Signed")
    )
    return printed(
        "decision card",
        STYLE,
        f"<h1>{marked(said.headline)}</h1><p>{marked(said.sentence)}</p>"
        f"<section>{_picture(scene, epsilon, 'reveal')}</section>{empty}"
        f"<p><small>Made with dpviz {__version__}.</small></p>",
    )


def printed(title: str, style: str, body: str) -> str:
    """A page to print, which fits a phone, too."""
    return (
        f"<!doctype html><html lang='en'><head><meta charset='utf-8'>{VIEWPORT}"
        f"<title>dpviz: {title}</title><style>{style}</style></head><body>{body}</body></html>"
    )


def _section(scene: Scene[Any]) -> str:
    stop = scene.control.revealed
    found = scene.numbers(stop, 1)
    parts = [(scene.say(found), _picture(scene, stop, "reveal"))]
    if scene.second is not None:
        start = stop if scene.second.start is None else scene.second.start
        parts.append((scene.second.say(scene.numbers(start, 1)), _picture(scene, start, "second")))
    options = "".join(f"<li>{_text(one.text)}</li>" for one in scene.shuffled())
    asked = f"<ol type='a'>{options}</ol>" if options else ""
    shown = "".join(_shown(said, drawn) for said, drawn in parts)
    return (
        f"<section><h2>{scene.number}. {_text(scene.title)}</h2>"
        f"<p>{_text(scene.question)}</p>{asked}</section>"
        f"{shown}<section><p>{_text(scene.explained)}</p>"
        f"<p class='exercise'><b>Exercise.</b> {_text(scene.exercise)}</p></section>"
    )


def _shown(said: Sentences, drawn: str) -> str:
    return (
        f"<section><p><b>{marked(said.headline)}</b> {marked(said.sentence)}</p>{drawn}</section>"
    )


def _right(scene: Scene[Any]) -> str:
    return "" if scene.right is None else f"<b>{_text(scene.right.text)}.</b> "


def _picture(scene: Scene[Any], stop: Any, beat: Beat) -> str:
    return svg(scene.stage(stop, beat, k=1.4, only=True), WIDTH, HEIGHT, Look())


def _text(text: str) -> str:
    return html.escape(text, quote=False)


def marked(text: str) -> str:
    """A sentence with its coloured phrases as HTML."""
    safe = _text(text)
    for name, colour in COLOURS.items():
        safe = re.sub(
            rf":{name}\[([^\]]*)\]", rf"<span style='color:{colour}'><b>\1</b></span>", safe
        )
    return re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", safe)
