"""A lecture in two real browsers: a step by keyboard, on one's own, back, and the end."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import running_app
from tests.browser.steps import answered, followed, headline, link, press, settle, tracebacks, visit

SCRIPTS = ("dpviz/ui/server/asgi.py", "app.py")  # with the stream of steps, and without it
SERVERS = [SCRIPTS[0], pytest.param(SCRIPTS[1], marks=pytest.mark.thorough)]
IN_TIME = {SCRIPTS[0]: 2.0, SCRIPTS[1]: 6.0}  # seconds to a step; the page asks every 3 s by itself
SAID = """() => [...document.querySelectorAll('*')].map(one => one.shadowRoot)
  .find(one => one?.querySelector('.follow')).querySelector('.said').textContent"""


@dataclass(frozen=True)
class Server:
    address: str
    script: str


@pytest.fixture(scope="module", params=SERVERS)
def lectures(
    chromium_path: str, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Server]:
    log = tmp_path_factory.mktemp("server") / "log.txt"
    if request.param == SCRIPTS[0]:  # as all other tests have it
        yield Server(request.getfixturevalue("server"), request.param)
        return
    with running_app(log, request.param) as address:
        yield Server(address, request.param)


@pytest.fixture(scope="module")
def phone(browser: Browser) -> Iterator[Page]:
    """A student's phone."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    yield context.new_page()
    context.close()


def keyed(lead: Page, phone: Page, key: str, seconds: float) -> None:
    """Press a key where the lecture is led; the other page follows in time."""
    with answered(lead):
        lead.keyboard.press(key)
    began = time.monotonic()
    expect(phone.locator("h1")).to_have_text(headline(lead), timeout=1_000 * (seconds + 8))
    assert time.monotonic() - began < seconds


def test_a_class_follows_by_keyboard_and_goes_its_own_way(
    lectures: Server, page: Page, phone: Page
) -> None:
    seconds = IN_TIME[lectures.script]
    visit(page, f"{lectures.address}/learn?view=teacher")
    press(page, "Lead a class")
    way = page.locator("a[href*='lead=']").first.get_attribute("href")
    assert way is not None
    code, secret = way.partition("lead=")[2].split(".")
    visit(page, f"{lectures.address}/{way}")
    assert secret not in page.url
    assert secret not in page.content()

    visit(phone, f"{lectures.address}/learn?follow={code.lower()}")
    assert link(phone) == {"follow": code}
    expect(phone.locator("h1")).to_have_text(headline(page))
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    asked = headline(phone)  # an answer of who follows moves nobody
    with answered(phone):
        phone.get_by_role("button", name="Her pay, exactly").click()
    expect(phone.get_by_text("You predicted:")).to_be_visible()
    assert headline(phone) == headline(page) == asked
    keyed(page, phone, "1", seconds)
    expect(phone.get_by_text("You said")).to_be_visible()
    keyed(page, phone, "ArrowRight", seconds)
    assert link(phone) == {"follow": code}
    phone.wait_for_function(f"title => ({SAID})().endsWith(title)", arg=headline(phone))

    phone.get_by_role("button", name="On my own").click()
    expect(phone.get_by_role("button", name="Back to the lecture")).to_be_visible()
    phone.wait_for_function("() => location.search.includes('scene=2')")
    settle(phone)
    before = headline(phone)
    with answered(page):
        page.keyboard.press("2")
    phone.wait_for_timeout(500 * seconds)  # half of what is allowed, several times what it takes
    assert headline(phone) == before
    with answered(phone):
        phone.get_by_role("button", name="Back to the lecture").click()
    expect(phone.locator("h1")).to_have_text(headline(page))
    phone.wait_for_function("code => location.search === `?follow=${code}`", arg=code)

    # counted from time to time
    expect(page.get_by_role("button", name=f"{code} · 1 follow")).to_be_visible(timeout=12_000)
    page.get_by_role("button", name=code).click()
    page.get_by_role("button", name="End the lecture").click()
    expect(phone.get_by_text("The lecture is over; go on by yourself.")).to_be_visible(
        timeout=1_000 * (seconds + 8)
    )
    settle(phone)
    assert link(phone)["scene"] == "2"
    assert tracebacks(phone).count() == tracebacks(page).count() == 0


@pytest.mark.thorough  # tests/ui/learn has the sheet, what a phone keeps, and what is shown
@pytest.mark.parametrize("phones", [1, 5])
def test_a_class_is_tested_by_phone_and_its_teacher_sees_bins(
    lectures: Server, page: Page, phone: Page, phones: int
) -> None:
    visit(page, f"{lectures.address}/learn?view=teacher")
    press(page, "Test a class")
    expect(page.locator("h1")).to_contain_text("15 questions, before and after")
    code = headline(page).split()[1].removesuffix(":")
    for number in range(phones):
        visit(phone, f"{lectures.address}/learn?view=test&room={code}&half=before")
        followed(phone)
        groups = phone.get_by_role("radiogroup")
        expect(groups).to_have_count(15)
        groups.nth(3).get_by_text("0.3", exact=True).click()
        press(phone, "Hand in")
        expect(phone.locator("h1")).to_have_text("1 of 15 right: 10 is a pass.")
        assert link(phone) == {"view": "test", "room": code, "half": "before"}
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390
        if number == 0:  # below five phones nothing is shown
            press(page, "Show the class")
            expect(page.locator("h1")).to_have_text("Nothing to see yet.")
            phone.reload()  # which hands in no second sheet
            expect(phone.get_by_text("This phone has handed in")).to_be_visible()
            expect(phone.locator("h1")).to_have_text("1 of 15 right: 10 is a pass.")
        phone.evaluate("localStorage.clear()")  # the next is another one
    if phones < 5:
        return
    press(page, "Show the class")
    expect(page.locator("h1")).to_have_text("1.0 of 15 right, before the course.")
    press(page, "Release who passed before (ε = 1)")
    expect(page.get_by_text("Passed (10 of 15 or more)")).to_contain_text("± 3 of 5")
