"""The handout of a class: two sheets of paper, pictures to guess at, exercises with room, answers.

Pages 1 to 3 hold no answer; page 4, which may be left out, has all of them, words and a label.
"""

import html
import re
from typing import Any

from dpviz.figures.kit.look import Look
from dpviz.figures.kit.typefaces import FACES, FALLBACK, faces, style_of
from dpviz.figures.stage.engine import svg
from dpviz.figures.stage.screen import STAMP
from dpviz.lessons.scene import Scene
from dpviz.lessons.stories.handout import marked, printed
from dpviz.lessons.stories.inventory import ITEMS
from dpviz.lessons.stories.plans import ELEVEN, scenes
from dpviz.version import __version__

GOALS = (
    "After this you can attack a table, say what ε promises and to whom, add up a budget, choose "
    "bounds, say who is trusted, and name three ways to break it."
)
EXERCISES = (
    "averages", "attacker", "coins", "same_noise", "two_worlds", "who_counts", "tank",
    "largest_value", "median", "why_tree", "combined_levels", "what_breaks",
)  # fmt: skip
FIGURES = {"attacker", "coins", "who_counts", "why_tree"}  # exercises beside a small picture
PER_PAGE = 6
SIZE = 358, 290  # px that a picture of 58 × 47 mm is laid out for, as on a phone
# an empty axis to draw on: what is drawn, over what, and where
AXES = {
    "coins": ("How far is the count off, from phones and from a server?",
              ("40", "4,000", "400,000", "40 million people")),
    "tank": ("How far is the average off?", ("1", "10", "100", "1,000 answers")),
}  # fmt: skip
FORMULAS = (  # with what stands in the blank
    ("coins on a phone, e^ε = {}", "3 : 1"),
    ("noise of a count ~ {}", "1/ε"),
    ("odds × {}", "e^ε"),
    ("noise ~ {}/ε", "sensitivity"),
    ("answers together: {}", "ε₁ + ε₂ + …"),
    ("an average, bounded: {}", "bound/(ε·n)"),
    ("a median: chance ~ {}", "e^(ε·points)"),
    ("a tree: √nodes · {}/ε", "levels"),
    ("with a chance of failure allowed: (ε, {})", "δ"),
)
WORDS = (
    ("Record", "all data of one person in the file"),
    ("Neighbours", "two files that differ in one unit"),
    ("ε (epsilon)", "how much one record may change any odds: e^ε times"),
    ("δ, ρ", "other ways to state the limit; δ allows a tiny chance of failure"),
    ("Mechanism", "the random recipe from data to a published answer"),
    ("Noise", "a random amount; its law is public, its draw is not"),
    ("Sensitivity", "the most that one unit can change the answer"),
    ("Bounds, clipping", "public limits of values, declared without the data"),
    ("Budget, composition", "the total ε; answers about the same people add up"),
    ("Post-processing", "what is computed from published answers is free"),
    ("Reconstruction", "finding records from many exact answers"),
    ("Audit", "a test that tries to catch a method breaking its promise"),
)
LABEL = ("ε", "unit and neighbours", "how often", "δ", "what was public", "who decides")
STYLE = style_of(
    __file__, "worksheet", *(f"'{FACES[one]}', {FALLBACK[one]}" for one in ("sans", "serif"))
)


def worksheet(code: str = "", *, answers: bool = True, inline: bool = True) -> str:
    """The handout as one HTML page that prints on A4; code is that of a room.

    Without answers page 4 is left out; not inline, typefaces are files beside the page.
    """
    asked = scenes(EXERCISES)
    pages = [_guesses(code)]
    pages += [_exercises(asked, first) for first in range(0, len(EXERCISES), PER_PAGE)]
    pages[-1] += _strip()
    if answers:
        pages.append(_answers(asked))
    body = "".join(f"<section class='page'>{one}</section>" for one in pages)
    return printed("handout", f"{faces(inline=inline)}{STYLE}", body)


def _guesses(code: str) -> str:
    """Page 1: goals, and the pictures of a talk before their answers."""
    room = f"Room <b>{html.escape(code)}</b>" if code else "Room <span class='blank'></span>"
    shown = "".join(
        f"<div><h3>{_text(one.title)}</h3>{_to_guess(one)}<p class='mine'>My guess:</p></div>"
        for one in scenes(ELEVEN)
    )
    return (
        f"<div class='head'><div><h1>Guess first</h1><p>{GOALS}</p></div>"
        f"<p class='room'>{room}</p></div><div class='guesses'>{shown}</div>"
        f"<p><small>Invented data. Made with dpviz {__version__}.</small></p>"
    )


def _to_guess(scene: Scene[Any]) -> str:
    """The picture and its question; of cards, which ask nobody, what the test asks of them."""
    if scene.options:
        return f"{_picture(scene)}<p>{_text(scene.question)}</p>"
    asked = next(one.question for one in ITEMS if one.module == scene.name)
    return f"<p>{_text(asked)}</p>{'<div class=rule></div>' * 5}"


def _exercises(asked: list[Scene[Any]], first: int) -> str:
    """Up to six exercises with room to write, or to draw."""
    rows = "".join(
        f"<div class='task'><div><p><b>{number}.</b> {_text(one.exercise)}</p>"
        f"{_room(one.name)}</div>{_small(one)}</div>"
        for number, one in enumerate(asked, 1)
        if first < number <= first + PER_PAGE
    )
    return f"<h2>Exercises</h2><div class='tasks'>{rows}</div>"


def _room(name: str) -> str:
    """22 mm: ruled, or an empty axis below one line."""
    if name not in AXES:
        return "<div class='rule'></div>" * 3
    what, ends = AXES[name]
    marks = "".join(f"<li>{one}</li>" for one in ends)
    return (
        f"<div class='rule'></div><div class='axis'><p>Draw: {_text(what)}</p><div></div>"
        f"<ol>{marks}</ol></div>"
    )


def _small(scene: Scene[Any]) -> str:
    return f"<div class='small'>{_picture(scene)}</div>" if scene.name in FIGURES else ""


def _strip() -> str:
    blank = "<span class='blank'></span>"
    rows = "".join(f"<p>{_text(said).format(blank)}</p>" for said, _ in FORMULAS)
    return f"<div><h3>Fill in the formulas</h3><div class='strip'>{rows}</div></div>"


def _answers(asked: list[Scene[Any]]) -> str:
    """Page 4: answers in one line each, words, and the label of a release to fill in."""
    rows = "".join(f"<li>{_text(one.answer)}</li>" for one in asked)
    filled = " · ".join(_text(said.format(right)) for said, right in FORMULAS)
    words = "".join(f"<dt>{name}</dt><dd>{meaning}</dd>" for name, meaning in WORDS)
    label = "".join(f"<p>{name}</p>" for name in LABEL)
    return (
        f"<h2>Answers</h2><ol class='answers'>{rows}</ol><p><b>Formulas:</b> {filled}</p>"
        f"<h2>Words</h2><dl>{words}</dl>"
        f"<h2>The label of a release: fill it in</h2><div class='label'>{label}</div>"
    )


def _picture(scene: Scene[Any]) -> str:
    """The picture of a scene before its answer, without its words, which would be too small."""
    stage = scene.stage(scene.control.start, "predict", screen=STAMP, only=True)
    return re.sub(r"<text.*?</text>", "", svg(stage, *SIZE, Look()), flags=re.DOTALL)


def _text(said: str) -> str:
    return marked(said)
