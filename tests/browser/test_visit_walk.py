"""One visit: the same ε and draw on every page, the browser's own buttons, the theme, slides."""

import re
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.steps import (
    answered,
    followed,
    go_to,
    headline,
    link,
    press,
    settle,
    tracebacks,
    visit,
)

WALK = ("Map",)


def moved(page: Page, key: str, times: int = 1) -> None:
    """Move the slider of the budget by keyboard, as a person without a mouse does."""
    slider = page.get_by_role("slider").first
    slider.focus()
    for _ in range(times):
        with answered(page):
            page.keyboard.press(key)


def test_one_epsilon_and_one_draw_go_along_from_start_to_the_map_and_back(
    page: Page, server: str
) -> None:
    visit(page, server)
    assert "Reveal no one." in headline(page)
    moved(page, "ArrowLeft")  # from 1 to 0.5
    assert link(page)["eps"] == "0.5"
    go_to(page, "Quantiles")
    assert link(page)["eps"] == "0.5"
    press(page, "New draw")
    kept, before = {"eps": "0.5", "seed": "2"}, [headline(page)]
    for title in WALK:
        go_to(page, title)
        assert link(page).items() >= kept.items(), title
        expect(page).to_have_title(f"{title} · dpviz")
        assert page.get_by_role("slider").first.get_attribute("aria-valuetext") == "0.5"
        assert tracebacks(page).count() == 0
        before.append(headline(page))
    follows_the_theme(page)
    with answered(page):  # the browser's own button brings the page before as it was
        page.go_back()
    page.wait_for_function("() => location.pathname.endsWith('/quantiles')")
    settle(page)
    assert headline(page) == before[-2]
    assert link(page).items() >= kept.items()


def follows_the_theme(page: Page) -> None:
    words = headline(page)
    page.emulate_media(color_scheme="dark")
    # a picture's own words are light on dark only once it was drawn anew
    page.wait_for_function(
        """() => {
          const all = [...document.querySelectorAll('*')];
          const roots = all.map(one => one.shadowRoot).filter(Boolean);
          const texts = [document, ...roots].flatMap(
            root => [...root.querySelectorAll('.js-plotly-plot text, svg text')]);
          const light = text => {
            const [r, g, b] = getComputedStyle(text).fill.match(/[\\d.]+/g).map(Number);
            return r + g + b > 300;
          };
          const shown = texts.filter(one => one.textContent.trim());
          return shown.length > 3 && shown.every(light);
        }"""
    )
    settle(page)
    assert headline(page) == words


@pytest.mark.thorough
@pytest.mark.parametrize("address", ["/", "/quantiles", "/trees"])
def test_pictures_follow_the_theme_while_the_page_is_open(
    address: str, page: Page, server: str
) -> None:
    visit(page, server + address)
    follows_the_theme(page)


def test_a_slide_is_whole(page: Page, server: str, tmp_path: Path) -> None:
    visit(page, f"{server}/quantiles?eps=0.1")
    press(page, "Take away")
    for kind in ("PNG", "SVG"):
        with page.expect_download() as found:
            page.get_by_role("button", name=f"Slide ({kind})").click()
        found.value.save_as(tmp_path / f"slide.{kind.lower()}")
    with Image.open(tmp_path / "slide.png") as image:
        assert image.size == (1920, 1080)
        colours = image.convert("RGB").getcolors(1920 * 1080)
    assert colours is not None
    assert len(colours) > 100  # a picture, not an empty page
    slide = (tmp_path / "slide.svg").read_text(encoding="utf-8")
    assert slide.count("@font-face") == 2
    assert "http://www.w3.org" in slide
    assert not re.search(r'(?:href|src)="?http', slide)
    assert "Teaching view: shows true data" in slide
    title = re.sub(r"<[^>]+>", "", slide.split("</style>")[1].split("<g ")[0])
    assert headline(page).split(";")[0] in title.replace("&amp;", "&")


@pytest.mark.parametrize(
    "address",
    ["/quantiles", *(pytest.param(one, marks=pytest.mark.thorough) for one in ("/trees", "/map"))],
)
def test_the_keyboard_reaches_everything_in_the_dock(address: str, page: Page, server: str) -> None:
    visit(page, server + address)
    reached, wanted = set[str](), ("New draw", "Truth", "Expert")
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate(
                "() => (document.activeElement.ariaLabel || document.activeElement.innerText || '')"
                ".trim()"
            )
        )
        if all(any(name in one for one in reached) for name in wanted):
            break
    else:
        pytest.fail(f"reached: {reached}")
    page.get_by_role("button", name="Expert").focus()
    page.keyboard.press("Enter")
    exact = page.get_by_label("ε, exact", exact=True)
    exact.wait_for()
    exact.fill("0.37")
    with answered(page):
        exact.press("Enter")
    assert link(page)["eps"] == "0.37"
    page.keyboard.press("Escape")
    assert page.get_by_role("slider").first.get_attribute("aria-valuetext") == "0.37"


@pytest.mark.thorough  # tests/pages/test_folded.py says it, and every download looks there
@pytest.mark.parametrize("how", ["wheel", "keyboard"])
def test_what_stands_below_the_picture_comes_when_somebody_looks(
    how: str, page: Page, server: str
) -> None:
    visit(page, f"{server}/quantiles?eps=0.1")
    waits, below = page.locator(".st-key-below_waits"), page.locator(".st-key-under_picture")
    followed(page)
    assert waits.count() == 1
    assert below.count() == 0
    with answered(page):
        if how == "wheel":
            page.mouse.move(600, 400)
            page.mouse.wheel(0, 400)
        else:
            waits.get_by_role("button").press("Enter")
    expect(below).to_contain_text("Mean gap")
    assert waits.count() == 0
