"""The gallery against the app: each link opens what is shown and said in the static edition."""

from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import Page

from dpviz.site.gallery import ROWS, drawn, said
from scripts.gallery import picture_of, seen


def parts(svg: str) -> list[tuple[str, str | None]]:
    """What a picture is made of; where its parts lie may differ by a browser's fonts."""
    return [(one.tag, one.text) for one in ET.fromstring(svg).iter()]


def differences(page: Page, server: str, names: tuple[str, ...]) -> list[str]:
    """Rows whose picture or words are others in the app by now."""
    found = []
    for row in (one for one in ROWS if one.name in names):
        light, dark = seen(page, server, row)
        if [light["headline"], light["alt"]] != said()[row.name][:2]:
            found.append(f"{row.name} says: {light['headline']} {light['alt']}")
        if parts(picture_of(light, dark, row.name)) != parts(drawn(row)):
            found.append(f"{row.name} has another picture")
    return found


@pytest.mark.thorough  # tests/pages/test_gallery.py reads the words
@pytest.mark.parametrize("name", [row.name for row in ROWS])
def test_a_page_shows_and_says_what_the_gallery_does(page, server, name):
    assert differences(page, server, (name,)) == []
