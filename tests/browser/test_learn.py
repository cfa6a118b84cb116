"""Learn in a real browser: every scene on every screen, a story by keyboard, no run a frame."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from dpviz.lessons.stories.listing import BY_KEY, STORIES
from tests.browser.first_screen import LOW, PHONE, WIDE, Window
from tests.browser.steps import TRAFFIC, answered, settle, tracebacks, visit

SCENES = [(story.key, scene.number) for story in STORIES for scene in story.scenes]
IDS = [f"{story} {number}" for story, number in SCENES]
# words of the picture as they are drawn: outside it, or one over another
FAULTS = """
() => {
  const host = [...document.querySelectorAll('*')].find(
    one => one.shadowRoot?.querySelector('.stage'));
  const svg = host.shadowRoot.querySelector('.picture svg');
  const box = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll('text')].filter(
    one => one.textContent.trim() && Number(getComputedStyle(one).opacity) > .05);
  const rects = texts.map(one => one.getBoundingClientRect());
  const said = [];
  texts.forEach((one, i) => {
    const mine = rects[i];
    if (mine.left < box.left - 2 || mine.right > Math.min(box.right + 2, innerWidth)
        || mine.top < box.top - 6 || mine.bottom > box.bottom + 6)
      said.push(`outside: ${one.textContent}`);
    for (let j = 0; j < i; j++) {
      const other = rects[j];
      const wide = Math.min(mine.right, other.right) - Math.max(mine.left, other.left);
      const high = Math.min(mine.bottom, other.bottom) - Math.max(mine.top, other.top);
      // lines of one paragraph touch: their boxes are higher than their letters
      if (wide > 3 && high > .4 * Math.min(mine.height, other.height))
        said.push(`${texts[j].textContent} | ${one.textContent}`);
    }
  });
  const controls = host.shadowRoot.querySelector('.controls');
  for (const one of controls.querySelectorAll('button')) {
    const mine = one.getBoundingClientRect();
    if (mine.left < -1 || mine.right > innerWidth + 1) said.push(`cut off: ${one.textContent}`);
  }
  return said;
}
"""
DRAWN = """() => [...document.querySelectorAll('*')].some(
  one => one.shadowRoot?.querySelector('.stage .picture svg g'))"""


def heading(page: Page) -> str:
    return page.locator("h1").inner_text()


def plain(text: str) -> str:
    """A sentence as it is read on screen."""
    for mark in (":blue[", ":orange[", "]", "**", "\\"):
        text = text.replace(mark, "")
    return text


def link(page: Page) -> dict[str, str]:
    return {key: one[0] for key, one in parse_qs(urlsplit(page.url).query).items()}


@pytest.mark.parametrize(("story", "number"), SCENES, ids=IDS)
def test_a_scene_reveals_the_scripts_numbers_on_every_screen(
    story: str, number: int, window: Window
) -> None:
    scene = BY_KEY[story].scenes[number - 1]
    page = window.page
    wrong = next(one for one in scene.options if not one.right)
    window.open(f"/learn?story={story}&scene={number}&guess={wrong.key}&present=1", LOW)
    expected = plain(scene.say(scene.numbers(scene.control.revealed, 1)).headline)
    assert heading(page) == expected
    faults: dict[Any, list[str]] = {}
    page.wait_for_function(DRAWN)
    for size in (LOW, PHONE):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.wait_for_timeout(500)
        settle(page)
        faults[size] = page.evaluate(FAULTS)
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    window.open(f"/learn?story={story}&scene={number}&guess={wrong.key}", WIDE)
    page.wait_for_function(DRAWN)
    faults[WIDE] = page.evaluate(FAULTS)
    assert {size: found for size, found in faults.items() if found} == {}
    page.emulate_media(color_scheme="dark")
    window.page.wait_for_timeout(400)
    settle(page)
    assert heading(page) == expected
    assert tracebacks(page).count() == 0
    assert window.outside == []


def test_teach_is_walked_by_keyboard_alone(page: Page, server: str) -> None:
    page.emulate_media(reduced_motion="reduce")  # a key ends a motion first
    visit(page, f"{server}/learn?story=teach&scene=1&present=1")
    page.set_viewport_size({"width": 1280, "height": 720})
    settle(page)
    for scene in BY_KEY["teach"].scenes:
        assert link(page)["scene"] == str(scene.number)
        asked = plain(scene.ask(scene.numbers(scene.control.start, 1)).headline)
        expect(page.locator("h1")).to_have_text(asked)
        key = " " if scene.number % 2 else "2"
        with answered(page):
            page.keyboard.press(key)
        assert heading(page) != asked
        assert link(page)["guess"] == ("skip" if key == " " else "b")
        assert tracebacks(page).count() == 0
        for _ in range(1 if scene.second is None else 2):
            with answered(page):
                page.keyboard.press("ArrowRight")
    expect(page.locator("h1")).to_contain_text("Three stories")
    page.go_back()
    settle(page)


def test_a_slider_runs_the_script_once_a_step_and_never_a_frame(page: Page, server: str) -> None:
    visit(page, f"{server}/learn?story=teach&scene=3&guess=b")
    page.wait_for_function(DRAWN)
    page.wait_for_timeout(1_000)
    before = TRAFFIC[page].asked
    slider = page.get_by_role("slider").first
    slider.focus()
    for _ in range(3):
        with answered(page):
            page.keyboard.press("ArrowLeft")
        page.wait_for_timeout(700)
    assert TRAFFIC[page].asked == before + 3
    assert link(page)["eps"] == "0.1"
    assert "0.1" in page.get_by_role("slider").first.get_attribute("aria-valuetext")


def test_time_runs_in_a_picture_and_ends_where_python_says(page: Page, server: str) -> None:
    """The tanks of scene 5 are overdrawn one after the other; in print they all are."""
    shown = """() => [...document.querySelectorAll('*')].map(one => one.shadowRoot)
      .find(one => one?.querySelector('.stage'))
      ?.querySelectorAll('[data-mark=tank] *').length ?? 0"""
    visit(page, f"{server}/learn?story=teach&scene=5")
    page.wait_for_function(DRAWN)
    before = page.evaluate(shown)
    page.keyboard.press("1")
    page.wait_for_function(f"({shown})() > {before}", timeout=4_000)
    counts = [page.evaluate(shown) for _ in range(25) if page.wait_for_timeout(120) is None]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]
    assert len(set(counts)) > 4


def test_an_answer_plays_in_the_browser_alone(page: Page, server: str) -> None:
    visit(page, f"{server}/learn?story=teach&scene=3")
    page.wait_for_function(DRAWN)
    before = TRAFFIC[page].asked
    with answered(page):
        page.get_by_role("button", name="the same, within 3").click()
    page.wait_for_timeout(4_000)
    assert TRAFFIC[page].asked == before + 1


def test_a_full_page_is_opened_and_back_returns_to_the_scene(page: Page, server: str) -> None:
    visit(page, f"{server}/learn?story=teach&scene=3&guess=b&eps=0.5")
    before = heading(page)
    with answered(page):
        page.get_by_role("button", name="Open in full page").click()
    page.wait_for_function("() => !location.pathname.endsWith('/learn')")
    settle(page)
    assert tracebacks(page).count() == 0
    with answered(page):
        page.go_back()
    page.wait_for_function("() => location.pathname.endsWith('/learn')")
    settle(page)
    assert heading(page) == before


def test_reduced_motion_shows_the_final_state(page: Page, server: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    visit(page, f"{server}/learn?story=teach&scene=1")
    page.wait_for_function(DRAWN)
    with answered(page):
        page.keyboard.press("1")
    page.wait_for_function(
        """() => [...document.querySelectorAll('*')].some(one =>
          one.shadowRoot?.querySelector('.picture svg')?.textContent.includes('61,300'))""",
        timeout=1_500,
    )
