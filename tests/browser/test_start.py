"""Start in a real browser: what is drawn, what moves, and that one page follows the other."""

import math
import re
import time

import pytest
from playwright.sync_api import Page, WebSocket, expect

from dpviz.lessons.start import numbers
from tests.browser.first_screen import Window
from tests.browser.steps import answered, errors, followed, heard, settle, tracebacks, visit

DOTS = '.picture [data-mark="dots"] circle'
SLIDER = '[data-control="epsilon"]'
COUNT = '.picture [data-mark="count"] text'
SIZES = ((1024, 768), (1280, 720), (1920, 1080))
PLAYED = 8  # seconds from the first dot to the last, with room


def start(page: Page, server: str, link: str = "") -> None:
    visit(page, f"{server}/{link}")
    page.wait_for_selector('.picture [data-mark="answers"] text')


def sentence(page: Page) -> str:
    return page.locator(".st-key-start_sentence p").inner_text().replace("\N{NO-BREAK SPACE}", " ")


COLUMNS = """
() => {
  const all = [...document.querySelectorAll('*')];
  const root = all.find((one) => one.shadowRoot?.querySelector('.picture')).shadowRoot;
  const ticks = [...root.querySelectorAll('[data-mark=answers] text')];
  const at = (text) => +ticks.find((one) => one.textContent === text).getAttribute('x');
  const [low, high] = [at('855'), at('875')];
  return [...root.querySelectorAll('[data-mark=dots] circle')]
    .map((dot) => Math.round(855 + 20 * (+dot.getAttribute('cx') - low) / (high - low)));
}
"""
PALE = """
canvas => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data
  .reduce((most, value, i, all) =>
    i % 4 < 3 && all[i - i % 4 + 3] > 250 ? Math.max(most, value) : most, 0)
"""


def columns(page: Page) -> list[int]:
    """The answers that the dots stand on, by the axis beside them."""
    found: list[int] = page.evaluate(COLUMNS)
    return found


def test_thirty_answers_fall_and_stand_where_python_says(moving: Page, server: str) -> None:
    page = moving
    start(page, server)
    page.get_by_role("button", name="Play 30 draws").click()
    page.locator(DOTS).first.wait_for(state="attached")
    assert 0 < page.locator(DOTS).count() < numbers.DRAWS  # some have not left yet
    until = time.monotonic() + PLAYED
    while columns(page) != numbers.answers(1.0, True, 1, 1, 865):
        assert time.monotonic() < until
        page.wait_for_timeout(100)
    assert errors(page) == []


def test_ida_epsilon_and_a_door_by_keyboard_move_the_picture_the_headline_and_the_link(
    page: Page, server: str
) -> None:
    start(page, server)
    expect(page.locator(DOTS)).to_have_count(numbers.DRAWS, timeout=600)  # motion is reduced
    before = columns(page)
    page.wait_for_timeout(300)
    assert columns(page) == before == numbers.answers(1.0, True, 1, 0, 865)

    ida = page.get_by_role("switch", name="Ida is in the data")
    ida.focus()
    for there in (False, True):
        with answered(page):
            page.keyboard.press("Space")
        expect(ida).to_have_attribute("aria-checked", str(there).lower())
        expect(page.locator(COUNT)).to_have_text(f"{864 + there}")
        assert f"the true {864 + there}." in sentence(page)
        assert columns(page) == numbers.answers(1.0, there, 1, 0, 865)

    slider = page.locator(SLIDER)
    slider.focus()
    assert slider.get_attribute("aria-valuetext") == "1 moderate"
    for key, epsilon, heading, said in (
        ("ArrowRight", 2.0, "Hint at anyone.", "±1"),
        ("End", 10.0, "Reveal anyone.", "Nearly every answer"),
        ("Home", 0.1, "Reveal no one.", "±30"),
    ):
        with answered(page):
            page.keyboard.press(key)
        expect(page.locator("h1")).to_have_text(f"Learn about everyone. {heading}")
        assert said in sentence(page)
        assert columns(page) == numbers.answers(epsilon, True, 1, 0, 865)
        assert f"eps={epsilon:g}" in page.url
        assert slider.evaluate("one => one.getRootNode().activeElement === one")
        assert f"ε = {epsilon:g}," in page.locator(".picture svg").get_attribute("aria-label")

    goes_dark(page)
    with answered(page):
        page.get_by_role("link", name="Teach").focus()
        page.keyboard.press("Enter")
        page.wait_for_url("**/learn**")
    assert "eps=0.1" in page.url  # the visit goes along


def goes_dark(page: Page) -> None:
    """The picture's ink follows a switch of the theme."""
    dot = page.locator(DOTS).first
    assert dot.get_attribute("fill") == "#0072B2"
    before = page.locator(".picture canvas").evaluate(PALE)
    page.emulate_media(color_scheme="dark")
    expect(dot).to_have_attribute("fill", "#56B4E9")
    followed(page)
    assert page.locator(".picture canvas").evaluate(PALE) > before + 50  # ink turned pale


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("link", "sizes"), [("", SIZES[:1]), ("", SIZES[1:]), ("?truth=false", SIZES)]
)
def test_nothing_scrolls_and_nothing_is_asked_of_the_outside(
    window: Window, page: Page, server: str, link: str, sizes: tuple[tuple[int, int], ...]
) -> None:
    start(page, server, link)
    main = page.get_by_test_id("stMain")
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        followed(page)
        assert main.evaluate("one => one.scrollHeight - one.clientHeight") <= 0
        assert main.evaluate("one => one.scrollWidth - one.clientWidth") <= 0
        for part in ("h1", ".picture", ".controls", ".st-key-start_sentence", "nav"):
            box = page.locator(part).first.bounding_box()
            assert box
            assert box["y"] + box["height"] <= height
    assert window.outside == []
    page.set_viewport_size({"width": 390, "height": 844})
    followed(page)
    barrier = page.locator('.picture [data-mark="barrier"]').bounding_box()
    assert barrier
    assert barrier["width"] > 5 * barrier["height"]  # it lies


@pytest.mark.thorough  # the test above goes through one
@pytest.mark.parametrize(
    ("door", "address", "by_key"),
    [("Teach", "learn", True), ("Try", "quantiles", True), ("Show", "decide", False)],
)
def test_the_doors_are_links_that_stay_within_the_visit(
    page: Page, server: str, door: str, address: str, by_key: bool
) -> None:
    start(page, server)
    page.locator(SLIDER).focus()
    with answered(page):
        page.keyboard.press("ArrowRight")
    link = page.get_by_role("link", name=door)
    assert link.get_attribute("href") == address
    with answered(page):
        if by_key:
            link.focus()
            page.keyboard.press("Enter")
        else:
            link.click()
        page.wait_for_url(f"**/{address}**")
    assert "eps=2" in page.url  # the visit goes along
    assert tracebacks(page).count() == 0


def test_with_the_truth_off_one_answer_is_left_until_it_is_revealed(
    page: Page, server: str
) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    start(page, server, "?truth=false&eps=0.1")
    assert page.get_by_test_id("stMain").evaluate("one => one.scrollHeight - one.clientHeight") <= 0
    answer = 865 + int(numbers.noise(0.1, 1, 0)[0])
    assert answer != 865
    assert sentence(page).startswith(f"The answer is {answer}, within ±30 of the truth")
    text = page.get_by_test_id("stMain").inner_text() + page.locator(".stage").inner_text()
    assert "865" not in text
    assert page.locator('.picture [data-mark="heap"]').count() == 0
    assert page.locator(".opener").count() == 0  # which tells how many others there are
    with answered(page):
        page.get_by_role("button", name="Reveal (teaching only)").click()
    expect(page.locator(COUNT)).to_have_text("865")
    assert "truth" not in page.url


def test_a_number_of_ones_own_stays_in_the_browser(page, server):
    sent = list[str | bytes]()

    def listen(line: WebSocket) -> None:
        line.on("framesent", lambda one: sent.extend([one]))

    with heard(page, "websocket", listen):
        proves_and_guesses(page, server, sent)


def proves_and_guesses(page: Page, server: str, sent: list[str | bytes]) -> None:
    """Somebody publishes answers with and without an own number, and a friend opens the link."""
    start(page, server)
    page.locator(".opener").click()
    page.locator(".prove input").first.fill("123456")
    page.keyboard.press("Enter")
    said = page.locator(".prove .said")
    expect(said).to_contain_text("865 earn over 100,000 with you, 864 without you")
    page.get_by_role("button", name="I am out").click()
    page.get_by_role("button", name="Publish 5 answers").click()
    link = page.locator(".prove .link input").input_value()
    expect(page.locator(".prove .link")).to_contain_text("right at most 63 times in 100")
    assert re.fullmatch(rf"{re.escape(server)}/#prove=0\.1:-?\d+(,-?\d+){{4}}", link)
    settle(page)
    assert sent
    words = [one.encode() if isinstance(one, str) else one for one in sent]
    assert not any(b"123456" in one or b"prove" in one for one in words)

    sent.clear()
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator("dialog[open] .said")).to_contain_text("Without them 864 do. Are they in?")
    page.get_by_role("button", name="They are in").click()
    answers = [int(one) for one in link.split(":")[-1].split(",")]
    log = sum(abs(one - 864) - abs(one - 865) for one in answers) / 10
    told = page.locator("dialog .guess .said")
    if log:
        towards = "with them than without" if log > 0 else "without them than with"
        times = float(f"{math.exp(abs(log)):.2f}")
        expect(told).to_contain_text(f"{times:g} times as likely {towards}; more than 1.65 times")
    expect(told).to_contain_text("nobody is right more than 63 times in 100")
    page.get_by_role("button", name="They say: out").click()
    expect(page.locator("dialog .guess")).to_contain_text("wrong at least 37 times in 100")
    settle(page)
    assert sent
    later = [one.encode() if isinstance(one, str) else one for one in sent]
    assert not any(link.split(":")[-1].encode() in one for one in later)
