"""One release: its nine values, the report that goes with it, and no shape of the file."""

import numpy as np
import pytest

from dpviz.core.budgets import PureDP
from dpviz.core.quantiles import DECILES
from dpviz.figures.stage.screen import DESK, PHONE
from dpviz.intake.samples import sample_column
from dpviz.lessons import needs
from dpviz.lessons.try_it.one_release import SCENE, TARGET, report
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.metrics.quantiles import gaps, true_quantiles
from tests.lessons.boxes import plain

VALUES = [15_900, 23_800, 29_700, 34_800, 39_800, 45_300, 51_800, 60_800, 78_400]
REPORT = (
    "We release the nine deciles of yearly pay under pure ε-differential privacy with ε = 0.2, "
    "protecting the addition or removal of one person's record (one record a person). Method: "
    "ApproximateQuantiles (Kaplan, Schnapp and Stemmer 2021), four levels of ε/4. Declared before "
    "access: bounds 0–500,000, resolution 100. On stand-in data (15,000 records, a public guess; "
    "log-normal law) the largest rank error stays within 1 % of the records in 95 % of releases "
    "at ε = 0.16 (5,000 runs). This release was drawn once; it used all of the budget set aside "
    "for "
    "this column. Values outside the bounds were clipped; their number is not published."
)


@pytest.fixture(scope="module")
def told():
    return SCENE.numbers("once", 1)


def test_the_release_is_that_of_the_script(told):
    assert list(told.values) == VALUES
    said = "15,900, 23,800, 29,700, 34,800, 39,800, 45,300, 51,800, 60,800, 78,400"
    assert SCENE.say(told).sentence == f"Published: {said}."
    assert plain(SCENE.say(told).headline) == "Released once: nine values. ε = 0.2 is spent."


def test_every_value_meets_the_target_on_steps_of_pay(told):
    column, values = sample_column("salaries"), np.array([told.values])
    assert gaps(column, DECILES, values).max() <= TARGET / 100 * column.n
    assert (values % column.resolution == 0).all()  # nothing finer than the declared step leaves
    assert np.abs(values - true_quantiles(column, DECILES)).max() == 300


@pytest.mark.law
def test_further_draws_would_nearly_all_meet_the_target():
    column = sample_column("salaries")
    rng = np.random.default_rng(1)
    drawn = needs.MECHANISM.release_many(column, DECILES, PureDP(0.2), rng, 1000)
    share = (gaps(column, DECILES, drawn).max(axis=1) <= TARGET / 100 * column.n).mean()
    assert share == pytest.approx(0.976, abs=0.012)


def test_the_values_cross_in_the_order_of_the_tree(told):
    assert told.order[4] == 0  # the median first
    assert {told.order[i] for i in (1, 6)} == {1, 2}
    assert sorted(told.order) == list(range(9))


def test_the_report_says_what_the_script_says(told):
    assert report(told) == REPORT


def test_neither_a_truth_nor_a_shape_is_drawn(told):
    for beat in ("predict", "reveal"):
        marks = SCENE.marks(told, beat, DESK)
        grains = [mark for mark in marks if mark["kind"] == "grains"]
        assert [(m["form"], m["n"]) for m in grains if m["form"] != "points"] == [("closed", 5000)]
        assert all(m["x"] == list(told.again) for m in grains if m["form"] == "points")
        drawn = [mark["x"] for mark in marks if mark["kind"] == "curve"]
        assert drawn in ([], [[0, *VALUES, 92_000]])


def test_the_budget_is_there_before_and_gone_after(told):
    levels = {
        beat: next(m["level"] for m in SCENE.marks(told, beat, DESK) if m["kind"] == "tank")
        for beat in ("predict", "reveal")
    }
    assert levels == {"predict": 1, "reveal": 0}


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
def test_a_second_draw_is_struck_out_and_overdraws_the_budget(told, screen):
    rng = np.random.default_rng(1)
    column, mechanism = sample_column("salaries"), ApproximateQuantiles(round_to_grid=True)
    drawn = [mechanism.release(column, DECILES, PureDP(0.2), rng).values.tolist() for _ in range(2)]
    assert (list(told.values), list(told.again)) == tuple(drawn)
    assert told.values != told.again
    marks = {mark["id"]: mark for mark in SCENE.marks(told, "reveal", screen)}
    assert marks["again rims"]["x"] == marks["again holes"]["x"] == list(told.again)
    struck = [marks[f"again {10 * i}"]["from"][0]["value"] for i in range(1, 10)]
    assert struck == list(told.again)
    assert (marks["tank again"]["level"], marks["tank again"]["over"]) == (0, 1)
    spent = float(marks["again number"]["text"].split()[0])
    assert spent == 2 * float(marks["budget word"]["text"]) == 0.4
    assert SCENE.verdict("a").endswith("**ε = 0.4, of 0.2 set aside**.")
    before = {mark["id"] for mark in SCENE.marks(told, "predict", screen)}
    assert not before & {"again rims", "tank again"}


def test_the_nicer_of_two_draws_is_another_mechanism():
    """By the truth: of Laplace draws the nearest is a Laplace of half the scale, so 2ε and no less;
    of draws that tell two files apart by their pair, the ledger's 2ε is not even enough."""
    noise = np.random.default_rng(1).laplace(size=(400_000, 2))
    nearest = np.abs(noise).min(axis=1)
    assert nearest.mean() == pytest.approx(1 / 2, abs=0.01)
    one, other = np.array([0.001, 0.999]), np.array([0.001 / np.e**0.1, 1 - 0.001 / np.e**0.1])
    either, both = (
        1 - (1 - one[0]) ** 2,
        other[0] ** 2,
    )  # one file takes the rare one, one avoids it
    assert np.log(either / both) > 2 * 0.1
    assert "the ledger does not cover that" in " ".join(SCENE.explanation.split())
    assert "no guarantee" not in SCENE.explanation
