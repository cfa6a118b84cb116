"""The page of all stories: a story's picture asks, and gives no answer away."""

from dpviz.figures.stage.screen import PHONE
from dpviz.lessons.stories.listing import STORIES, scene
from dpviz.site.early import NARROW, picture
from dpviz.site.pages import overview_page


def test_a_cover_is_the_picture_of_a_question():
    body = overview_page({}).body
    for story in STORIES:
        one = scene(story.cover)
        assert one in story.scenes
        asked, answered = (
            picture(one.stage(stop, beat, screen=PHONE, only=True), NARROW, f"c-{story.key}",
                    kind="shown")
            for stop, beat in ((one.control.start, "predict"), (one.control.revealed, "reveal"))
        )  # fmt: skip
        assert asked in body
        assert answered not in body
