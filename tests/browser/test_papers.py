"""The Papers page in a real browser: the gallery by mouse and keyboard, back, a run."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import settle, tracebacks, visit

RUN_MS = 90_000  # for a quick preset on a busy machine
GALLERY = "24 figures of four papers"


def heading(page: Page, text: str) -> None:
    expect(page.locator("h1").filter(has_text=text)).to_be_visible(timeout=30_000)
    settle(page)


@pytest.mark.thorough
def test_a_figure_is_the_first_request_to_a_fresh_server(page: Page, fresh_server: str) -> None:
    visit(page, f"{fresh_server}/papers?fig=psd2")
    heading(page, "geometric split")
    expect(page.locator(".js-plotly-plot")).to_have_count(1)
    expect(page.get_by_text("Why different")).to_be_visible()
    assert not tracebacks(page).count()


@pytest.mark.parametrize("clicked", [False, pytest.param(True, marks=pytest.mark.thorough)])
def test_cards_open_by_enter_or_click_and_back_returns(
    page: Page, server: str, clicked: bool
) -> None:
    visit(page, f"{server}/papers")
    heading(page, GALLERY)
    cards = page.locator("button.card")
    expect(cards).to_have_count(37)
    card = page.get_by_role("button", name="Fig. 8 time by m . not as printed")
    expect(card).to_be_visible()  # it says its mark to those who do not see it, too
    expect(card).to_have_attribute("aria-pressed", "false")
    chosen = page.locator("[data-key=psd7b]")
    if clicked:
        chosen.click()
    else:
        chosen.focus()
        page.keyboard.press("Enter")
    heading(page, "private medians")
    assert "fig=psd7b" in page.url
    page.go_back()
    heading(page, GALLERY)
    if clicked:
        page.locator("[data-key=honaker4]").click()
        heading(page, "Combining the tree")
        page.get_by_role("button", name="All figures").click()
        heading(page, GALLERY)
        page.wait_for_function("() => !location.search.includes(`fig=`)")


@pytest.mark.thorough
def test_a_run_shows_its_parts_and_its_result_is_kept(page: Page, server: str) -> None:
    visit(page, f"{server}/papers?fig=psd4")
    heading(page, "As printed, EM is")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_text("your run")).to_be_visible(timeout=RUN_MS)
    settle(page)
    expect(page.locator(".js-plotly-plot")).to_have_count(1)
    page.get_by_role("button", name="All figures").click()
    heading(page, GALLERY)
    page.locator("[data-key=psd4]").click()
    expect(page.get_by_text("your run")).to_be_visible(timeout=30_000)
    assert not tracebacks(page).count()


@pytest.mark.thorough  # tests/ui/kit/test_glossary.py has the words, test_plot.py opens them
def test_promises_and_words_open_where_they_stand(page: Page, server: str) -> None:
    visit(page, f"{server}/methods")
    heading(page, "Start with recursive halving")
    page.get_by_role("button", name="ρ-zCDP").first.click()
    expect(page.get_by_text("Budgets add up more cheaply")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Words", exact=True).click()
    expect(page.get_by_text("Solving published exact statistics")).to_be_attached()
