"""What a first visit loads: compressed, from here alone, and the next page's parts in advance."""

import http.client
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Response

from dpviz import serving
from dpviz.ui.kit import frame
from dpviz.ui.kit.process.front_end import scripts_of
from tests.browser.conftest import running_app
from tests.browser.steps import tracebacks, visit
from tests.conftest import ROOT

LATER_JS = ROOT / "dpviz/ui/stage/later.js"
SCENE = "learn?story=teach&scene=1"
PAGES = (
    *(name for rows in frame.PAGES.values() for name, _ in rows),
    *(name for name, _ in frame.WITHIN),
    SCENE,
)
FEW = ("start", "quantiles")  # a stage and a picture, with scripts of every kind
LATER = "() => [...document.querySelectorAll('link[rel=prefetch]')].map(one => one.href)"
# bytes that came over the line for the library of the pictures
SENT = """() => performance.getEntriesByType('resource')
  .filter(one => one.name.includes('/PlotlyChart.')).map(one => one.transferSize)"""
# what is fetched on lines of every kind, each of which is named by what it would ask for
ASKED = f"""async (source) => {{
  const place = URL.createObjectURL(new Blob([source], {{ type: "text/javascript" }}));
  const {{ fetchLater }} = await import(place);
  window.setTimeout = window.requestIdleCallback = (act) => act();
  const lines = {{
    "saving": {{ saveData: true, effectiveType: "4g" }}, "3g": {{ effectiveType: "3g" }},
    "cellular": {{ effectiveType: "4g", type: "cellular" }}, "4g": {{ effectiveType: "4g" }},
    "none": undefined,
  }};
  for (const [name, line] of Object.entries(lines)) {{
    Object.defineProperty(navigator, "connection", {{ value: line, configurable: true }});
    fetchLater([`${{name}}.js`]);
  }}
  return ({LATER})();
}}"""
# a server whose copies can be kept nowhere, as in a container that is read only and was not filled
NOWHERE = """from pathlib import Path

from dpviz.ui.server import copies

copies.COPIES.__init__(copies.root(), Path("/dev/null/copies"))
app = st.App("""


@pytest.fixture(scope="module")
def below(chromium_path: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server below a base path."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(serving.BASE, "/a/dpviz")
        with running_app(tmp_path_factory.mktemp("below") / "log.txt") as address:
            patch.undo()  # for the server alone, and none that starts after it
            yield f"{address}/a/dpviz"


@pytest.fixture(scope="module")
def without_folder(chromium_path: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    place = tmp_path_factory.mktemp("nowhere")
    own = (ROOT / "dpviz/ui/server/asgi.py").read_text(encoding="utf-8")
    (place / "nowhere.py").write_text(own.replace("app = st.App(", NOWHERE), encoding="utf-8")
    with running_app(place / "log.txt", str(place / "nowhere.py")) as address:
        yield address


def opened(browser: Browser, address: str, pages: Sequence[str], **headers: str) -> list[Response]:
    """All answers of a first visit to these pages, which show what they should.

    The scripts of the Quantiles page are there before it is asked for.
    """
    context = browser.new_context(extra_http_headers=headers)
    page, answers = context.new_page(), list[Response]()
    page.on("response", lambda one: answers.append(one))  # noqa: PLW0108  not of Python itself
    for number, one in enumerate(pages):
        visit(page, f"{address}/{'' if one == 'start' else one}")
        assert tracebacks(page).count() == 0
        assert page.locator("h1").first.inner_text()
        if number == 0:
            page.wait_for_function(f"() => ({LATER})().length > 0")
            assert any("/PlotlyChart." in name for name in page.evaluate(LATER))
            # an entry is of what has come
            page.wait_for_function(f"() => ({SENT})().length > 0")
        elif one == "quantiles":
            assert page.locator(".js-plotly-plot").count() > 0
            assert page.evaluate(SENT) == [0]
    context.close()
    return answers


def codings(answers: list[Response], address: str) -> dict[str, set[str]]:
    """By the kind of file how it came; all of it from this server."""
    found: dict[str, set[str]] = {}
    host = urlsplit(address).netloc
    for one in answers:
        where = urlsplit(one.url)
        if where.scheme in {"blob", "data"}:
            continue
        assert where.netloc == host, one.url
        if one.status == 200:
            kind = Path(where.path).suffix
            found.setdefault(kind, set()).add(one.headers.get("content-encoding", "as it is"))
    return found


@pytest.mark.few(1)  # a link below a base path and one without a folder have quick tests, too
@pytest.mark.parametrize(
    ("where", "pages"),
    [
        ("server", FEW),
        ("server", PAGES),
        ("without_folder", FEW),
        ("below", FEW),
        ("below", (SCENE, "quantiles")),
    ],
    ids=["server", "every page", "without_folder", "below", "below, from a scene"],
)
def test_every_page_comes_compressed_and_from_here_alone(
    browser: Browser, where: str, pages: Sequence[str], request: pytest.FixtureRequest
):
    address = request.getfixturevalue(where)
    answers = opened(browser, address, pages)
    found = codings(answers, address)
    # the italics of the headline's font are a third of a megabyte
    assert not [one.url for one in answers if "Italic" in one.url]
    assert "br" in found[".js"]
    assert found[".woff2"] == {"as it is"}
    # scripts of less than a thousand bytes are not worth it
    assert found[".js"] <= {"br", "as it is"}
    assert found[".css"] == {"br"}


@pytest.mark.thorough  # tests/ui/server/test_compression.py says what is sent to whom
@pytest.mark.parametrize("where", ["server", "below", "without_folder"])
def test_who_takes_no_compression_gets_every_page_as_well(
    browser: Browser, where: str, request: pytest.FixtureRequest
):
    address = request.getfixturevalue(where)
    found = codings(opened(browser, address, FEW, **{"Accept-Encoding": "identity"}), address)
    assert found[".js"] == found[".css"] == {"as it is"}


def test_large_scripts_have_a_copy_and_small_ones_none(server: str):
    where = urlsplit(server)
    for path in scripts_of("PlotlyChart"):
        link = http.client.HTTPConnection(where.hostname or "", where.port)
        link.request("GET", f"/{path}", headers={"Accept-Encoding": "br, gzip"})
        answer = link.getresponse()
        whole = answer.read()
        assert answer.status == 200
        coded = answer.getheader("Content-Encoding")
        assert (coded == "br") or len(whole) < 1_000
        assert "immutable" in str(answer.getheader("Cache-Control"))
        link.close()


def test_nothing_is_fetched_in_advance_where_it_is_slow_or_dear(page: Page):
    page.set_content(
        "<script type='module' src='http://app.test/a/dpviz/static/js/index.js'></script>"
    )
    assert page.evaluate(ASKED, LATER_JS.read_text(encoding="utf-8")) == [
        f"http://app.test/a/dpviz/{name}.js" for name in ("4g", "none")
    ]
