"""The API page: every public name, and nothing that a browser would fetch from elsewhere."""

import re
from html.parser import HTMLParser

import pytest

import dpviz as dp
from scripts.api_page import write
from tests.facade.public import FOLDED

# elements that a browser loads when it shows the page; a link that a reader may follow is none
LOADED = {"script", "link", "img", "iframe", "source", "embed", "object", "video", "audio"}
ADDRESSES = ("src", "href", "srcset", "data")
FETCHING_STYLE = re.compile(r"@import\b|url\((?!\s*['\"]?(?:data:|#))", re.IGNORECASE)


class Page(HTMLParser):
    """Collects what the page loads, what its styles fetch, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.styles = ""
        self.anchors: set[str] = set()
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self._inside = tag
        given = dict(attrs)
        self.anchors.add(given.get("id") or "")
        self.styles += given.get("style") or ""
        if tag in LOADED:
            self.loaded += [given[name] for name in ADDRESSES if given.get(name)]

    def handle_data(self, data):
        if self._inside == "style":
            self.styles += data


def fetched(text: str) -> list[str]:
    """Everything that a browser would fetch for a page."""
    page = Page(text)
    own = ("data:", "#")
    outside = [address for address in page.loaded if not address.startswith(own)]
    return outside + FETCHING_STYLE.findall(page.styles)


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> dict[str, str]:
    """Each page's text: the facade's, and those of the two modules behind it."""
    folder = write(tmp_path_factory.mktemp("docs")).parent
    return {
        path.relative_to(folder).with_suffix("").as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*.html")
    }


@pytest.fixture(scope="module")
def text(pages) -> str:
    return pages["dpviz"]


@pytest.mark.law
def test_the_page_has_every_public_name_and_the_methods_of_its_classes(pages):
    assert set(pages) == {"index", "dpviz", *(f"dpviz/{name}" for name in FOLDED)}
    anchors = Page(pages["dpviz"]).anchors
    assert {*dp.__all__} - {"__version__", *FOLDED} <= anchors
    assert {"Column.from_values", "JointExp.release_many", "SliceQuantiles.cost"} <= anchors
    for name in FOLDED:
        anchors = Page(pages[f"dpviz/{name}"]).anchors
        assert {*getattr(dp, name).__all__} <= anchors
    inherited = {"TreeRelease.from_json", "TreeRelease.to_frame", "TreeRelease.plot"}
    assert inherited <= Page(pages["dpviz/releases"]).anchors


@pytest.mark.law
def test_the_page_says_what_the_docstrings_say(text):
    for words in ("Minimum-variance unbiased counts", "<br>\nSource: Honaker 2019", "Guarantee"):
        assert words in text


@pytest.mark.law
def test_nothing_is_fetched_from_elsewhere(pages):
    for text in pages.values():
        assert fetched(text) == []


@pytest.mark.law
@pytest.mark.parametrize(
    "wrong",
    [
        "<script src='https://elsewhere.example/a.js'></script>",
        "<link rel=stylesheet href='//elsewhere.example/a.css'>",
        "<img src='http://elsewhere.example/a.png'>",
        "<style>@import 'https://elsewhere.example/a.css';</style>",
        "<style>a { background: url(https://elsewhere.example/a.png) }</style>",
        "<p style='background: url(\"//elsewhere.example/a.png\")'>",
    ],
)
def test_a_page_that_fetches_is_caught(text, wrong):
    end = text[-1_000:]
    assert fetched(end) == []
    assert fetched(end + wrong)
