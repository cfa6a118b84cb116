"""What is taken along: handouts that print anywhere, notebooks that run, a card, the command."""

import re
from html.parser import HTMLParser

import nbformat
import pytest

from dpviz.__main__ import main
from dpviz.lessons.stories.handout import VIEWPORT, decision_card, handout, marked
from dpviz.lessons.stories.listing import BY_KEY
from dpviz.lessons.stories.notebook import notebook
from dpviz.version import __version__

VOID = {"meta", "br", "link", "img", "input", "hr"}


class Tags(HTMLParser):
    """Fails on a tag that is closed wrongly."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def whole(page):
    tags = Tags()
    tags.feed(page)
    assert tags.open == []
    assert not re.search(r'(?:href|src)="?(?:https?:)?//', page)
    return page


@pytest.mark.law
@pytest.mark.parametrize("story", BY_KEY)
def test_a_handout_has_every_scene_and_answers_last(story):
    page = whole(handout(story))
    scenes = BY_KEY[story].scenes
    beats = len(scenes) + sum(scene.second is not None for scene in scenes)
    assert page.count("<svg") == beats
    last = page.rindex("Exercise.")
    for scene in scenes:
        assert scene.title.replace("&", "&amp;") in page
        assert page.index(scene.answer.replace("<", "&lt;").replace(">", "&gt;")) > last
    assert "#FBFAF7" in page  # the light paper, whoever asks
    assert __version__ in page
    assert all(VIEWPORT in one for one in (page, decision_card(1.0)))


def test_a_sentence_keeps_its_colours():
    assert marked("a :blue[<b>] **c** :orange[d]") == (
        "a <span style='color:#006DAA'><b>&lt;b&gt;</b></span> <b>c</b> "
        "<span style='color:#B44A00'><b>d</b></span>"
    )


def test_the_decision_card_is_one_page_with_room_to_sign():
    page = whole(decision_card(0.1))
    assert page.count("class='lines'") == 3
    assert page != decision_card(1.0)


@pytest.mark.law
@pytest.mark.parametrize("story", BY_KEY)
def test_a_notebook_runs_from_top_to_bottom(story, capsys):
    book = nbformat.reads(notebook(story), as_version=4)
    nbformat.validate(book)
    space = {}
    for cell in book.cells:
        if cell.cell_type == "code":
            *lines, last = cell.source.split("\n")
            exec(compile("\n".join(lines), "cell", "exec"), space)
            shown = eval(last, space)
            assert shown is None or shown._repr_svg_().startswith("<svg")
    said = capsys.readouterr().out
    for scene in BY_KEY[story].scenes:
        assert scene.say(scene.numbers(scene.control.revealed, 1)).sentence in said
    assert notebook(story) == notebook(story)


@pytest.mark.law
def test_the_command_writes_a_handout(tmp_path, capsys):
    place = tmp_path / "teach.html"
    assert main(["handout", "teach", "-o", str(place)]) == 0
    assert place.read_text(encoding="utf-8") == handout("teach")
    assert "teach.html" in capsys.readouterr().out
    assert main(["handout", "show", "-o", str(tmp_path / "no" / "folder.html")]) == 1
    assert "cannot be written" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["handout", "nobody"])
