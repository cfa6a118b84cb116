"""Every other page, as a person meets it on every screen."""

from __future__ import annotations

from tests.browser.first_screen import (
    THE_REST,
    Shown,
    Window,
    each,
    read_from_the_back_row,
    seen_on_every_screen,
)


@each(THE_REST)
def test_the_picture_is_what_one_sees_first(one: Shown, window: Window) -> None:
    seen_on_every_screen(one, window)


@each(THE_REST, presenting=True)
def test_presenting_is_read_from_the_back_row(one: Shown, window: Window) -> None:
    read_from_the_back_row(one, window)
