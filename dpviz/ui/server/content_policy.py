"""By which names the app is asked for, and what a page of it may load: told with every answer.

Streamlit refuses the socket of a page under an unknown name without a word: it would wait for ever.
A text that was taken for Markdown or HTML by mistake still loads no picture and runs no script.
What is allowed besides the server's own files is what the front end makes in the browser: scripts of
components (blob:), pictures and fonts (data: and blob:), and styles in place.
"""

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files
from typing import Any

from starlette.responses import PlainTextResponse
from streamlit import config

from dpviz.ui.kit.process import private

HEALTH = "/_stcore/health"  # asked for by balancers, which name no host


class Hosts:
    """ASGI middleware; what is asked for by a known name passes at once."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass a request on, or say which names are known."""
        if scope["type"] != "http" or scope["path"].endswith(HEALTH):
            await self._app(scope, receive, send)
            return
        name = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
        if private.is_known_host(name):
            await self._app(scope, receive, send)
            return
        await PlainTextResponse(refusal(name), 421)(scope, receive, send)


def refusal(name: str) -> str:
    """What is said to somebody who asks by another name."""
    known = ", ".join(config.get_option("server.allowedHosts"))
    return (
        f"dpviz was asked for as '{name}', and answers here to these names alone: {known}. "
        "Whoever runs it lets further names in with --name NAME, or NAMES=NAME with make."
    )


IN_PLACE = re.compile(rb"<script>(.*?)</script>", re.DOTALL)


class ContentPolicy:
    """ASGI middleware; it adds a header to answers over HTTP."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass a request on, and its answer back with the policy."""

        async def told(message: Any) -> None:
            if message["type"] == "http.response.start":
                header = (b"content-security-policy", policy())
                message = {**message, "headers": [*message.get("headers", ()), header]}
            await send(message)

        await self._app(scope, receive, told if scope["type"] == "http" else send)


@cache
def policy() -> bytes:
    """The header's value; other sites may still show the app in a frame."""
    scripts = " ".join(f"'sha256-{one}'" for one in _in_place())
    rules = (
        "default-src 'self'",
        f"script-src 'self' blob: {scripts}".rstrip(),
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self' blob: data:",
        "worker-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
    )
    return "; ".join(rules).encode()


def _in_place() -> list[str]:
    """What tells the scripts that stand in Streamlit's page itself from any other."""
    page = files("streamlit").joinpath("static", "index.html").read_bytes()
    return [
        base64.b64encode(hashlib.sha256(one).digest()).decode() for one in IN_PLACE.findall(page)
    ]
