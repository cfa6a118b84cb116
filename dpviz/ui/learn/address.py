"""Addresses of Learn as this visitor's browser sees the server."""

from __future__ import annotations

from urllib.parse import urlsplit

import streamlit as st


def address_of(link: str) -> str | None:
    """The address of Learn with these keys; None where the server's address is not known."""
    seen = urlsplit(st.context.url or "")
    if not seen.netloc:
        return None
    base = seen.path.rstrip("/").removesuffix("/learn")
    below = st.get_option("server.baseUrlPath").strip("/")
    if below and not base.endswith(f"/{below}"):  # Streamlit leaves it out of what a page sees
        base += f"/{below}"
    return f"{seen.scheme}://{seen.netloc}{base}/learn?{link}"
