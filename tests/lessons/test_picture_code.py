"""No scene lays its picture out in more than 90 lines: what scenes share is in figures/stage."""

import ast
from pathlib import Path

from dpviz.lessons import course

ROOT = Path(__file__).parents[2]
MOST = 90
# a function that lays out a picture returns marks, ticks or tiles, or takes a room for them
SPEAKS = ("Mark", "Tick", "Tile", "Screen", "Panel")


def picture_lines(text: str) -> int:
    """Lines of picture code of a module: its functions that return marks or take room for them.

    Docstrings, comments and blank lines do not count. A picture that a scene shows from another
    module, as its second one, is counted there.
    """
    lines = text.splitlines()
    return sum(
        sum(bool(line.strip()) and not line.strip().startswith("#") for line in lines[first:last])
        for one in ast.parse(text).body
        if isinstance(one, ast.FunctionDef) and lays_out(one)
        for first, last in _body(one)
    )


def lays_out(function: ast.FunctionDef) -> bool:
    """Whether a function takes a room for marks, or returns some."""
    returned = ast.unparse(function.returns) if function.returns else ""
    return any(name in returned or name in ast.unparse(function.args) for name in SPEAKS)


def _body(function: ast.FunctionDef) -> list[tuple[int, int]]:
    """From and to of its lines, counted from 0, without its docstring."""
    first, last = function.lineno - 1, function.end_lineno or 0
    if ast.get_docstring(function) is None:
        return [(first, last)]
    told = function.body[0]
    return [(first, told.lineno - 1), (told.end_lineno or 0, last)]


def test_no_scene_has_more_than_90_lines_of_picture_code():
    modules = {path: picture_lines(path.read_text(encoding="utf-8")) for path in _modules()}
    scenes = {
        ROOT / f"{course.module(story, row.rpartition('.')[2]).replace('.', '/')}.py"
        for story, rows in course.SCENES.items()
        for row in rows
    }
    assert len(scenes) == 23
    assert min(modules[scene] for scene in scenes) > 20  # a count that sees nothing would pass
    assert {path.name: lines for path, lines in modules.items() if lines > MOST} == {}


def _modules() -> list[Path]:
    return sorted((ROOT / "dpviz/lessons").rglob("*.py"))


def test_the_count_sees_what_lays_out_and_nothing_else():
    text = '''
def marks(told, beat: Beat, screen: Screen) -> list[Mark]:
    """Two lines
    of docstring."""
    # a comment

    return [
        one(told)
    ]


def say(told) -> Sentences:
    return Sentences("", "")


def where(panel: Panel) -> float: return 1.0
'''
    assert picture_lines(text) == 5
    assert picture_lines(text + "\n\ndef more() -> Mark:\n" + "    x = 1\n" * 90) == 96
