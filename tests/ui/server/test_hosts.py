"""A name that the app does not answer to: said in words, with what to do."""

import asyncio
from typing import Any

import pytest
from starlette.responses import PlainTextResponse
from streamlit import config

from dpviz.ui.server import content_policy
from dpviz.ui.server.content_policy import Hosts
from tests.rows import by_rows

KNOWN = ["localhost", "127.0.0.1", "::1", "*.example.org"]


def answer(path: str, name: str | None, known: list[str], kind: str = "http") -> tuple[int, str]:
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def inner(scope: Any, receive: Any, send: Any) -> None:
        await PlainTextResponse("the app")({"type": "http", "method": "GET"}, receive, send)

    before = config.get_option("server.allowedHosts")
    config.set_option("server.allowedHosts", known)
    try:
        headers = [] if name is None else [(b"host", name.encode())]
        scope = {"type": kind, "method": "GET", "path": path, "headers": headers}
        asyncio.run(Hosts(inner)(scope, None, send))
    finally:
        config.set_option("server.allowedHosts", before)
    return sent[0]["status"], sent[1]["body"].decode()


@pytest.mark.parametrize("name", ["localhost:8501", "127.0.0.1", "[::1]:80", "a.example.org"])
def test_who_asks_by_a_known_name_gets_the_app(name: str):
    assert answer("/quantiles", name, KNOWN) == (200, "the app")


@by_rows("name", ["evil.example", "example.org", "localhost.evil", "", None])
@by_rows("path", ["/", "/quantiles", "/static/js/a.js", "/lecture/ABCD"])
def test_who_asks_by_another_is_told_which_are_known(path: str, name: str | None):
    status, said = answer(path, name, KNOWN)
    assert status == 421
    assert f"as '{name or ''}'" in said
    assert all(one in said for one in KNOWN)
    assert "--name NAME" in said


@pytest.mark.parametrize("path", [content_policy.HEALTH, f"/a/dpviz{content_policy.HEALTH}"])
def test_a_balancer_may_ask_whether_it_lives(path: str):
    assert answer(path, None, KNOWN) == (200, "the app")


def test_where_no_names_are_given_any_holds():
    assert answer("/", "anything.example", []) == (200, "the app")


def test_a_socket_is_for_streamlit_to_judge():
    assert answer("/_stcore/stream", "evil.example", KNOWN, "websocket") == (200, "the app")
