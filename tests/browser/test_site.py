"""The static edition in a real browser, from disk: every state, and what a frame's host is told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from dpviz.answers.markup import unmarked
from dpviz.lessons.staged import named
from dpviz.lessons.stories import telling
from dpviz.lessons.stories.listing import STORIES
from dpviz.site import build
from dpviz.site.scenes import offline, page_of, places

SAID = """() => [
    document.querySelector("h1").textContent,
    document.querySelector(".second").textContent,
    document.querySelector(".picture > svg").getAttribute("aria-label"),
]"""
# a script of its own leads through all states, since to ask for each takes longer than to show it
WALK = f"""async (states) => {{
    const found = [];
    for (const state of states) {{
        location.hash = state;
        await new Promise((done) => addEventListener("hashchange", done, {{ once: true }}));
        found.push(({SAID})());
    }}
    return found;
}}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    build.write(folder, single=True)
    return folder


@pytest.fixture
def disk(page: Page) -> Iterator[Page]:
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


def fields(place: telling.Place) -> str:
    """The link to a state."""
    link = {"guess": place.guess, place.scene.control.key: named(place.stop)}
    if place.beat == "second":
        link["beat"] = "2"
    return "&".join(f"{key}={value}" for key, value in link.items())


def test_every_state_says_what_python_says(disk, site):
    for story in STORIES:
        for scene in map(offline, story.scenes):
            disk.goto((site / page_of(story, scene.number)).as_uri())
            asked, *revealed = places(story, scene)
            found = [disk.evaluate(SAID), *disk.evaluate(WALK, [fields(one) for one in revealed])]
            for place, seen in zip((asked, *revealed), found, strict=True):
                numbers = scene.numbers(place.stop, 1)
                said = telling.spoken(place, numbers)
                second = place.beat == "second" and scene.second
                alt = (scene.second.alt if second else scene.alt)(numbers)
                wanted = [
                    unmarked(said.headline).replace("± ", "±\N{NO-BREAK SPACE}"),
                    unmarked(said.sentence).replace("± ", "±\N{NO-BREAK SPACE}"),
                    scene.question if place.beat == "predict" else alt,
                ]
                assert seen == wanted, (story.key, scene.number, place.beat, place.stop)
