"""The stream of steps: who listens hears each step and the end, from whatever thread it comes."""

import asyncio
import signal
import threading

import pytest
from starlette.applications import Starlette

from dpviz.ui.lectures import stream
from dpviz.ui.lectures.table import Lectures, Step
from tests.scenes import place_of

FIRST = Step("teach", 1, "predict", 0.0)


@pytest.fixture
def lectures(monkeypatch):
    monkeypatch.setattr(Lectures, "_watch", lambda self: None)
    found = Lectures()
    monkeypatch.setattr(stream, "LECTURES", found)
    return found


def ask(path, method="GET"):
    """The status, the headers and the text that the server's routes answer with."""
    app, sent = Starlette(routes=stream.routes()), []
    scope = {"type": "http", "method": method, "path": path, "raw_path": path.encode()}
    scope |= {"query_string": b"", "headers": [], "asgi": {"version": "3.0"}}

    async def receive():
        await asyncio.sleep(60)

    async def send(message):
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    body = b"".join(one.get("body", b"") for one in sent[1:])
    return sent[0]["status"], headers, body.decode()


def test_steps_of_another_thread_are_heard_at_once(lectures):
    code, secret = lectures.begin(FIRST, "one", lambda: True)
    lecture = lectures.find(code)

    def lead():
        lectures.publish(code, secret, Step(*place_of("attacker"), "predict", "ten"))

    async def listen():
        events = stream.events(lecture)
        heard = [await anext(events)]
        threading.Thread(target=lead).start()
        heard.append(await asyncio.wait_for(anext(events), 5))
        threading.Thread(target=lectures.end, args=(code, secret)).start()
        heard += [event async for event in events]
        return heard

    assert asyncio.run(listen()) == ["data: 1\n\n", "data: 2\n\n", "event: over\ndata: over\n\n"]
    assert not lecture._listeners  # nobody is left
    assert not stream._open


def test_silence_is_filled_and_who_leaves_is_forgotten(lectures, monkeypatch):
    monkeypatch.setattr(stream, "HEARTBEAT", 0.01)
    code, _ = lectures.begin(FIRST, "one", lambda: True)

    async def listen():
        events = stream.events(lectures.find(code))
        heard = [await anext(events), await anext(events)]
        await events.aclose()
        return heard

    assert asyncio.run(listen()) == ["data: 1\n\n", ": here\n\n"]
    assert not lectures.find(code)._listeners
    assert not stream._open


def test_a_server_that_stops_does_not_wait_for_streams(lectures, monkeypatch):
    code, _ = lectures.begin(FIRST, "one", lambda: True)
    monkeypatch.setattr(stream, "LOOK", 0.01)
    server = type("Server", (), {"should_exit": False, "handle_exit": lambda *_: None})()
    before = signal.signal(signal.SIGTERM, server.handle_exit)

    async def listen():
        events = stream.events(lectures.find(code))
        heard = [await anext(events)]
        asyncio.get_running_loop().call_later(0.05, setattr, server, "should_exit", True)
        async with asyncio.timeout(5):
            return heard + [event async for event in events]

    try:
        assert asyncio.run(listen()) == ["data: 1\n\n"]
    finally:
        signal.signal(signal.SIGTERM, before)
    assert not stream._open


@pytest.mark.parametrize("code", ["AAAAAA", "nonsense", "<script>", "é"])
def test_an_unknown_code_is_not_found_and_not_echoed(lectures, code):
    status, headers, body = ask(f"/lecture/{code}")
    assert (status, body) == (404, "No lecture under way has this code.")
    assert headers["cache-control"] == "no-store"


def test_streams_are_bounded(lectures, monkeypatch):
    code, _ = lectures.begin(FIRST, "one", lambda: True)
    monkeypatch.setattr(stream, "MOST_STREAMS", 0)
    assert ask(f"/lecture/{code}")[0] == 503


def test_a_stream_is_what_a_browser_takes_for_one(lectures):
    code, secret = lectures.begin(FIRST, "one", lambda: True)
    threading.Timer(0.2, lectures.end, (code, secret)).start()
    status, headers, body = ask(f"/lecture/{code.lower()}")
    assert status == 200
    assert headers["content-type"].startswith("text/event-stream")
    assert body == "data: 1\n\nevent: over\ndata: over\n\n"


def test_nobody_can_write(lectures):
    code, _ = lectures.begin(FIRST, "one", lambda: True)
    assert ask(f"/lecture/{code}", "POST")[0] == 405
