from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.formparsers import MultiPartParser
from starlette.requests import Request
from starlette.responses import Response

from dpviz.ui.kit.process.raw_files import REFUSED, keep_in_memory, largest_file
from dpviz.ui.server import gate as gates
from dpviz.ui.server.gate import FileGate

PATH = "/_stcore/upload_file/visitor/file"


def body_of(content: bytes) -> bytes:
    return (
        b'--line\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
        + content
        + b"\r\n--line--\r\n"
    )


async def put(gate: FileGate, content: bytes, path: str = PATH) -> int:
    """Send a file in small pieces; answers how many pieces were taken."""
    whole = body_of(content)
    pieces = [whole[at : at + 100] for at in range(0, len(whole), 100)]
    taken = 0

    async def receive() -> dict[str, Any]:
        nonlocal taken
        taken += 1
        more = taken < len(pieces)
        return {"type": "http.request", "body": pieces[taken - 1], "more_body": more}

    async def send(_: Any) -> None:
        return

    scope = {
        "type": "http",
        "method": "PUT",
        "path": path,
        "query_string": b"",
        "headers": [
            (b"content-type", b"multipart/form-data; boundary=line"),
            (b"content-length", str(len(whole)).encode()),
        ],
    }
    await gate(scope, receive, send)
    return taken


class Inner:
    """An app that keeps the files it gets, and how many came at once."""

    def __init__(self, hold: float = 0.0) -> None:
        self.files: list[bytes] = []
        self.now = self.most = 0
        self.hold = hold

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.now += 1
        self.most = max(self.most, self.now)
        form = await Request(scope, receive).form()
        self.files += [await one.read() for one in form.values()]
        await form.close()
        await asyncio.sleep(self.hold)
        self.now -= 1
        await Response(status_code=204)(scope, receive, send)


def test_a_file_that_fits_passes_untouched():
    inner, content = Inner(), bytes(range(256)) * 9
    asyncio.run(put(FileGate(inner, lambda _: True), content))
    assert inner.files == [content]


def test_a_file_without_room_becomes_a_mark_and_its_bytes_are_dropped():
    inner = Inner()
    gate = FileGate(inner, lambda _: False, patience=0.0)
    taken = asyncio.run(put(gate, b"1,2\n" * 500))
    assert inner.files == [REFUSED]
    assert taken == -(-len(body_of(b"1,2\n" * 500)) // 100)  # the line is empty again


def test_a_file_waits_for_room():
    inner, answers = Inner(), [False, False, True]
    gate = FileGate(inner, lambda _: answers.pop(0), patience=10)
    asyncio.run(put(gate, b"a\n1\n"))
    assert inner.files == [b"a\n1\n"]
    assert answers == []


@pytest.mark.parametrize("at_once", [1, 3])
def test_few_files_come_in_at_once(at_once):
    inner = Inner(hold=0.01)
    gate = FileGate(inner, lambda _: True, at_once=at_once)

    async def all_of_them() -> None:
        await asyncio.gather(*(put(gate, b"%d" % number) for number in range(9)))

    asyncio.run(all_of_them())
    assert inner.most == at_once
    assert sorted(inner.files) == [b"%d" % number for number in range(9)]


@pytest.mark.parametrize("path", ["/_stcore/health", "/_stcore/upload_file/x", "/", "/data"])
def test_what_is_no_file_passes_at_once(path):
    inner = Inner()
    asyncio.run(put(FileGate(inner, lambda _: pytest.fail("asked for room")), b"a", path))
    assert inner.files == [b"a"]


def test_a_file_that_does_not_say_its_size_counts_as_the_largest():
    asked = []
    gate = FileGate(Inner(), lambda size: asked.append(size) or True)

    async def end(*_: Any) -> dict[str, Any]:
        return {"type": "http.request", "body": body_of(b"a"), "more_body": False}

    scope = {"type": "http", "method": "PUT", "path": PATH, "query_string": b"", "headers": []}
    asyncio.run(gate(scope, end, end))
    assert asked == [largest_file()]


@pytest.mark.law
@pytest.mark.parametrize("in_memory", [True, False])  # the second is the wrong twin
def test_no_part_of_a_file_is_put_down_on_a_disk(in_memory, monkeypatch):
    monkeypatch.setattr(MultiPartParser, "spool_max_size", 2**20)
    if in_memory:
        keep_in_memory()
    seen = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        form = await Request(scope, receive).form()
        seen.extend(one.file._rolled for one in form.values())
        await form.close()

    asyncio.run(put(FileGate(app, lambda _: True), b"x" * 1_200_000))
    assert seen == [not in_memory]


def test_a_file_that_stops_coming_leaves_the_line_to_others():
    async def stalls() -> dict[str, Any]:
        await asyncio.sleep(60)
        raise AssertionError

    async def app(scope: Any, receive: Any, send: Any) -> None:
        ended.append((await receive())["type"])

    async def both() -> None:
        gate = FileGate(app, room=lambda size: True, patience=0.05, at_once=1)
        scope = {"type": "http", "method": "PUT", "path": PATH, "headers": []}
        await asyncio.wait_for(
            asyncio.gather(*(gate(scope, stalls, None) for _ in range(2))), timeout=5
        )

    ended: list[str] = []
    asyncio.run(both())
    assert ended == ["http.disconnect"] * 2


def test_several_files_share_the_line_and_one_alone_has_it_all(monkeypatch):
    pauses = []
    real = asyncio.sleep

    async def noted(seconds: float) -> None:
        pauses.append(seconds)
        await real(0)

    monkeypatch.setattr(gates.asyncio, "sleep", noted)
    asyncio.run(put(FileGate(Inner(), room=lambda size: True), b"7" * 500))
    assert [one for one in pauses if one] == []

    async def three() -> None:
        gate = FileGate(Inner(), room=lambda size: True)
        await asyncio.gather(*(put(gate, b"7" * 500) for _ in range(3)))

    asyncio.run(three())
    assert max(pauses) == 3 * gates.PAUSE
