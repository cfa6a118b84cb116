"""The attacker's desk in a real browser: as a file of the static edition, and in the app."""

import re
from itertools import accumulate
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dpviz.lessons import asking
from dpviz.site import build
from dpviz.site.pages import scene_page
from dpviz.site.scenes import course
from tests.browser.first_screen import AXE
from tests.browser.steps import visit
from tests.scenes import link_of

PEOPLE = ["Ana", "Bela", "Cyra", "Dario", "Edda", "Femi", "Gustl", "Hana", "Ivo", "Jorun", "Kito"]

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scene as one file that needs no other."""
    (story, scene) = next(one for one in course() if one[1].name == "attacker")
    found = tmp_path_factory.mktemp("desk") / "attacker.html"
    found.write_text(build.alone(scene_page(story, scene)), encoding="utf-8")
    return found


def tap(page: Page, names: list[str], button: str) -> None:
    desk = page.locator(".asking")
    for name in names:
        desk.get_by_role("button", name=re.compile(f"^{name}")).click()
    desk.get_by_role("button", name=button).click()


def attack(page: Page) -> None:
    """From the rule of ten people on: refused, asked twice, and Ana's mark is out."""
    desk = page.locator(".asking")
    tap(page, PEOPLE[:3], "Ask")
    expect(desk).to_contain_text("The office answers for 10 people or more; these are 3.")
    tap(page, PEOPLE[3:], "Ask")  # a refused group stays tapped
    expect(desk).to_contain_text("11 people: 5 bad marks")
    expect(desk.locator("p.out")).to_have_count(0)
    tap(page, PEOPLE[1:], "Ask")
    expect(desk.locator("p.out")).to_have_text("5 − 4 = 1. Ana: bad.")
    expect(desk.locator("button.out")).to_have_text("Anabad")


def guesses(page: Page) -> None:
    """With noise from one tank: what it pays, what it does not, and a tally of two guesses."""
    desk, coins = page.locator(".asking"), asking.desk()["coins"]
    for part, left in (("½ tank", "½"), ("¼ tank", "¼")):
        tap(page, ["Ana"], part)
        expect(desk).to_contain_text(f"The tank: {left}")
    half, quarter = (asking.desk()["shares"][one][0] for one in ("0.5", "0.25"))
    for noise, part in ((half, "½ tank"), (quarter, "¼ tank")):
        count = str(coins[0] + noise).replace("-", "−")
        expect(desk).to_contain_text(f"Ana ({part}): {count} bad marks")
    desk.get_by_role("button", name=re.compile("^Ana")).click()
    expect(desk.get_by_role("button", name="½ tank")).to_be_disabled()
    right = accumulate(int(coins[number] == guess) for number, guess in enumerate((1, 0)))
    for number, (guess, so_far) in enumerate(zip(("bad", "good"), right, strict=True)):
        desk.get_by_role("button", name=f"Guess: Ana is {guess}").click()
        was = "bad" if coins[number] else "good"
        expect(desk).to_contain_text(f"Ana’s mark was {was}. {so_far} of {number + 1} right.")
    expect(desk).to_contain_text("The tank: full")


@pytest.mark.thorough  # in the app it is played by the same script
def test_it_is_played_from_a_file_by_touch_and_by_keyboard(page: Page, file: Path) -> None:
    page.goto(f"{file.as_uri()}#guess=d")
    attack(page)
    assert barriers(page) == []
    desk = page.locator(".asking")
    desk.get_by_role("button", name="Start again").click()
    desk.get_by_role("button", name=re.compile("^Ana")).focus()
    page.keyboard.press("Enter")
    expect(desk.get_by_role("button", name=re.compile("^Ana"))).to_be_focused()
    expect(desk.get_by_role("button", name="Ask (1)")).to_be_enabled()
    page.goto("about:blank")
    page.goto(f"{file.as_uri()}#guess=d&beat=2")
    guesses(page)
    page.goto("about:blank")
    page.goto(f"{file.as_uri()}#guess=d&at=machine")
    expect(desk).to_be_hidden()


def test_a_hint_comes_to_somebody_who_finds_nothing(page: Page, file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    quick = file.with_name("quick.html")
    quick.write_text(text.replace('"hint":60.0', '"hint":0.2'), encoding="utf-8")
    assert quick.read_text(encoding="utf-8") != text
    page.goto(f"{quick.as_uri()}#guess=d")
    expect(page.locator(".asking")).to_contain_text("Hint: once with her, once without.")


def barriers(page: Page) -> list[str]:
    """What axe-core finds wrong with the desk."""
    page.evaluate(AXE)
    found = page.evaluate("() => axe.run('.asking', {resultTypes: ['violations']})")
    return [f"{one['id']}: {one['nodes'][0]['html']}" for one in found["violations"]]


@pytest.mark.thorough
@pytest.mark.parametrize(("dark", "width"), [(True, 390), (False, 1440)])
def test_axe_finds_nothing(page: Page, file: Path, dark: bool, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(color_scheme="dark" if dark else "light")
    for beat in ("", "&beat=2"):
        page.goto("about:blank")
        page.goto(f"{file.as_uri()}#guess=d{beat}")
        tap(page, PEOPLE[:1] if beat else PEOPLE, "¼ tank" if beat else "Ask")
        assert barriers(page) == []


def test_it_is_played_in_the_app(page: Page, server: str) -> None:
    visit(page, f"{server}/learn?{link_of('attacker')}&guess=d&beat=2")
    tap(page, ["Ana"], "½ tank")
    expect(page.locator(".asking")).to_contain_text("The tank: ½")
