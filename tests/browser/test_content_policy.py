"""Nothing of other hosts: no link brings a part of a page, and the browser would not load it."""

from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.browser.steps import tracebacks, visit
from tests.pages.odd_links import FORGED, TEXTS, keys_of

# pages with texts of their links nearest to labels and headings
WORST = ("quantiles", "trees", "map", "what_if", "neighbours", "papers", "learn", "data")
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
  picture.src = address;
  document.body.append(picture);
})
"""
RUN = """
script => new Promise(resolve => {
  document.addEventListener('securitypolicyviolation', told => resolve(told.effectiveDirective));
  const place = document.createElement('div');
  place.innerHTML = script;
  document.body.append(place);
})
"""


@pytest.fixture
def alone(context: BrowserContext) -> Iterator[Page]:
    """A tab of its own: what is refused in it is meant to be refused."""
    page = context.new_page()
    yield page
    page.close()


@pytest.mark.parametrize("name", WORST)
def test_a_link_made_to_do_harm_loads_nothing(alone: Page, server: str, name: str) -> None:
    asked: list[str] = []
    alone.on("request", lambda request: asked.append(request.url))
    alone.on("dialog", lambda dialog: pytest.fail(dialog.message))
    link = urlencode({key: TEXTS[at % len(TEXTS)] for at, key in enumerate(keys_of(name))})
    visit(alone, f"{server}/{name}?{link}")
    own = (server, "blob:", "data:")
    assert [one for one in asked if not one.startswith(own)] == []
    assert alone.evaluate(BORN, FORGED) == []
    assert FORGED not in alone.inner_text("body")
    assert tracebacks(alone).count() == 0


def test_a_picture_and_a_script_from_elsewhere_are_refused(alone: Page, server: str) -> None:
    """The wrong twin: a page in which a text has become an element."""
    visit(alone, f"{server}/methods")
    assert alone.evaluate(LOADED, f"{server}/favicon.png") == "loaded"
    assert alone.evaluate(LOADED, "http://forged.test/p.png") == "img-src"
    handler = "<img src='data:,' onerror='document.title = 1'>"
    assert alone.evaluate(RUN, handler) == "script-src-attr"
    assert alone.title() != "1"
