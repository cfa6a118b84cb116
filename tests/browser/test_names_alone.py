"""A file of names alone, from its upload to the released table, as a person with a mouse goes."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

import dpviz as dp
from tests.browser.steps import (
    answered,
    ask,
    choose,
    download,
    errors,
    headline,
    opened,
    settle,
    switch,
    tracebacks,
    upload,
    visit,
)

SECRET = "Quixworth"  # a surname, and the name of no place in the list
ROWS = [("Land", "North", "Ash")] * 431 + [("Land", "South", "Elm")] * 277
FILE = {
    "name": "people.csv",
    "mimeType": "text/csv",
    "buffer": "".join(
        f"{','.join(row)},{SECRET}\n" for row in [("country", "state", "county"), *ROWS]
    ).encode(),
}
LIST = "country,state,county,people\nLand,North,Ash,400\nLand,South,Elm,300\nLand,South,Oak,9\n"


@pytest.mark.thorough  # tests/pages/test_names_alone.py goes there without a browser
def test_a_file_of_names_is_released_without_a_number(
    page: Page, server: str, received: list[str]
) -> None:
    visit(page, f"{server}/data")
    upload(page, FILE, truth=False)
    assert headline(page) == "Your file holds names alone: its rows can be counted by place."
    assert errors(page) == []
    switch(page, "The first row holds names")  # of words alone nothing tells
    levels = "Levels of places, the widest first"
    for name in ("country", "state", "county"):
        choose(page, levels, name)
    field = page.get_by_label("The public list of places", exact=True)
    expect(field).to_have_value("country,state,county,people\n")
    field.fill(LIST)
    with answered(page):
        field.press("Control+Enter")
    flat = page.locator(".flat svg")
    for level, many in (("country", "1 place"), ("state", "2 places"), ("county", "3 places")):
        expect(flat.get_by_text(level, exact=True)).to_be_visible()
        expect(flat.get_by_text(many, exact=True)).to_be_visible()

    with answered(page):
        page.locator(".st-key-onwards button").first.click()
        page.wait_for_url("**/map*")
    assert headline(page) == "Nothing is drawn yet: this draw spends ε = 0.5."
    ask(page)
    assert "of 3 counties" in headline(page)
    stored = json.loads(download(page, "Release as JSON"))
    release = dp.from_json(json.dumps(stored))
    assert release.places.levels == ("country", "state", "county")
    assert release.randomness == "secure"
    counts = dict(zip(release.names[3], release.counts[3], strict=True))
    wanted = {"Land, North, Ash": 431, "Land, South, Elm": 277, "Land, South, Oak": 0}
    assert counts.keys() == wanted.keys()
    assert all(abs(counts[name] - many) < 250 for name, many in wanted.items())  # e^-30 apart
    table = download(page, "Private counts as CSV").splitlines()
    assert len(table) == 1 + 1 + 1 + 2 + 3
    assert SECRET not in "\n".join(table)
    assert "ε = 0.5" in download(page, "Privacy label")
    assert "3 places" in download(page, "Report")
    assert "dp.PlaceCounts(listed.levels" in page.locator("code").last.inner_text()
    with opened(page, page.get_by_role("button", name="Spent ε = 0.5")):
        assert "7 named places" in page.get_by_test_id("stPopoverBody").first.inner_text()
    settle(page)
    assert tracebacks(page).count() == 0
    assert received
    assert not [one for one in received if SECRET in one]
    assert "country" not in page.url
