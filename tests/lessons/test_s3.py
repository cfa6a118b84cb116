"""The third scene of Show: what three private numbers are off by, at every setting."""

from __future__ import annotations

import pytest

from dpviz.lessons.show.s3 import SCENE, percent
from tests.lessons.boxes import PICTURES, check_pictures, check_sentences, drawn, plain, said

# the setting, how far the count and the median are off, and the worst decile
ENDS = ((0.01, 300, 1000, "596 %"), (0.1, 30, 100, "6.3 %"), (1.0, 3, 100, "0.63 %"))


def test_it_asks_what_the_script_asks():
    asked = said(SCENE, 0.1, "predict")
    assert asked.headline == "Strong setting: how far off is the median pay?"
    assert asked.sentence == (
        "15,000 people, true median 39,800. Three questions, each answered alone with ε = 0.1."
    )
    found = SCENE.numbers(0.1, 1)
    assert (found.people, found.above, found.rounding) == (15_000, 3_059, 100)


@pytest.mark.parametrize(("setting", "count", "median", "deciles"), [*ENDS, (10.0, 0, 0, "0.42 %")])
def test_the_errors_are_those_of_the_script(setting, count, median, deciles):
    found = SCENE.numbers(setting, 1)
    assert (found.count, found.median) == (count, median)
    assert percent(found.shares["deciles"]) == deciles


def test_errors_in_per_cent():
    wide, strong = (SCENE.numbers(setting, 1).shares for setting in (0.01, 0.1))
    assert (wide["count"], strong["count"]) == pytest.approx((2, 0.2))
    assert (wide["median"], strong["median"]) == pytest.approx((2.5, 0.25), abs=0.02)


def test_the_sentences_at_the_start_and_at_both_ends():
    texts = {setting: said(SCENE, setting, "reveal") for setting in (0.01, 0.1, 10.0)}
    assert [plain(one.headline) for one in texts.values()] == [
        "ε = 0.01: median pay is off by 1,000.",
        "Strong setting: median off by 100, the rounding itself.",
        "Weak setting: median pay comes out exact.",
    ]
    assert [one.sentence for one in texts.values()] == [
        "ε = 0.01: count ± 300 people, median ± 1,000, worst decile 596 % off, each alone.",
        "Strong setting: count ± 30 people, median ± 100, worst decile 6.3 % off, each alone.",
        "Weak setting: count exact, median exact, worst decile 0.42 % off, each alone.",
    ]


def test_no_error_is_seen_before_the_guess():
    for size in PICTURES:
        assert "±" not in drawn(SCENE, 0.1, "predict", size)
        assert "median bar" not in drawn(SCENE, 0.1, "predict", size)


def test_words_fit():
    check_sentences(SCENE)
    check_pictures(SCENE)
