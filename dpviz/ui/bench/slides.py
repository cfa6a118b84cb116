"""The picture of a page at slide size, 1920 × 1080, put together by the browser from what it shows."""

from dpviz.answers.said import NOTICE, unmarked
from dpviz.ui.beside import component
from dpviz.ui.visit.page import Visit


def slides(now: Visit, hero: str, sentence: str, file: str) -> None:
    """Two buttons that save the picture of this hero, as PNG and as SVG.

    sentence is the page's headline, Markdown and all; it becomes the title. While true data is on
    screen the slide says so.
    """
    component(__file__, "slides", '<div class="slides"></div>')(
        key=f"slides_{hero}",
        data={
            "hero": hero,
            "title": unmarked(sentence),
            "notice": NOTICE if now.truth else "",
            "file": file,
        },
    )
