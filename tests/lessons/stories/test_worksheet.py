"""Two sheets for a class: what stands on which side, and that no answer stands by its question."""

import html
import re

import pytest

from dpviz.__main__ import main
from dpviz.lessons.stories.handout import VIEWPORT
from dpviz.lessons.stories.plans import ELEVEN, scenes
from dpviz.lessons.stories.worksheet import AXES, EXERCISES, FIGURES, FORMULAS, WORDS, worksheet
from dpviz.ui.kit.glossary import GLOSSARY
from tests.lessons.stories.test_inventory import MODULES
from tests.lessons.stories.test_take_away import whole

PAGES = re.findall(r"<section class='page'>(.*?)</section>", worksheet("K7QMAB"), re.DOTALL)


def words_of(page):
    text = re.sub(r"<svg.*?</svg>", "", page, flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]+>", "", text))


@pytest.mark.law
def test_four_pages_and_the_answers_on_a_side_of_their_own():
    assert len(PAGES) == 4
    asked = scenes(EXERCISES)
    for page in PAGES[:3]:
        assert not any(scene.answer in words_of(page) for scene in asked)
        assert not any(right in words_of(page) for _, right in FORMULAS if len(right) > 7)
    for number, scene in enumerate(asked, 1):
        (at,) = (place for place, page in enumerate(PAGES) if scene.exercise in words_of(page))
        assert at == 1 + (number - 1) // 6
        assert f"{number}. {scene.exercise}" in words_of(PAGES[at])
        assert scene.answer in words_of(PAGES[3])
    without = worksheet("K7QMAB", answers=False)
    assert re.findall(r"<section class='page'>(.*?)</section>", without, re.DOTALL) == PAGES[:3]
    assert VIEWPORT in without  # a phone takes its own width, not that of a sheet
    whole(without.replace("<!doctype html>", ""))


def test_page_one_asks_all_of_a_talk_and_shows_no_words_in_pictures():
    asking = [scene for scene in scenes(ELEVEN) if scene.options]
    for scene in asking:
        assert scene.question in words_of(PAGES[0])
        assert scene.right.text not in words_of(PAGES[0]).split(scene.question)[1][:40]
    assert PAGES[0].count("<svg") == len(asking)
    assert PAGES[0].count("My guess:") == len(scenes(ELEVEN))
    assert PAGES[0].count("Was the promise broken?") == len(scenes(["promised"]))
    assert all("<text" not in page for page in PAGES)
    assert "Room <b>K7QMAB</b>" in PAGES[0]
    assert "K7QMAB" not in worksheet()


def test_there_is_room_to_write_or_to_draw():
    for first, page in enumerate(PAGES[1:3]):
        on_it = scenes(EXERCISES)[6 * first : 6 * first + 6]
        drawn = sum(scene.name in AXES for scene in on_it)
        assert page.count("class='rule'") == 3 * len(on_it) - 2 * drawn
        assert page.count("class='axis'") == drawn
        assert page.count("<svg") == sum(scene.name in FIGURES for scene in on_it)
    assert {*EXERCISES, *ELEVEN, *AXES, *FIGURES} <= MODULES


def test_formulas_have_one_blank_each_and_stand_filled_among_the_answers():
    assert PAGES[2].count("class='blank'") == len(FORMULAS)
    for said, right in FORMULAS:
        assert said.count("{}") == 1
        assert said.format(right) in words_of(PAGES[3])


def test_words_are_those_of_the_glossary():
    known = {name for name, _ in GLOSSARY}
    assert len(WORDS) == 12
    assert {name for name, _ in WORDS} <= known
    said = {
        "Record": "one person", "Neighbours": "one unit", "ε (epsilon)": "e^ε times",
        "δ, ρ": "chance of failure", "Mechanism": "random",
        "Noise": "law is public, its draw is not", "Sensitivity": "one unit can change",
        "Bounds, clipping": "without the data", "Budget, composition": "add up",
        "Post-processing": "free", "Reconstruction": "many exact answers",
        "Audit": "breaking its promise",
    }  # fmt: skip
    for name, meaning in WORDS:
        assert said[name] in meaning
        assert f"{name}{meaning}" in words_of(PAGES[3])


@pytest.mark.law
def test_typefaces_stand_in_the_page_or_beside_it():
    assert worksheet().count("data:font/woff2") == 2
    beside = worksheet(inline=False)
    assert "data:font" not in beside
    assert "url(sans.woff2)" in beside
    sizes = re.findall(r"font(?:-size)?: ([\d.]+)pt", beside.split("</style>")[0])
    assert len(sizes) > 5
    assert min(map(float, sizes)) >= 9


@pytest.mark.law
@pytest.mark.parametrize("without", [[], ["--without-answers"]])
def test_the_command_writes_it(tmp_path, without):
    place = tmp_path / "class.html"
    assert main(["handout", "class", *without, "-o", str(place)]) == 0
    assert place.read_text(encoding="utf-8") == worksheet(answers=not without)
