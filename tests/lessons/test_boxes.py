"""The check of words' boxes itself: it finds what is outside, small or over other words."""

import pytest

from dpviz.lessons.teach.noise.same_noise import SCENE
from tests.lessons.boxes import boxes, check_pictures, check_sentences, faults, plain


def picture(*texts: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(texts)}</svg>'


def word(text: str, x: float, y: float = 50, size: float = 20, anchor: str = "start") -> str:
    look = f'font-family="Source Sans 3, sans-serif" font-size="{size}" text-anchor="{anchor}"'
    return f'<text x="{x}" y="{y}" {look}>{text}</text>'


def test_a_box_is_estimated_from_size_and_length():
    (box,) = boxes(picture(word("12345", 100, anchor="end")))
    assert (box.left, box.right) == pytest.approx((46, 100))
    assert (box.top, box.bottom) == pytest.approx((35.6, 54))


def test_runs_count_as_one_text():
    (box,) = boxes(picture('<text x="0" y="20" font-size="20">ab<tspan>cd</tspan></text>'))
    assert box.text == "abcd"


@pytest.mark.parametrize(
    ("texts", "fault"),
    [
        ([word("abc", 10)], None),
        ([word("abc", -10)], "leaves"),
        ([word("abcdefghij", 0)], "leaves"),
        ([word("abc", 10, y=5)], "leaves"),
        ([word("abc", 10, size=14)], "14 px"),
        ([word("abc", 10), word("de", 40)], "over"),
        ([word("abc", 10), word("de", 43)], None),
        ([word("abc", 10), word("de", 40, y=70)], None),
    ],
)
def test_faults_are_found(texts, fault):
    found = faults(picture(*texts), 100, 100)
    assert (not found) if fault is None else (len(found) == 1 and fault in found[0])


def test_markup_is_not_counted():
    assert (
        plain("ε = 1: :blue[the **same** noise] of **16**.") == "ε = 1: the **same** noise of 16."
    )


@pytest.mark.law
def test_a_scene_passes():
    check_sentences(SCENE)
    check_pictures(SCENE, [SCENE.control.start])
