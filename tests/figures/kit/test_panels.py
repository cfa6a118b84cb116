"""Where panels stand on a desk and on a phone, and what has room there."""

import pytest

from dpviz.figures.kit.look import Look
from dpviz.figures.kit.panels import Column, Place, axes_at, columns, grid, inside

LEFT = Column((0.0, 0.6), (0.5, 1.0), narrow=(0.0, 0.5))
RIGHT = Column((0.7, 1.0), (0.0, 0.4))


def test_columns_stand_beside_each_other_and_on_a_phone_below():
    assert columns(Look(), LEFT, RIGHT) == (Place((0.0, 0.6)), Place((0.7, 1.0)))
    assert columns(Look(screen="narrow"), LEFT, RIGHT) == (Place((0.0, 0.5)), Place((0.7, 1.0)))
    below = columns(Look(screen="phone"), LEFT, RIGHT)
    assert below == (Place(up=(0.5, 1.0)), Place(up=(0.0, 0.4)))


def test_a_grid_fills_the_paper_in_reading_order():
    first, second, third = grid(3, 2, (0.1, 0.2))
    assert first.across == pytest.approx((0.0, 0.45))
    assert first.up == pytest.approx((0.6, 1.0))
    assert second.across == pytest.approx((0.55, 1.0))
    assert second.up == first.up
    assert third.across == first.across
    assert third.up == pytest.approx((0.0, 0.4))
    assert grid(1, 1, (0.1, 0.2)) == [Place()]
    assert grid(0, 2, (0.1, 0.2)) == []
    assert [(one.is_first, one.is_lowest) for one in (first, second, third)] == [
        (True, False),
        (False, False),
        (True, True),
    ]
    assert [one.is_lowest for one in grid(7, 3, (0.1, 0.2))] == [False] * 6 + [True]


def test_a_panel_has_both_its_axes_and_they_know_each_other():
    place = Place((0.2, 0.5), (0.1, 0.9))
    found = axes_at(Look(), 2, place, {"range": [0, 1]}, {"range": [2, 3]})
    assert set(found) == {"xaxis3", "yaxis3"}
    assert (found["xaxis3"]["anchor"], found["yaxis3"]["anchor"]) == ("y3", "x3")
    assert (found["xaxis3"]["domain"], found["yaxis3"]["domain"]) == ([0.2, 0.5], [0.1, 0.9])
    assert (found["xaxis3"]["range"], found["yaxis3"]["range"]) == ([0, 1], [2, 3])
    assert inside(0) == ("x domain", "y domain")
    assert inside(2) == ("x3 domain", "y3 domain")


@pytest.mark.parametrize(
    ("look", "flags", "brief"),
    [
        (Look(), {"narrow": True, "presenting": True}, False),
        (Look(screen="low"), {"narrow": True}, False),
        (Look(screen="narrow"), {}, False),
        (Look(screen="narrow"), {"narrow": True}, True),
        (Look(screen="narrow"), {"low": True}, False),
        (Look(screen="low"), {"low": True}, True),
        (Look(presenting=True), {}, False),
        (Look(presenting=True), {"presenting": True}, True),
        (Look(screen="phone"), {}, True),
    ],
)
def test_brief_is_what_has_room(look, flags, brief):
    assert look.said("in full", 3, **flags) == (3 if brief else "in full")


def test_a_phone_leaves_out_what_needs_room_and_has_smaller_large_words():
    phone = Look(screen="phone")
    assert (Look().full(1, 2), phone.full(1, 2)) == ([1, 2], [])
    assert (Look().large(28), phone.large(28), phone.large(15)) == (28, 21.5, 15)
