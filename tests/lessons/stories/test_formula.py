"""The formula below the picture: what each scene adds, once it was asked, and what explains it."""

import re
from dataclasses import replace
from html import unescape
from types import SimpleNamespace

from dpviz.answers.said import unmarked
from dpviz.lessons.glossary import MEANING
from dpviz.lessons.stories import formula
from dpviz.lessons.stories.listing import BY_KEY, STORIES, scene
from dpviz.lessons.stories.telling import LECTURE, LOWER, Place, lecture


def at(name: str, beat: str = "reveal") -> Place:
    found = scene(name)
    return Place(BY_KEY[found.story], found, None, beat, found.control.start)


def test_each_scene_of_the_lecture_adds_its_part_with_the_answer():
    added: list[str] = []
    for one in BY_KEY["teach"].scenes:
        before, after = (formula.parts(at(one.name, beat)) for beat in ("predict", "reveal"))
        assert not any(part.new for part in before)
        new = [part for part in after if part.new]
        assert [part.written for part in new] == [one.formula] * bool(one.formula)
        assert [part.term for part in new] == [one.term] * bool(one.formula)
        if one.formula:
            added.append(unmarked(one.formula))
        sides = {part.partition(" ~ ")[0] if "~" in part else part: part for part in added}
        assert {unmarked(part.written) for part in after} == set(sides.values())
    assert len(added) >= 5


def test_a_more_general_part_stands_in_the_place_of_the_special_one():
    special, general = scene("same_noise"), replace(scene("tank"), formula="noise ~ sensitivity/ε")
    story = SimpleNamespace(scenes=(*[special] * (general.number - 1), general))
    place = Place(story, general, None, "reveal", general.control.start)
    assert [(part.written, part.new) for part in formula.parts(place)] == [
        ("noise ~ sensitivity/ε", True)
    ]


def test_only_a_first_lecture_has_one_and_its_words_are_in_the_glossary():
    for story in STORIES:
        for one in story.scenes:
            assert not one.formula or (story.key == "teach" and one.term in MEANING)
            assert not one.term or one.term in MEANING
            tall = lecture(story, one)
            strip = formula.as_html(at(one.name))
            assert tall == (LOWER if strip else LECTURE)
    assert formula.as_html(at("averages")) == ""


def test_each_part_opens_its_word_by_itself_and_is_written_as_one_writes_it():
    shown = formula.as_html(at("median"), "--ink: red")
    opened = re.findall(
        r'<details name="formula" class="(old|new)"><summary>(.*?)</summary>'
        r"<p><b>(.*?)\.</b> (.*?)</p></details>",
        shown,
    )
    assert [kind for kind, *_ in opened] == ["old"] * (len(opened) - 1) + ["new"]
    assert len(opened) == len(formula.parts(at("median")))
    assert all(MEANING[unescape(term)] == unescape(meaning) for _, _, term, meaning in opened)
    assert opened[-1][1] == "chance ~ e<sup><em>ε</em>·points</sup>"
    odds = "odds × e<sup>ε</sup>, e<sup>1.1</sup> = 3", "ε (epsilon)"
    assert odds in [(part, term) for _, part, term, _ in opened]
    assert 'style="--ink: red"' in shown
    assert "style" not in formula.as_html(at("median"))  # a page's policy may forbid it
    assert formula.written("a^:blue[n] < b") == "a<sup><em>n</em></sup> &lt; b"
