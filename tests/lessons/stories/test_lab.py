"""The lab: solved it gives 8 of 8 and its outputs; a blank gives a hint and no traceback."""

import html
import math
import re
from itertools import accumulate

import nbformat
import numpy as np
import pytest

import dpviz as dp
from dpviz.__main__ import main
from dpviz.lessons.stories.lab import SET_UP, TASKS, Points, blank, filled, lab
from dpviz.lessons.stories.listing import scene as named_scene

OUTPUTS = [
    "Ana: 61,300",
    "40 and 22 of 40 right",
    "mean 15.9, sd 5.3; the truth is 16",
    "± [30, 6, 3, 1]",
    "0.2320, 0.1422, 0.2695",
    "spent 10, better: one",
    "bound 200,000, mean 46,420\ntrue 49,146: the stand-in's tail is thin",
    "2,048; error 33.3 → 15.9",
]
BLANKS = [(place, at) for place, task in enumerate(TASKS) for at in range(task.work.count("«"))]


def run(cells, capsys):
    """What each cell prints, all in one namespace."""
    space, said = {}, []
    for cell in cells:
        exec(compile(cell, "cell", "exec"), space)
        said.append(capsys.readouterr().out)
    return said, space


def code_of(text):
    book = nbformat.reads(text, as_version=4)
    nbformat.validate(book)
    return [cell.source for cell in book.cells if cell.cell_type == "code"]


@pytest.mark.law
def test_the_solved_lab_gives_eight_points_and_its_outputs(capsys):
    said, space = run(code_of(lab(solved=True)), capsys)
    checks = said[3::3]
    assert checks == [
        f"{output}\nTask {number}: right. {number} of 8.\n"
        for number, output in enumerate(OUTPUTS, 1)
    ]
    assert said[0] == "".join(said[1::3] + said[2::3]) == ""
    assert repr(space["points"]) == "8 of 8"
    assert lab(solved=True) == lab(solved=True)


@pytest.mark.law
def test_the_blank_lab_gives_hints_and_no_points(capsys):
    cells = code_of(lab())
    assert all("«" not in cell and "»" not in cell for cell in cells)
    said, space = run(cells, capsys)
    for number, (task, told) in enumerate(zip(TASKS, said[3::3], strict=True), 1):
        assert told.startswith(f"Task {number}: not yet. ")
        assert told.endswith(f"\nHint: {task.hint}\n0 of 8.\n")
        assert "Error" not in told
    assert repr(space["points"]) == "0 of 8"


def test_a_task_begins_with_its_scene():
    cells = code_of(lab())[1::3]
    assert len(cells) == len(TASKS) == len(set(cells))
    for cell, task in zip(cells, TASKS, strict=True):
        shown = eval(cell, {"dp": dp})
        asked = named_scene(task.scene)
        assert shown.title == f"dpviz: {asked.title}"
        assert f"<b>{html.escape(asked.question, quote=False)}</b>" in shown.page


@pytest.mark.few(5)
@pytest.mark.parametrize(("place", "at"), BLANKS)
def test_every_blank_is_needed_for_its_point(place, at, capsys):
    parts = re.split("«(.*?)»", TASKS[place].work)
    parts[2 * at + 1] = "..."
    check = TASKS[place].check.replace("\n", "\n    ")
    cells = [SET_UP, "".join(parts), f"with points.task({place + 1}):\n    {check}"]
    said, space = run(cells, capsys)
    assert space["points"].right == set()
    assert f"Hint: {TASKS[place].hint}" in said[-1]


WRONG = [
    (0, "round(40 * 50550.00 - 39 * 50274.36, -2)", "50550.00 - 50274.36"),
    (1, "22 / 1", "1 / 22"),
    (2, "2 * (yes - n / 4)", "yes - n / 4"),
    (2, "2 * (yes - n / 4)", "2 * yes - n / 4"),
    (2, "np.log(3)", "np.log(4)"),
    (3, "2 * p ** (t + 1) / (1 + p)", "2 * p ** t / (1 + p)"),
    (3, "2 * p ** (t + 1) / (1 + p)", "1"),
    (4, "4 * 0.1", "0.1"),
    (4, "12 * 0.1", "0.1 / 12"),
    (4, "E(eps)", "(1 + eps)"),
    (5, "100 * 0.1", "0.1"),
    (5, '"one"', '"ten"'),
    (6, "U / (eps * n)", "U / n"),
    (6, "(stand_in - np.minimum(stand_in, U)).sum() / n", "0"),
    (7, "h + 1", "1"),
    (7, "2048", "1024"),
    (7, "dp.efficient(drawn)", "drawn"),
]


@pytest.mark.few(8)
@pytest.mark.parametrize(("place", "right", "wrong"), WRONG)
def test_a_wrong_answer_gives_no_point(place, right, wrong, capsys):
    work = filled(TASKS[place].work)
    assert right in work
    check = TASKS[place].check.replace("\n", "\n    ")
    cells = [SET_UP, work.replace(right, wrong), f"with points.task({place + 1}):\n    {check}"]
    _, space = run(cells, capsys)
    assert space["points"].right == set()


def test_a_point_is_taken_back_and_an_error_is_named(capsys):
    points = Points()
    with points.task(3):
        pass
    assert repr(points) == "1 of 8"
    with points.task(3):
        raise ValueError("odd")
    assert repr(points) == "0 of 8"
    assert "not yet. ValueError: odd." in capsys.readouterr().out
    with pytest.raises(KeyboardInterrupt), points.task(3):
        raise KeyboardInterrupt


def test_the_marks_are_those_of_the_office():
    names = dp.load_sample("survey")
    assert (names[0] <= 4).sum() == 16
    assert "«" not in SET_UP
    assert blank("a = «b(1)» + «c»") == "a = ... + ..."
    assert filled("a = «b(1)» + «c»") == "a = b(1) + c"


def test_the_outputs_are_worked_out_another_way():
    pay = dp.load_sample("office")[0]
    assert round(40 * pay.mean() - pay[1:].sum(), 2) == 61_300
    for epsilon, reach in zip((0.1, 0.5, 1, 2), (30, 6, 3, 1), strict=True):
        p = math.exp(-epsilon)
        chances = [(1 - p) / (1 + p) * p**k * (1 + (k > 0)) for k in range(400)]
        assert next(t for t, sure in enumerate(accumulate(chances)) if sure >= 0.95) == reach
    truth = 16  # 4,000 classes of coins: binomial, exactly
    mean = truth * 0.75 + (40 - truth) * 0.25
    assert 2 * (mean - 10) == truth
    assert 2 * math.sqrt(40 * 3 / 16) == pytest.approx(5.3, abs=0.2)
    for height in (10, 11):  # every prefix of the tree: as many nodes as its number has ones
        cells, law = 2**height, dp.Noise.DISCRETE_LAPLACE
        nodes = np.mean([bin(one).count("1") for one in range(1, cells + 1)])
        tree, plain = nodes * law.variance(height + 1), (cells + 1) / 2 * law.variance(1)
        assert (tree < plain) == (cells >= 2_048)


def test_the_command_writes_the_lab(tmp_path, capsys):
    place = tmp_path / "lab.ipynb"
    assert main(["lab", "-o", str(place)]) == 0
    assert place.read_text(encoding="utf-8") == lab()
    assert "lab.ipynb" in capsys.readouterr().out
    assert main(["lab", "--solved", "-o", str(place)]) == 0
    assert place.read_text(encoding="utf-8") == lab(solved=True)
    assert main(["lab", "-o", str(tmp_path / "no" / "lab.ipynb")]) == 1
    assert "cannot be written" in capsys.readouterr().err
