"""The stage's drawing in the embedded engine: every mark, both papers, and what is drawn where."""

import math
import re
import threading
from collections import Counter
from xml.etree import ElementTree as ET

import pytest

from dpviz.core.errors import InvalidParameter
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import DARK, LIGHT, Ink
from dpviz.figures.stage import answers, findings, frames, people, tallies, touched
from dpviz.figures.stage.engine import svg
from dpviz.figures.stage.frames import Tick
from dpviz.figures.stage.places import At, Mark, On
from dpviz.figures.stage.stage import KINDS, Stage, View, layer
from tests.rows import by_rows

SIZE = 600, 300
X = frames.axis(
    "x",
    "x",
    (0, 10),
    At(0, 50),
    At(1, -50),
    at=At(1, -40),
    line=True,
    ticks=[Tick(0, "none"), Tick(5, "5 true", "bold")],
)
Y = frames.axis("y", "y", (0, 12), At(1, -40), At(0, 20), most=("x", 1))
LOG = frames.axis("log", "x", (1, 1000), At(0), At(1), log=True)
INKS = (
    *("truth", "second", "grain", "hairline", "panel", "band"),
    *("private", "danger", "danger_text", "page"),
)
MIDDLE = (At(0.5), At(0.5))
STATES: list[tallies.Tile] = ["open", "bad", "good", "guessed", "wrong"]
GUESSED = {
    "kind": "guess", "id": "m", "form": "c", "axes": ["x", "y"], "at": [2, 5], "names": ["2", "5"],
    "given": [[1, 3]], "truth": [4, 6], "unit": "off", "waits": [[0, 0], [1, -20]], "digits": 2,
    "dots": 10, "centre": 5, "near": 1, "leak": False,
}  # fmt: skip
EVERY: dict[str, Mark] = {
    "heap": people.heap("m", "x", [3, 400, 20], (0, 10), base=At(1, -40), top=At(0, 20), split=2),
    "points": people.points("m", ("x", "y"), [1, 2.5], [3, 4]),
    "crowd": people.crowd("m", MIDDLE, 400, 16),
    "closed": people.closed("m", (At(0), At(0)), MIDDLE, 50, ramp=True),
    "closed below words": people.closed(
        "m", (At(0), At(0)), MIDDLE, 50, ramp=True, words="top", clear=0.4
    ),
    "words on it": frames.label("m", MIDDLE, "Closed.", colour="on_closed"),
    "person": people.person("m", MIDDLE, "Ida & <co>"),
    "absent person": people.person("m", MIDDLE, "Ida is out", out=True),
    "upright barrier": answers.barrier("m", At(0.5), At(0), At(1)),
    "lying barrier": answers.barrier("m", At(0.5), At(0), At(1), direction="horizontal"),
    "no barrier": answers.barrier("m", At(0.5), At(0), At(1), none=True),
    "dots": answers.dots("m", ("x", "y"), [5, 5, 6]),
    "rows of dots": answers.dots("m", ("x", "y"), [5, 5, 5, 5, 6], row=3),
    "steps": answers.law("m", ("x", "y"), 0.5, [1, 4, 1], fill=0.1),
    "dotted steps": answers.law("m", ("x", "y"), 0.5, [1, 4, 1], dotted=True, line="ink"),
    "bars": answers.law("m", ("x", "y"), 0.5, [1, 4, 1], form="bars"),
    "hollow bars": answers.law("m", ("x", "y"), 0.5, [1, 4, 1], form="bars", dotted=True),
    "error bar": answers.errorbar("m", "x", At(0.5), 5, 2),
    "rule": frames.rule("m", (At(0), At(0)), (On("x", 5), At(1)), dash="2 3"),
    "label": frames.label("m", MIDDLE, [("ε", "private"), (" < 1 & more", "bold")], halo=True),
    "axis": frames.axis(
        "m", "y", (1, 5), At(1), At(0), at=At(0, 40), marks=True, ticks=[Tick(2, "2")]
    ),
    "barrier with a gap": answers.barrier(
        "m", At(0.5), At(0), At(1), gaps=[(At(0, 100), At(0, 140))]
    ),
    "cells": answers.cells("m", ("x", "y"), (0, 10), (0, 12), 3, [0, 1, 8, 8, 2, 0]),
    "curve": findings.curve(
        "m", ("x", "y"), [0, 5, 10], [1, 4, 2], area=0.08, stops=[0, 1], chosen=2
    ),
    "staircase": findings.curve(
        "m", ("x", "y"), [0, 5, 10], [1, 4, 2], steps=True, until=7, split=(6, "danger")
    ),
    "beam": findings.beam("m", MIDDLE, [(On("x", 5), At(1))]),
    "fan": findings.beam(
        "m", MIDDLE, [(At(0), At(1)), (At(1), At(1))], width=1.3, head=0, share=0.5
    ),
    "band": findings.band("m", "x", (2, 4), At(0), At(1)),
    "frame": findings.frame("m", (On("x", 2), At(0, 40)), MIDDLE, "60 < 80 km"),
    "handle": findings.handle("m", "x", 4, At(0.5), "0", "a wage is never below 0"),
    "leak": findings.handle("m", "x", 4, At(0.5), "148,000", "LEAK: the largest", leak=True),
    "card": findings.card("m", (At(0), At(0)), (At(1), At(1)), [("HOW", "Once"), ("WHY", "So")]),
    "tiles": tallies.tiles(
        "m", (At(0), At(0)), list("abcde"), STATES, ["?", "bad", "good", "bad", "good"], columns=2
    ),
    "tiles of one line": tallies.tiles(
        "m",
        (At(0), At(0)),
        ["a", "b"],
        ["bad", "wrong"],
        ["bad", "good"],
        size=(84, 20),
        inline=True,
    ),
    "dots to the side": answers.dots("m", ("y", "x"), [5, 5, 6]),
    "figures": tallies.people("m", (At(0), At(0)), 10, 2),
    "many people": tallies.people("m", (At(0), At(0)), 1, 0, form="dot"),
    "tank": tallies.tank("m", (At(0), At(0)), MIDDLE, 0.4, slots=10, text="0.2 of 0.2", over=12),
    "guess": GUESSED,
    "guess of dots": GUESSED | {"form": "d", "truth": [1, 2]},
    "piles": tallies.piles("m", (At(0), At(0)), (At(1), At(1)), [0, 0, 1, 2], columns=2),
    "boxes": tallies.boxes(
        "m", (At(0), At(0)), (At(1), At(1)), [1, 2, 4], [(1, 0), (2, 2)], ["72", "9"]
    ),
    "boxes too narrow": tallies.boxes("m", (At(0), At(0)), (At(0.1), At(1)), [1, 64], [(1, 63)]),
    "phones": tallies.phones(
        "m", (At(0), At(0)), (At(1), At(1)), [True, False, False], [True] * 3, columns=2
    ),
    "marks": tallies.phones("m", (At(0), At(0)), (At(1), At(1)), [True, False]),
    "grip": touched.grip("m", "x", 4, (2, 8), 2, At(0), At(1), label="edge", says="4"),
    "still grip": touched.grip(
        "m", "x", 4, (2, 8), 2, At(0), At(1), label="edge", says="4", still=True
    ),
    "tap": touched.tap("m", MIDDLE, (At(1), At(1)), "delta", "blank", ("δ: blank", "δ: 0")),
    "text alternative": frames.alternative("What is to be seen."),
}


def staged(*marks: Mark) -> Stage:
    return Stage((View((X, Y, LOG, *marks)),), {})


def drawn(stage: Stage, ink: Ink = LIGHT, size: tuple[int, int] = SIZE) -> ET.Element:
    return ET.fromstring(svg(stage, *size, Look(ink)))


def shapes(root: ET.Element, mark: str) -> list[dict[str, str]]:
    """What is drawn of a mark, by its keys."""
    return [
        one.attrib for one in root.iter() if one.attrib.get("data-key", "").split("/")[0] == mark
    ]


@by_rows("ink", [LIGHT, DARK], ids=["light", "dark"])
@by_rows("name", EVERY)
def test_every_mark_is_well_formed_on_both_papers(name, ink):
    text = svg(staged(EVERY[name]), *SIZE, Look(ink))
    for wrong in ("NaN", "undefined", "null", "Infinity"):
        assert wrong not in text
    root = ET.fromstring(text)
    assert (root.attrib["width"], root.attrib["height"]) == ("600", "300")
    found = shapes(root, "m")
    assert bool(found) == (EVERY[name]["kind"] not in {"alt", "tap"})  # a button lies over a tap
    keys = [one["data-key"] for one in found]
    assert len(keys) == len(set(keys))  # a key names one shape, or it could not glide
    colours = {one[side] for one in found for side in ("fill", "stroke") if side in one}
    own = {getattr(ink, name) for name in INKS}
    closed = {"#B4BDC6", "#F4F2ED", "#05070A" if ink.dark else "#14181D"}
    assert colours <= own | closed | {"none", "url(#hatch)"}


def test_every_kind_of_mark_is_tried():
    assert {mark["kind"] for mark in EVERY.values()} == set(KINDS)


def test_words_are_escaped_and_the_alternative_is_said():
    root = drawn(staged(EVERY["person"], frames.alternative('Salaries, "closed" & counted')))
    assert root.attrib["aria-label"] == 'Salaries, "closed" & counted'
    assert "Ida & <co>" in [one.text for one in root.iter()]


def test_every_person_is_a_grain():
    root = drawn(staged(EVERY["heap"]))
    counted = {one["data-key"]: one["d"].count("h0") for one in shapes(root, "m")}
    assert counted == {"m/grey": 403, "m/ink": 20}
    root = drawn(staged(EVERY["crowd"]))
    counted = {one["data-key"]: one["d"].count("h0") for one in shapes(root, "m")}
    assert counted == {"m/ink": 16, "m/grey": 384}


def places(path: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"M(-?[\d.]+) (-?[\d.]+)", path)]


def test_a_heap_stays_in_its_columns_and_the_fullest_reaches_the_top():
    (grey, ink) = shapes(drawn(staged(EVERY["heap"])), "m")
    assert all(50 <= x <= 50 + 500 * 2 / 3 + 0.1 for x, _ in places(grey["d"]))
    assert all(50 + 500 * 2 / 3 - 0.1 <= x <= 550 for x, _ in places(ink["d"]))
    heights = [y for _, y in places(grey["d"])]
    assert max(heights) <= 260
    assert 20 <= min(heights) < 23


def test_the_area_of_a_crowd_is_its_people():
    spread = []
    for n in (100, 400):
        mark = people.crowd("m", MIDDLE, n)
        (_, grey) = shapes(drawn(staged(mark)), "m")
        spread.append(max(abs(x - 300) for x, _ in places(grey["d"])))
    assert spread[1] / spread[0] == pytest.approx(2, rel=0.06)


def test_a_low_picture_cuts_no_crowd_and_keeps_areas_in_proportion():
    """All crowds of a picture shrink by one factor, those that hang from their top as well."""
    large = people.crowd("large", (At(0.7), At(0.5)), 8_000, spacing=2)
    small = people.crowd("small", (At(0.2), At(0, 40)), 500, spacing=2, hangs=True)
    spread = {}
    for height in (520, 130):
        root = drawn(staged(large, small), size=(600, height))
        for name in ("large", "small"):
            (_, grey) = shapes(root, name)
            seen = [y for _, y in places(grey["d"])]
            assert 0 <= min(seen) < max(seen) <= height
            spread[name, height] = max(seen) - min(seen)
            if name == "small":
                assert min(seen) == pytest.approx(40, abs=3)
    for height in (520, 130):
        ratio = spread["large", height] / spread["small", height]
        assert ratio == pytest.approx(4, rel=0.06)
    assert spread["large", 520] == pytest.approx(4 * (8_000 / math.pi) ** 0.5, rel=0.02)


@pytest.mark.parametrize("words", ["left", "top"])
def test_a_closed_place_leaves_room_for_its_words(words):
    mark = people.closed("m", (At(0), At(0)), (At(1), At(1)), 400, words=words, clear=0.4)
    (_, strewn) = shapes(drawn(staged(mark)), "m")
    least = min(spot[words == "top"] for spot in places(strewn["d"]))
    assert least >= 0.4 * (300 if words == "top" else 600) - 6
    assert strewn["d"].count("h0") == 400


def test_dots_stand_on_their_values_and_on_each_other():
    found = [
        (float(one["cx"]), float(one["cy"])) for one in shapes(drawn(staged(EVERY["dots"])), "m")
    ]
    unit = min(500 / 10, 240 / 12)  # y is no longer a unit than x
    assert found == [
        (300, 260 - unit / 2), (300, 260 - 1.5 * unit), (350, 260 - unit / 2)
    ]  # fmt: skip


def test_dots_of_an_upright_axis_stack_to_the_side():
    found = [
        (float(one["cx"]), float(one["cy"]))
        for one in shapes(drawn(staged(EVERY["dots to the side"])), "m")
    ]
    assert [y for _, y in found] == [160, 160, 140]  # 20 px a unit up from 260
    assert [x for x, _ in found] == [75, 125, 75]  # half a dot, then one further


def test_a_tile_of_one_line_has_its_word_beside_the_name():
    found = {one["data-key"]: one for one in shapes(drawn(staged(EVERY["tiles of one line"])), "m")}
    name, word = found["m/0 name"], found["m/0 word"]
    assert name["y"] == word["y"]
    assert (name["x"], word["x"], word["text-anchor"]) == ("4", "80", "end")
    assert "m/1 strike" in found


def test_rows_of_three_dots_share_a_column():
    found = [
        (float(one["cx"]), float(one["cy"]))
        for one in shapes(drawn(staged(EVERY["rows of dots"])), "m")
    ]
    assert [round(x - 300, 1) for x, _ in found[:4]] == [-16.7, 0, 16.7, -16.7]
    assert found[0][1] == found[1][1] == found[2][1] > found[3][1]
    assert found[4][0] == pytest.approx(350 - 16.67, abs=0.01)


def test_a_law_is_as_high_as_its_dots():
    (_, line) = shapes(drawn(staged(EVERY["steps"])), "m")
    found = re.findall(r"([\d.]+) ([\d.]+)", line["d"])
    assert [(float(x), float(y)) for x, y in found[3:5]] == [(125, 180), (175, 180)]


def test_a_log_axis_is_equal_in_factors():
    marks = [frames.rule(f"r{v}", (On("log", v), At(0)), (On("log", v), At(1))) for v in (10, 100)]
    root = drawn(staged(*marks))
    found = [float(shapes(root, f"r{v}")[0]["d"][1:].split(" ")[0]) for v in (10, 100)]
    assert found == [200, 400]


def test_a_stronger_noise_makes_a_thicker_barrier():
    reached = []
    for epsilon in (10, 1, 0.1):
        mark = answers.barrier("m", At(0.5), At(0), At(1), half=answers.half_width(epsilon))
        grains = [one for one in shapes(drawn(staged(mark)), "m") if "h0" in one["d"]]
        reached.append(max(abs(x - 300) for one in grains for x, _ in places(one["d"])))
        assert reached[-1] <= mark["half"] + 1
    assert reached[0] < reached[1] < reached[2]


def test_a_view_is_chosen_by_its_width_and_a_layer_by_the_state():
    def marks(text: str) -> tuple[Mark, ...]:
        return (frames.label("word", MIDDLE, text), frames.alternative("A word."))

    states = {("a",): marks("one"), ("b",): marks("two")}
    stage = Stage(
        (View(marks("?"), until=400), View((*marks("?"), EVERY["label"]))),
        {"which": "a"},
        (layer(["which"], states),),
    )
    narrow, wide = drawn(stage, size=(400, 300)), drawn(stage.at(which="b"), size=(401, 300))
    assert [one.text for one in narrow.iter() if one.tag.endswith("text")] == ["one"]
    assert next(one.text for one in wide.iter() if one.tag.endswith("text")) == "two"
    assert shapes(wide, "m")
    assert not shapes(narrow, "m")


def test_engines_of_several_threads_draw_the_same():
    found: list[str] = []
    threads = [
        threading.Thread(target=lambda: found.append(svg(staged(EVERY["heap"]), *SIZE, Look())))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert set(found) == {svg(staged(EVERY["heap"]), *SIZE, Look())}


def test_a_leak_is_hatched_and_not_only_coloured():
    for name in ("leak", "tiles", "figures", "tank"):
        root = drawn(staged(EVERY[name]))
        assert "url(#hatch)" in {one.get("fill") for one in shapes(root, "m")}
        assert any(one.attrib.get("id") == "hatch" for one in root.iter())


def test_a_barrier_is_open_where_a_leak_passes():
    root = drawn(staged(EVERY["barrier with a gap"]))
    found = shapes(root, "m")
    grains = [y for one in found if "h0" in one["d"] for _, y in places(one["d"])]
    assert grains
    assert not [y for y in grains if 100 < y < 140]
    bars = [one["d"] for one in found if "ink bar" in one["data-key"]]
    assert bars == ["M299.25 0L299.25 100", "M299.25 140L299.25 300"]


def test_a_curve_ends_where_it_is_cut_and_keeps_its_points():
    whole = findings.curve("m", ("x", "y"), [0, 4, 10], [0, 4, 4])
    short = findings.curve("m", ("x", "y"), [0, 4, 10], [0, 4, 4], until=2)
    (one,), (other,) = (shapes(drawn(staged(mark)), "m") for mark in (whole, short))
    assert one["d"] == "M50 260L250 180L550 180"
    assert other["d"] == "M50 260L150 220L150 220"


def test_people_and_tanks_are_as_many_as_they_say():
    found = shapes(drawn(staged(EVERY["figures"])), "m")
    heads = [one for one in found if one["data-key"].endswith("head")]
    fills = Counter(one["fill"] for one in heads)
    assert fills == {LIGHT.truth: 10, "url(#hatch)": 2, "none": 88}
    found = shapes(drawn(staged(EVERY["tank"])), "m")
    assert sum("over" in one["data-key"] for one in found) == 12
    assert sum("slot" in one["data-key"] for one in found) == 9
    (level,) = [one for one in found if one["data-key"] == "m/level"]
    assert (level["y"], level["height"]) == ("90", "60")


def test_people_lie_on_each_other_in_piles_and_one_alone_is_a_leak():
    found = list(shapes(drawn(staged(EVERY["piles"])), "m"))
    x, y, high = ([float(one[name]) for one in found] for name in ("x", "y", "height"))
    assert x[0] == x[1] < x[2]
    assert y[1] + high[1] < y[0]
    assert y[0] == y[2]
    assert x[3] == x[0]
    assert y[3] > y[0] + high[0]
    assert ["hatch" in one["fill"] for one in found] == [False, False, True, True]
    for of, columns in (((), 1), ((0, 2), 1), ((0,), 0)):
        with pytest.raises(InvalidParameter):
            tallies.piles("m", MIDDLE, MIDDLE, of, columns=columns)


def test_boxes_of_a_tree_are_lit_where_they_stand():
    found = {one["data-key"]: one for one in shapes(drawn(staged(EVERY["boxes"])), "m")}
    lit = found["m/lit 1"]
    assert (float(lit["x"]), float(lit["width"])) == (300.5, 148.5)
    assert lit["fill"] == LIGHT.private
    assert sum("lit" not in key and "words" not in key for key in found) == 7
    assert {"m/words 0", "m/words 1"} <= set(found)
    narrow = {one["data-key"]: one for one in shapes(drawn(staged(EVERY["boxes too narrow"])), "m")}
    assert set(narrow) == {"m/0 0", "m/1 0", "m/lit 0"}
    assert float(narrow["m/lit 0"]["x"]) == pytest.approx(60 * 63 / 64 + 0.5, abs=0.05)
    for rows, lit, words in (([], [], []), ([1, 2], [(2, 0)], []), ([1, 2], [(1, 2)], []),
                             ([1], [], ["7"])):  # fmt: skip
        with pytest.raises(InvalidParameter):
            tallies.boxes("m", MIDDLE, MIDDLE, rows, lit, words)


def test_phones_have_a_mark_inside_and_send_what_may_differ():
    found = {one["data-key"]: one for one in shapes(drawn(staged(EVERY["phones"])), "m")}
    assert len(found) == 3 * 4
    fills = [(found[f"m/{i} mark"]["fill"], found[f"m/{i} sent"]["fill"]) for i in range(3)]
    assert fills == [(LIGHT.truth, LIGHT.private), *[("none", LIGHT.private)] * 2]
    first, second, third = (found[f"m/{i} phone"] for i in range(3))
    assert float(second["x"]) - float(first["x"]) == SIZE[0] / 2
    assert (third["x"], float(third["y"]) - float(first["y"])) == (first["x"], SIZE[1] / 2)
    alone = {one["data-key"] for one in shapes(drawn(staged(EVERY["marks"])), "m")}
    assert alone == {"m/0 mark", "m/1 mark"}
    for marks, sent, columns in (([], [], 8), ([True], [True, False], 8), ([True], [], 0)):
        with pytest.raises(InvalidParameter):
            tallies.phones("m", MIDDLE, MIDDLE, marks, sent, columns=columns)


def test_bars_are_pale_unless_they_are_filled():
    for fill, opacity in ((0.0, "0.3"), (1.0, "1")):
        bar = answers.law("m", ("x", "y"), 0.5, [1], form="bars", fill=fill)
        assert [one["opacity"] for one in shapes(drawn(staged(bar)), "m")] == [opacity]


def test_a_curve_keeps_its_second_colour_when_it_is_timed():
    curve = findings.curve("m", ("x", "y"), [0, 5, 10], [1, 4, 2], split=(5, "danger"))
    (second,) = [
        one
        for one in shapes(drawn(staged(curve | {"after": 0})), "m")
        if "after" in one["data-key"]
    ]
    assert second["stroke"] == LIGHT.danger


def test_cells_of_one_shade_are_one_shape_of_their_whole_area():
    mark = answers.cells("m", ("x", "y"), (0, 10), (0, 12), 3, [0, 1, 8, 8, 2, 0])
    found = shapes(drawn(staged(mark)), "m")
    assert [one["data-key"] for one in found] == ["m/1", "m/2", "m/8"]
    assert [float(one["fill-opacity"]) for one in found] == [0.13, 0.25, 1]
    areas = []
    for one in found:
        flat = [float(number) for number in re.findall(r"-?[\d.]+", one["d"])]
        x, y = flat[::2], flat[1::2]
        ends = [*range(1, len(x)), 0]
        areas.append(abs(sum(x[i] * y[j] - x[j] * y[i] for i, j in enumerate(ends))) / 2)
    # 500 px of x for 3 columns, 240 px of y for 2 rows, half a px of paper at two sides
    cell = (500 / 3 - 0.5) * (240 / 2 - 0.5)
    assert areas == pytest.approx([cell, cell, 2 * cell], rel=1e-3)


@pytest.mark.parametrize("name", ["figures", "many people", "tiles"])
def test_people_and_tiles_end_within_a_low_picture_and_are_as_large_as_asked_in_a_tall_one(name):
    def bottoms(height: int) -> list[float]:
        found = shapes(drawn(staged(EVERY[name]), size=(600, height)), "m")
        boxes = [one for one in found if "height" in one]
        rounds = [one for one in found if "cy" in one]
        return [float(one["y"]) + float(one["height"]) for one in boxes] + [
            float(one["cy"]) + float(one["r"]) for one in rounds
        ]

    assert max(bottoms(150)) <= 150
    assert max(bottoms(900)) == max(bottoms(600)) > 150 * 0.75
    if name == "figures":  # ten rows of 38 px; a body ends a tenth above its row's end
        assert max(bottoms(600)) == pytest.approx(380 - 3.8)
