"""What every answer of the server allows a page to load."""

import asyncio
import base64
import hashlib
from importlib.resources import files
from typing import Any

from starlette.responses import PlainTextResponse

from dpviz.ui.server import content_policy
from dpviz.ui.server.content_policy import ContentPolicy, policy

HEADER = b"content-security-policy"
OWN = {"'self'", "'none'", "blob:", "data:"}  # what the page has from its server, or makes itself


def rules() -> dict[str, list[str]]:
    parts = [one.split() for one in policy().decode().split("; ")]
    return {name: allowed for name, *allowed in parts}


def answered(inner: Any, kind: str) -> list[Any]:
    """What goes out for a request of a kind."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(ContentPolicy(inner)({"type": kind}, None, send))
    return sent


def test_every_answer_has_it_beside_its_own_headers():
    start, body = answered(PlainTextResponse("said", headers={"x-own": "1"}), "http")
    headers = dict(start["headers"])
    assert (start["status"], body["body"]) == (200, b"said")
    assert headers[b"x-own"] == b"1"
    assert headers[HEADER] == policy()


def test_a_socket_passes_untouched():
    async def inner(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.accept"})

    assert answered(inner, "websocket") == [{"type": "websocket.accept"}]


def test_no_other_host_is_allowed_anything():
    for name, allowed in rules().items():
        others = set(allowed) - OWN
        if name == "style-src":
            assert others == {"'unsafe-inline'"}
        elif name == "script-src":
            assert all(one.startswith("'sha256-") for one in others)
        else:
            assert not others
    assert rules()["default-src"] == ["'self'"]
    assert rules()["object-src"] == ["'none'"]
    assert "data:" not in rules()["script-src"]


def test_the_scripts_in_place_are_those_of_streamlits_own_page():
    page = files("streamlit").joinpath("static", "index.html").read_text(encoding="utf-8")
    _, *after = page.split("<script>")
    assert after, "Streamlit's page has no script in place any more: the policy needs none"
    wanted = {
        base64.b64encode(hashlib.sha256(one.split("</script>")[0].encode()).digest()).decode()
        for one in after
    }
    assert {f"'sha256-{one}'" for one in wanted} == set(rules()["script-src"]) - OWN
    assert len(content_policy._in_place()) == len(after)
