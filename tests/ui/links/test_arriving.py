"""What is said of a link that cannot be used: once, on the page that it was for, and whole."""

import pytest

from dpviz.ui.links import arriving
from tests.ui.recorded import Recorded


@pytest.fixture
def screen(monkeypatch):
    return Recorded(monkeypatch)


def said(screen):
    """The last line that was written."""
    lines = screen.said("caption")
    return lines[-1] if lines else ""


def test_all_keys_that_were_refused_stand_in_one_line(screen):
    arriving.begin()
    arriving.refuse("seed")  # before the page has its heading
    assert said(screen) == ""
    arriving.notice_on("Trees")
    start = ":material/link_off: Of the link, "
    assert said(screen) == f"{start}`seed` cannot be used: defaults are in effect."
    arriving.refuse("eps")
    assert said(screen) == f"{start}`eps`, `seed` cannot be used: defaults are in effect."


def test_another_page_says_nothing_of_it(screen):
    arriving.begin()
    arriving.notice_on("Trees")
    arriving.refuse("t_height")
    screen.forget()
    arriving.begin()
    arriving.notice_on("Map")
    assert said(screen) == ""
    screen.forget()
    arriving.begin()
    arriving.notice_on("Trees")
    assert said(screen) == ""
