"""Below a scene of the static edition stand the formula and what is asked again, as in the app."""

import re

import pytest

from dpviz.lessons.stories import formula
from dpviz.lessons.stories.listing import scene
from dpviz.lessons.stories.telling import Place
from dpviz.lessons.stories.transfer import TRANSFERS, below
from dpviz.site.markup import marked, text
from dpviz.site.scenes import course, page_of


@pytest.mark.law
def test_a_page_has_the_formula_of_the_app_and_asks_again_what_it_asks(site_folder):
    shown = 0
    for story, one in course():
        body = (site_folder / page_of(story, one.number)).read_text(encoding="utf-8")
        asked = below(one)
        offline, online = (
            Place(story, found, None, "reveal", one.control.start)
            for found in (one, scene(one.name))
        )
        assert formula.parts(offline) == formula.parts(online)
        assert any(part.new for part in formula.parts(offline)) == bool(one.formula)
        assert formula.as_html(offline) in body
        assert ("From before." in body) == (asked is not None)
        if asked is not None:
            shown += 1
            listed = re.search(r"From before\.</b> (.*?)</p><ul>(.*?)</ul>", body)
            assert listed[1] == text(asked.question)
            assert re.findall("<li>(.*?)</li>", listed[2]) == [
                text(option) for option in asked.shuffled()
            ]
            assert f"<b>{text(asked.right)}.</b> {marked(asked.why())}</p></details>" in body
    assert shown == len(TRANSFERS)
