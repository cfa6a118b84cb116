"""The picture of the static edition is the app's: the same pixels, but for a few at their edges."""

import io
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page

from dpviz.site import build
from dpviz.site.pages import scene_page, start_page
from dpviz.site.scenes import course
from tests.browser.steps import followed, visit
from tests.scenes import link_of

MOST = 0.001  # of all pixels may differ
SEEN = 24  # of 255, from which on two colours differ
SIZES = {"desk": (1440, 900), "phone": (390, 844)}
# frames and a while in which a page of the static edition has drawn what fits its window
DRAWN = """() => new Promise(
  done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 100))))"""
# the picture as it is drawn, wherever it stands: nothing lies on it
PICTURE = ".stage .picture"
CASES = {
    "same_noise": [("desk", "light"), ("phone", "dark")],
    "": [("desk", "light")],  # Start
    "median": [("desk", "dark")],
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """The address of a scene, or of Start, as one file."""
    folder = tmp_path_factory.mktemp("site")

    @cache
    def address(name: str) -> str:
        (page,) = [scene_page(*one) for one in course() if one[1].name == name] or [start_page()]
        file = folder / f"{name or 'index'}.html"
        file.write_text(build.alone(page), encoding="utf-8")
        return file.as_uri()

    return address


def taken(page: Page) -> np.ndarray:
    """The picture of a stage, once its fonts are there, (height, width, 3)."""
    page.wait_for_selector(f"{PICTURE} > svg > g, {PICTURE} > svg > path")
    page.evaluate("() => document.fonts.ready.then(() => {})")
    page.mouse.move(0, 0)
    page.evaluate(DRAWN)
    found = page.locator(PICTURE).screenshot()
    return np.asarray(Image.open(io.BytesIO(found)).convert("RGB")).astype(int)


def share_apart(one: np.ndarray, other: np.ndarray) -> float:
    """How many of the pixels differ; all of them where the sizes do."""
    if one.shape != other.shape:
        return 1.0
    return float((np.abs(one - other).max(axis=2) > SEEN).mean())


def on(page: Page, size: str, scheme: str) -> None:
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")


@pytest.mark.parametrize(
    "name",
    ["same_noise", *(pytest.param(one, marks=pytest.mark.thorough) for one in ("", "median"))],
)
def test_the_pictures_are_the_same(page, server, site, name):
    """As the page opens, and after a change of the window and the paper."""
    on(page, *CASES[name][0])
    visit(page, f"{server}/learn?{link_of(name)}&guess=skip" if name else server)
    app = []
    for screen in CASES[name]:
        on(page, *screen)
        followed(page)
        app.append(taken(page))
    on(page, *CASES[name][0])
    page.goto(f"{site(name)}#guess=skip")
    for screen, seen in zip(CASES[name], app, strict=True):
        on(page, *screen)
        own = taken(page)
        assert seen.shape == own.shape
        assert share_apart(seen, own) <= MOST
        assert seen.std() > 5


def test_a_picture_of_another_state_is_told_from_it(page, site):
    page.goto(f"{site('same_noise')}#guess=skip")
    shown = taken(page)
    page.goto("about:blank")
    page.goto(f"{site('same_noise')}#guess=skip&eps=0.5")
    assert share_apart(shown, taken(page)) > MOST
    moved = np.roll(shown, 2, axis=1)
    assert share_apart(shown, moved) > MOST
