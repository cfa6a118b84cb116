"""What is asked again below a scene of the static edition: the words of the app."""

import re

from dpviz.lessons.stories.transfer import TRANSFERS, below
from dpviz.site.markup import marked, text
from dpviz.site.pages import scene_page
from dpviz.site.scenes import course


def test_a_page_asks_again_what_the_app_asks():
    shown = 0
    for story, one in course():
        body, asked = scene_page(story, one).body, below(one)
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
