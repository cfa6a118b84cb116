"""The Neighbours page in a real browser, also as the first request to a sleeping server."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.steps import (
    chart,
    choose,
    declare,
    errors,
    go_to,
    names,
    press,
    switch,
    tracebacks,
    upload,
    visit,
    write,
)

VIEWS = ("Audit", "Averaging", "What ε means", "One record")


def trace(page: Page, name: str, number: int = 0) -> tuple[np.ndarray, np.ndarray]:
    (found,) = [one for one in chart(page, number) if one["name"] == name]
    return np.asarray(found["x"]), np.asarray(found["y"])


def test_a_link_wakes_a_fresh_server_and_every_view_opens(page: Page, fresh_server: str) -> None:
    visit(page, f"{fresh_server}/neighbours?n_eps=2&n_quantile=0.25&n_which=greatest")
    assert page.get_by_role("heading", level=1).all_inner_texts() == ["Neighbours"]
    assert page.get_by_label("Lower bound", exact=True).count() == 1
    assert page.get_by_label("ε, exact", exact=True).input_value() == "2"
    assert names(page) == ["this column", "its neighbour", "log ratio"]
    assert np.abs(trace(page, "log ratio")[1]).max() <= 2
    for view in VIEWS:
        press(page, view)
        assert chart(page)
        assert tracebacks(page).count() == 0
        assert errors(page) == []
    assert "n_eps=2" in page.url


def test_a_link_restores_a_view(page: Page, server: str, browser: Browser) -> None:
    visit(page, f"{server}/neighbours")
    press(page, "Averaging")
    choose(page, "Private number", "Count, discrete Laplace")
    write(page, "Threshold", "61.5")
    press(page, "New draw")
    mine = trace(page, "answers")[1]
    assert (mine == np.round(mine)).all()
    context = browser.new_context()
    other = context.new_page()
    visit(other, page.url)
    np.testing.assert_array_equal(trace(other, "answers")[1], mine)
    assert other.get_by_label("Threshold", exact=True).input_value() == "61.5"
    context.close()


def test_choices_stay_while_views_and_pages_change(page: Page, server: str) -> None:
    visit(page, f"{server}/neighbours?n_view=Audit")
    press(page, "a hard pair")
    choose(page, "Private number", "Count, Gaussian")
    assert page.get_by_role("radio", name="zCDP ρ", checked=True).count() == 1
    write(page, "Read at δ", "0.001")
    press(page, "99.9 %")
    before = trace(page, "as claimed")[1]
    press(page, "One record")
    go_to(page, "Methods")
    go_to(page, "Neighbours")
    press(page, "Audit")
    assert page.get_by_role("radio", name="a hard pair", checked=True).count() == 1
    assert page.get_by_role("radio", name="99.9 %", checked=True).count() == 1
    np.testing.assert_array_equal(trace(page, "as claimed")[1], before)
    expect(page.get_by_text("claim refuted")).to_be_visible()
    switch(page, "A broken twin")
    expect(page.get_by_text("claim refuted")).to_have_count(0)


def test_a_file_of_its_own_and_the_truth_switch(page: Page, server: str, shared_data: Path) -> None:
    visit(page, server)
    upload(page, shared_data / "adult_age.csv")
    go_to(page, "Neighbours")
    assert "Declare the bounds" in errors(page)[0]
    declare(page, "0", "120", "1")
    choose(page, "Record", "at a rank")
    assert np.abs(trace(page, "log ratio")[1]).max() <= 1
    parts = urlsplit(page.url)  # without the port, which may hold any digits
    assert "48" not in parts.path + parts.query
    switch(page, "Show the truth")
    for view in ("Audit", "Averaging", "One record"):
        press(page, view)
        main = page.get_by_test_id("stMain").inner_text()
        assert "while the truth is off" in main
        assert "48,842" not in main
        assert page.locator(".js-plotly-plot").count() == (view == "Averaging")
    press(page, "What ε means")
    assert "your observer" in names(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_a_phone(browser: Browser, server: str, scheme: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=scheme)
    context.set_default_timeout(20_000)
    phone = context.new_page()
    for view in VIEWS:
        visit(phone, f"{server}/neighbours?n_view={view}")
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390
        for box in phone.locator(".js-plotly-plot").all():
            assert box.bounding_box()["width"] <= 390
        assert tracebacks(phone).count() == 0
    context.close()
