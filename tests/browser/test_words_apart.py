"""The words in the pictures of every view: none covers another one, none is cut off or docked."""

import pytest
from playwright.sync_api import Page

from tests.browser.first_screen import LOW, MIDDLE, WIDE
from tests.browser.steps import settle, visit, words_apart
from tests.views import TABS, UNDER_DECIDE, views

ADDRESSES = [f"{page}?view={view}" for page in TABS for view in views(page)]
ADDRESSES += [f"what_if?view={view}" for view in UNDER_DECIDE]
DOCK = """
() => document.querySelector('[class*=st-key-dock_]')?.getBoundingClientRect().top ?? innerHeight
"""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("size", "more"), [(LOW, "&present=1"), (WIDE, ""), (MIDDLE, "")],
    ids=["presented", "desk", "small"],
)  # fmt: skip
@pytest.mark.parametrize("address", ADDRESSES)
def test_no_words_cover_each_other_or_leave_the_picture(
    address: str, size: tuple[int, int], more: str, page: Page, server: str
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    visit(page, f"{server}/{address}{more}")
    page.wait_for_timeout(300)  # the watcher of the window may ask for another run
    settle(page)
    dock = page.evaluate(DOCK)
    assert [word for word in words_apart(page) if word[4] > dock] == []
