"""The page that an outsider sees: the private map, the answer with its margin, the release card."""

from __future__ import annotations

from dpviz.answers.spatial import outsider_said
from dpviz.answers.spatial.maps import MapNumbers
from dpviz.answers.spatial.names import count
from dpviz.answers.spatial.rectangle_said import interval_title
from dpviz.figures.spatial.interval import HIGH, interval_picture
from dpviz.ui.bench.hero import drawn
from dpviz.ui.bench.release import DRAWN, DRAWN_FROM, Taken, release_card, which_rows
from dpviz.ui.kit import memory, session
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Shown
from dpviz.ui.spatial import words
from dpviz.ui.spatial.downloads import file_of
from dpviz.ui.spatial.page import MapPage
from dpviz.ui.spatial.private_map import PHONE_WIDTH
from dpviz.ui.spatial.reading import reading_of
from dpviz.ui.visit.page import Visit

TALLEST, TITLE = 560, 40  # px of the map on a phone, and of its title


def height(page: MapPage, values: Values) -> int:
    """Pixels of the map on a phone."""
    aspect = reading_of(values, page.box).aspect
    high = round(PHONE_WIDTH * page.box.y.width * aspect / page.box.x.width) + TITLE
    return min(high, TALLEST)


def card(shown: Shown[MapPage, MapNumbers]) -> None:
    """The answer on an axis of its own, and everything that may be known of the release."""
    page, now, (answer,), found = shown.asked, shown.now, shown.numbers.answers, shown.numbers.alone
    assert found is not None
    (one,) = page.shown
    title = interval_title(answer, words.page_voice())
    high = round(now.look.text(_high(now)))
    drawn(interval_picture(answer, now.look, title), "interval", title, height=high)
    key = ("json", one.key)
    taken: Taken | None = Taken(
        lambda: memory.remembered(key, one.release.to_json), f"{file_of(one)}.json"
    )
    spent = page.draw.spent(page.choice.budget)
    relation = which_rows(outsider_said.RELATIONS[found.cells.neighbours])
    rows = outsider_said.card(answer, found, words.names(), spent, session.protected(), relation)
    if now.presenting:  # what can be read from afar, and no buttons
        rows, taken = [row for row in rows if row[0] not in outsider_said.FAR], None
    else:
        rows.append((DRAWN, DRAWN_FROM[one.release.randomness]))
    colour = now.look.ink.private
    release_card("Release", rows, taken, private=count(answer.private), colour=colour)


def _high(now: Visit) -> int:
    """Pixels of the interval before presenting: a low window has few."""
    return HIGH if now.look.screen != "low" or now.presenting else HIGH - 22
