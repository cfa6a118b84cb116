"""The formula below the picture in the static edition is that of the app."""

from dpviz.lessons.stories import formula
from dpviz.lessons.stories.listing import scene
from dpviz.lessons.stories.telling import Place
from dpviz.site.pages import scene_page
from dpviz.site.scenes import course


def test_a_page_has_the_parts_of_the_app_and_knows_which_is_new():
    for story, one in course():
        offline, online = (
            Place(story, found, None, "reveal", one.control.start)
            for found in (one, scene(one.name))
        )
        assert formula.parts(offline) == formula.parts(online)
        assert any(part.new for part in formula.parts(offline)) == bool(one.formula)
        assert formula.as_html(offline) in scene_page(story, one).body
