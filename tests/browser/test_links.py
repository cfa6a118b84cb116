"""Links: the first request to a sleeping server, the same view elsewhere, no data in them."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import numpy as np
from playwright.sync_api import Browser, Page

from tests.browser.steps import (
    answered,
    choose,
    curve,
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

PAGES = ["Data", "Quantiles", "Methods"]


def assert_framed(page: Page, title: str) -> None:
    links = page.get_by_test_id("stSidebarNavItems").get_by_role("link").all_inner_texts()
    assert [link for link in links if link in PAGES] == PAGES
    assert page.get_by_role("heading", level=1).all_inner_texts() == [title]
    assert page.get_by_label("Lower bound", exact=True).count() == 1
    assert page.get_by_label("Show the truth", exact=True).count() == 1
    assert tracebacks(page).count() == 0


def test_a_link_wakes_a_fresh_server(page: Page, fresh_server: str) -> None:
    visit(page, f"{fresh_server}/quantiles?eps=2&seed=7&set=quartiles")
    assert_framed(page, "Quantiles")
    assert page.get_by_label("ε, exact", exact=True).input_value() == "2"
    assert len(curve(page, "AQ")[0]) == 3
    go_to(page, "Data")
    assert_framed(page, "Data")


def test_a_link_to_methods_wakes_a_fresh_server(page: Page, fresh_server: str) -> None:
    visit(page, f"{fresh_server}/methods?methods_family=Glossary")
    assert_framed(page, "Methods")
    assert page.get_by_role("radio", name="Glossary", checked=True).count() == 1


def test_a_link_gives_another_person_the_same_view(
    page: Page, server: str, browser: Browser
) -> None:
    visit(page, f"{server}/quantiles")
    choose(page, "Data", "Weekly working hours")
    write(page, "Upper bound", "140")
    press(page, "AppIndExp")
    press(page, "AQ")
    press(page, "zCDP ρ")
    write(page, "ρ, exact", "0.03")
    choose(page, "Quantiles", "m uniform")
    write(page, "m", "6")
    write(page, "Seed", "12345")
    press(page, "Recursion tree")
    mine = {name: curve(page, name) for name in ("JointExp", "AppIndExp")}
    assert "Upper bound" not in page.url

    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(20_000)
    other = context.new_page()
    visit(other, page.url)
    assert names(other) == ["True CDF (confidential)", "JointExp", "AppIndExp"]
    for name, (values, quantiles) in mine.items():
        theirs, at = curve(other, name)
        np.testing.assert_array_equal(theirs, values)
        np.testing.assert_array_equal(at, quantiles)
    for label, value in (("Upper bound", "140"), ("ρ, exact", "0.03"), ("m", "6")):
        assert other.get_by_label(label, exact=True).input_value() == value
    assert other.get_by_role("radio", name="Recursion tree", checked=True).count() == 1
    context.close()


def test_nonsense_in_a_link_falls_back(page: Page, server: str) -> None:
    visit(page, f"{server}/quantiles?eps=abc&data=nobody&mechanisms=Magic&seed=-4&set=none&m=9999")
    assert_framed(page, "Quantiles")
    assert names(page)[0] == "True CDF (confidential)"
    assert errors(page) == []


def test_the_choice_of_data_stays_in_the_address_from_page_to_page(page: Page, server: str) -> None:
    visit(page, f"{server}/quantiles?data=Weekly+working+hours&split=")
    assert parse_qs(urlsplit(page.url).query) == {"data": ["hours"]}
    assert page.get_by_text("Of the link").count() == 1
    go_to(page, "Trees")
    assert parse_qs(urlsplit(page.url).query) == {"data": ["hours"]}
    choose(page, "Data", "Uniform")
    assert parse_qs(urlsplit(page.url).query) == {"data": ["uniform"]}
    with answered(page):
        page.go_back()
    assert parse_qs(urlsplit(page.url).query) == {"data": ["hours"]}
    chosen = page.get_by_role("combobox", name="Data", exact=True).input_value()
    assert chosen == "Weekly working hours"


def test_the_address_tells_nothing_of_an_upload(page: Page, server: str) -> None:
    visit(page, server)
    content = b"secret_salary,other\n" + b"".join(b"%d,1\n" % value for value in range(4711, 4811))
    upload(page, {"name": "payroll_2031.csv", "mimeType": "text/csv", "buffer": content})
    declare(page, "0", "9000")
    go_to(page, "Quantiles")
    press(page, "New draw")
    switch(page, "Bands over runs")
    for title in ("Quantiles", "Data", "Methods"):
        if title != "Quantiles":
            go_to(page, title)
        parts = urlsplit(page.url)
        for word in ("payroll", "2031", "secret", "salary", "other", "47", "48", "100"):
            assert word not in parts.path + parts.query
        for name, values in parse_qs(parts.query).items():  # what was declared about it stays, too
            assert set(values) <= {"upload", "Your file", "true", "2"}, name
    # the link does not carry the file to another person, who starts from a sample instead
    stranger = page.context.browser.new_context()
    other = stranger.new_page()
    visit(other, page.url.replace("/methods", "/quantiles"))
    assert_framed(other, "Quantiles")
    assert "payroll" not in other.content()
    stranger.close()
