"""The first scene of Show: two averages give away any of forty salaries."""

import numpy as np
import pytest

from dpviz.intake.samples import load_sample
from dpviz.lessons.show.leavers import NAMES, SCENE
from tests.lessons.boxes import PICTURES, drawn, plain, said

(PAY,) = load_sample("office")
LOWEST = NAMES[int(PAY.argmin())]


def test_it_asks_what_the_script_asks():
    asked = said(SCENE, "Ana", "predict")
    assert asked.headline == "Two averages. Whose pay would they give away?"
    assert asked.sentence == (
        "March: 40 staff, average pay 50,550.00. April: 39 staff, for Ana has left. Or had "
        "somebody "
        "else?"
    )
    assert SCENE.right.text == "All 40"
    assert len(SCENE.control.stops) == 40


@pytest.mark.parametrize(("name", "pay"), [("Ana", 61_300), (LOWEST, 32_800), ("Zeno", 148_000)])
def test_whoever_leaves_gives_the_pay_away(name, pay):
    found = SCENE.numbers(name, 1)
    assert found.name == name
    assert found.value(found.person) == pay == PAY[found.person]


def test_it_works_for_all_forty():
    found = SCENE.numbers("Ana", 1)
    assert found.solved == found.people == 40
    assert [found.value(one) for one in range(40)] == PAY.tolist()
    assert max(one.margin for one in found.found) == pytest.approx(0.395)  # at most 0.40
    assert found.found[0].after == 50_274.36
    for person, pay in enumerate(PAY):  # the slow twin: the pays that fit both averages, counted
        before, after = round(PAY.mean(), 2), round(np.delete(PAY, person).mean(), 2)
        left = 40 * before - 39 * after
        fits = [one for one in range(0, 500_000, 100) if abs(left - one) <= 0.005 * 79 + 1e-6]
        assert fits == [pay]
    assert SCENE.verdict("b").endswith("**40 of 40 pays are given away, whoever had left**.")


def test_the_sentences_at_the_start_and_at_the_highest():
    start, highest = (said(SCENE, name, "reveal") for name in ("Ana", "Zeno"))
    assert plain(start.headline) == "Two averages would give away any of the 40 salaries."
    assert plain(start.sentence) == (
        "Whoever had left, two averages would give the pay away: Ana 61,300; Zeno 148,000."
    )
    assert plain(highest.sentence).endswith("Zeno 148,000; Ana 61,300.")


def test_no_pay_is_written_before_the_guess():
    for size in PICTURES:
        before, after = (drawn(SCENE, "Ana", beat, size) for beat in ("predict", "reveal"))
        assert ">61,300<" in after
        assert ">61,300<" not in before
        assert "url(#hatch)" not in before
