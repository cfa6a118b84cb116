"""The static edition in a real browser, from disk: every state, and what a frame's host is told."""

import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from dpviz.answers.said import unmarked
from dpviz.figures.stage.screen import DESK
from dpviz.lessons.scene import Scene
from dpviz.lessons.staged import named
from dpviz.lessons.stories import telling
from dpviz.lessons.stories.embedding import file_of, lines
from dpviz.lessons.stories.inventory import ITEMS
from dpviz.lessons.stories.listing import BY_KEY, STORIES
from dpviz.lessons.stories.listing import scene as named_scene
from dpviz.lessons.stories.quiz import QUESTIONS
from dpviz.site import build, decide_page
from dpviz.site.gallery import ROWS, drawn, said
from dpviz.site.scenes import beats_of, course, page_of, places
from tests.browser.conftest import context_of, fox_of
from tests.browser.first_screen import AXE
from tests.conftest import ROOT
from tests.scenes import link_of, place_of

DESKTOP, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
SAID = """() => [
    document.querySelector("h1").textContent,
    document.querySelector(".second").textContent,
    document.querySelector(".picture > svg").getAttribute("aria-label"),
]"""
STEP = """async (state) => {
    if (location.hash === `#${state}`) return;
    const moved = new Promise((done) => addEventListener("hashchange", done, { once: true }));
    location.hash = state;
    await moved;
}"""


@pytest.fixture(scope="module")
def site(site_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site, to which tests add pages of their own."""
    return Path(shutil.copytree(site_folder, tmp_path_factory.mktemp("own") / "site"))


@pytest.fixture(scope="module", params=["browser", "firefox"])
def tab(request: pytest.FixtureRequest) -> Iterator[Page]:
    """The tab of this file, in Chromium and, where it is there, in Firefox."""
    context = context_of(request.getfixturevalue(request.param))
    yield context.new_page()
    context.close()


@contextmanager
def from_disk(page: Page) -> Iterator[Page]:
    """A page for files: what goes wrong in it is an error, and so is any request elsewhere."""
    wrong: list[str] = []

    def complain(said: object) -> None:
        wrong.append(str(said))

    def look(request) -> None:
        if not request.url.startswith(("file:", "data:", "about:")):
            wrong.append(request.url)

    listeners = {
        "pageerror": complain,
        "console": lambda said: wrong.extend([said.text] * (said.type in {"error", "warning"})),
        "request": look,
    }
    for name, listener in listeners.items():
        page.on(name, listener)
    yield page
    page.goto("about:blank")
    for name, listener in listeners.items():
        page.remove_listener(name, listener)
    assert wrong == []


@pytest.fixture
def disk(page: Page) -> Iterator[Page]:
    with from_disk(page):
        yield page


def file_named(name: str) -> str:
    """The page of a scene, without its ending."""
    return "{}-{}".format(*place_of(name))


def afresh(page: Page, address: str) -> None:
    """Open a page as somebody who was never there in this tab."""
    page.goto(address)
    page.evaluate("sessionStorage.clear()")
    page.goto("about:blank")
    page.goto(address)


def fields(place: telling.Place) -> str:
    """The link to a state."""
    if place.beat == "predict":
        return ""
    link = {"guess": place.guess, place.scene.control.key: named(place.stop)}
    if place.beat == "second":
        link["beat"] = "2"
    return "&".join(f"{key}={value}" for key, value in link.items())


# words that leave the frame, lie on one another (by their ink) or are too small; controls likewise
FAULTS = """() => {
  const said = [];
  const words = [...document.querySelectorAll(".picture > svg text")].map((one) => {
    // Firefox counts the edge that keeps words off a line as theirs where it measures on a screen,
    // and makes boxes of lines whole px high: how high words are is told from where they stand
    const { x, width } = one.getBBox(), on = one.getScreenCTM();
    const size = parseFloat(getComputedStyle(one).fontSize), letters = one.getNumberOfChars();
    const stands = letters
      ? [0, letters - 1].map((at) => one.getStartPositionOfChar(at).y) : [0];
    const top = Math.min(...stands) - .72 * size, bottom = Math.max(...stands) + .22 * size;
    const ends = [[x, top], [x + width, top], [x, bottom], [x + width, bottom]]
      .map(([left, high]) => new DOMPoint(left, high).matrixTransform(on));
    const wide = ends.map((end) => end.x), high = ends.map((end) => end.y);
    return { text: one.textContent.trim(), size: size * on.a,
             left: Math.min(...wide), right: Math.max(...wide),
             top: Math.min(...high), bottom: Math.max(...high) };
  }).filter(({ text, left, right }) => text && right > left);
  const meet = (one, other, by) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > by
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > by;
  words.forEach((one, i) => {
    if (one.left < -1 || one.right > innerWidth + 1) said.push(`outside: ${one.text}`);
    if (one.size < 11.95) said.push(`${one.size} px: ${one.text}`);
    words.slice(i + 1).filter((other) => meet(one, other, 1))
      .forEach((other) => said.push(`${one.text} | ${other.text}`));
  });
  const controls = [...document.querySelectorAll(".controls > *")];
  const boxes = controls.map((one) => one.getBoundingClientRect());
  boxes.forEach((one, i) => {
    if (one.right > innerWidth + 1) said.push("a control is cut off");
    if (boxes.slice(i + 1).some((other) => meet(one, other, 2))) said.push("controls meet");
  });
  if (document.documentElement.scrollWidth > innerWidth) said.push("wider than the frame");
  return said;
}"""
# what is said and what is wrong in the state that is shown and in all that are asked for: a script
# of its own leads through them, since to ask for each takes longer than to show it; a window that
# has just got another size is heard of with the next frame
WALK = f"""async (states) => {{
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const found = [[({SAID})(), ({FAULTS})()]];
    for (const state of states) {{
        await ({STEP})(state);
        found.push([({SAID})(), ({FAULTS})()]);
    }}
    return found;
}}"""


# of every kind of control and beat one; tests/lessons/test_fitting.py looks at words of all scenes
KINDS = ("same_noise", "tank", "why_tree", "promised", "declared_bounds")


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.thorough)])
def test_every_state_says_what_python_says(disk, site, whole):
    """Of a few scenes at the ends of a control and where it stands at first, or of all of them at
    all stops; no word lies on another one there, nor on a phone."""
    on_screen(disk, dark=False, narrow=False)
    for story, scene in course():
        if not whole and scene.name not in KINDS:
            continue
        disk.goto((site / page_of(story, scene.number)).as_uri())
        asked, *revealed = places(story, scene)
        if not whole:
            kept = {revealed[0].stop, scene.control.revealed, revealed[-1].stop}
            revealed = [one for one in revealed if one.stop in kept]
        links = [fields(one) for one in revealed]
        found = disk.evaluate(WALK, links)
        for place, (seen, wrong) in zip((asked, *revealed), found, strict=True):
            where = (story.key, scene.number, place.beat, place.stop)
            numbers = scene.numbers(place.stop, 1)
            said = telling.spoken(place, numbers)
            second = place.beat == "second" and scene.second
            alt = (scene.second.alt if second else scene.alt)(numbers)
            if scene.dragged is not None:  # what is dragged is said, too
                marks = scene.marks(numbers, place.beat, DESK)
                alt += next(f" {one['says']}" for one in marks if one["kind"] == "grip")
            wanted = [
                unmarked(said.headline).replace("± ", "±\N{NO-BREAK SPACE}"),
                unmarked(said.sentence).replace("± ", "±\N{NO-BREAK SPACE}"),
                scene.question if place.beat == "predict" else alt,
            ]
            assert seen == wanted, where
            assert wrong == [], where
        disk.set_viewport_size(PHONE)
        on_phone = disk.evaluate(WALK, links[:1])
        disk.evaluate("sessionStorage.clear()")  # who comes next was never there
        disk.set_viewport_size(DESKTOP)
        assert [wrong for _, wrong in on_phone if wrong] == [], (story.key, scene.number)


HOST = """<!doctype html><body style="margin: 0"><iframe src="{file}" sandbox="allow-scripts"
  style="border: 0" width="{width}" height="300"></iframe><script>
  window.told = [];
  const frame = document.querySelector("iframe");
  addEventListener("message", ({{ source, data }}) => {{
    if (source !== frame.contentWindow) return;
    window.told.push(data);
    frame.height = data.height;
  }});
  window.wish = (go) => frame.contentWindow.postMessage({{ dpviz: 1, go }}, "*");
</script>"""
SHOWN = [named_scene("tank")]


def faults(page: Page, site: Path, widths: Sequence[int], scenes: list[Scene[Any]]) -> list[str]:
    """What is wrong in frames of these widths, in any state of these scenes."""
    found = []
    for scene in scenes:
        story = BY_KEY[scene.story]
        address = f"{(site / page_of(story, scene.number)).as_uri()}?embed=1"
        afresh(page, address)
        links = [fields(place) for place in places(story, scene)]
        for width in widths:
            page.set_viewport_size({"width": width, "height": 700})
            page.goto("about:blank")
            page.goto(address)
            seen = page.evaluate(WALK, links[1:])
            page.evaluate("sessionStorage.clear()")
            for link, (_, wrong) in zip(links, seen, strict=True):
                found += [f"{scene.title} in {width} px, {link}: {one}" for one in wrong]
    return found


WORDS = """<!doctype html><div class="picture" style="width: 400px"><svg viewBox="0 0 800 600"
  font-family="serif" stroke="white" paint-order="stroke">{}</svg></div>"""
WORD = '<text x="{}" y="{}" font-size="{}" stroke-width="{}">Ågypt</text>'


def test_words_that_meet_that_are_small_or_that_leave_the_frame_are_seen(page):
    """Of 40 units, so of 20 px: a base line 1.05 sizes below another one is far enough, .85 not."""
    page.set_viewport_size({"width": 420, "height": 700})
    above = WORD.format(90, 100, 40, 1)
    for below, wanted in (
        (WORD.format(90, 142, 40, 12), []),
        (WORD.format(90, 134, 40, 1), ["Ågypt | Ågypt"]),
        (WORD.format(100, 100, 40, 1), ["Ågypt | Ågypt"]),
        (WORD.format(300, 100, 40, 12), []),
        (WORD.format(90, 300, 23, 1), ["11.5 px: Ågypt"]),
        (WORD.format(-30, 300, 40, 1), ["outside: Ågypt"]),
        (WORD.format(790, 300, 40, 1), ["outside: Ågypt"]),
    ):
        page.set_content(WORDS.format(above + below))
        assert page.evaluate(FAULTS) == wanted, below


def test_in_a_frame_all_words_are_readable(disk, site):
    assert faults(disk, site, (400,), SHOWN) == []


@pytest.mark.thorough
def test_in_a_frame_all_words_of_all_scenes_are_readable(disk, site):
    widths = (400, 700, 830, 960, 1184)
    assert faults(disk, site, widths, [scene for _, scene in course()]) == []


def test_a_sandboxed_frame_tells_its_host_and_obeys_it(disk, site):
    host = site / "host.html"
    host.write_text(HOST.format(file=file_of(*place_of("tank")), width=830), encoding="utf-8")
    disk.goto(host.as_uri())
    frame = disk.frame_locator("iframe")
    told = "() => window.told.at(-1)"
    disk.wait_for_function("window.told.length")
    steps = [("reveal", "reveal"), ("next", "second"), ("back", "reveal"), ("again", "predict")]
    assert disk.evaluate(told)["beat"] == "predict"
    for wish, beat in steps:
        disk.evaluate("wish", wish)
        disk.wait_for_function(f"window.told.at(-1).beat === '{beat}'")
        seen = disk.evaluate(told)
        assert (seen["dpviz"], seen["scene"]) == (1, "{} {}".format(*place_of("tank")))
        assert abs(seen["height"] - frame.locator("main").bounding_box()["height"]) <= 2
        assert frame.locator("header, .below:visible, .progress:visible").count() == 0
    disk.evaluate("wish", "back")  # nothing comes before a single scene: the host knows more
    disk.wait_for_function("window.told.at(-1).asks === 'back'")
    for wish in ("reveal", "next", "next"):
        disk.evaluate("wish", wish)
    disk.wait_for_function("window.told.at(-1).asks === 'next'")
    assert disk.evaluate(told)["beat"] == "second"
    before = disk.evaluate("window.told.length")
    for nonsense in ("wish('guess')", "wish({})", "frame.contentWindow.postMessage('x', '*')"):
        disk.evaluate(nonsense)
    disk.wait_for_timeout(300)
    assert disk.evaluate("window.told.length") == before


def test_the_examples_for_teachers_work(disk, site):
    scene = named_scene("same_noise")
    for name in ("course.html", "slides.html"):
        shutil.copy(ROOT / "docs" / "embed" / name, site)
    assert lines(scene) in (site / "course.html").read_text(encoding="utf-8")
    disk.goto((site / "course.html").as_uri())
    frame = disk.frame_locator("iframe")
    frame.get_by_role("button", name="The same, within 3").click()
    expect(frame.locator("h1")).to_contain_text("the same noise")
    assert int(disk.locator("iframe").get_attribute("height")) != 560
    # of reveal.js what the example uses: slides come by hand, so that its keys go to the frame
    calls = "window.Reveal = { calls: [], initialize() {}, next() { this.calls.push('next') },"
    calls += " prev() { this.calls.push('back') } };"
    (site / "reveal.js" / "dist" / "theme").mkdir(parents=True, exist_ok=True)
    (site / "reveal.js" / "dist" / "reveal.js").write_text(calls, encoding="utf-8")
    for name in ("reveal.css", "theme/white.css"):
        (site / "reveal.js" / "dist" / name).touch()
    disk.goto((site / "slides.html").as_uri())
    disk.evaluate(
        "document.querySelector('iframe').src = document.querySelector('iframe').dataset.src"
    )
    frame.get_by_role("button", name="The same, within 3").click()
    disk.keyboard.press("ArrowRight")
    disk.wait_for_function("Reveal.calls.length")
    assert disk.evaluate("Reveal.calls") == ["next"]


def test_a_story_is_walked_by_keyboard(disk, site):
    afresh(disk, f"{(site / 'teach-1.html').as_uri()}?theme=dark#guess=b")
    many = len(BY_KEY["teach"].scenes)
    disk.keyboard.press("ArrowRight")  # the scene has one beat
    expect(disk.locator(".progress summary")).to_contain_text(f"2 of {many}")
    disk.keyboard.press("ArrowRight")  # the question, then the second beat
    disk.wait_for_url("**beat=2")
    disk.keyboard.press("ArrowRight")
    expect(disk.locator(".progress summary")).to_contain_text(f"3 of {many}")
    assert "theme=dark" in disk.url
    disk.locator(".grip").focus()  # the third is drawn
    disk.keyboard.press("ArrowUp")
    disk.locator("[data-control=lock]").click()
    expect(disk.locator(".gap")).to_contain_text("Law: 10,735.")
    disk.locator("[data-control=lock]").click()
    expect(disk.locator("#verdict")).to_contain_text("Law: 10,735.")
    expect(disk.locator("#guess")).to_contain_text("You predicted")
    assert disk.evaluate("document.activeElement.tagName") == "H1"
    disk.keyboard.press("Tab")
    slider = disk.get_by_role("slider")
    slider.focus()
    before, third = disk.url, BY_KEY["teach"].scenes[2].control
    disk.keyboard.press("End" if third.revealed == third.stops[0] else "Home")
    expect(slider).not_to_have_attribute("aria-valuetext", "")
    assert disk.url != before
    disk.reload()  # a link decides
    assert disk.url != before
    expect(disk.locator("#guess")).to_contain_text("You predicted")
    disk.goto((site / "teach-3.html").as_uri())  # and without one, what was done in this tab
    expect(disk.locator("#guess")).to_contain_text("You predicted")
    disk.get_by_role("button", name="Ask again").click()
    expect(disk.locator(".question")).to_be_visible()


def test_who_reads_alone_is_asked_twice_and_nobody_else(disk, site):
    scene = named_scene("averages")
    first, second = scene.shuffled()[:2]
    file = (site / f"teach-{scene.number}.html").as_uri()
    afresh(disk, file)
    said, judged = disk.locator(".sure"), disk.locator("#verdict")
    disk.get_by_role("button", name=first.text).click()
    expect(said).to_have_text(telling.SURE)
    assert "guess" not in disk.url
    expect(judged).to_have_text("")
    disk.get_by_role("button", name=second.text).click()
    expect(judged).to_contain_text(second.text)
    for once in ("present", "embed"):
        afresh(disk, f"{file}?{once}=1")
        disk.get_by_role("button", name=first.text).click()
        expect(said).to_have_count(0)
        disk.wait_for_url(f"**guess={first.key}")


def test_an_edge_is_dragged_and_rows_are_tapped(disk, site):
    afresh(disk, f"{(site / 'teach-10.html').as_uri()}#guess=skip")
    edge = disk.locator(".grip.edge")
    edge.focus()
    disk.keyboard.press("ArrowRight")
    expect(edge).to_have_attribute("aria-valuetext", re.compile("Under 48 years: nodes of 7"))
    afresh(disk, f"{(site / 'teach-14.html').as_uri()}#guess=skip&beat=2")
    disk.locator(".tap").nth(3).click()
    expect(disk.locator("h1")).to_contain_text("5 of 6 still blank")
    assert "at=delta" in disk.url


def test_typed_guesses_are_asked_for_one_after_the_other(disk, site):
    scene = named_scene("largest_value")
    disk.goto((site / f"teach-{scene.number}.html").as_uri())
    typed, lock = disk.locator(".draw .number"), disk.locator("[data-control=lock]")
    guesses = {"500 million": "330,000", "1 million": "2,000", "50,000": "12,000"}
    assert set(guesses) == set(scene.drawing.names)
    for name, guess in guesses.items():  # first the bound that the question is about
        expect(typed.locator("span")).to_have_text(f"off at {name}")
        expect(lock).to_be_disabled()
        typed.locator("input").press_sequentially(
            guess
        )  # what was not typed is no change to Firefox
        disk.keyboard.press("Enter")
    expect(lock).to_be_enabled()
    expect(typed.locator("input")).to_have_value("12,000")
    told = [one.get_attribute("aria-valuetext") for one in disk.locator(".grip").all()]
    assert told == ["12000 off", "2000 off", "330000 off"]
    assert typed.locator("input").evaluate("one => one.scrollWidth <= one.clientWidth")


def test_links_of_the_app_and_of_the_whole_site_lead_to_the_scene(disk, site):
    start = (site / "index.html").as_uri()
    story, number = place_of("same_noise")
    for link in (
        f"#story/{story}/{number}?guess=b&eps=0.1",
        f"?{link_of('same_noise')}&guess=b&eps=0.1",
    ):
        disk.goto("about:blank")
        disk.goto(f"{start}{link}")
        disk.wait_for_url(f"**/{story}-{number}.html#guess=b&eps=0.1")
        expect(disk.get_by_role("slider")).to_have_attribute("aria-valuetext", re.compile("0.1"))


@pytest.mark.parametrize(
    ("starts", "scenes"),
    [
        (
            ("?story=teach&scene=99", "?story=constructor"),
            ("#guess=constructor", "#guess=b2&beat=7&eps=valueOf"),
        ),
        pytest.param(
            ("?story=show&scene=0", "#eps=toString"),
            ("#guess=toString&beat=2",),
            marks=pytest.mark.thorough,
        ),
    ],
)
def test_a_link_that_says_nonsense_leaves_the_page_as_it_is(disk, site, starts, scenes):
    index, scene = (f"file://{site}/{name}.html" for name in ("index", file_named("same_noise")))
    for link in starts:
        disk.goto("about:blank")
        disk.goto(f"{index}{link}")
        expect(disk.get_by_role("heading", level=1)).to_have_text(
            "Learn about everyone. Reveal no one."
        )
    for link in scenes:
        afresh(disk, f"{scene}{link}")
        expect(disk.locator("#guess")).to_have_text("")
        expect(disk.locator(".question")).to_be_visible()


def test_start_the_game_and_the_quiz_answer(disk, site):
    disk.goto((site / "index.html").as_uri())
    disk.get_by_role("slider").focus()
    disk.keyboard.press("End")
    expect(disk.locator("h1")).to_contain_text("Reveal anyone.")
    disk.get_by_role("switch").click()
    expect(disk.locator(".sentence")).to_contain_text("864")
    for _ in range(8):  # more sets than Python drew
        disk.get_by_role("button", name="Play").click()
    assert disk.locator(".picture > svg circle").count() >= 30
    disk.goto(f"{(site / file_named('two_worlds')).as_uri()}.html#guess=b")
    for number in range(1, 6):
        expect(disk.locator(".game")).to_contain_text(f"Round {number} of 5")
        disk.get_by_role("button", name="She is in").click()
    expect(disk.locator(".game")).to_contain_text("of 5 right")
    disk.goto((site / "quiz.html").as_uri())
    for number, question in enumerate(QUESTIONS, 1):
        row = disk.get_by_role("group", name=f"Sentence {number}", exact=True)
        row.get_by_role("button", name="True").click()
        word = "Yes" if question.holds else "No"
        expect(disk.locator(".why").nth(number - 1)).to_contain_text(
            f"{word}: it is {str(question.holds).lower()}. "
        )
        figure = disk.locator(".seen figure:visible")
        assert figure.get_attribute("data-scene") == question.scene.name


def test_the_test_gives_a_score_and_the_scenes_that_teach(disk, site):
    disk.goto((site / "test.html").as_uri())
    disk.wait_for_selector("html.ready")
    rows = disk.locator(".sheet > li")
    assert rows.count() == len(ITEMS)
    orders = set()
    for number, item in enumerate(ITEMS):
        row = rows.nth(number)
        options = [one.strip() for one in row.locator(".option").all_inner_texts()]
        assert sorted(options) == sorted(one.text for one in item.options)
        orders.add(tuple(options.index(one.text) for one in item.options))
        wrong = next(one.text for one in item.options if not one.right)
        chosen = item.right.text if number < 11 else wrong
        row.locator(".option").nth(options.index(chosen)).click()
    assert len(orders) > 3
    rows.nth(14).get_by_label("I am sure").check()
    disk.get_by_role("button", name="Show my score").click()
    expect(disk.locator("h1")).to_have_text("11 of 15 right: passed.")
    for number, item in enumerate(ITEMS):
        why = rows.nth(number).locator(".why")
        word = "Right" if number < 11 else "No"
        expect(why).to_contain_text(word + (", and you were sure" if number == 14 else ""))
        expect(why).to_contain_text(f": {item.right.text}.")
        assert why.get_by_role("link").count() == (item.scene is not None)


NAMES = [
    "index.html",
    "learn.html",
    "quiz.html",
    "test.html",
    "decide.html",
    "gallery.html",
    f"{file_named('same_noise')}.html",
    f"{file_named('same_noise')}.html#guess=b",
]


# pictures of cards hold nothing but marks, in which axe takes seconds
PLAIN = "() => document.querySelectorAll('article > svg').forEach((one) => one.replaceChildren())"


def axe(page: Page, address: str, *, dark: bool, narrow: bool) -> list[str]:
    """What axe-core finds on a page, once it stands still."""
    on_screen(page, dark=dark, narrow=narrow)
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("html.ready")
    page.evaluate(PLAIN)
    page.evaluate(AXE)
    return barriers(page)


def on_screen(page: Page, *, dark: bool, narrow: bool) -> None:
    page.set_viewport_size(PHONE if narrow else DESKTOP)
    page.emulate_media(color_scheme="dark" if dark else "light")


def barriers(page: Page) -> list[str]:
    found = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    return [f"{one['id']}: {one['nodes'][0]['html'][:120]}" for one in found["violations"]]


@pytest.mark.parametrize(
    ("dark", "narrow", "names"),
    [
        (False, False, NAMES[::4]),
        (True, True, NAMES[1::4]),
        pytest.param(False, False, NAMES[2::4], marks=pytest.mark.thorough),
        pytest.param(False, False, NAMES[1::2], marks=pytest.mark.thorough),
        pytest.param(True, True, NAMES[::2], marks=pytest.mark.thorough),
        pytest.param(True, True, NAMES[3::4], marks=pytest.mark.thorough),
    ],
)
def test_axe_finds_nothing(disk, site, dark, narrow, names):
    for name in names:
        assert axe(disk, f"{site.as_uri()}/{name}", dark=dark, narrow=narrow) == [], name


PAPER = """() => {
  const small = (one, size) => size < 9 ? `${size} px: ${one.textContent}` : "";
  const left = document.querySelector("h1").getBoundingClientRect().left;
  return [
    document.documentElement.scrollWidth > innerWidth ? "wider than the screen" : "",
    left < 12 ? `words ${left} px from the edge` : "",
    ...[...document.querySelectorAll("svg text")].map((one) =>
      small(one, parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a)),
    ...[...document.querySelectorAll("p, li, dd")].map((one) =>
      small(one, parseFloat(getComputedStyle(one).fontSize) - 4)),
  ].filter(Boolean);
}"""


def test_what_is_made_for_paper_is_read_on_a_phone_too(disk, site):
    on_screen(disk, dark=False, narrow=True)
    files = [*site.glob("handout-*.html"), site / "decision-card-1.html"]
    assert len(files) == len(STORIES) + 2
    for file in files:
        disk.goto(file.as_uri())
        assert disk.evaluate(PAPER) == [], file.name
    broken = file.read_text(encoding="utf-8").replace("(max-width: 720px)", "(max-width: 72px)")
    (site / "broken.html").write_text(broken, encoding="utf-8")
    disk.goto((site / "broken.html").as_uri())
    assert any(" px: " in one for one in disk.evaluate(PAPER))


# `expect` asks an async function, which a Firefox without scripts begins and never ends
SEEN = """() => {
  const seen = (selector) => [...document.querySelectorAll(selector)].filter((one) =>
    one.getClientRects().length && getComputedStyle(one).visibility === "visible");
  const words = (one) => one.textContent.trim().replace(/\\s+/g, " ");
  const said = (selector) => seen(selector).map(words);
  const light = (colour) => Math.max(...colour.match(/\\d+/g).slice(0, 3));
  const { backgroundColor, color } = getComputedStyle(document.body);
  return {
    early: seen(".early").map((one) => [one.classList.value, !!one.getAttribute("aria-label")]),
    question: said(".question b"), right: said("noscript b"), answers: seen(".answer").length,
    heading: said("h1"), risks: seen("#risks svg").length, rails: seen("#rail svg").length,
    row: said("#buys .here td"), cards: seen("article svg").length,
    findings: seen("article .finding").length,
    dark: light(backgroundColor) < light(color),
    wide: document.documentElement.scrollWidth > innerWidth,
    left: document.querySelector("h1").getBoundingClientRect().left,
  };
}"""
DARK = f"() => ({SEEN})().dark"


@pytest.mark.thorough
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("narrow", [False, True])
def test_a_copy_is_walked_by_keyboard_and_axe_finds_nothing_in_any_beat(tab, site, dark, narrow):
    """In a tab of its own, in which nothing is remembered: every scene's question, then its beats.

    Axe looks once at every beat on a desk and on a phone, by day here and by night there.
    """
    page = tab.context.new_page()
    on_screen(page, dark=dark, narrow=narrow)
    with from_disk(page):
        for story in STORIES:
            page.goto((site / page_of(story, 1)).as_uri())
            for scene in (one for told, one in course() if told is story):
                page.wait_for_url(f"**/{page_of(story, scene.number)}*")
                page.wait_for_selector("html.ready")
                page.evaluate(AXE)
                beats = zip(("predict", *beats_of(scene)), ("", " ", "ArrowRight"), strict=False)
                for beat, key in beats:
                    if key:
                        page.keyboard.press(key)
                    place = telling.Place(story, scene, "skip", beat, telling.stop_of(scene, beat))
                    said = telling.spoken(place, scene.numbers(place.stop, 1))
                    expect(page.locator("h1")).to_have_text(unmarked(said.headline))
                    where = f"{scene.name}, {beat}"
                    assert page.evaluate(FAULTS) == [], where
                    assert page.evaluate(DARK) == dark, where
                    assert dark != narrow or barriers(page) == [], where
                page.keyboard.press("ArrowRight")
            page.wait_for_url("**/learn.html")
    page.close()


def test_axe_finds_a_broken_twin(disk, site):
    page = (site / "teach-3.html").read_text(encoding="utf-8")
    broken = page.replace('<html lang="en">', "<html>").replace("--second:#4A545F", "--second:#AAB")
    (site / "broken.html").write_text(broken, encoding="utf-8")
    found = axe(disk, (site / "broken.html").as_uri(), dark=False, narrow=False)
    assert {one.split(":")[0] for one in found} == {"color-contrast", "html-has-lang"}


AT_ONCE = """
() => {
  const [over, eps] = ["over", "eps"].map(name => document.querySelector(`[name=${name}]`));
  const press = (word, key) => word.dispatchEvent(new KeyboardEvent("keydown", {key}));
  over.value = "50";
  press(over, "Enter");
  eps.focus();
  press(eps, "ArrowUp");  // before the page has answered the other word
}
"""
REDRAWN = "() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 100)))"
SENTENCE = """() => {
  const read = (node) =>
    node.nodeType === 3 ? node.data
    : node.tagName === "SELECT" ? node.selectedOptions[0].text
    : node.tagName === "INPUT" ? (node.hidden ? "" : node.value)
    : node.classList.contains("spoken") ? ""
    : [...node.childNodes].map(read).join("");
  return read(document.querySelector("h1")).replaceAll("\\u00a0", " ");
}"""


@pytest.mark.few(1)  # that the other page is whole is what the next test needs
@pytest.mark.parametrize("file", ["decide.html", "alone-decide.html"])
def test_the_sentence_of_decide_is_set_by_keyboard(disk, site, file):
    disk.set_viewport_size({"width": 1440, "height": 900})
    disk.goto((site / file).as_uri())
    disk.wait_for_selector("html.ready")
    first = disk.evaluate(SENTENCE)
    assert first.startswith("Publish nine deciles of exam marks, between 0 and 100, of about 6,000")
    disk.locator("[name=off]").press("ArrowUp")
    expect(disk.locator("[name=off]")).to_have_value("2")
    disk.wait_for_url("**off=2")
    assert disk.evaluate("document.activeElement.name") == "off"
    other = disk.evaluate(SENTENCE)
    assert " at most 2 marks, 19 times of 20: that takes about ε = 0.1" in other
    disk.locator("[name=off]").fill("3")
    disk.keyboard.press("Enter")  # between two stops
    expect(disk.locator("[name=off]")).to_have_attribute("aria-invalid", "true")
    expect(disk.locator(".sentence_under strong").last).to_contain_text("this page knows 0.5, 1, 2")
    disk.keyboard.press("Escape")
    disk.locator("[name=what]").select_option("count")
    expect(disk.locator("output .spoken")).to_have_text("ε = 0.29")
    expect(disk.locator("#rail svg")).to_have_attribute("aria-label", re.compile("ε = 0.29,"))
    expect(disk.locator("#risks h3:visible")).to_contain_text("A suspicion of 10 in 100 grows to")
    expect(disk.locator("#buys .here th")).to_have_text("ε = 0.2")
    expect(disk.locator("#buys .key")).to_contain_text("Dashed: off by 10 students")
    band, cell = (disk.locator(f"#buys .here {one}").bounding_box() for one in ("rect", "svg"))
    assert band["width"] / cell["width"] == pytest.approx(15 / 40, abs=0.01)  # ± 15 of ± 4 needs
    disk.locator("[name=over]").fill("40")
    disk.keyboard.press("Enter")
    disk.wait_for_url("**over=40")
    disk.evaluate(REDRAWN)  # what is typed before is overwritten, and no hand is as quick
    disk.locator("[name=over]").fill("400")
    disk.keyboard.press("Enter")
    expect(disk.locator("[name=over]")).to_have_attribute(
        "title", "Type a number of at least 0, and below 100."
    )
    disk.keyboard.press("Escape")
    disk.evaluate(AT_ONCE)
    expect(disk.locator("[name=eps]")).to_have_value("0.5")
    expect(disk.locator(".computed")).to_have_attribute("name", "off")
    told = disk.evaluate(SENTENCE)
    disk.reload()  # the address says the whole sentence
    disk.wait_for_selector("html.ready")
    assert disk.evaluate(SENTENCE) == told
    disk.goto(f"{(site / file).as_uri()}#what=map&data=coast&off=150&unit=people")
    disk.wait_for_selector("html.ready")
    disk.set_viewport_size({"width": 390, "height": 844})
    expect(disk.locator("#risks h3")).to_contain_text("Suspected: 10 in 100, then at most")
    assert disk.evaluate("document.documentElement.scrollWidth") <= 390
    assert disk.evaluate(SENTENCE).startswith("Publish a map of 64 × 64 cells of harbours on a c")


def test_a_sentence_of_decide_leads_to_the_same_one_in_the_app(page, tmp_path):
    told = decide_page.page("http://app.test/")
    (tmp_path / "decide.html").write_text(build.alone(told), encoding="utf-8")
    page.goto(f"{(tmp_path / 'decide.html').as_uri()}#what=histogram&data=ages&bins=50&off=20")
    link = page.get_by_role("link", name="The same sentence in the app")
    asked = "what=histogram&data=ages&unit=people&often=0.95&off=20&bins=50"
    expect(link).to_have_attribute("href", f"http://app.test/decide?{asked}")


CARDS = """() => [...document.querySelectorAll("article")].map((one) => {
  const svg = one.querySelector("svg"), { left, right, width } = svg.getBoundingClientRect();
  const words = [...svg.querySelectorAll("text")].map((text) => text.getBoundingClientRect());
  const seen = (part) => getComputedStyle(part).display !== "none";
  return {
    id: one.id, said: one.querySelector(".finding").textContent,
    alt: svg.getAttribute("aria-label"), wide: width >= 290,
    outside: words.some((word) => word.left < left - 4 || word.right > right + 4),
    images: [...svg.querySelectorAll("image")].filter(seen).map((part) => part.classList.value),
  };
})"""


def test_the_gallery_shows_every_picture_on_either_paper(disk, site):
    disk.goto((site / "gallery.html").as_uri())
    wanted = [
        {"id": row.name, "said": unmarked(headline), "alt": alt, "wide": True, "outside": False}
        for row, (headline, alt, _) in zip(ROWS, said().values(), strict=True)
    ]
    for scheme, narrow in (("light", False), ("light", True), ("dark", True), ("dark", False)):
        on_screen(disk, dark=scheme == "dark", narrow=narrow)
        seen = disk.evaluate(CARDS)
        images = {one["id"]: one.pop("images") for one in seen}
        assert [one | {"said": one["said"].replace("\xa0", " ")} for one in seen] == wanted
        other = "night" if scheme == "light" else "day"
        assert [name for name, kinds in images.items() if other in kinds] == []
        for row in ROWS:  # an image that is another one in the dark is there twice
            many = drawn(row).count("<image") - drawn(row).count('class="night"')
            assert len(images[row.name]) == many
        width = disk.viewport_size["width"]
        assert disk.evaluate("document.documentElement.scrollWidth") <= width


@pytest.fixture(scope="module")
def quiet(tab: Page, playwright, tmp_path_factory) -> Iterator[Browser]:
    """A browser that runs no scripts: Firefox is told so at its start, Chromium by each context."""
    started = tab.context.browser
    assert started is not None
    if started.browser_type.name == "firefox":
        started = fox_of(playwright, tmp_path_factory.mktemp("quiet"), scripts=False)
    yield started
    if started is not tab.context.browser:
        started.close()


@pytest.mark.parametrize(
    ("schemes", "each"),
    [
        (("light", "dark"), 8),
        *(pytest.param([one], 1, marks=pytest.mark.thorough) for one in ("light", "dark")),
    ],
)
def test_without_a_script_the_question_its_picture_and_its_answer_are_there(
    quiet, site, schemes, each
):
    context, by_turns = quiet.new_context(java_script_enabled=False), cycle(schemes)
    page = context.new_page()

    def looks(name: str) -> Iterator[tuple[int, dict[str, Any]]]:
        scheme = next(by_turns)
        page.emulate_media(color_scheme=scheme)
        page.goto((site / name).as_uri())
        for width in (1440, 390):
            page.set_viewport_size({"width": width, "height": 900})
            seen = page.evaluate(SEEN)
            assert (seen["dark"], seen["wide"]) == (scheme == "dark", False), name
            yield width, seen

    for story, scene in list(course())[::each]:
        for width, seen in looks(page_of(story, scene.number)):
            assert seen["early"] == [["early w" if width > 640 else "early p", True]], scene.name
            assert seen["question"] == [scene.question]
            assert seen["right"] == ([] if scene.right is None else [f"{scene.right.text}."])
            assert seen["answers"] == (0 if scene.drawing is not None else len(scene.options))
    for width, seen in looks("decide.html"):
        assert re.search(r"that takes (about )?ε = 0\.2", seen["heading"][0])
        assert (seen["risks"], seen["rails"]) == (1, width > 640)
        assert "off by at most" in seen["row"][0]
    for _, seen in looks("gallery.html"):
        assert (seen["cards"], seen["findings"]) == (len(ROWS), len(ROWS))
    for name, heading in (
        ("index.html", "Learn about everyone. Reveal no one."),
        ("learn.html", "Three stories: "),
        ("quiz.html", f"{len(QUESTIONS)} sentences "),
        ("test.html", f"{len(ITEMS)} questions."),
    ):
        for width, seen in looks(name):
            assert seen["heading"][0].startswith(heading), name
            if name != "index.html":  # which has a paper of its own
                assert seen["left"] == (32 if width > 640 else 16), name
    context.close()


def test_linked_pages_keep_the_policy_that_the_build_prints(page, site):
    """Served with that header, as a web space would; tests/site/test_build.py reads all of them."""
    refused: list[str] = []
    page.on("console", lambda said: refused.extend([said.text] * ("Policy" in said.text)))
    kinds = {".html": "text/html", ".js": "text/javascript", ".woff2": "font/woff2"}

    def answer(route) -> None:
        file = site / urlsplit(route.request.url).path.strip("/")
        headers = {"Content-Security-Policy": build.policy()}
        route.fulfill(body=file.read_bytes(), content_type=kinds[file.suffix], headers=headers)

    page.route("http://site.test/**", answer)
    for name in ("teach-3.html", "decide.html", "gallery.html"):
        page.goto(f"http://site.test/{name}")
        page.wait_for_selector("html.ready")
    page.goto("http://site.test/teach-3.html#guess=b")
    page.get_by_role("slider").press("ArrowLeft")
    page.unroute("http://site.test/**")
    assert refused == []
