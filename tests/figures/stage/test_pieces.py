"""Pieces that scenes share: what they are put together from, and where their parts stand."""

from dpviz.figures.stage import pieces
from dpviz.figures.stage.places import At, On
from dpviz.figures.stage.screen import DESK, PHONE, Column, Panel


def panel(screen=DESK) -> Panel:
    return screen.columns(Column((0.1, 0.6), (0.1, 0.6)))[0]


def test_a_heading_stands_at_the_upper_edge_at_the_left_or_at_the_right_end():
    left, right = (
        pieces.heading(panel(), "head", "HEAD", "private", end) for end in ("start", "end")
    )
    assert (left["at"][0], right["at"][0]) == ([0.1, 0], [0.6, 0])
    assert left["at"][1] == right["at"][1] == panel().line(0).to_json()
    assert (left["colour"], left["spaced"], right["anchor"]) == ("private", True, "end")


def test_a_number_is_smaller_on_a_phone_and_in_serif():
    large, small = (pieces.number(one, "n", (At(), At()), "7", 30) for one in (DESK, PHONE))
    assert large["size"] == 30 > small["size"] == PHONE.size(30)
    assert (large["font"], large["colour"], large["halo"]) == ("serif", "private", False)


def test_lines_stand_below_each_other_in_the_picture_and_on_an_axis():
    for first in (At(0.5, 4), On("y", 7, 4)):
        found = pieces.lines((At(), first), 27, {"a": "one", "b": "two"}, weight=700)
        assert [one["text"] for one in found] == ["one", "two"]
        assert [one["weight"] for one in found] == [700, 700]
        assert found[0]["at"][1] == first.to_json()
        assert found[1]["at"][1] == pieces.further(first, 27).to_json()


def test_a_grid_has_a_line_at_each_value():
    found = pieces.grid("off", [1, 10], At(), At(1))
    assert [(one["id"], one["from"][1]["value"], one["to"][1]["value"]) for one in found] == [
        ("grid 1", 1, 1),
        ("grid 10", 10, 10),
    ]


def test_no_dots_are_no_mark():
    assert pieces.scatter("none", ("x", "y"), [], [], radius=3) == []
    (found,) = pieces.scatter("two", ("x", "y"), [1, 2], [3, 4], radius=3, colour="ink")
    assert (found["x"], found["y"], found["colour"]) == ([1, 2], [3, 4], "ink")


def test_a_heap_has_its_answers_over_their_law_on_axes_of_its_own():
    found = pieces.heap("a", panel(), (At(1, -30), At(0, 60)), (0, 4), (1, 3), [], 9,
                        (0, [1, 2, 1]), [1, 2, 2, 3], step=1, row=2)  # fmt: skip
    by_name = {one["id"]: one for one in found}
    assert list(by_name) == ["a x", "a y", "a near", "a law", "a dots"]
    assert (by_name["a near"]["low"], by_name["a near"]["high"]) == (1, 3)
    assert by_name["a near"]["from"] == [0, 54]
    assert by_name["a law"]["axes"] == by_name["a dots"]["axes"] == ["a x", "a y"]
    assert (by_name["a dots"]["values"], by_name["a dots"]["row"]) == ([1, 2, 2, 3], 2)


def test_a_hundred_suspects_are_those_before_and_those_added():
    heading, before, people = pieces.suspects(panel(), "Ana", (At(0, 1), At(0, 2), At(0, 3)), 10, 5,
                                              (20, (9.0, 9.0)))  # fmt: skip
    assert heading["text"] == "A SUSPICION ABOUT ANA"
    assert before["text"] == "10 in 100"
    assert (people["before"], people["added"], people["n"], people["columns"]) == (10, 5, 100, 20)
    assert [one["at"][1][1] for one in (heading, before, people)] == [1, 2, 3]
    assert pieces.at_most(panel(), At(), 15)["text"] == "at most 15"


def test_a_budget_says_what_it_pays_for_where_there_is_room():
    said = {"level": 0.5, "over": 60, "slots": 10, "promise": "ε = 1", "pays": ("pays", "each")}
    desk, phone = (pieces.budget(panel(one), **said) for one in (DESK, PHONE))
    assert [one["id"] for one in desk] == ["tank", "budget", "promise", "pays", "each"]
    assert [one["id"] for one in phone] == ["tank", "budget"]
    assert (desk[0]["level"], desk[0]["over"], desk[0]["slots"], desk[0]["overRow"]) == (
        0.5, 60, 10, 20,
    )  # fmt: skip


def test_a_note_has_its_sign_its_words_its_count_and_the_unit():
    found = pieces.note(panel(), 1, "○", "these 10", "4", "bad marks")
    assert [one["text"] for one in found] == ["○", "these 10", "4", "bad marks"]
    assert len({tuple(one["at"][1]) for one in found}) == 1
    assert pieces.note(panel(), 2, "", "a", "b", "c")[0]["at"][1][1] > found[0]["at"][1][1]
