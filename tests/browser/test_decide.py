"""Decide in a real browser: words are typed and chosen, Back restores them, a file is released."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, WebSocket, expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.steps import (
    FILE_BUTTON,
    answered,
    download,
    go_to,
    heard,
    settle,
    tracebacks,
    visit,
)
from tests.browser.steps import opened as over

MOST_MESSAGES = 12  # that one change of a word sends: five of them tell of the run and the address
AT_ONCE_MS = 300  # in which changes are one step of the history
ARRIVING_MS = 2_100  # in which what a page writes into its address is no step of its own
CHECK_MS = 60_000  # that a check may take on a busy machine
READ = """
root => {
  const read = node =>
    node.nodeType === 3 ? node.data
    : node.tagName === "SELECT" ? node.selectedOptions[0].text
    : node.tagName === "INPUT" ? (node.hidden ? "" : node.value || "–")
    : node.classList.contains("spoken") ? ""
    : [...node.childNodes].map(read).join("");
  return read(root).replaceAll("\\u00a0", " ");
}
"""
FOCUSED = """
() => {
  let found = document.activeElement;
  while (found?.shadowRoot) found = found.shadowRoot.activeElement;
  return found?.name ?? "";
}
"""
LEAVES = """
  history.pushState({}, "", "/decide");
  history.pushState({}, "", "/decide?view=declare");
  history.pushState({}, "", "/data%s");
"""
LUMINANCE = """
(node) => {
  const light = colour => {
    const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map(one => one / 255)
      .map(one => one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const app = getComputedStyle(document.querySelector("[data-testid=stApp]")).backgroundColor;
  const [ink, paper] = [light(getComputedStyle(node).color), light(app)];
  return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
}
"""


# a word that is chosen from a menu is a click, and one that is typed and handed over is no more
COUNTS = """
() => {
  window.counted = {clicks: 0, typed: 0};
  document.addEventListener("click", event => {
    if (event.isTrusted && event.detail > 0) window.counted.clicks += 1;
  }, true);
  document.addEventListener("change", event => {
    if (event.target.type !== "file") {
      window.counted[event.target.tagName === "SELECT" ? "clicks" : "typed"] += 1;
    }
  }, true);
}
"""
COVERED = """
node => {
  const {left, top, width, height} = node.getBoundingClientRect();
  const at = [0.05, 0.5, 0.95].map(share =>
    document.elementFromPoint(left + share * width, top + height / 2));
  return at.some(one => !node.contains(one));
}
"""


def sentence(page: Page) -> Locator:
    return page.locator(".sentence:not(.small)")


def reads(page: Page) -> str:
    """The sentence as a person reads it."""
    return str(sentence(page).evaluate(READ))


def word(page: Page, name: str) -> Locator:
    return page.locator(f".sentence [name={name}]")


def typed(page: Page, name: str, text: str) -> None:
    """Type a word, and leave it."""
    word(page, name).fill(text)
    with answered(page):
        word(page, name).press("Enter")


def chosen(page: Page, name: str, value: str) -> None:
    with answered(page):
        word(page, name).select_option(value)


def opened(page: Page, server: str, link: str = "") -> None:
    visit(page, f"{server}/decide{link}")
    sentence(page).wait_for()
    settle(page)


class Wire:
    """What went over the socket; where the page looks after a check of itself, nobody asked."""

    def __init__(self) -> None:
        self.fragments: list[str] = []
        self.runs: list[int] = []  # messages of each

    def sent(self, payload: bytes | str) -> None:
        if isinstance(payload, bytes):
            message = BackMsg.FromString(payload)
            asked = message.rerun_script
            if message.WhichOneof("type") == "rerun_script" and not asked.is_auto_rerun:
                self.fragments.append(asked.fragment_id)

    def receive(self, payload: bytes | str) -> None:
        if isinstance(payload, bytes):
            if ForwardMsg.FromString(payload).WhichOneof("type") == "new_session":
                self.runs.append(0)
            self.runs[-1:] = [self.runs[-1] + 1] if self.runs else []

    def forget(self) -> None:
        """Count anew."""
        self.fragments.clear()
        self.runs.clear()


@contextmanager
def listening(page: Page, server: str) -> Iterator[Wire]:
    wire = Wire()

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", wire.sent)
        socket.on("framereceived", wire.receive)

    with heard(page, "websocket", listen):
        yield wire


@pytest.mark.few(1)
@pytest.mark.parametrize("said", ["?view=declare", ""])
def test_back_brings_the_sentence_that_was_left_in_a_busy_browser_too(
    page: Page, server: str, said: str
) -> None:
    opened(page, server, "?what=curve&off=20")
    page.evaluate(f"() => {{ {LEAVES % said} }}")  # the next page's link, and then the page
    assert page.url == f"{server}/data?view=declare"
    with answered(page):
        page.go_back()
    assert page.url == f"{server}/decide?what=curve&off=20"
    assert "nowhere off by more than 20 students" in reads(page)

    assert not tracebacks(page).count()


@pytest.mark.thorough  # test_what_if.py goes from the sentence to a view and back
def test_the_word_between_opens_the_axis_of_the_bounds_and_back_restores(
    page: Page, server: str
) -> None:
    opened(page, server, "?what=curve&off=20")
    page.locator(".sentence button").focus()
    with answered(page):
        page.keyboard.press("Enter")
        page.wait_for_url("**/data?**")
    assert "view=declare" in page.url
    with answered(page):
        page.go_back()
        page.wait_for_url("**/decide?**")
    assert "nowhere off by more than 20 students" in reads(page)
    assert not tracebacks(page).count()


def test_a_word_moves_the_answer_without_a_run_of_the_whole_page(page: Page, server: str) -> None:
    with listening(page, server) as wire:
        opened(page, server, "?what=count")
        assert reads(page).endswith(
            "off by at most 10 students, 19 times of 20: that takes ε = 0.29."
        )
        wire.forget()
        typed(page, "off", "20")
        assert reads(page).endswith(
            "off by at most 20 students, 19 times of 20: that takes ε = 0.15."
        )
        assert len(wire.fragments) == 1
        assert wire.fragments[0]  # of the sentence and what follows from it
        assert max(wire.runs) <= MOST_MESSAGES
        assert "off=20" in page.url
        wire.forget()
        chosen(page, "often", "0.8")
        assert re.search(r"4 times of 5: that takes ε = 0\.0\d+\.$", reads(page))
        size = float(word(page, "eps").input_value())
        assert len(wire.fragments) == 1
        assert max(wire.runs) <= MOST_MESSAGES
    button = page.get_by_role("button", name=re.compile("Rehearse the release"))
    expect(button).to_have_text(re.compile(rf"ε = {size:g}$"))
    # what was touched last is typed, and the other is computed
    typed(page, "eps", "0.5")
    assert reads(page).endswith("with ε = 0.5, 4 times of 5: off by at most 3 students.")
    assert "computed" in (word(page, "off").get_attribute("class") or "")
    typed(page, "off", "30")
    assert re.search(r"off by at most 30 students, .*: that takes ε = 0\.0\d+\.$", reads(page))
    assert "computed" not in (word(page, "off").get_attribute("class") or "")
    nearest_or_offered(page)
    assert not tracebacks(page).count()


@pytest.mark.thorough  # the test above counts them for one form
@pytest.mark.parametrize(
    ("link", "name", "text"),
    [
        ("?what=offers", "eps", "0.8"),
        ("?what=deciles&unit=share", "off", "2"),
        ("?what=count", "off", "30"),
        ("?what=histogram", "off", "30"),
        ("?what=curve", "off", "90"),
        ("?what=map", "off", "120"),
        ("?what=running", "off", "40"),
    ],
    ids=["offers", "quantiles", "count", "histogram", "curve", "map", "running"],
)
def test_a_word_of_any_form_takes_few_messages(
    page: Page, server: str, link: str, name: str, text: str
) -> None:
    with listening(page, server) as wire:
        opened(page, server, link)
        wire.forget()
        typed(page, name, text)
        assert len(wire.fragments) == 1
        assert wire.fragments[0]
        assert 5 < max(wire.runs) <= MOST_MESSAGES
    assert f"{name}={text}" in page.url
    assert not tracebacks(page).count()


def frontier_unfolds(page: Page) -> None:
    """Over the rail, and its dot stays."""
    ring = page.locator("svg[aria-label^='An axis of ε'] circle[data-kind=answer]")
    before = ring.bounding_box()
    with answered(page):
        page.get_by_role("button", name="Frontier", exact=True).click()
    dot = page.locator("svg[aria-label^='Off by at most'] circle[data-kind=answer]")
    expect(dot).to_be_visible()
    after, above = ring.bounding_box(), dot.bounding_box()
    assert before is not None
    assert after is not None
    assert above is not None
    assert abs(after["x"] - before["x"]) <= 1
    assert abs(after["y"] - before["y"]) <= 24
    assert abs(after["x"] + after["width"] / 2 - above["x"] - above["width"] / 2) <= 1
    assert above["y"] < after["y"] - 40


def test_the_words_by_keyboard_and_the_frontier_whose_dot_stays(page: Page, server: str) -> None:
    opened(page, server, "?what=count")
    frontier_unfolds(page)
    names: list[str] = sentence(page).evaluate(
        "root => [...root.querySelectorAll('select, input')].map(one => one.name)"
    )
    assert names == ["what", "column", "over", "about", "people", "off", "unit", "often", "eps"]
    word(page, "what").focus()
    walked = [page.evaluate(FOCUSED)]
    for _ in names[1:]:
        page.keyboard.press("Tab")
        walked.append(page.evaluate(FOCUSED))
    assert walked == names

    off = word(page, "off")
    for key, value in (("ArrowUp", 20), ("ArrowUp", 50), ("ArrowDown", 20)):
        off.focus()
        with answered(page):
            off.press(key)
        assert off.input_value() == f"{value}"
        assert f"off by at most {value} students" in reads(page)
        assert page.evaluate(FOCUSED) == "off"

    before = reads(page)
    off.fill("77")
    off.press("Escape")
    assert off.input_value() == "20"
    off.press("Tab")
    page.wait_for_timeout(300)  # as long as a number waits for the next key
    settle(page)
    assert reads(page) == before
    what = word(page, "what")
    what.focus()
    with answered(page):
        page.keyboard.press("ArrowDown")
    assert reads(page).startswith("Publish a histogram of exam marks")
    assert page.evaluate(FOCUSED) == "what"


def test_a_refused_entry_says_why_back_and_forward_restore_words_and_crossed_bounds_are_said(
    page: Page, server: str
) -> None:
    opened(page, server, "?what=histogram")
    arrived, first = time.monotonic(), reads(page)
    off, people = word(page, "off"), word(page, "people")
    for text in ("many", "-3", "0", "1e12"):
        off.fill(text)
        off.press("Enter")
        assert off.get_attribute("aria-invalid") == "true"
        assert (off.get_attribute("title") or "").startswith("Type a number from")
        assert off.input_value() == text  # to be mended
    people.fill("0.5")
    people.press("Enter")
    assert people.get_attribute("title") == "Type about how many people there are: 1 or more."
    people.press("Escape")
    off.press("Escape")
    assert off.get_attribute("aria-invalid") == "false"
    assert off.get_attribute("title") == ""
    page.wait_for_timeout(max(0, ARRIVING_MS - 1_000 * (time.monotonic() - arrived)))
    settle(page)
    assert reads(page) == first
    assert "off=" not in page.url

    typed(page, "off", "1,500")
    second = reads(page)
    assert "off by at most 1,500 students" in second
    page.wait_for_timeout(AT_ONCE_MS)
    typed(page, "low", "5")
    third = reads(page)
    assert "between 5 and 100" in third
    page.wait_for_timeout(AT_ONCE_MS)
    chosen(page, "what", "count")
    assert "have exam marks over" in reads(page)
    for expected in (third, second, first):
        with answered(page):
            page.go_back()
        assert reads(page) == expected
    with answered(page):
        page.go_forward()
    assert reads(page) == second

    typed(page, "low", "200")
    assert reads(page).rstrip(". ").endswith("the lower end lies above the upper one")
    for name in ("low", "high"):
        assert word(page, name).get_attribute("aria-invalid") == "true"
    button = page.get_by_role("button", name=re.compile("Rehearse"))
    assert button.count() == 0
    typed(page, "low", "0")
    assert word(page, "high").get_attribute("aria-invalid") == "false"
    expect(button).to_be_visible()


def nearest_or_offered(page: Page) -> None:
    """What comes nearest, or is offered, becomes the sentence."""
    chosen(page, "what", "map")
    typed(page, "off", "0.001")
    near = page.locator(".sentence_near button")
    assert "no ε up to 10 does that" in reads(page)
    asked = near.first.inner_text()
    assert re.fullmatch(r"off by at most \d+ (person|people), for ε = 10", asked)
    near.first.focus()
    with answered(page):
        page.keyboard.press("Enter")
    assert f"with ε = 10, 4 times of 5: a block of 16 × 16 cells {asked[:-12]}." in reads(page)
    expect(near).to_have_count(0)

    chosen(page, "what", "offers")  # and so does a line of what a budget buys
    with answered(page):
        page.get_by_role("button", name="make it the sentence: A count").click()
    assert re.search(r"with ε = 10, 4 times of 5: off by at most \d+ ", reads(page))


def fits_a_phone(page: Page) -> None:
    """All words of the sentence stand on the screen."""
    boxes = (
        sentence(page)
        .locator("select, input, .tied, output")
        .evaluate_all(
            "all => all.filter(one => !one.hidden).map(one => one.getBoundingClientRect())"
            ".map(box => [box.left, box.right])"
        )
    )
    assert len(boxes) > 10
    assert min(left for left, _ in boxes) >= 0
    assert max(right for _, right in boxes) <= 390
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def is_readable(page: Page) -> None:
    """Words stand out from the paper and have names for who does not see them."""
    marked = sentence(page).locator("select, input, output")
    ratios = [one.evaluate(LUMINANCE) for one in marked.all()]
    assert len(ratios) >= 10
    assert min(ratios) >= 4.5
    assert sentence(page).evaluate(LUMINANCE) >= 7
    labels = (
        sentence(page)
        .locator("select, input")
        .evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    )
    assert len(labels) == len(set(labels))
    assert all(labels)
    spoken = sentence(page).locator("output .spoken").inner_text()
    assert re.fullmatch(r"(about )?ε = [\d.]+", spoken)
    assert sentence(page).locator("output").get_attribute("aria-live") == "polite"


@pytest.mark.thorough
def test_a_phone_shows_a_whole_sentence_about_a_map(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, server, "?what=map")
    fits_a_phone(page)


def test_a_dark_phone_shows_the_whole_sentence_and_has_rail_and_tank_under_more(
    page: Page, server: str
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme="dark")
    opened(page, server)
    fits_a_phone(page)
    is_readable(page)
    rail = page.locator("svg[aria-label^='An axis of ε']")
    tank = page.locator("svg[aria-label^='A rehearsal takes']")
    assert rail.count() == tank.count() == 0
    with answered(page):
        page.get_by_role("button", name="More").click()
    for one in (rail, tank):
        expect(one).to_be_visible()
        box = one.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
    button = page.get_by_role("button", name=re.compile("Rehearse the release"))
    box = button.bounding_box()
    assert box is not None
    assert box["width"] > 200
    assert box["y"] + box["height"] <= 844


def pay_file() -> dict[str, object]:
    pay = np.random.default_rng(34).lognormal(10.7, 0.5, 5_000).round(-2).clip(0, 250_000)
    text = "pay\n" + "\n".join(f"{one:g}" for one in pay)
    return {"name": "payroll.csv", "mimeType": "text/csv", "buffer": text.encode()}


def test_a_file_from_its_upload_to_its_release(page: Page, server: str) -> None:
    visit(page, f"{server}/data")
    page.evaluate(COUNTS)
    button = page.get_by_role("button", name=FILE_BUTTON)
    with over(page, button), answered(page):
        with page.expect_file_chooser() as chooser:
            page.get_by_test_id("stFileUploaderDropzone").locator("button").click()
        chooser.value.set_files(pay_file())
        page.get_by_test_id("stMain").locator("strong", has_text="payroll.csv").first.wait_for()
    go_to(page, "Decide")
    sentence(page).wait_for()
    settle(page)
    assert "of pay, between – and –, of about – people" in reads(page)
    assert "two bounds and a number of people are missing" in reads(page)
    assert page.get_by_role("button", name=re.compile("Release, once")).count() == 0

    with answered(page):
        page.locator(".sentence.small [name=kind]").select_option("money")
    assert "between 0 and 250,000" in reads(page)
    typed(page, "high", "200000")
    typed(page, "low", "1000")
    typed(page, "people", "5000")
    button = page.get_by_role("button", name=re.compile("Release, once"))
    answer = sentence(page).locator("output > span").first
    expect(answer).to_have_text("ε =", timeout=CHECK_MS)  # no longer "about"
    settle(page)
    expect(button).to_be_enabled()
    size = float(word(page, "eps").input_value())
    assert 0.2 < size < 0.8
    expect(button).to_have_text(re.compile(rf"Release, once, ε = {size:g}$"))
    spent = page.get_by_role("button", name=re.compile("Spent"))
    assert "Spent nothing" in spent.inner_text()
    # from the first click on Data to the right budget
    assert page.evaluate("() => window.counted") == {"clicks": 4, "typed": 3}
    for text in ("payroll", "pay", "5000", "200000"):
        assert text not in page.url.rsplit("/", 1)[-1].replace("decide", "")

    with answered(page):
        button.click()
    expect(page.get_by_role("button", name="Ask for something else")).to_be_visible()
    assert f"Spent ε = {size:g}" in spent.inner_text()
    for width, height in ((1440, 900), (1280, 720)):  # where six files stand on the dock, too
        page.set_viewport_size({"width": width, "height": height})
        settle(page)
        assert not spent.evaluate(COVERED)
        assert not page.locator(".st-key-decide_JSON button").evaluate(COVERED)
    assert reads(page).startswith("Published, once: nine deciles of pay")
    assert reads(page).endswith(f"ε = {size:g} is spent.")
    assert sentence(page).locator("select, input").count() == 0
    release = json.loads(download(page, "JSON"))
    assert release["spent"]["epsilon"] == size
    assert len(release["values"]) == 9
    card = download(page, "Decision card")
    assert f"ε = {size:g}" in card
    assert "pay" in card
    assert not tracebacks(page).count()
