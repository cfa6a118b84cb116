"""What goes out for a file that has copies, header by header."""

import asyncio
import gzip
from pathlib import Path
from typing import Any

import brotli
import pytest
from starlette.responses import PlainTextResponse
from streamlit.web.server.starlette.starlette_static_routes import create_streamlit_static_handler

from dpviz.ui.server import compression
from dpviz.ui.server.compression import Compression, accepted
from dpviz.ui.server.copies import Copies
from tests.rows import by_rows

SCRIPT = b"export const answer = 42;\n" * 400
NAME = "static/js/one.Ab12.js"
CODED = {"br": brotli.decompress, "gzip": gzip.decompress}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "static" / "js").mkdir(parents=True)
    (tmp_path / NAME).write_bytes(SCRIPT)
    (tmp_path / "index.html").write_text("<!DOCTYPE html>")
    return tmp_path


def request(path: str, method: str = "GET", root_path: str = "", **headers: str) -> dict[str, Any]:
    said = [(name.replace("_", "-").encode(), one.encode()) for name, one in headers.items()]
    return {
        "type": "http", "method": method, "path": path, "root_path": root_path,
        "headers": said, "query_string": b"", "raw_path": path.encode(),
    }  # fmt: skip


def answer(
    root: Path, scope: dict[str, Any], inner: Any = None
) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of what goes out."""
    sent: list[dict[str, Any]] = []

    async def receive() -> None:
        await asyncio.Event().wait()  # nobody hangs up

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    app = Compression(inner or create_streamlit_static_handler(str(root), None), Copies(root, None))
    asyncio.run(app(scope, receive, send))
    start, *bodies = sent
    names = [name for name, _ in start.get("headers", ())]
    assert len(names) == len(set(names))
    headers = {name.decode(): value.decode() for name, value in start.get("headers", ())}
    return start["status"], headers, b"".join(one.get("body", b"") for one in bodies)


@by_rows(
    ("said", "coding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip", "gzip"),
        ("BR", "br"),
        ("br;q=0, gzip;q=0.5", "gzip"),
        ("br; q=0.1,gzip;q=1", "br"),
        ("*", "br"),
        ("br;q=0, *", "gzip"),
        ("*;q=0", None),
        ("identity", None),
        ("", None),
        ("br;q=zero", None),
        ("zstd, deflate", None),
        ("xbr, brotli", None),
    ],
)
def test_a_browser_gets_what_it_takes(said: str, coding: str | None):
    assert accepted(said) == coding


@pytest.mark.parametrize("coding", CODED)
def test_a_copy_differs_from_the_file_in_nothing_but_its_coding(root: Path, coding: str):
    status, headers, body = answer(root, request(f"/{NAME}", accept_encoding=coding))
    plain, before, whole = answer(root, request(f"/{NAME}"))
    assert (status, plain, whole) == (200, 200, SCRIPT)
    assert CODED[coding](body) == SCRIPT
    assert headers["content-encoding"] == coding
    assert headers["content-length"] == str(len(body))
    for name in ("content-type", "vary", "cache-control"):
        key = {"cache-control": "Cache-Control"}.get(name, name)
        assert headers[name] == before.get(key, before.get(name))
    assert headers["vary"] == "Accept-Encoding"
    assert "immutable" in headers["cache-control"]
    assert "content-encoding" not in before
    assert headers["etag"] != before["etag"]


def test_who_has_a_copy_is_told_so(root: Path):
    _, headers, _ = answer(root, request(f"/{NAME}", accept_encoding="br"))
    tag = headers["etag"]
    for known in (tag, f'"other", W/{tag}', "*"):
        status, again, body = answer(
            root, request(f"/{NAME}", accept_encoding="br", if_none_match=known)
        )
        assert (status, body) == (304, b"")
        assert again["etag"] == tag
        assert again["vary"] == "Accept-Encoding"
    for other in ('"other"', tag.replace("-br", "-gzip")):
        status, _, body = answer(
            root, request(f"/{NAME}", accept_encoding="br", if_none_match=other)
        )
        assert status == 200
        assert brotli.decompress(body) == SCRIPT


def test_who_asks_for_the_head_gets_no_body(root: Path):
    status, headers, body = answer(root, request(f"/{NAME}", "HEAD", accept_encoding="br"))
    assert (status, body) == (200, b"")
    assert int(headers["content-length"]) > 0


def test_a_part_of_a_file_is_of_the_file_itself(root: Path):
    scope = request(f"/{NAME}", accept_encoding="br", range="bytes=0-9")
    status, headers, body = answer(root, scope)
    assert (status, body) == (206, SCRIPT[:10])
    assert "content-encoding" not in headers
    assert headers["vary"] == "Accept-Encoding"


@pytest.mark.parametrize(
    "scope",
    [
        request("/", accept_encoding="br"),
        request("/quantiles", accept_encoding="br"),
        request("/static/js/missing.js", accept_encoding="br"),
        request("/static/js/../js/one.Ab12.js", accept_encoding="br"),
        request(f"//{NAME}", accept_encoding="br"),
        request(f"/{NAME}/", accept_encoding="br"),
        request(f"/other/{NAME}", accept_encoding="br"),
        request(f"/{NAME}", "POST", accept_encoding="br"),
        {"type": "websocket", "path": f"/{NAME}", "headers": []},
        {"type": "lifespan"},
    ],
    ids=str,
)
def test_everything_else_passes_untouched(root: Path, scope: dict[str, Any]):
    asked: list[Any] = []

    async def inner(scope: Any, receive: Any, send: Any) -> None:
        asked.append(scope)
        await PlainTextResponse("said")({"type": "http", "method": "GET"}, receive, send)

    status, headers, body = answer(root, scope, inner)
    assert asked == [scope]
    assert (status, body) == (200, b"said")
    assert "vary" not in headers


@pytest.mark.parametrize("base", ["dpviz", "/dpviz/", "a/b"])
def test_below_a_base_path_the_same(root: Path, base: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(compression.config, "get_option", {"server.baseUrlPath": base}.get)
    path = f"/{base.strip('/')}/{NAME}"
    assert brotli.decompress(answer(root, request(path, accept_encoding="br"))[2]) == SCRIPT
    missing = PlainTextResponse("not here", 404)
    assert answer(root, request(f"/{NAME}", accept_encoding="br"), missing)[0] == 404


def test_mounted_below_another_app_the_same(root: Path):
    scope = request(f"/outer/{NAME}", root_path="/outer", accept_encoding="br")
    assert brotli.decompress(answer(root, scope)[2]) == SCRIPT
