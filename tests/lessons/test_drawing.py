"""Guesses that are drawn: what links may say, which option they come to, and the gap in words."""

import json
import math
from itertools import pairwise

import numpy as np
import pytest

from dpviz.figures.stage.drawing import BINS, DOTS
from dpviz.figures.stage.engine import evaluated
from dpviz.intake.samples import sample_column
from dpviz.lessons import averaged, one_bound
from dpviz.lessons.scene import Scene
from dpviz.lessons.stories.listing import STORIES, scene
from dpviz.lessons.stories.telling import Place, controls, move

DRAWN = [one for story in STORIES for one in story.scenes if one.drawing is not None]
NAMES = [one.name for one in DRAWN]
LAW = {"largest_value": (12_434.22, 745.698, 333_333.3)}  # recomputed below


def texts(one: Scene, many: int = 60) -> list[str]:
    """Guesses all over the axis."""
    drawing, rng = one.drawing, np.random.default_rng(3)
    side = drawing.across if drawing.form == "d" else drawing.up
    shares = rng.beta(0.7, 0.7, (many, drawing.handles))
    values = [[float(f"{side.at(share):.3g}") for share in row] for row in shares.tolist()]
    if drawing.form == "c":  # and about the law
        values += (np.array(drawing.truth()) * rng.lognormal(0, 0.8, (many, 1))).tolist()
        values = [[min(value, side.high) for value in row] for row in values]
    if drawing.form == "d":
        near = drawing.centre + 6_000 * rng.normal(size=(many, DOTS)).round(2)
        values += near.round().tolist()
    return [f"{drawing.form}:{','.join(f'{value:g}' for value in row)}" for row in values]


def option_by_hand(one: Scene, text: str) -> str:
    """The option of a guess, worked out anew from its text."""
    drawing = one.drawing
    values = [float(part) for part in text[2:].split(",")]
    if drawing.form == "d":
        told = sum(abs(value - drawing.centre) <= drawing.near for value in values)
    else:
        told = values[-1]
    last = drawing.form == "d" or told == drawing.up.high  # else where the next one begins
    found = [
        key for low, high, key in drawing.regions if low <= told < high or (last and told == high)
    ]
    key = found[0] if found else drawing.other
    if drawing.handles > 1 and drawing.form == "c" and key == one.right.key:
        off = [
            max(value / law, law / value) for value, law in zip(values, LAW[one.name], strict=True)
        ]
        return key if max(off) <= 3 else "e"
    return key


def test_four_scenes_are_drawn():
    kinds = {"tank": "v", "largest_value": "c", "median": "d", "coins": "c"}
    assert kinds.items() <= {one.name: one.drawing.form for one in DRAWN}.items()


@pytest.mark.parametrize("name", NAMES)
def test_a_guess_comes_to_its_option_with_a_server_and_without(name):
    one = scene(name)
    data, seen = json.dumps(one.drawing.to_dict()), set()
    for text in texts(one):
        key = option_by_hand(one, text)
        seen.add(key)
        assert one.drawing.option_of(text) == key, text
        assert evaluated(f"$guess.optionOf({data}, {json.dumps(text)})") == key, text
        assert one.option(text).key == key
        assert one.drawing.keys[one.bin(text)] == key
        assert 0 <= one.bin(text) < BINS
    assert one.right.key in seen
    assert len(seen) >= 3
    known = {option.key for option in one.options}
    assert {one.drawing.other, *one.drawing.keys} <= known


@pytest.mark.parametrize("name", NAMES)
def test_what_is_no_guess_is_refused(name):
    one = scene(name)
    (good, *_), data = texts(one), json.dumps(one.drawing.to_dict())
    form, _, rest = good.partition(":")
    wrong = ["", "x", f"{form}:", f"{form}:nan", f"{form}:1e99", f"{good},1", f"{good},",
             f"q:{rest}", f"{form}{rest}", good.replace(":", ";"), f"{form}:-1",
             f"{form}:" + ",".join(["nan"] * one.drawing.handles)]  # fmt: skip
    for text in wrong:
        assert one.drawing.read(text) is None, text
        assert one.option(text) is None
        assert one.bin(text) is None
        assert evaluated(f"$guess.optionOf({data}, {json.dumps(text)})") == "", text
    story = next(story for story in STORIES if story.key == one.story)
    asked = Place(story, one, None, "predict", one.control.start)
    assert move(asked, good) == {"guess": good}
    assert move(asked, wrong[2]) == {}
    assert move(Place(story, one, good, "reveal", one.control.revealed), good) == {}


CURVES = [
    ("c:12434,746,333333", "c"),
    ("c:36000,2200,112000", "c"),  # each within a factor 3
    ("c:38000,746,333333", "e"),  # one above it, at either side
    ("c:4100,746,333333", "e"),
    ("c:12434,2300,333333", "e"),
    ("c:12434,248,333333", "e"),
    ("c:800,746,333333", "e"),  # useless far out, and tight bounds cost nothing
    ("c:12434,746,111000", "b"),  # not useless
    ("c:12434,746,700", "a"),
    ("c:12434,746,60", "d"),
]


@pytest.mark.parametrize(("text", "key"), CURVES)
def test_a_curve_is_judged_by_all_of_its_handles(text, key):
    one = scene("largest_value")
    assert one.option(text).key == key
    assert one.drawing.keys[one.bin(text)] == key
    assert evaluated(f"$guess.optionOf({json.dumps(one.drawing.to_dict())}, '{text}')") == key
    assert one.answered(text) is (key == "c")


@pytest.mark.parametrize("name", [one.name for one in DRAWN if one.drawing.form != "d"])
def test_no_bin_holds_two_options(name):
    drawing = scene(name).drawing
    edges = drawing.edges
    assert edges == tuple(sorted(set(edges)))
    assert (edges[0], edges[-1]) == (drawing.up.low, drawing.up.high)
    assert len(edges) - 1 + bool(drawing.astray) == BINS == len(drawing.keys)
    ends = {end for low, high, _ in drawing.regions for end in (low, high)}
    assert {one for one in ends if edges[0] < one < edges[-1]} <= set(edges)
    even = np.geomspace(edges[0], edges[-1], len(edges))
    step = math.log(even[1] / even[0])
    assert max(abs(np.log(np.array(edges) / even))) <= step / 2 + 1e-9
    assert bool(drawing.astray) is (drawing.form == "c" and drawing.handles > 1)


def test_within_a_factor_three_of_the_law_a_curve_goes_its_way():
    for one in DRAWN:
        if one.drawing.form != "c":
            continue
        told = [(at, value, 1) for at, value in one.drawing.given()]
        law = zip(one.drawing.at, one.drawing.truth(), strict=True)
        points = sorted([*told, *[(at, value, 3) for at, value in law]])
        turns = [one for one in pairwise(points)
                 if max(one[0][1] / one[1][1], one[1][1] / one[0][1]) > 3]  # fmt: skip
        assert turns
        for (_, start, free), (_, end, wide) in turns:
            assert max(start / end, end / start) > free * wide


def test_the_right_option_is_the_truths_own():
    for one in DRAWN:
        drawing = one.drawing
        text = f"{drawing.form}:{','.join(f'{value:.9g}' for value in drawing.truth())}"
        assert one.option(text) is one.right
        assert one.verdict(text).startswith(one.said(text))


def test_truths_are_the_laws():
    tank, bound, median = (scene(name).drawing for name in ("tank", "largest_value", "median"))
    (off,) = tank.truth()
    rng = np.random.default_rng(8)
    p = math.exp(-0.1)
    noise = rng.geometric(1 - p, (40_000, 100)) - rng.geometric(1 - p, (40_000, 100))
    assert off == pytest.approx(abs(noise.mean(1)).mean(), rel=0.02)
    ((at, first),) = tank.given()
    assert (at, first) == (1, pytest.approx(abs(noise[:, 0]).mean(), rel=0.03))
    assert first == averaged.mean_error(1)
    assert bound.truth() == pytest.approx(LAW["largest_value"], abs=0.05)
    for upper, error in (*zip(bound.at, bound.truth(), strict=True), *bound.given()):
        pay = one_bound.numbers(500_000).pay
        cut = float((pay - pay.clip(0, upper)).sum()) / pay.size
        scale = upper / (0.1 * 15_000)
        laplace = rng.laplace(0, scale, 400_000)
        assert error == pytest.approx(abs(laplace - cut).mean(), rel=0.02)
    found = median.truth()
    salaries = np.sort(sample_column("office").values)
    assert median.centre == salaries[20]
    assert len(found) == DOTS
    assert sum(abs(one - 49_100) <= 5_000 for one in found) == 5
    # by the weight of each place on the axis: the chance below each tenth
    places = np.linspace(0.5, 199_999.5, 200_000)
    points = -abs(np.searchsorted(salaries, places) - 20)
    weights = np.exp(0.2 * points)
    share = np.cumsum(weights) / weights.sum()
    for k, value in enumerate(found):
        assert share[int(value)] == pytest.approx((k + 0.5) / DOTS, abs=0.01)


SAID = [
    ("tank", "v:10", "You: 10. Law: 1.1. Nine times too much."),
    ("tank", "v:1.2", "You: 1.2. Law: 1.1. That is close."),
    ("tank", "v:0.1", "You: 0.1. Law: 1.1. 11 times too little."),
    ("tank", "v:1.8", "You: 1.8. Law: 1.1. One and a half times too much."),
    ("tank", "v:2.1", "You: 2.1. Law: 1.1. Two times too much."),
    ("largest_value", "c:13000,750,700",
     "At 500 million you: 700. Law: 333,333. 476 times too little."),
    ("largest_value", "c:1000,750,300000",
     "At 50,000 you: 1,000. Law: 12,434. 12 times too little."),
    ("coins", "c:10", "You: 10. Law: 10,735. 1,074 times too little."),
    ("median", "d:49100,49100,49100,0,0,0,0,54100,44099,0", "You: 4 of 10 within 5,000. Law: 5."),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "said"), SAID)
def test_the_gap_is_named(name, text, said):
    assert scene(name).said(text) == said


def test_an_option_by_its_key_is_still_read():
    one = scene("tank")
    assert one.option("b") is one.right
    assert one.verdict("b").startswith("You said “1”. An average of 100 answers: **")
    assert (one.chosen("v:10"), one.chosen("b"), one.chosen("skip"), one.chosen(None)) == (
        "10", "1", "", "",
    )  # fmt: skip
    assert one.bin("b") is None  # a phone sends what it drew


def test_a_page_that_must_not_know_the_truth_yet_does_not_get_it():
    for one in DRAWN:
        told, kept = (one.stage(one.control.start, "predict", only=only) for only in (False, True))
        marks = [next(mark for mark in stage.views[0].marks if mark["id"] == "guess")
                 for stage in (told, kept)]  # fmt: skip
        assert marks[0]["truth"] is not None
        assert marks[1]["truth"] is None
        rest = json.dumps(kept.to_dict())
        assert not any(f"{value:.6g}" in rest for value in one.drawing.truth())


def test_drawn_scenes_lock_in_place_of_answers():
    for one in DRAWN:
        story = next(story for story in STORIES if story.key == one.story)
        row = controls(Place(story, one, None, "predict", one.control.start))
        assert [control["kind"] for control in row] == ["go", "draw", "go"]
        assert row[1]["dots"] == (DOTS if one.drawing.form == "d" else 0)
