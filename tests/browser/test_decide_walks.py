"""Three walks over Decide: a manager, an expert, and what the sentence alone tells who hears it.

The third walk, with a file, is in test_decide.py.
"""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import (
    answered,
    download,
    go_to,
    look_below,
    opened,
    settle,
    tracebacks,
    visit,
)
from tests.browser.test_decide import CHECK_MS, chosen, reads, sentence, typed, word
from tests.conftest import ROOT
from tests.pages.driver import executed

SIZE = re.compile(r"ε = ([\d.]*\d)")


def checked(page: Page) -> float:
    """The budget of the sentence, once its check has ended and it can be released."""
    button = page.locator(".st-key-decide_button button")
    expect(button).to_be_enabled(timeout=CHECK_MS)
    settle(page)
    return float(word(page, "eps").input_value())


def spoken(page: Page) -> str:
    """The sentence as it is read out: its words, and the answer in full."""
    told = sentence(page).locator("output .spoken").inner_text()
    told = told.removeprefix("about ")  # of a check that could not settle its last digit
    return f"{reads(page).rsplit(': ', 1)[0]}: {told}"


@pytest.mark.thorough  # test_decide.py sets words, the expert rehearses, tests/pages do the rest
def test_a_manager_decides_about_a_sample(page: Page, server: str) -> None:
    visit(page, server)
    go_to(page, "Decide")
    sentence(page).wait_for()
    settle(page)
    first = checked(page)
    assert spoken(page) == (
        "Publish nine deciles of exam marks, between 0 and 100, of about 6,000 students, off by at "
        f"most 1 mark, 19 times of 20: ε = {first:g}"
    )
    typed(page, "off", "2")
    size = checked(page)
    assert size < first
    risks = page.get_by_text("A suspicion of 10 in 100 grows to at most").first
    expect(risks).to_be_visible()
    button = page.get_by_role("button", name=re.compile("Rehearse the release"))
    expect(button).to_have_text(re.compile(rf"ε = {size:g}$"))
    assert "Spent nothing" in page.get_by_role("button", name=re.compile("Spent")).inner_text()
    with answered(page):
        button.click()
    assert reads(page).startswith("Rehearsed: nine deciles of exam marks")
    assert reads(page).endswith(f"ε = {size:g} would be spent.")
    card = page.locator(".drawing .card")
    assert set(SIZE.findall(card.inner_text())) == {f"{size:g}"}
    assert "asked: 2 marks" in card.inner_text().replace("\n", " ")
    with answered(page):
        page.get_by_role("button", name="Ask for something else").click()
    assert "Spent nothing" in page.get_by_role("button", name=re.compile("Spent")).inner_text()

    chosen(page, "what", "offers")
    line = page.get_by_role("button", name="make it the sentence: A count")
    with answered(page):
        line.click()
    assert re.search(r"with ε = 1, 19 times of 20: off by at most \d+ students\.$", reads(page))

    assert not tracebacks(page).count()


@pytest.mark.thorough  # tests/pages/test_from_decide.py runs the lines of a rehearsal
def test_an_expert_goes_from_the_sentence_to_lines_of_python(page: Page, server: str) -> None:
    visit(page, f"{server}/decide?what=median&unit=share")
    with opened(page, page.get_by_role("button", name="Exact settings")), answered(page):
        page.get_by_text("(ε, δ)", exact=False).first.click()
    size = checked(page)
    assert reads(page).replace("about ", "").endswith(f"that takes ε = {size:g}, at δ = 10⁻⁶.")
    with answered(page):
        page.get_by_role("button", name=re.compile("Rehearse the release")).click()
    assert ", at δ = 10⁻⁶. " in reads(page)
    released = json.loads(download(page, "JSON"))
    assert released["spent"]["epsilon"] <= size
    with answered(page):
        page.get_by_role("button", name="Python", exact=True).click()
        page.wait_for_url("**/quantiles?**")
    look_below(page)
    lines = page.locator("code", has_text="import ").last
    lines.scroll_into_view_if_needed()
    text = lines.inner_text()
    again = json.loads(executed(text, ROOT)["release"].to_json())
    assert again["values"] == released["values"]
    assert again["spent"] == released["spent"]
    assert not tracebacks(page).count()
