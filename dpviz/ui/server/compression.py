"""Streamlit's own scripts go out compressed, from copies that were made once.

Streamlit leaves this to a proxy, which a lecture hall seldom has; its files make nine tenths of a
first visit.
"""

import asyncio
from typing import Any

from streamlit import config

from dpviz.ui.server.copies import CODINGS, COPIES, Copies, Copy

# as Streamlit has it for the same files: their names change with what they hold
FOR_EVER = b"public, immutable, max-age=31536000"
VARY = (b"vary", b"Accept-Encoding")

Scope = dict[str, Any]


class Compression:
    """ASGI middleware for what never changes; everything else passes at once."""

    def __init__(self, app: Any, copies: Copies = COPIES) -> None:
        self._app, self._copies = app, copies

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Answer a request for a file that has copies; pass any other on."""
        name = _name(scope)
        if name not in self._copies.originals:
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        coding = accepted(headers.get(b"accept-encoding", b"").decode("latin-1"))
        if coding is None or b"range" in headers:
            await self._app(scope, receive, _varied(send))
            return
        found = self._copies.ready(name, coding)
        if found is None:
            found = await asyncio.to_thread(self._copies.get, name, coding)
        await _answer(scope, send, found, coding, headers.get(b"if-none-match", b""))


def _name(scope: Scope) -> str:
    """What is asked for, as a path below Streamlit's folder; empty if it is no file of it."""
    if scope["type"] != "http" or scope["method"] not in {"GET", "HEAD"}:
        return ""
    path, root = scope["path"], scope.get("root_path", "")
    if root and path.startswith(f"{root}/"):
        path = path[len(root) :]
    below = config.get_option("server.baseUrlPath").strip("/")
    if below:
        if not path.startswith(f"/{below}/"):
            return ""
        path = path[len(below) + 1 :]
    return str(path).removeprefix("/")


def accepted(said: str) -> str | None:
    """The best of our codings that a browser takes, by its Accept-Encoding; None for none."""
    weights: dict[str, float] = {}
    for part in said.split(","):
        name, _, weight = part.partition(";")
        try:
            weights[name.strip().lower()] = float(weight.strip().removeprefix("q=") or 1)
        except ValueError:
            continue
    return next((one for one in CODINGS if weights.get(one, weights.get("*", 0.0)) > 0), None)


def _varied(send: Any) -> Any:
    """The same file as it is, for whoever does not take a copy."""

    async def told(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), VARY]}
        await send(message)

    return told


async def _answer(scope: Scope, send: Any, found: Copy, coding: str, known: bytes) -> None:
    known_ones = {one.strip().removeprefix(b"W/") for one in known.split(b",")}
    headers = [(b"etag", found.etag), (b"cache-control", FOR_EVER), VARY]
    if found.etag in known_ones or b"*" in known_ones:
        await send({"type": "http.response.start", "status": 304, "headers": headers})
        await send({"type": "http.response.body", "body": b""})
        return
    headers += [
        (b"content-type", found.kind.encode()),
        (b"content-encoding", coding.encode()),
        (b"content-length", str(len(found.body)).encode()),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send(
        {"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else found.body}
    )
