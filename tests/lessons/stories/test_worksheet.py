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


@pytest.fixture(scope="module")
def pages():
    return pages_of(worksheet("K7QMAB"))


def pages_of(sheets):
    return re.findall(r"<section class='page'>(.*?)</section>", sheets, re.DOTALL)


def words_of(page):
    text = re.sub(r"<svg.*?</svg>", "", page, flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]+>", "", text))


@pytest.mark.law
def test_four_pages_and_the_answers_on_a_side_of_their_own(pages):
    assert len(pages) == 4
    asked = scenes(EXERCISES)
    for page in pages[:3]:
        assert not any(scene.answer in words_of(page) for scene in asked)
        assert not any(right in words_of(page) for _, right in FORMULAS if len(right) > 7)
    for number, scene in enumerate(asked, 1):
        (at,) = (place for place, page in enumerate(pages) if scene.exercise in words_of(page))
        assert at == 1 + (number - 1) // 6
        assert f"{number}. {scene.exercise}" in words_of(pages[at])
        assert scene.answer in words_of(pages[3])
    without = worksheet("K7QMAB", answers=False)
    assert pages_of(without) == pages[:3]
    assert VIEWPORT in without  # a phone takes its own width, not that of a sheet
    whole(without.replace("<!doctype html>", ""))


def test_page_one_asks_all_of_a_talk_and_shows_no_words_in_pictures(pages):
    asking = [scene for scene in scenes(ELEVEN) if scene.options]
    for scene in asking:
        assert scene.question in words_of(pages[0])
        assert scene.right.text not in words_of(pages[0]).split(scene.question)[1][:40]
    assert pages[0].count("<svg") == len(asking)
    assert pages[0].count("My guess:") == len(scenes(ELEVEN))
    assert pages[0].count("Was the promise broken?") == len(scenes(["promised"]))
    assert all("<text" not in page for page in pages)
    assert "Room <b>K7QMAB</b>" in pages[0]
    assert "K7QMAB" not in worksheet()


def test_there_is_room_to_write_or_to_draw(pages):
    for first, page in enumerate(pages[1:3]):
        on_it = scenes(EXERCISES)[6 * first : 6 * first + 6]
        drawn = sum(scene.name in AXES for scene in on_it)
        assert page.count("class='rule'") == 3 * len(on_it) - 2 * drawn
        assert page.count("class='axis'") == drawn
        assert page.count("<svg") == sum(scene.name in FIGURES for scene in on_it)
    assert {*EXERCISES, *ELEVEN, *AXES, *FIGURES} <= MODULES


def test_formulas_have_one_blank_each_and_stand_filled_among_the_answers(pages):
    assert pages[2].count("class='blank'") == len(FORMULAS)
    for said, right in FORMULAS:
        assert said.count("{}") == 1
        assert said.format(right) in words_of(pages[3])


def test_words_are_those_of_the_glossary(pages):
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
        assert f"{name}{meaning}" in words_of(pages[3])


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
