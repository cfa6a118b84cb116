"""One person, Budget and Audit in a real browser, also as first requests to a sleeping server."""

from urllib.parse import urlsplit

import numpy as np
import pytest
from playwright.sync_api import Page

from tests.browser.steps import (
    answered,
    chart,
    errors,
    go_to,
    press,
    tracebacks,
    visit,
)

ADDRESSES = (
    "neighbours", "neighbours?view=quantile&data=exam", "neighbours?view=meaning",
    "budget", "budget?view=accounts", "audit", "audit?view=outputs",
)  # fmt: skip


def trace(page: Page, name: str) -> tuple[np.ndarray, np.ndarray]:
    (found,) = [one for one in chart(page) if one["name"] == name]
    return np.asarray(found["x"]), np.asarray(found["y"])


def headline(page: Page) -> str:
    (found,) = page.get_by_role("heading", level=1).all_inner_texts()
    return found


def opened(page: Page, label: str) -> None:
    """Open a popover of the dock."""
    page.get_by_role("button", name=label).first.click()
    page.get_by_test_id("stPopoverBody").wait_for()


@pytest.mark.thorough
@pytest.mark.parametrize("address", ["neighbours?eps=2", "budget", "audit"])
def test_a_link_wakes_a_fresh_server(address: str, page: Page, fresh_server: str) -> None:
    visit(page, f"{fresh_server}/{address}")
    assert tracebacks(page).count() == 0
    assert errors(page) == []
    assert chart(page)
    if "eps=2" in address:
        assert "at most 7.39 times" in headline(page)
        assert np.abs(trace(page, "ratio")[1]).max() <= 2


@pytest.mark.thorough  # test_links.py says it of Quantiles
def test_a_link_restores_what_is_on_screen(page: Page, server: str) -> None:
    visit(page, f"{server}/budget?b_k=20")
    press(page, "New draw")
    mine = trace(page, "answers")[1]
    assert (mine == np.round(mine)).all()
    visit(page, page.url)
    np.testing.assert_array_equal(trace(page, "answers")[1], mine)


@pytest.mark.thorough  # tests/pages/test_neighbours.py says it, test_plot.py moves a slider by keys
def test_the_supposed_answer_moves_by_keyboard(page: Page, server: str) -> None:
    visit(page, f"{server}/neighbours")
    slider = page.get_by_role("slider", name="Suppose this answer is published")
    slider.focus()
    with answered(page):
        slider.press("ArrowRight")
    assert trace(page, "supposed")[0].tolist() == [867]
    assert "n_offset=2" in page.url
    assert "867" not in urlsplit(page.url).query


@pytest.mark.thorough  # tests/ui/visit and tests/pages say it without a browser
def test_choices_stay_while_views_and_pages_change(page: Page, server: str) -> None:
    visit(page, f"{server}/audit")
    opened(page, "Expert")
    press(page, "99.9 %")
    page.keyboard.press("Escape")
    before = trace(page, "honest count")[1]
    for title in ("Budget", "Audit"):
        go_to(page, title)
    np.testing.assert_array_equal(trace(page, "honest count")[1], before)
    assert "n_confidence=99.9" in page.url


@pytest.mark.thorough
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_a_phone(page: Page, server: str, scheme: str) -> None:
    phone = page
    phone.set_viewport_size({"width": 390, "height": 844})
    phone.emulate_media(color_scheme=scheme)
    for address in ADDRESSES:
        visit(phone, f"{server}/{address}")
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390
        widths = phone.evaluate(
            "[...document.querySelectorAll('.js-plotly-plot')].map(one => one.offsetWidth)"
        )
        assert max(widths, default=0) <= 390
        assert tracebacks(phone).count() == 0
