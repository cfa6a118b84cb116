"""Screens: columns stand side by side on a desk, below each other on a phone, and never overlap."""

import pytest

from dpviz.core.errors import InvalidParameter
from dpviz.figures.stage.frames import label
from dpviz.figures.stage.places import At
from dpviz.figures.stage.screen import DESK, PHONE, READABLE, Column, screen_of

PARTS = Column((0, 0.6), (0.4, 1)), Column((0.65, 1), (0, 0.4))


def test_columns_share_the_width_on_a_desk_and_the_height_on_a_phone():
    left, right = DESK.columns(*PARTS)
    assert (left.left, left.right, right.left, right.right) == (At(), At(0.6), At(0.65), At(1))
    assert {(one.top, one.bottom) for one in (left, right)} == {(At(), At(1))}
    lower, upper = PHONE.columns(*PARTS)
    assert (lower.top, lower.bottom, upper.top, upper.bottom) == (At(0.4), At(1), At(), At(0.4))
    assert {(one.left, one.right) for one in (lower, upper)} == {(At(), At(1))}


def test_places_are_shares_of_a_panel_and_px_that_shrink_on_a_phone():
    _, desk = DESK.columns(*PARTS)
    assert desk.x(0.5, 10).to_json() == pytest.approx([0.825, 10])
    assert desk.y(1, -50) == At(1, -50)
    lower, _ = PHONE.columns(*PARTS)
    assert lower.x(0.5, 10) == At(0.5, 6)
    assert lower.y(0.5, -50).to_json() == pytest.approx([0.7, -30])


def test_lines_of_words_follow_each_other_below_the_top_of_their_panel():
    for screen, size in ((DESK, 20), (PHONE, READABLE)):
        panel = screen.columns(*PARTS)[0]
        lines = [panel.line(number) for number in range(5)]
        assert {one.share for one in lines} == {panel.top.share}
        steps = [one.px - other.px for one, other in zip(lines[1:], lines, strict=False)]
        assert min(steps) > size  # none lies over another
        assert steps[0] > steps[1] == pytest.approx(steps[-1])


@pytest.mark.parametrize("px", [15, 20, 30, 60])
def test_words_stay_readable_and_keep_their_order(px):
    assert DESK.size(px) == px
    assert READABLE < PHONE.size(px) < px
    assert PHONE.size(px) < PHONE.size(px + 1)
    assert PHONE.size(READABLE) == READABLE


def test_the_brief_form_is_for_the_phone():
    mark = label("word", (At(), At()), "word")
    assert DESK.said("in full", "brief") == "in full"
    assert PHONE.said("in full", "brief") == "brief"
    assert DESK.full(mark) == [mark]
    assert PHONE.full(mark) == []
    assert (screen_of(phone=True), screen_of(phone=False)) == (PHONE, DESK)


@pytest.mark.parametrize("ends", [(0.5, 0.5), (0.6, 0.4), (-0.1, 1), (0, 1.1)])
def test_a_column_that_goes_nowhere_or_beyond_the_picture_is_refused(ends):
    for column in ((ends, (0, 1)), ((0, 1), ends)):
        with pytest.raises(InvalidParameter, match="column"):
            Column(*column)


def test_halves_stand_below_each_other_on_a_desk_and_beside_each_other_on_a_phone():
    upper, lower = DESK.columns(*PARTS)[0].halves(0.1)
    assert (upper.bottom.share, lower.top.share) == pytest.approx((0.45, 0.55))
    assert (upper.left, upper.right) == (lower.left, lower.right) == (At(), At(0.6))
    left, right = PHONE.columns(*PARTS)[0].halves(0.1)
    assert (left.right.share, right.left.share) == pytest.approx((0.45, 0.55))
    assert (left.top, left.bottom) == (right.top, right.bottom) == (At(0.4), At(1))


def test_a_wall_stands_right_of_its_panel_on_a_desk_and_below_it_on_a_phone():
    inside = Column((0, 0.4), (0, 0.3))
    desk = DESK.columns(inside)[0].wall("noise", half=10, scale=0.5)
    assert (desk["direction"], desk["at"], desk["scale"]) == ("vertical", [0.4, 0], 0.5)
    phone = PHONE.columns(inside)[0].wall("noise", half=10, scale=0.5)
    assert (phone["direction"], phone["at"], phone["scale"]) == ("horizontal", [0.3, 0], 0.3)
    assert (phone["from"], phone["to"]) == ([0, 0], [1, 0])
