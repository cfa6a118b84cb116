"""The Data page in a real browser: cards that are buttons, handles by hand and by keyboard."""

import re

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.steps import answered, declare, headline, press, switch, upload, visit

WORDS = "() => document.querySelector('[data-testid=stMain]').innerText"


def handle(page: Page, name: str) -> Locator:
    return page.get_by_role("slider", name=name)


def typed(page: Page, at: Locator, *keys: str) -> None:
    """Keys on a handle; the numbers are told once the keys rest."""
    at.focus()
    with answered(page):
        for key in keys:
            page.keyboard.press(key)


@pytest.mark.thorough  # tests/pages/test_data_cards.py picks one, test_papers.py opens one by key
def test_a_card_is_a_button_and_the_headline_follows(page: Page, server: str) -> None:
    visit(page, f"{server}/data")
    card = page.get_by_role("button", name=re.compile("^Yearly salaries"))
    assert card.get_attribute("aria-pressed") == "false"
    card.focus()
    with answered(page):
        page.keyboard.press("Enter")
    assert headline(page) == "Behind the barrier: the yearly pay of 15,000 people."
    assert card.get_attribute("aria-pressed") == "true"
    press(page, "Go to Quantiles")
    assert "/quantiles?data=salaries" in page.url


def test_an_end_moves_by_keys_that_keep_the_focus_by_hand_and_by_typed_numbers(
    page: Page, server: str
) -> None:
    visit(page, f"{server}/data?view=declare&truth=false")  # thousands of people take long to draw
    low, high = handle(page, "mark: lower bound"), handle(page, "mark: upper bound")
    typed(page, low, "ArrowRight", "ArrowRight", "PageUp")
    assert headline(page) == "You declare that a mark lies between 12 and 100."
    assert low.get_attribute("aria-valuenow") == "12"
    with answered(page):  # the handle still has the focus: no Tab in between
        page.keyboard.press("ArrowLeft")
    before = headline(page)
    assert before == "You declare that a mark lies between 11 and 100."
    assert "exam_low=11" in page.url

    box = high.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 150, y, steps=3)
    assert high.get_attribute("aria-valuenow") != "100"
    assert headline(page) == before  # nothing is told while the hand holds it
    with answered(page):
        page.mouse.up()
    told = int(high.get_attribute("aria-valuenow") or 0)
    assert 70 <= told <= 90
    assert headline(page) == f"You declare that a mark lies between 11 and {told}."
    typed(page, high, "End")
    assert "11 and 122" in headline(page)

    declare(page, "5", "75")  # typed numbers move the handles
    assert headline(page) == "You declare that a mark lies between 5 and 75."
    assert high.get_attribute("aria-valuenow") == "75"
    assert "71 possible values" in page.locator(".flat").inner_text()


def test_a_box_has_four_handles(page: Page, server: str) -> None:
    visit(page, f"{server}/data?view=declare&data=towns&truth=false")
    handle(page, "east: lower bound").wait_for()
    assert page.get_by_role("slider").count() == 4
    typed(page, handle(page, "north: upper bound"), "ArrowDown")
    assert headline(page).startswith("You declare a box: east from 0 to 100, north from 0 to 79")


@pytest.mark.thorough  # tests/pages/test_data.py says it without a browser
def test_the_truth_of_a_file_is_its_own(page: Page, server: str) -> None:
    visit(page, f"{server}/data")
    upload(page, {"name": "a.csv", "mimeType": "text/csv", "buffer": b"age\n31\n32\n"}, truth=False)
    assert "Stays up here, whatever you publish" in page.locator(".flat").inner_text()
    press(page, "Age")
    assert headline(page) == "You declare that an age lies between 0 and 120."
    switch(page, "Truth")
    assert "2 people" in page.evaluate(WORDS)
    press(page, "Choose")
    with answered(page):
        page.get_by_role("button", name=re.compile("^Exam marks")).click()
    assert headline(page) == "Behind the barrier: the exam marks of 6,000 students."
