"""Addresses of Learn as this visitor's browser sees the server."""

import socket
from contextlib import suppress
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

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
    return f"{seen.scheme}://{_reached(seen)}{base}/learn?{link}"


def reaches_this_machine_alone(address: str) -> bool:
    """Whether an address leads a phone to the phone itself."""
    return _is_loopback(urlsplit(address).hostname or "")


def _reached(seen: SplitResult) -> str:
    """The host and port by which other machines reach the server, where that is known."""
    found = _in_network() if _is_loopback(seen.hostname or "") else ""
    return seen.netloc if not found else f"{found}:{seen.port}" if seen.port else found


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _in_network() -> str:
    """The address of this machine in its network, "" unless the server listens there."""
    listens = str(st.get_option("server.address") or "")
    if listens not in {"0.0.0.0", "::"}:
        return "" if not listens or _is_loopback(listens) else listens
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # chooses a way out; nothing is sent
        found = str(probe.getsockname()[0])
        return "" if _is_loopback(found) else found
    return ""
