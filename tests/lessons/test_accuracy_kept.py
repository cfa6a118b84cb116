"""The third scene of Show: what three private numbers are off by, at every setting."""

import numpy as np
import pytest

from dpviz.figures.stage.screen import DESK, PHONE
from dpviz.intake.samples import load_sample
from dpviz.lessons.show.accuracy_kept import SCENE, percent
from tests.lessons.boxes import PICTURES, drawn, plain, said

# the setting, how far the count and the median are off, and the worst decile
ENDS = ((0.01, 300, 1000, "596 %"), (0.1, 30, 100, "6.3 %"), (1.0, 3, 100, "0.6 %"))


def test_it_asks_what_the_script_asks():
    asked = said(SCENE, 0.1, "predict")
    assert asked.headline == "Strong setting: how far off is the median pay?"
    assert asked.sentence == (
        "15,000 people, true median 39,800. Three questions, each answered alone with ε = 0.1."
    )
    found = SCENE.numbers(0.1, 1)
    assert (found.people, found.above, found.rounding) == (15_000, 3_059, 100)


@pytest.mark.parametrize(("setting", "count", "median", "deciles"), [*ENDS, (10.0, 0, 0, "0.4 %")])
def test_the_errors_are_those_of_the_script(setting, count, median, deciles):
    found = SCENE.numbers(setting, 1)
    assert (found.count, found.median) == (count, median)
    assert percent(found.shares["deciles"]) == deciles


def test_errors_in_per_cent():
    wide, strong = (SCENE.numbers(setting, 1).shares for setting in (0.01, 0.1))
    above = np.count_nonzero(load_sample("salaries")[0] > 60_000)  # of the true count, as in S5
    assert (wide["count"], strong["count"]) == pytest.approx((100 * 300 / above, 100 * 30 / above))
    assert (wide["median"], strong["median"]) == pytest.approx((2.5, 0.25), abs=0.02)


def test_the_sentences_at_the_start_and_at_both_ends():
    texts = {setting: said(SCENE, setting, "reveal") for setting in (0.01, 0.1, 10.0)}
    assert [plain(one.headline) for one in texts.values()] == [
        "Very strong setting: median pay is off by 1,000.",
        "Strong setting: median off by 100, the rounding itself.",
        "Weak setting: median pay comes out exact.",
    ]
    assert [one.sentence for one in texts.values()] == [
        "Very strong setting: count 3,059 ± 300 (9.8 %), median ± 1,000 (2.5 %), worst decile "
        "596 %, "
        "each alone.",
        "Strong setting: count 3,059 ± 30 (1.0 %), median ± 100 (0.3 %), worst decile 6.3 %, each "
        "alone.",
        "Weak setting: count 3,059 exact, median exact, worst decile 0.4 %, each alone.",
    ]
    assert SCENE.verdict("a").endswith("At ε = 0.1: **± 100 of 39,800, 19 times of 20**.")


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("setting", SCENE.control.stops)
def test_bars_are_as_long_as_their_share_and_end_in_an_arrow_beyond_the_axis(setting, screen):
    told = SCENE.numbers(setting, 1)
    marks = {mark["id"]: mark for mark in SCENE.marks(told, "reveal", screen)}
    assert not marks["off"]["log"]
    for row, share in told.shares.items():
        if share:
            assert marks[f"{row} bar"]["to"][0]["value"] == min(share, 8.0)
        assert marks[f"{row} number"]["text"].endswith("→") == (share > 8.0)


def test_no_error_is_seen_before_the_guess():
    for size in PICTURES:
        assert "±" not in drawn(SCENE, 0.1, "predict", size)
        assert "median bar" not in drawn(SCENE, 0.1, "predict", size)
