"""The words of the gallery are those of the app by now, on a phone, where it is taken."""

import pytest

from dpviz.site.gallery import ROWS, said
from tests.pages.driver import alts, opened, read

OTHERS = ("decide", "samples", "methods")  # whose pictures are no charts


@pytest.mark.few(4)
@pytest.mark.parametrize(
    "row", [row for row in ROWS if row.name not in OTHERS], ids=lambda row: row.name
)
def test_the_gallery_says_what_the_app_says(row, monkeypatch):
    monkeypatch.setattr("dpviz.ui.visit.screen.room", lambda: "phone")
    page, _, link = row.link.partition("?")
    app = opened(page, **dict(one.split("=") for one in link.split("&") if one))
    headline, alt, _ = said()[row.name]
    told = app.title[0].value.replace("**", "").replace("\\", "")
    assert read(told).replace("\N{NO-BREAK SPACE}", " ") == headline
    assert alts(app)[0] == alt
