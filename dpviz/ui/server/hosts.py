"""Who asks for the app by a name that it does not answer to is told so, and how to change that.

Streamlit refuses the socket of such a page without a word: it would wait for ever.
"""

from __future__ import annotations

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
