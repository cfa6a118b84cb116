"""Votes of a class: by option, what to do next, and bars of the right lengths."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

from dpviz.lessons.scene import MISCONCEPTIONS
from dpviz.lessons.stories.listing import scene
from dpviz.lessons.stories.votes import advice, belief, said_so, stage, votes_of

DRAWN = scene("tank")
SCENE = replace(DRAWN, drawing=None)  # its second option is right
FIRST, AGAIN = (11, 8, 5, 4), (4, 19, 2, 3)
PAD = (0,) * 20


def votes(first=FIRST, again=AGAIN):
    return votes_of(SCENE, first + PAD, again and again + PAD)


def test_options_have_their_own_bins():
    found = votes_of(SCENE, FIRST + PAD, AGAIN + PAD)
    found = replace(found, rows=sorted(found.rows, key=lambda one: one.option.key))
    assert [(one.option.key, one.first, one.again, one.last) for one in found.rows] == [
        (key, first, again, again) for key, first, again in zip("abcd", FIRST, AGAIN, strict=True)
    ]
    assert (found.phones, found.right, found.share) == (28, 19, 19 / 28)
    once = votes(again=None)
    assert (once.phones, once.right, once.again) == (28, 8, False)
    assert votes_of(SCENE, None, None) is None
    there = votes_of(SCENE, FIRST + PAD, None, "AVG7YG")  # as the room has them on screen
    assert [one.option for one in there.rows] == list(SCENE.shuffled("AVG7YG"))
    assert {one.option.key: one.first for one in there.rows} == dict(
        zip("abcd", FIRST, strict=True)
    )


@pytest.mark.parametrize(
    ("right", "again", "then"),
    [
        (29, False, "explain, then vote again."),
        (30, False, "talk to your neighbour, 90 s, then vote again."),
        (70, False, "talk to your neighbour, 90 s, then vote again."),
        (71, False, "reveal."),
        (29, True, "explain."),
        (30, True, "reveal."),
        (71, True, "reveal."),
    ],
)
def test_what_is_done_next_goes_by_the_share_of_right_answers(right, again, then):
    bins = (100 - right, right, 0, 0)
    found = votes((50, 0, 0, 0), bins) if again else votes(bins, None)
    assert advice(found) == f"{right} of 100 are right: {then}"


def test_before_the_reveal_nothing_says_which_answer_is_right():
    said = advice(votes(FIRST, None)), advice(votes(FIRST[::-1], None))
    assert {one.rpartition(": ")[2] for one in said} == {"explain, then vote again."}


def test_how_many_said_so_is_of_the_last_vote():
    a = SCENE.options[0]
    assert said_so(votes(), a) == "4 of 28 phones said so."
    assert said_so(votes(again=None), a) == "11 of 28 phones said so."
    assert said_so(votes(), None) == said_so(None, a) == ""


def test_bars_are_as_long_as_their_numbers_and_stand_beside_what_is_behind_them():
    marks = {one["id"]: one for one in stage(votes(), 1.0).views[0].marks}
    left = marks["first a"]["from"][0][0]
    unit = (marks["again b"]["to"][0][0] - left) / 19
    for key, first, again in zip("abcd", FIRST, AGAIN, strict=True):
        assert marks[f"first {key}"]["to"][0][0] == pytest.approx(left + unit * first)
        assert marks[f"again {key}"]["to"][0][0] == pytest.approx(left + unit * again)
        assert marks[f"first number {key}"]["text"] == str(first)
        assert marks[f"again number {key}"]["text"] == str(again)
    option = SCENE.options[0]
    assert belief(option) == MISCONCEPTIONS["M7"] == marks["belief a"]["text"]
    assert marks["belief b"]["text"] == "right"
    assert [marks[f"again {key}"]["colour"] for key in "abcd"] == ["ink", "private", "ink", "ink"]
    assert marks["class"]["text"] == "THE CLASS, 28 PHONES"
    said = marks["alt"]["text"]
    assert said.startswith("Votes of 28 phones. ")
    assert "10: noise stays noise: 11 first, 4 after talking" in said
    assert "1: 8 first, 19 after talking; " in said


def test_who_was_asked_once_has_hollow_bars_alone():
    marks = {one["id"]: one for one in stage(votes((9, 0, 0, 0), None), 1.0).views[0].marks}
    assert not any(name.startswith("again") for name in marks)
    assert "first a" in marks
    assert "first b" not in marks  # nobody: no bar, only its number
    assert marks["first number b"]["text"] == "0"
    assert "; Something else: 0; 10: noise stays noise: 9." in marks["alt"]["text"]


def test_bins_of_a_drawing_are_counted_by_the_option_that_they_come_to():
    bins = list(range(1, 25))
    found = votes_of(DRAWN, bins, None)
    wanted = Counter()
    for many, key in zip(bins, DRAWN.drawing.keys, strict=True):
        wanted[key] += many
    assert {row.option.key: row.first for row in found.rows} == dict(wanted)
    assert found.phones == sum(bins)


def test_a_class_that_drew_shows_a_fan_and_a_row_of_dots_a_bin():
    first, again = [0] * 24, [0] * 24
    first[20], first[2], again[12], again[13] = 9, 2, 7, 4
    found = votes_of(DRAWN, first, again)
    marks = {one["id"]: one for one in stage(found, 1.0).views[0].marks}
    drawing = DRAWN.drawing
    edges = drawing.edges
    middles = [(low * high) ** 0.5 for low, high in pairwise(edges)]
    ends = [end[1]["value"] for end in marks["fan"]["to"]]
    assert ends == pytest.approx([middles[12], middles[13]])  # of those who were heard last
    for name, bins in (("dots first", first), ("dots after", again)):
        many = Counter(marks[name]["y"])
        assert sorted(many.values()) == sorted(one for one in bins if one)
        for value, count in many.items():
            at = min(range(24), key=lambda one: abs(middles[one] - value))
            assert bins[at] == count
            assert value == pytest.approx(middles[at], abs=1e-3)
    told = [*dict(drawing.given()).values(), *drawing.truth()]
    assert marks["law"]["y"] == pytest.approx(told, abs=1e-3)
    assert not any(name.startswith("belief") for name in marks)
    once = {one["id"] for one in stage(votes_of(DRAWN, first, None), 1.0).views[0].marks}
    assert "dots after" not in once
    assert {"fan", "dots first"} <= once


def test_a_class_that_dropped_dots_has_bars_alone():
    median = scene("median")
    found = votes_of(median, [0, 1, 2, 3, 4, 0, 0, 0, 0, 0, 5, *[0] * 13], None)
    many = {row.option.key: row.first for row in found.rows}
    assert many == {"a": 5, "b": 7, "c": 3, "d": 0}
    assert "fan" not in {one["id"] for one in stage(found, 1.0).views[0].marks}


def test_who_ends_right_by_another_way_is_counted_as_wrong_and_has_no_line():
    bound = scene("largest_value")
    texts = ["c:12434,746,333333"] * 6 + ["c:800,746,333333"] * 3 + ["c:12434,746,700"] * 2
    bins = [0] * 24
    for text in texts:
        bins[bound.bin(text)] += 1
    found = votes_of(bound, bins, None)
    assert {row.option.key: row.first for row in found.rows} == {
        "a": 2,
        "b": 0,
        "c": 6,
        "d": 0,
        "e": 3,
    }
    assert (found.right, found.phones) == (6, 11)
    marks = {one["id"]: one for one in stage(found, 1.0).views[0].marks}
    assert len(marks["fan"]["to"]) == 2  # one a bin
    assert len(marks["dots first"]["y"]) == 8
    assert marks["first number e"]["text"] == "3"
