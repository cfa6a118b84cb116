"""Nothing of other hosts: no link brings a part of a page, and the browser would not load it."""

from urllib.parse import urlencode

import pytest
from playwright.sync_api import Dialog, Page

from tests.browser.first_screen import WIDE, Window
from tests.browser.steps import heard, visit
from tests.pages.odd_links import FORGED, TEXTS, keys_of

# pages with texts of their links nearest to labels and headings: of charts, scenes and cards first
WORST = ("quantiles", "trees", "map", "what_if", "learn", "neighbours", "data", "papers")
BORN = """
name => [...document.querySelectorAll('body *')].filter(
  one => [...one.attributes].some(part => part.value.includes(name))
    || ['IMG', 'SCRIPT', 'IFRAME', 'A'].includes(one.tagName) && one.outerHTML.includes(name)
).map(one => one.outerHTML)
"""
LOADED = """
address => new Promise(resolve => {
  document.addEventListener('securitypolicyviolation', told => resolve(told.effectiveDirective));
  const picture = document.createElement('img');
  picture.onload = () => resolve('loaded');
  picture.onerror = () => setTimeout(resolve, 1000, 'asked for');
  picture.src = address;
  document.body.append(picture);
})
"""
RUN = """
script => new Promise(resolve => {
  document.addEventListener('securitypolicyviolation', told => resolve(told.effectiveDirective));
  const place = document.createElement('div');
  place.innerHTML = script;
  setTimeout(resolve, 3000, 'run');
  document.body.append(place);
})
"""


@pytest.mark.few(
    1
)  # no text of a link is in any part of a page, say tests/pages/test_hostile_links
@pytest.mark.parametrize("name", WORST)
def test_a_link_made_to_do_harm_loads_nothing(window: Window, name: str) -> None:
    link = urlencode({key: TEXTS[at % len(TEXTS)] for at, key in enumerate(keys_of(name))})

    def close(dialog: Dialog) -> None:
        window.outside.append(dialog.message)
        dialog.dismiss()

    with heard(window.page, "dialog", close):
        window.open(f"/{name}?{link}", WIDE)
    assert window.outside == []
    assert window.page.evaluate(BORN, FORGED) == []
    assert FORGED not in window.page.inner_text("body")


def test_a_picture_and_a_script_from_elsewhere_are_refused(
    page: Page, server: str, refused: list[str]
) -> None:
    """The wrong twin: a page in which a text has become an element."""
    visit(page, server)
    assert page.evaluate(LOADED, f"{server}/favicon.png") == "loaded"
    assert page.evaluate(LOADED, "http://forged.test/p.png") == "img-src"
    handler = "<img src='data:,' onerror='document.title = 1'>"
    assert page.evaluate(RUN, handler) == "script-src-attr"
    assert page.title() != "1"
    assert len(refused) == 2
    refused.clear()
