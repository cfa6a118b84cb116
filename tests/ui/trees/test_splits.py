"""How a person says the shares of levels and the queries that matter, and what is said back."""

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.core.trees.shape import TreeShape
from dpviz.estimators.splits import workloads
from dpviz.ui.trees import splits
from dpviz.ui.trees.splits import MOST_SLIDERS, SPLITS, Split, parse_numbers, ranges_of
from tests.rows import by_rows
from tests.ui.recorded import Recorded

SHAPE = TreeShape(2, 3)


@pytest.fixture
def screen(monkeypatch):
    found = Recorded(monkeypatch)
    ends = {"low": 10.0, "high": 90.0}
    monkeypatch.setattr(splits.session, "declared", ends.get)
    monkeypatch.setattr(splits.session, "declared_bounds", lambda: Bounds(10, 90))
    monkeypatch.setattr(splits.memory, "remembered", lambda _, made: made())
    monkeypatch.setattr(splits.state, "put", found.state.__setitem__)
    return found


@by_rows(("text", "numbers"), [("1,2;3 4", [1, 2, 3, 4]), (" .5 , 1e2 ", [0.5, 100]), ("7", [7])])
def test_numbers_may_be_apart_in_any_usual_way(text, numbers):
    assert parse_numbers(text, "Weights") == numbers


@by_rows(
    ("text", "what", "said"),
    [
        (
            "1, two, 3",
            "Weights",
            "Weights must be numbers with commas between them; 'two' is none.",
        ),
        ("", "A range", "A range must be numbers with commas between them; '' is none."),
    ],
)
def test_what_is_no_number_is_named(text, what, said):
    with pytest.raises(InvalidParameter) as error:
        parse_numbers(text, what)
    assert str(error.value) == said


@by_rows("text", ["", "\n \n", "1", "1, 2, 3", "1,2\n3"])
def test_a_range_is_two_numbers_a_line(text):
    with pytest.raises(InvalidParameter, match="Write one range a line, as low, high"):
        ranges_of(text)
    assert ranges_of("18, 65\n\n0 9").tolist() == [[18, 65], [0, 9]]


def test_every_split_has_its_levels():
    wanted = {
        "uniform": LevelBudget.uniform(),
        "geometric": LevelBudget.geometric(1.3),
        "leaves only": LevelBudget.leaves_only(),
        "own weights": LevelBudget.own([1, 2, 3, 4]),
        splits.OPTIMAL: LevelBudget.uniform(),  # what its search starts from
    }
    assert set(wanted) == set(SPLITS)
    for name, levels in wanted.items():
        assert Split(name, 1.3, "1, 2, 3, 4").levels() == levels


def test_even_weights_follow_the_height_and_others_stay():
    assert splits.even_weights(3) == "1, 1, 1, 1"
    assert splits.adapted("1, 1", 3) == "1, 1, 1, 1"
    assert splits.adapted("1, 2", 3) == "1, 2"
    assert splits.weights_of("1, 2, 4") == LevelBudget.own([1, 2, 4])


def test_the_first_range_is_the_lower_half(screen):
    assert splits.first_range() == "10, 50"


def test_what_each_workload_asks_of_the_levels(screen):
    asked = {
        "CDF": workloads.prefixes(SHAPE),
        "single leaves": workloads.single_leaves(SHAPE),
        "all ranges": workloads.all_ranges(SHAPE),
        splits.OWN_RANGES: workloads.listed_ranges(
            np.array([10.0, 30]), np.array([50.0, 80]), Bounds(10, 90), SHAPE
        ),
    }
    assert set(asked) == set(splits.WORKLOADS)
    for name, energies in asked.items():
        found = Split("uniform", workload=name, ranges="10, 50\n30, 80").energies(SHAPE)
        np.testing.assert_array_equal(found, energies, err_msg=name)


def test_few_levels_have_a_slider_each_that_writes_the_text(screen):
    splits.weight_sliders(2, "1, 0.25, 3")
    assert screen.said("slider") == ["Level 0", "Level 1", "Level 2"]
    keys = [one.others["key"] for one in screen.calls if one.name == "slider"]
    assert [screen.state[key] for key in keys] == [1, 0.25, 3]
    screen.state[keys[1]] = 2.5
    screen.calls[-1].others["on_change"](2)
    assert screen.state[splits.TEXT] == "1, 2.5, 3"


@by_rows(
    ("height", "written", "offers"),
    [(10, "1" + ", 1" * 10, True), (11, "1" + ", 1" * 11, False), (1, "1, 10.5", False),
     (1, "1, 10", True)],
)  # fmt: skip
def test_where_sliders_end_is_said_as_it_is(screen, height, written, offers):
    screen.forget()
    splits.weight_sliders(height, written)
    sliders = screen.said("slider")
    assert len(sliders) == (height + 1 if offers else 0)
    said = "" if offers else (
        "Sliders are offered to height 10 and for weights to 10; beyond, edit the text below the "
        "level budgets."
    )  # fmt: skip
    assert "".join(screen.said("caption")) == said
    assert MOST_SLIDERS == 10 + 1
