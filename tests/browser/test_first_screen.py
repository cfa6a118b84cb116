"""Start and the three workbenches, as a person meets them on every screen."""

import pytest

from tests.browser.first_screen import (
    WORKBENCHES,
    Shown,
    Window,
    each,
    each_presented,
    read_from_the_back_row,
    seen_in_the_dark_and_in_small_windows,
    seen_on_laptop_and_phone,
)


@each(WORKBENCHES)
def test_the_picture_is_what_one_sees_first(one: Shown, window: Window) -> None:
    seen_on_laptop_and_phone(one, window)


@pytest.mark.thorough
@pytest.mark.parametrize("one", WORKBENCHES, ids=lambda one: one.address)
def test_it_is_as_good_in_the_dark_and_in_small_windows(one: Shown, window: Window) -> None:
    seen_in_the_dark_and_in_small_windows(one, window)


@each_presented(WORKBENCHES)
def test_presenting_is_read_from_the_back_row(one: Shown, window: Window) -> None:
    read_from_the_back_row(one, window)
