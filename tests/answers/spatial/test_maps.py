"""A map in its forms: each method has its own numbers, and every sentence says its own."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.spatial.cells import CellsNumbers
from dpviz.answers.spatial.cells import answer as cells_of
from dpviz.answers.spatial.maps import MapNumbers, answer
from dpviz.answers.spatial.maps_said import say
from dpviz.answers.spatial.names import Names, Voice
from dpviz.answers.spatial.rectangle import RectangleError, RectangleNumbers
from tests.answers.spatial.questions import NOBODY, POINTS, asked, slow, slow_inside, truth_of

NAMES = Names("student", "students", "live", "km", "km")
VOICE = Voice(NAMES, lambda text: f":blue[{text}]", lambda text: f"**{text}**")
METHODS = ("kd-tree", "quadtree, baseline", "adaptive grid")


def check(found: MapNumbers, at: int, question, points):
    """One method's numbers are those of its own release and of the points."""
    where, twin = question.asked, slow(question)
    assert found.answers[at].private == pytest.approx(twin.counted(where)[0])
    assert found.answers[at].error == pytest.approx(twin.counted(where)[1] ** 0.5)
    assert found.answers[at].off.truth == slow_inside(where, points)
    assert found.cells[at].name == question.name
    level = question.level
    cells = [twin.node(level, cell)[0] for cell in range(len(twin.boxes[level]))]
    inside = [slow_inside(box, points) for box in twin.boxes[level]]
    assert found.cells[at].off == pytest.approx(np.abs(np.subtract(cells, inside)).mean())


@pytest.mark.parametrize("points", [POINTS, NOBODY], ids=["people", "nobody"])
@pytest.mark.parametrize("second", METHODS)
def test_each_method_has_its_own_numbers(second, points):
    questions = [asked("quadtree, optimal", height=3, points=points), asked(second, points=points)]
    found = answer(questions, [truth_of(one, points) for one in questions])
    assert found.alone is None
    assert found.deepest == 3
    for at, question in enumerate(questions):
        check(found, at, question, points)


def test_one_method_without_the_truth_is_what_an_outsider_gets():
    question = asked("kd-tree", depth=2)
    (read,) = answer([question], [None]).answers
    alone = answer([question], [None]).alone
    assert read.off is None
    assert alone.cells.off is None
    assert alone.cell_half == pytest.approx(1.96 * cells_of(question).error)
    assert answer([question], [truth_of(question)]).alone is None
    assert answer([question] * 2, [None] * 2).alone is None
    assert answer([asked("adaptive grid")], [None]).deepest == 0


def cells(name: str, **others) -> CellsNumbers:
    return replace(cells_of(asked()), name=name, **others)


ONE = RectangleNumbers(np.array([1.0, 2, 3, 4]), 4737.0, 132.3, 150.0,
                       RectangleError(4800.0, -80.0, 17.0))  # fmt: skip
OTHER = RectangleNumbers(np.array([1.0, 2, 3, 4]), 4611.0, 71.5, 90.0,
                         RectangleError(4800.0, -150.0, -39.0))  # fmt: skip
FIRST = cells("quad*tree", error=12.5, sure=25, cells=100, exact=())
SECOND = cells("kd-tree", error=33.0, sure=40, cells=100, exact=(), is_pruned=True)


def test_one_map_beside_the_truth_says_its_own_numbers():
    said = say(MapNumbers((ONE,), (FIRST,), 6, None), VOICE)
    assert said.headline() == (
        "The private map counts :blue[4,737] students in the rectangle; the truth is **4,800**."
    )
    assert said.second() == (
        "Off by 63, or 1.3 %: −80 from the noise, 17 because students do not fill the cut cells "
        "evenly."
    )
    assert said.alt == (
        "The private map counts 4,737 students in the rectangle; the truth is 4,800. "
        + said.second()
    )
    assert said.strip == [
        ("standard error of the answer", "± 132"),
        ("of one cell", "± 12"),
        ("cells that say nothing sure", "75 %"),
    ]
    assert said.chips == []


def test_a_map_that_protects_nobody_says_so():
    said = say(MapNumbers((ONE,), (replace(FIRST, exact=("counts",)),), 6, None), VOICE)
    assert said.headline().startswith("The map counts :blue[4,737]")
    assert said.second().startswith("**Not private: quad\\*tree\\: its counts are exact")
    assert said.chips == ["not private"]


def test_two_maps_say_the_numbers_of_both():
    found = MapNumbers((ONE, OTHER), (FIRST, SECOND), 6, None)
    said = say(found, VOICE, 32.0)
    assert said.headline() == (
        "Quad\\*tree counts :blue[4,737] students in the rectangle, kd\\-tree :blue[4,611]; the "
        "truth is **4,800**."
    )
    assert said.alt == (
        "Quad*tree counts 4,737 students in the rectangle, kd-tree 4,611; the truth is 4,800."
    )
    assert said.second() == (
        "Quad\\*tree is off by 63 (−80 from the noise, 17 from uneven cells); kd\\-tree is off by "
        "189 (−150 from the noise, −39 from uneven cells)."
    )
    assert said.strip[0] == ("standard errors of the answers", "± 132 and ± 72")
    assert said.strip[2] == ("cells that say nothing sure", "75 % and 60 %")
    assert said.chips == ["pruned at 32"]


def test_without_the_truth_nothing_of_it_is_said():
    both = [asked("kd-tree"), asked("quadtree, optimal")]
    for questions in (both[:1], both):
        said = say(answer(questions, [None] * len(questions)), VOICE)
        assert "tru" not in repr(said)
    (alone,) = answer(both[:1], [None]).answers
    said = say(answer(both[:1], [None]), VOICE)
    assert said.headline().startswith(f"About :blue[{alone.private:,.0f}] students live")
    assert dict(said.strip)["records on screen"] == "0"
