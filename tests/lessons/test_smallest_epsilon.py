"""The smallest ε for a target: what the stand-in says, and what is chosen."""

import pytest

from dpviz.figures.stage.screen import DESK
from dpviz.lessons import needs
from dpviz.lessons.try_it.smallest_epsilon import SCENE
from tests.lessons.boxes import plain


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        (0.2, "Stand-in: 0.679 for 0.2 %. The real salaries would have said 0.703. We choose 0.7."),
        (1.0, "Stand-in: 0.161 for 1 %. The real salaries would have said 0.169. We choose 0.2."),
        (5.0, "Stand-in: 0.035 for 5 %. The real salaries would have said 0.035. We choose 0.04."),
    ],
)
def test_the_sentence_is_that_of_the_script(target, sentence):
    assert SCENE.say(SCENE.numbers(target, 1)).sentence == sentence


def test_half_the_error_is_about_twice_the_epsilon():
    found = {one: SCENE.numbers(one, 1).stand_in for one in needs.TARGETS}
    for half, whole in ((0.5, 1.0), (1.0, 2.0)):
        assert 1.8 < found[half].epsilon / found[whole].epsilon < 2.2
    asked = found[0.5].epsilon / found[1.0].epsilon
    assert SCENE.verdict("a").endswith(f"{asked:.1f} times**.")
    assert plain(SCENE.say(SCENE.numbers(1.0, 1)).headline).endswith(
        "Half the error, about double ε."
    )


def test_a_hundred_times_the_records_need_a_hundredth_of_the_epsilon():
    found = {n: needs.need(f"log-normal {n}", "deciles", 1.0).epsilon for n in (15_000, 150_000)}
    tenfold = found[15_000] / found[150_000]
    assert tenfold == pytest.approx(10, rel=0.03)
    assert SCENE.exercise.startswith("Target 1 %, 1.5 million records")
    answer = float(SCENE.answer.split(":")[0])
    assert answer == pytest.approx(found[15_000] / 100, rel=0.05)
    assert answer == round(found[150_000] / 10, 4)


def test_what_is_chosen_is_never_less_than_the_stand_in_says():
    for target in needs.TARGETS:
        told = SCENE.numbers(target, 1)
        assert told.stand_in.epsilon <= told.chosen < 1.5 * told.stand_in.epsilon


def test_before_the_guess_there_is_one_curve_and_no_answer():
    marks = SCENE.marks(SCENE.numbers(1.0, 1), "predict", DESK)
    assert [mark["id"] for mark in marks if mark["kind"] == "curve"] == ["met 1"]
    assert not {"number", "crossing", "chosen", "real words"} & {mark["id"] for mark in marks}


def test_every_target_has_its_curve():
    marks = SCENE.marks(SCENE.numbers(2.0, 1), "reveal", DESK)
    widths = {mark["id"]: mark["width"] for mark in marks if mark["kind"] == "curve"}
    assert max(widths, key=widths.__getitem__) == "met 2"
    assert len(widths) == len(needs.TARGETS)
