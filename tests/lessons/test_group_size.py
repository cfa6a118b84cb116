"""The size of a town: the stored study is the one that is worked out anew, and its rule."""

import json

import pytest

from dpviz.figures.stage.screen import DESK
from dpviz.lessons import towns
from dpviz.lessons.show.group_size import SCENE
from dpviz.version import __version__


@pytest.mark.few(1)
@pytest.mark.law
@pytest.mark.parametrize(("size", "eps"), [(20, 0.1), (2_000, 0.1), (50, 0.5), (300, 1.0)])
def test_the_table_is_what_the_study_finds(size, eps):
    place = towns.SIZES.index(size)
    assert towns.stored(eps).median[place] == pytest.approx(towns.measured(size, eps), abs=1e-4)


def test_the_table_is_of_this_version_and_complete():
    table = json.loads(towns.TABLE.read_text(encoding="utf-8"))
    assert table["dpviz"] == __version__
    assert {len(row) for row in table["median"].values()} == {len(towns.SIZES)}


@pytest.mark.parametrize(
    ("eps", "figures"),
    [
        (0.1, {100: 884, 200: 23, 500: 7.7, 1_000: 4.1, 2_000: 2.0, 5_000: 0.8}),
        (0.5, {50: 21, 100: 9.4, 200: 3.7, 500: 1.7, 1_000: 1.0}),
        (1.0, {20: 32, 50: 10, 100: 5.9, 200: 2.6, 500: 1.0}),
    ],
)
def test_the_figures_of_the_script(eps, figures):
    """The script's figures are of twelve towns a size, these of three hundred."""
    by = towns.stored(eps)
    for size, off in figures.items():
        assert by.median[towns.SIZES.index(size)] == pytest.approx(off, rel=0.35)


def test_counts_follow_their_exact_law():
    assert [towns.count_reach(eps) for eps in towns.EPSILONS] == [30, 6, 3]
    assert towns.stored(0.1).count[0] == 150


def test_the_rule_at_each_setting():
    found = {eps: SCENE.numbers(eps, 1) for eps in SCENE.control.stops}
    assert [one.smallest for one in found.values()] == [2_000, 500, 300]
    said = [SCENE.say(one) for one in found.values()]
    assert said[0].headline == "Publish a town’s median pay from :blue[2,000 people] on."
    assert [one.sentence for one in said] == [
        "ε = 0.1, towns from 2,000 on: a count within 1.5 %, or median pay within about 2 %, "
        "19 times of 20.",
        "ε = 0.5, towns from 500 on: a count within 1.2 %, or median pay within about 1.9 %, "
        "19 times of 20.",
        "ε = 1, towns from 300 on: a count within 1 %, or median pay within about 1.8 %, "
        "19 times of 20.",
    ]
    assert "near 1,500 people for a count and 2,000" in SCENE.alt(found[0.1])


def test_the_remark_tells_a_slope_at_the_rule_and_a_cliff_below_it():
    off = dict(zip(towns.SIZES, json.loads(towns.TABLE.read_text())["median"]["0.1"], strict=True))
    said = SCENE.remark()
    assert (
        f"{off[1_000]:.1f} % at 1,000 people, {off[1_500]:.1f} at 1,500, {off[2_000]:.1f} at 2,000"
    ) in said
    lost = max(size for size in towns.SIZES if off[size] >= 100)
    held = min(size for size in towns.SIZES if size > lost)
    assert f"under {lost}–{held} the median can fall anywhere" in said
    assert "cliff" not in SCENE.explanation
    assert SCENE.verdict("a").endswith("At ε = 0.1: **from 2,000 people on**.")
    assert SCENE.right.text == "2,000"


def test_a_crowd_has_as_many_grains_as_its_town():
    for beat, sizes in (("predict", [20, 100, 500, 2_000, 10_000]),
                        ("reveal", [20, 100, 300, 500, 2_000, 10_000])):  # fmt: skip
        marks = SCENE.marks(SCENE.numbers(1.0, 1), beat, DESK)
        assert [mark["n"] for mark in marks if mark["kind"] == "grains"] == sizes


def test_before_the_guess_no_curve_is_drawn():
    kinds = {mark["kind"] for mark in SCENE.marks(SCENE.numbers(0.1, 1), "predict", DESK)}
    assert kinds == {"axis", "label", "rule", "grains"}
