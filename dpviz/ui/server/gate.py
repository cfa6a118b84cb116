"""Where files come in: few at a time, and none that there is no room for.

A file waits until others have come in. One that the server has no room for is taken off the line
and thrown away, and a mark goes on in its place: the page then says in words what happened, which
a refused request could not.
"""

import asyncio
import re
import time
from collections.abc import Callable
from typing import Any

from dpviz.ui.kit.process.limits import FILES, files_allowed
from dpviz.ui.kit.process.raw_files import REFUSED, largest_file, waiting_bytes

AT_ONCE = 8  # files on the line
PATIENCE = 60.0  # seconds that a file waits for room, and the line for its next piece
PAUSE = 0.002  # seconds after each piece, for each file on the line, where several come in
LOOK = 0.2  # seconds between two looks
UPLOAD = re.compile(r"/_stcore/upload_file/[^/]+/[^/]+/?$")
BOUNDARY = re.compile(rb'boundary="?([^";,\s]{1,200})"?')

Message = dict[str, Any]


class FileGate:
    """ASGI middleware; what is no file passes at once."""

    def __init__(
        self,
        app: Any,
        room: Callable[[int], bool] | None = None,
        patience: float = PATIENCE,
        at_once: int = AT_ONCE,
    ) -> None:
        self._app, self._patience = app, patience
        self._line = asyncio.Semaphore(at_once)
        self._coming = 0  # bytes on the line
        self._files = 0  # on the line
        self._room = room or self._fits

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass a request on; a file in its turn."""
        is_file = scope["type"] == "http" and scope["method"] == "PUT"
        if not (is_file and UPLOAD.search(scope["path"])):
            await self._app(scope, receive, send)
            return
        size = _length(scope)
        async with self._line:
            if await self._has_room(size):
                self._coming += size
                self._files += 1
                try:
                    await self._app(scope, self._paced(receive), send)
                finally:
                    self._coming -= size
                    self._files -= 1
                return
        await self._app(*await _marked(scope, receive), send)

    def _paced(self, receive: Any) -> Any:
        """The same; where several files come in, with a pause after each piece for everybody else.

        Without it large files keep the event loop busy, and a script waits for the interpreter
        after each of its messages. A file that stops coming leaves the line to others.
        """

        async def piece() -> Message:
            try:
                message: Message = await asyncio.wait_for(receive(), self._patience)
            except TimeoutError:
                return {"type": "http.disconnect"}
            if message.get("more_body") and self._files > 1:
                await asyncio.sleep(PAUSE * self._files)
            return message

        return piece

    async def _has_room(self, size: int) -> bool:
        until = time.monotonic() + self._patience
        while not self._room(size):
            if time.monotonic() > until or size > files_allowed():
                return False
            await asyncio.sleep(LOOK)
        return True

    def _fits(self, size: int) -> bool:
        return FILES.bytes + waiting_bytes() + self._coming + size <= files_allowed()


def _length(scope: Any) -> int:
    """Bytes of a request; one that does not say counts as the largest that is taken."""
    text = dict(scope["headers"]).get(b"content-length", b"")
    return int(text) if text.isdigit() else largest_file()


async def _marked(scope: Any, receive: Any) -> tuple[Any, Any]:
    """The same request with the mark in place of the file, whose bytes are thrown away."""

    async def dropped() -> None:
        while (message := await receive())["type"] == "http.request":
            if not message.get("more_body"):
                return

    await dropped()
    headers = [(name, value) for name, value in scope["headers"] if name != b"content-length"]
    found = BOUNDARY.search(dict(headers).get(b"content-type", b""))
    line = b"--" + (found.group(1) if found else b"")
    head = b'Content-Disposition: form-data; name="file"; filename="refused"'
    body = b"\r\n".join([line, head, b"", REFUSED, line + b"--", b""])
    headers.append((b"content-length", str(len(body)).encode()))
    sent = False

    async def mark() -> Message:
        nonlocal sent
        if sent:
            return {"type": "http.disconnect"}
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return {**scope, "headers": headers}, mark
