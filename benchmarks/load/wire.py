"""Plain HTTP beside the socket, as far as a visitor needs it."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

AGENT = "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36"
XSRF = "_streamlit_xsrf"
LONGEST = 60.0  # seconds that anybody waits for anything
PIECE = 2**17  # bytes of a body that are handed over at a time


@dataclass(frozen=True, slots=True)
class Address:
    """Where the server is: on this machine and nowhere else."""

    host: str
    port: int

    def __post_init__(self) -> None:
        if self.host != "localhost" and not ipaddress.ip_address(self.host).is_loopback:
            raise ValueError(f"'{self.host}' is another machine. The load stays on this one.")

    @classmethod
    def read(cls, url: str) -> Address:
        """The address in a URL such as http://127.0.0.1:8501.

        Raises: ValueError if it is not http, has no port, or is not on this machine.
        """
        parts = urlsplit(url)
        if parts.scheme != "http" or not parts.hostname or not parts.port:
            raise ValueError(f"The address must look like http://127.0.0.1:8501, got '{url}'.")
        return cls(parts.hostname, parts.port)

    @property
    def http(self) -> str:
        """For pages and files."""
        return f"http://{self.host}:{self.port}"

    @property
    def socket(self) -> str:
        """For the messages of a page."""
        return f"ws://{self.host}:{self.port}/_stcore/stream"


@dataclass(slots=True)
class Reply:
    """An HTTP answer."""

    status: int
    body: bytes
    cookies: dict[str, str] = field(default_factory=dict)


async def ask(
    address: Address,
    method: str,
    path: str,
    headers: dict[str, str],
    body: Sequence[bytes] = (),
) -> Reply:
    """One request on a connection of its own.

    Its body is handed over piece by piece and never copied as a whole: this loop also holds the
    watches of everybody else.
    """
    reader, writer = await asyncio.open_connection(address.host, address.port)
    try:
        given = {
            "Host": f"{address.host}:{address.port}",
            "User-Agent": AGENT,
            "Connection": "close",
            "Content-Length": str(sum(map(len, body))),
        } | headers
        lines = [f"{method} {path} HTTP/1.1", *(f"{k}: {v}" for k, v in given.items()), "", ""]
        writer.write("\r\n".join(lines).encode("latin-1"))
        for part in map(memoryview, body):
            for start in range(0, len(part), PIECE):
                writer.write(part[start : start + PIECE])
                await writer.drain()
        return _read(await reader.read())
    finally:
        writer.close()


def _read(raw: bytes) -> Reply:
    head, _, body = raw.partition(b"\r\n\r\n")
    first, *rest = head.decode("latin-1").split("\r\n")
    if not first.startswith("HTTP/"):
        raise ConnectionResetError("The server closed the connection without an answer.")
    cookies = {}
    for line in rest:
        name, _, value = line.partition(":")
        if name.lower() == "set-cookie":
            key, _, said = value.split(";")[0].strip().partition("=")
            cookies[key] = said
    return Reply(int(first.split()[1]), body, cookies)
