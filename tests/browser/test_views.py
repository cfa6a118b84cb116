"""The row of tabs under the headline: every view by its name, by mouse and by keyboard."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.first_screen import PHONE
from tests.browser.steps import answered, choose, followed, opened, visit, words_apart
from tests.views import TABS, titles

# whose views stand in a row, the longest first
PAGES = sorted(filter("decide".__ne__, TABS), key=lambda name: -len("".join(titles(name))))


@pytest.mark.thorough  # the test below sees it of one page
@pytest.mark.parametrize("name", PAGES)
def test_every_view_stands_under_the_headline_by_its_name(page: Page, server: str, name: str):
    visit(page, f"{server}/{name}")
    row = row_of(page, name)
    expect(row.get_by_role("radio").first).to_be_checked()
    row.get_by_role("radio").first.focus()
    page.keyboard.press("ArrowRight")
    with answered(page):
        page.keyboard.press("Enter")
    expect(row.get_by_role("radio").nth(1)).to_be_checked()
    assert "view=" in page.url


def row_of(page: Page, name: str) -> Locator:
    """The row of a page's views, which is whole."""
    row = page.locator(".st-key-views").get_by_role("radiogroup", name="View")
    assert row.get_by_role("radio").all_inner_texts() == titles(name)
    for one in row.get_by_role("radio").all():  # in one line, none cut off or over the next
        assert one.bounding_box()["x"] + one.bounding_box()["width"] < page.viewport_size["width"]
    assert len({round(one.bounding_box()["y"]) for one in row.get_by_role("radio").all()}) == 1
    return row


def test_on_a_phone_the_view_is_named_and_opens_the_others(page: Page, server: str):
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    visit(page, f"{server}/trees?t_height=9")
    followed(page)
    assert len(words_apart(page)) > 14
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    view = page.get_by_role("combobox", name="View", exact=True)
    expect(view).to_have_value("Tree")
    choose(page, "View", "Downloads")
    assert "view=take" in page.url


@pytest.mark.thorough  # tests/ui/bench/test_views.py says it without a browser
def test_presenting_there_is_no_row(page: Page, server: str):
    visit(page, f"{server}/trees?present=1&view=cdf")
    expect(page.locator(".st-key-views")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_contain_text("whole curve")


def test_views_by_keyboard_a_button_that_changes_nothing_is_away_and_truth_stays_where_it_is(
    page: Page, server: str
):
    visit(page, f"{server}/trees?view=budgets")
    truth, draw = page.locator(".st-key-truth"), page.get_by_role("button", name="New draw")
    before = truth.bounding_box()
    expect(draw).to_have_count(0)
    row = row_of(page, "trees")
    row.get_by_role("radio").nth(1).focus()
    page.keyboard.press("ArrowLeft")
    with answered(page):
        page.keyboard.press("Enter")
    expect(row.get_by_role("radio").first).to_be_checked()
    expect(draw).to_have_count(1)
    after = truth.bounding_box()
    assert abs(after["x"] - before["x"]) < 2
    assert abs(after["y"] - before["y"]) < 2
    # the data set stands at the end of the row
    chip = page.locator(".st-key-views").get_by_role("button", name="Exam marks")
    with opened(page, chip):
        expect(page.get_by_role("combobox", name="Data set", exact=True)).to_be_visible()
        expect(page.get_by_label("Upper bound", exact=True)).to_have_value("100")
