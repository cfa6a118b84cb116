"""Learn in a real browser: every scene on every screen, a story by keyboard, no run a frame."""

import re
import time
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from dpviz.lessons.stories.listing import BY_KEY, STORIES
from dpviz.lessons.stories.telling import SURE
from dpviz.lessons.teach.trees.why_tree import says
from tests.browser.first_screen import LONGEST, LOW, PHONE, WIDE, Window
from tests.browser.steps import TRAFFIC, answer, answered, followed, link, settle, tracebacks, visit
from tests.scenes import link_of

SCENES = [(story.key, scene.number) for story in STORIES for scene in story.scenes]
CHOSEN = [  # whose answers are chosen, neither drawn nor opened
    (story, number)
    for story, number in SCENES
    for scene in [BY_KEY[story].scenes[number - 1]]
    if scene.options and scene.drawing is None
]
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
PICTURE = """() => {
  const host = [...document.querySelectorAll('*')].find(
    one => one.shadowRoot?.querySelector('.stage'));
  const svg = host.shadowRoot.querySelector('.picture svg');
  return {height: Math.round(svg.getBoundingClientRect().height), drawn: svg.innerHTML};
}"""
DRAWN = """() => [...document.querySelectorAll('*')].some(
  one => one.shadowRoot?.querySelector('.stage .picture svg g'))"""

# how many parts the tanks have, whenever that changes: looked at in the page, frame by frame
TANKS_SEEN = """() => {
  window.tanksSeen = [];
  const look = now => {
    const stage = [...document.querySelectorAll('*')].map(one => one.shadowRoot)
      .find(one => one?.querySelector('.stage'));
    const tanks = stage?.querySelectorAll('[data-mark=tank] *').length ?? 0;
    const last = window.tanksSeen.at(-1);
    if (tanks && tanks !== last?.tanks) window.tanksSeen.push({tanks, now});
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""
RUNS = "window.tanksSeen.length > 5"
STILL = "window.tanksSeen.length > 1 && performance.now() - window.tanksSeen.at(-1).now > 1500"


def heading(page: Page) -> str:
    return page.locator("h1").inner_text().replace("\xa0", " ")


def plain(text: str) -> str:
    """A sentence as it is read on screen."""
    for mark in (":blue[", ":orange[", "]", "**", "\\"):
        text = text.replace(mark, "")
    return text.replace("\xa0", " ")


def revealed(story: str, number: int, window: Window, sizes: tuple[Any, ...], link: str) -> str:
    """Open a scene answered wrongly and read it in windows of these sizes; its headline."""
    scene, page = BY_KEY[story].scenes[number - 1], window.page
    wrong = next((one.key for one in scene.options if not one.right), "skip")
    window.open(f"/learn?story={story}&scene={number}&guess={wrong}{link}", sizes[0])
    expected = plain(scene.say(scene.numbers(scene.control.revealed, 1)).headline)
    assert heading(page) == expected
    faults: dict[Any, list[str]] = {}
    page.wait_for_function(DRAWN)
    for size in sizes:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        until = time.monotonic() + LONGEST
        while True:  # the picture plays its change to another window
            followed(page)
            faults[size] = page.evaluate(FAULTS)
            if not faults[size] or time.monotonic() > until:
                break
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert {size: found for size, found in faults.items() if found} == {}
    return expected


@pytest.mark.thorough  # first_screen.py reveals one, test_site.py looks at the words of all
@pytest.mark.parametrize(("story", "number"), SCENES, ids=IDS)
def test_a_scene_reveals_the_scripts_numbers(story: str, number: int, window: Window) -> None:
    revealed(story, number, window, (WIDE, PHONE), "")
    assert tracebacks(window.page).count() == 0
    assert window.outside == []


@pytest.mark.parametrize(
    ("story", "number"),
    [CHOSEN[0], *(pytest.param(*one, marks=pytest.mark.thorough) for one in CHOSEN[1:])],
)
def test_all_answers_stand_on_a_phones_first_screen_above_the_picture(
    story: str, number: int, window: Window
) -> None:
    window.open(f"/learn?story={story}&scene={number}", PHONE)
    page, scene = window.page, BY_KEY[story].scenes[number - 1]
    page.wait_for_function(DRAWN)
    settle(page)
    asked = page.get_by_text(scene.question.split(".")[0]).last.bounding_box()
    answers = [
        page.get_by_role("button", name=f"{option.text} {place}").bounding_box()
        for place, option in enumerate(scene.shuffled(), 1)
    ]
    picture = page.locator(".picture").bounding_box()
    places = [asked, *answers, picture]
    assert all(one is not None for one in places)
    tops = [one["y"] for one in places if one is not None]
    assert tops == sorted(tops)
    last = answers[-1]
    assert last is not None
    assert last["y"] + last["height"] <= PHONE[1]


@pytest.mark.thorough
@pytest.mark.parametrize(("story", "number"), SCENES, ids=IDS)
def test_a_scene_is_presented_and_read_in_the_dark(story: str, number: int, window: Window) -> None:
    expected = revealed(story, number, window, (LOW, PHONE), "&present=1")
    window.page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    window.page.emulate_media(color_scheme="dark")
    followed(window.page)
    assert heading(window.page) == expected
    assert tracebacks(window.page).count() == 0
    assert window.outside == []


@pytest.mark.thorough  # test_lecture.py has the keys, tests/pages/test_learn.py what follows what
@pytest.mark.parametrize(
    "scenes",
    [
        pytest.param(BY_KEY["teach"].scenes[-1:], id="the last"),
        pytest.param(BY_KEY["teach"].scenes, id="all"),
    ],
)
def test_teach_is_walked_by_keyboard_alone(
    scenes: tuple[Any, ...], page: Page, server: str
) -> None:
    visit(page, f"{server}/learn?story=teach&scene={scenes[0].number}&present=1")
    page.set_viewport_size({"width": 1280, "height": 720})
    settle(page)
    for scene in scenes:
        assert link(page)["scene"] == str(scene.number)
        asked = plain(scene.ask(scene.numbers(scene.control.start, 1)).headline)
        expect(page.locator("h1")).to_have_text(asked)
        key = " " if scene.number % 2 or (scene.story, scene.number) not in CHOSEN else "2"
        with answered(page):
            page.keyboard.press(key)
        assert heading(page) != asked
        assert link(page)["guess"] == ("skip" if key == " " else scene.shuffled()[1].key)
        assert tracebacks(page).count() == 0
        for _ in range(1 if scene.second is None else 2):
            with answered(page):
                page.keyboard.press("ArrowRight")
    expect(page.locator("h1")).to_contain_text("Three stories")
    page.go_back()
    settle(page)


def test_an_answer_and_a_slider_run_the_script_once_a_step_and_never_a_frame(
    moving: Page, server: str
) -> None:
    page = moving
    visit(page, f"{server}/learn?{link_of('same_noise')}")
    page.wait_for_function(DRAWN)
    before = TRAFFIC[page].asked
    with answered(page):
        answer(page, page.get_by_role("button", name="the same, within 3").click)
    page.wait_for_timeout(800)  # in which the answer plays
    assert TRAFFIC[page].asked == before + 1
    slider = page.get_by_role("slider").first
    slider.focus()
    at = link(page).get("eps")
    with answered(page):
        page.keyboard.press("ArrowLeft")
    page.wait_for_timeout(400)
    assert TRAFFIC[page].asked == before + 2
    assert link(page)["eps"] != at
    assert link(page)["eps"] in page.get_by_role("slider").first.get_attribute("aria-valuetext")


@pytest.mark.parametrize(
    "until",
    [pytest.param(RUNS, id="on"), pytest.param(STILL, marks=pytest.mark.thorough, id="out")],
)
def test_time_runs_in_a_picture(moving: Page, server: str, until: str) -> None:
    """The tanks of the scene about it are overdrawn one after the other; in print they all are."""
    page = moving
    visit(page, f"{server}/learn?{link_of('tank')}")
    page.wait_for_function(DRAWN)
    page.evaluate(TANKS_SEEN)
    page.keyboard.press(" ")
    page.wait_for_function(f"() => {until}", timeout=15_000)
    counts = page.evaluate("() => window.tanksSeen.map(one => one.tanks)")
    assert counts == sorted(counts)
    assert len(counts) > 5  # each of them another number, and the first as asked


def test_a_revealed_picture_moves_while_presenting_though_it_grows(
    moving: Page, server: str
) -> None:
    page = moving
    visit(page, f"{server}/learn?{link_of('two_worlds')}&present=1")
    page.wait_for_selector(".stage .picture svg g", state="attached")
    page.wait_for_timeout(500)
    asked, high = heading(page), page.evaluate(PICTURE)["height"]
    page.keyboard.press(" ")
    while heading(page) == asked:
        pass
    until, seen = time.monotonic() + 1, set()
    while time.monotonic() < until:
        seen.add(page.evaluate(PICTURE)["drawn"])
    assert page.evaluate(PICTURE)["height"] != high
    assert len(seen) > 5  # else it jumped to its end when the question left room


def test_a_bound_is_typed_and_nonsense_is_refused_in_words(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(page, f"{server}/learn?{link_of('declared_bounds')}&guess=c&present=1")
    page.wait_for_function(DRAWN)
    field = page.get_by_label("Upper bound")
    assert field.input_value() == "500,000"
    assert page.evaluate("document.documentElement.scrollHeight") <= 720
    next_button = page.get_by_role("button", name="→").bounding_box()
    assert next_button is not None
    assert next_button["y"] + next_button["height"] <= 720
    before = TRAFFIC[page].asked
    for nonsense in ("", "many", "-5", "1e300", "NaN"):
        field.fill(nonsense)
        field.blur()
        expect(page.get_by_text("Type a number from 0.01 to 1,000,000,000,000.")).to_be_visible()
    assert TRAFFIC[page].asked == before
    field.fill("1,234,567")
    with answered(page):
        field.press("Enter")
    assert link(page)["at"] == "1234567"
    assert "1,234,567" in heading(page)
    assert field.input_value() == "1,234,567"
    expect(page.get_by_text("Type a number")).to_have_count(0)


def test_a_crowd_on_a_card_is_seen(page: Page, server: str) -> None:
    """Large crowds lie on the canvas below all boxes, but for one that stands on a box."""
    visit(page, f"{server}/learn?{link_of('decision')}&guess=b")
    page.wait_for_function(DRAWN)
    assert page.evaluate(
        """() => [...document.querySelectorAll('*')].map(one => one.shadowRoot)
          .find(one => one?.querySelector('.stage'))
          .querySelectorAll('[data-mark=group] path').length"""
    )


def test_a_reader_alone_is_asked_whether_they_are_sure(server: str, page: Page) -> None:
    scene = BY_KEY["teach"].scenes[0]
    visit(page, f"{server}/learn?{link_of(scene.name)}")
    page.wait_for_function(DRAWN)
    before, first, second = TRAFFIC[page].asked, *scene.shuffled()[:2]
    buttons = [page.get_by_role("button", name=one.text) for one in (first, second)]
    at = buttons[0].bounding_box()
    buttons[0].click()
    expect(page.get_by_role("status").get_by_text(SURE)).to_be_visible()
    expect(buttons[0]).to_have_attribute("aria-pressed", "true")
    expect(buttons[1]).to_have_attribute("aria-pressed", "false")
    assert buttons[0].bounding_box() == at  # what was chosen does not move from under the finger
    page.wait_for_timeout(500)
    assert TRAFFIC[page].asked == before  # the page hears of the second choice alone
    with answered(page):
        page.keyboard.press("2")
    assert link(page)["guess"] == second.key
    expect(page.get_by_text(SURE)).to_have_count(0)
    # where motion is reduced the picture is at its end at once
    page.wait_for_function(
        """() => [...document.querySelectorAll('*')].some(one =>
          one.shadowRoot?.querySelector('.picture svg')?.textContent.includes('61,300'))""",
        timeout=1_500,
    )


def test_an_edge_is_dragged_and_moved_by_keys(server: str, page: Page) -> None:
    scene = BY_KEY["teach"].scenes[9]
    visit(page, f"{server}/learn?{link_of(scene.name)}&guess=skip")
    page.wait_for_function(DRAWN)
    before, edge = TRAFFIC[page].asked, page.get_by_role("slider", name="The edge, in years")
    box = edge.bounding_box()
    picture = page.locator(".picture > svg")
    assert box is not None

    def stands_at(value: int) -> None:
        told = scene.dragged.numbers(32, 1, value)
        expect(edge).to_have_attribute("aria-valuetext", says(told, told.published))
        expect(picture).to_have_attribute("aria-label", re.compile(f"Under {value} years"))

    stands_at(44)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 + 120, box["y"], steps=4)
    page.mouse.up()
    value = int(edge.get_attribute("aria-valuenow") or 0)
    assert value > 52
    stands_at(value)
    for key, to in (("ArrowRight", value + 4), ("ArrowLeft", value), ("Home", 8), ("End", 96)):
        page.keyboard.press(key)
        stands_at(to)
    assert TRAFFIC[page].asked == before
    assert link(page)["scene"] == str(scene.number)  # the arrows were the edge's


@pytest.mark.thorough  # test_site.py taps them, with the same script
def test_rows_of_a_label_are_tapped(server: str, page: Page) -> None:
    visit(page, f"{server}/learn?{link_of('promised')}&guess=skip&beat=2")
    page.wait_for_function(DRAWN)
    rows = page.locator(".tap")
    for row, stop, blank in ((3, "delta", 5), (0, "epsilon-delta", 4), (3, "epsilon", 5)):
        with answered(page):
            rows.nth(row).click()
        assert link(page)["at"] == stop
        assert f"{blank} of 6 still blank" in heading(page)
    expect(page.get_by_role("button", name="δ: blank")).to_have_attribute("aria-pressed", "false")
    with answered(page):
        rows.nth(1).press("Enter")
    expect(page.get_by_role("button", name="one person, replaced")).to_be_visible()


def test_a_guess_is_drawn_by_keys_locked_and_judged(server: str, page: Page) -> None:
    visit(page, f"{server}/learn?{link_of('tank')}")
    lock = page.locator("[data-control=lock]")
    expect(lock).to_be_disabled()
    page.locator(".grip").focus()
    for key in ("ArrowUp", "ArrowDown", "ArrowDown"):  # into the middle, and two steps down
        page.keyboard.press(key)
    value = float(f"{0.05 * 500**0.5:.2g}")
    for _ in range(2):
        value = float(f"{value / 500 ** (1 / 24):.2g}")
    expect(page.locator(".draw input")).to_have_value(f"{value:g}")
    lock.click()
    said = f"You: {value:g}. Law: 1.1. One and a half times too little."
    expect(page.locator(".gap")).to_have_text(said)
    assert "guess" not in link(page)
    lock.click()
    expect(page.get_by_text(said).first).to_be_visible()
    settle(page)
    assert link(page)["guess"] == f"v:{value:g}"
