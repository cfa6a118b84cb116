"""The notice that a picture holds true data, and texts from files made safe for pictures."""

from __future__ import annotations

NOTICE = "Teaching view: shows true data"


def plain(text: str) -> str:
    """Text from a user's file made safe for labels and hovers, which read markup."""
    return (
        text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("$", "&#36;")
    )
