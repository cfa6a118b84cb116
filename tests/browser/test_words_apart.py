"""The words in the pictures of every view: none covers another one, none is cut off or docked."""

import itertools

import pytest
from playwright.sync_api import Page

from tests.browser.first_screen import LOW, MIDDLE, WIDE
from tests.browser.steps import settle, visit
from tests.views import TABS, UNDER_DECIDE, views

ADDRESSES = [f"{page}?view={view}" for page in TABS for view in views(page)]
ADDRESSES += [f"what_if?view={view}" for view in UNDER_DECIDE]
# what each word says, its left, right, top and bottom; letters are lower than their boxes
WORDS = """
() => [...document.querySelectorAll('[class*=st-key-hero_] .js-plotly-plot text')]
  .filter(one => one.textContent.trim())
  .map(one => [one.textContent, one.getBoundingClientRect()])
  .map(([said, at]) => [said, at.left + 1, at.right - 1, at.top + 4, at.bottom - 4])
"""
DOCK = """
() => document.querySelector('[class*=st-key-dock_]')?.getBoundingClientRect().top ?? innerHeight
"""
Word = tuple[str, float, float, float, float]


def covers(one: Word, other: Word) -> bool:
    across = one[1] < other[2] and other[1] < one[2]
    return across and one[3] < other[4] and other[3] < one[4]


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
    words, dock = page.evaluate(WORDS), page.evaluate(DOCK)
    assert [one for one in words if one[1] < 0 or one[2] > size[0] or one[4] > dock] == []
    over = [(a[0], b[0]) for a, b in itertools.combinations(words, 2) if covers(a, b)]
    assert over == []
