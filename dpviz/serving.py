"""Starts the app's server: finds a free port, says the address, and hands over to Streamlit."""

import errno
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from dpviz.core.errors import CannotServe
from dpviz.core.places import top_level

HOST = "127.0.0.1"
PORT = 8501
TRIED = 100  # ports in a row, before the search gives up
# visitors are many and each has a thread: none of them starts more, or keeps memory of its own
LEAN = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",
}
# Streamlit's own variable, which goes before .streamlit/config.toml and reaches every process
BASE = "STREAMLIT_SERVER_BASE_URL_PATH"
HOSTS = "STREAMLIT_SERVER_ALLOWED_HOSTS"
LOCAL = ("localhost", "127.0.0.1", "::1")
ANY = ("0.0.0.0", "::")


def read_port(text: str) -> int:
    """A port's number.

    Raises: CannotServe if the text is not a whole number from 1 to 65535.
    """
    if not (text.isdecimal() and len(text) <= 5 and 0 < int(text) < 65536):
        raise CannotServe(f"The port must be a number from 1 to 65535, got '{text}'.")
    return int(text)


def read_base_path(text: str) -> str:
    """The path below which the app lies, such as '/dpviz'; empty if it lies at the top.

    Raises: CannotServe if a part of the path is empty, or not of letters, digits, '-', '_', '.'.
    """
    path = text.strip("/")
    parts = path.split("/") if path else []
    if not all(re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*", part) for part in parts):
        raise CannotServe(
            "The base path must be of letters, digits, '-', '_' and '.', "
            f"such as '/dpviz', got '{text}'."
        )
    return f"/{path}" if path else ""


def put_below(base: str) -> None:
    """Put every server that this process starts below a base path."""
    os.environ[BASE] = base


def base_path() -> str:
    """The base path of the servers that this process starts."""
    return read_base_path(os.environ.get(BASE, ""))


def read_names(text: str) -> list[str]:
    """Names by which browsers reach the app through a proxy, separated by spaces or commas.

    Raises: CannotServe if one of them is no name of a machine, nor '*.' before one.
    """
    names = re.split(r"[\s,]+", text.strip()) if text.strip() else []
    for name in names:
        if not re.fullmatch(r"(\*\.)?[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?", name):
            raise CannotServe(
                "A name must be of a machine, such as dpviz.example.org or *.example.org, "
                f"without a port or a path, got '{name}'."
            )
    return names


def answer_to(host: str, names: Iterable[str]) -> None:
    """Let browsers in that ask for this host or one of these names, in all processes.

    A page of somebody else, whose name leads to this machine, is refused. At 0.0.0.0, which lets
    other machines in, and below a base path, which means a proxy, any name holds unless some are
    given: those in use are not known.
    """
    given = list(names)
    is_known = host not in ANY and (given or not base_path())
    local = LOCAL if host in LOCAL else (host, *_own_names(), *LOCAL)
    os.environ[HOSTS] = " ".join(dict.fromkeys([*local, *given])) if is_known or given else ""


def _own_names() -> list[str]:
    name = socket.gethostname()
    return [name, f"{name}.local"]


def is_free(host: str, port: int) -> bool:
    """Whether a server could listen on this port; False if another server does.

    Raises: CannotServe if the host is not this machine or the system forbids the port.
    """
    if not host:  # an empty host would mean every address
        raise _wrong_host(host)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            if os.name != "nt":  # Windows would then share a port that is in use
                # a port that a server has just left may be taken again, as the server itself would
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except (socket.gaierror, UnicodeError):
        raise _wrong_host(host) from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return False
        if error.errno in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
            raise _wrong_host(host) from None
        reason = error.strerror or "the system gives no reason"
        raise CannotServe(
            f"Port {port} on {host} cannot be used: {reason}. Choose another port."
        ) from None
    return True


def _wrong_host(host: str) -> CannotServe:
    return CannotServe(
        f"The host '{host}' is not an address of this machine. "
        f"Choose {HOST} for this machine alone, or 0.0.0.0 to let other machines in."
    )


def first_free(host: str, wanted: int) -> int:
    """The wanted port, or the next free port after it.

    Raises: CannotServe if a hundred ports in a row are taken, or the host is not this machine.
    """
    for port in range(wanted, min(wanted + TRIED, 65536)):
        if is_free(host, port):
            return port
    raise CannotServe(f"No free port on {host} from {wanted} on. Choose another port.")


def address(host: str, port: int) -> str:
    """The address to open in a browser on this machine."""
    if host in ANY:
        host = "localhost"
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}{base_path()}"


def command(host: str, port: int) -> list[str]:
    """The command that runs the server; every other option stands in .streamlit/config.toml."""
    options = {
        "server.address": host,
        "server.port": port,
        "server.headless": "true",
        "browser.gatherUsageStats": "false",
    }
    arguments = [part for name, value in options.items() for part in (f"--{name}", str(value))]
    server = Path(__file__).with_name("ui") / "server" / "asgi.py"
    return [sys.executable, "-m", "streamlit", "run", str(server), *arguments]


def app_file() -> Path:
    """The file that the server runs.

    Raises: CannotServe if it is missing.
    """
    app = Path(str(top_level("app.py")))
    if not app.is_file():
        raise CannotServe("The app's files are missing from this copy of dpviz. Install it again.")
    return app


def start(host: str, port: int) -> int:
    """Say the address and run the server.

    Raises: CannotServe if the app's files are missing.
    """
    app = app_file()
    print(f"dpviz is starting at {address(host, port)} (Ctrl+C stops it)", flush=True)
    # Streamlit also reads .streamlit/config.toml in the folder it starts in, and pages' paths are
    # relative; in the app's own folder both are the app's, wherever the user is
    os.chdir(app.parent)
    for name, value in LEAN.items():
        os.environ.setdefault(name, value)
    return hand_over(command(host, port))


def hand_over(server: list[str]) -> int:
    """Become the server, so that every signal reaches it; on Windows, wait for the server."""
    if os.name != "nt":  # on Windows execv would leave the server running in the background
        os.execv(server[0], server)
    return subprocess.call(server)


def start_on_free_port(host: str, wanted: int, run: Callable[[str, int], int] | None = None) -> int:
    """Run the server, or what `run` starts, on the wanted port or the next free port after it.

    Raises: CannotServe as first_free and start do.
    """
    port = first_free(host, wanted)
    if port != wanted:
        print(f"Port {wanted} is taken; using {port}.")
    return (run or start)(host, port)


def start_on_port(host: str, port: int, run: Callable[[str, int], int] | None = None) -> int:
    """Run the server, or what `run` starts, on this port and no other.

    Raises: CannotServe if the port is taken, and as is_free and start do.
    """
    if not is_free(host, port):
        raise CannotServe(f"Port {port} on {host} is taken. Choose another port.")
    return (run or start)(host, port)
