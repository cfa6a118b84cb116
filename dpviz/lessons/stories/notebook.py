"""A notebook of a story: the scenes' texts, and their numbers computed again, cell by cell."""

from typing import Any

from nbformat.v4 import new_code_cell, new_markdown_cell

from dpviz.figures.kit.look import Look
from dpviz.figures.stage.engine import svg
from dpviz.lessons.course import module
from dpviz.lessons.scene import Scene
from dpviz.lessons.stories.listing import BY_KEY
from dpviz.reports.notebook import written
from dpviz.version import __version__


def notebook(story: str) -> str:
    """A story as the text of an .ipynb file, which runs from top to bottom with dpviz installed.

    Raises: KeyError for a story that there is not.
    """
    told = BY_KEY[story]
    cells = [
        new_markdown_cell(
            f"# {told.title}: {told.line}\n\nFor {told.audience}. dpviz {__version__}."
        ),
        new_code_cell(
            "import dpviz as dp\n"
            "from dpviz.lessons.stories.notebook import picture\n\n"
            "print('dpviz', dp.__version__)"
        ),
    ]
    for scene in told.scenes:
        cells += _cells(scene)
    return written(cells)


def _cells(scene: Scene[Any]) -> list[Any]:
    listed = zip("abcdef", scene.shuffled(), strict=False)
    options = "\n".join(f"- ({letter}) {one.text}" for letter, one in listed)
    code = (
        f"from {module(scene.story, scene.name)} import SCENE\n\n"
        f"stop = {scene.control.revealed!r}  # {scene.control.label}; one of SCENE.control.stops\n"
        "found = SCENE.numbers(stop, 1)\n"
        "print(SCENE.say(found).sentence)\n"
        "picture(SCENE, stop)"
    )
    asked = f"{options}\n\n*Decide before you run the next cell.*" if options else ""
    return [
        new_markdown_cell(
            f"## {scene.number}. {scene.title}\n\n{scene.question}\n\n{asked}".rstrip()
        ),
        new_code_cell(code),
        new_markdown_cell(
            f"{scene.explained}\n\nTo play with it here, run "
            f'`dp.scene("{scene.story}", "{scene.name}")`.'
            f"\n\n**Exercise.** {scene.exercise}\n\n"
            f"<details><summary>Answer</summary>{scene.answer}</details>"
        ),
    ]


class Picture:
    """A picture that notebooks show by itself."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<picture, {len(self.svg):,} characters of SVG>"


def picture(scene: Scene[Any], stop: Any) -> Picture:
    """The picture of a scene, revealed, at a stop of its control."""
    return Picture(svg(scene.stage(stop, "reveal", k=1.4, only=True), 1184, 490, Look()))
