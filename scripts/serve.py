"""Starts the app on PORT, or on the next free port, and says where it is."""

from __future__ import annotations

import os
import socket
import sys

TRIED = 100


def is_free(host: str, port: int) -> bool:
    """Whether nothing listens on this port."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        # a port that a server has just left may be taken again, as the server itself would
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def read_port(text: str) -> int:
    """PORT as a number.

    Raises: SystemExit with a message when it is none.
    """
    if not (text.isdecimal() and 0 < int(text) < 65536):
        raise SystemExit(f"PORT must be a number from 1 to 65535, got '{text}'.")
    return int(text)


def first_free(host: str, wanted: int) -> int:
    """The wanted port or the next free one.

    Raises: SystemExit when none of the next hundred is free, or the host is not this machine.
    """
    for port in range(wanted, min(wanted + TRIED, 65536)):
        if is_free(host, port):
            return port
    raise SystemExit(f"No free port on {host} from {wanted} on. Choose another: make run PORT=9000")


def main() -> None:
    """Replace this process by the server."""
    host = os.environ.get("HOST") or "127.0.0.1"
    wanted = read_port(os.environ.get("PORT") or "8501")
    port = first_free(host, wanted)
    if port != wanted:
        print(f"Port {wanted} is taken; using {port}.")
    shown = "localhost" if host == "0.0.0.0" else host
    print(f"dpviz is starting at http://{shown}:{port} (Ctrl+C stops it)", flush=True)
    options = {
        "server.address": host,
        "server.port": port,
        "server.headless": "true",
        "browser.gatherUsageStats": "false",
    }
    arguments = [part for name, value in options.items() for part in (f"--{name}", str(value))]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", *arguments]
    os.execv(sys.executable, command)


if __name__ == "__main__":
    main()
