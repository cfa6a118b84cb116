"""What can be asked of a load, on the command line."""

from __future__ import annotations

import argparse

from benchmarks.load.pages import MOVABLE, MOVES
from benchmarks.load.wire import Address


def read(arguments: list[str] | None = None) -> argparse.Namespace:
    """The options; an impossible one ends the program with a message."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.load",
        description="Visitors of a real server on this machine. Without options: all figures.",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--page", choices=MOVABLE, default="quantiles", help="what they open")
    add("--query", default="", help="query of the link that they open, such as data=ages")
    add("--sessions", type=_count, default=100, metavar="N", help="how many visitors")
    add("--every", type=_pause, default=5.0, metavar="S", help="seconds between two moves of one")
    add("--seconds", type=_pause, default=30.0, metavar="S", help="how long they move")
    add("--within", type=_pause, default=10.0, metavar="S", help="seconds in which all arrive")
    add("--moves", choices=MOVES, default="typed", help="an ε of one's own, or a stop for all")
    add("--workers", type=_count, default=1, metavar="N", help="processes of the server")
    add("--rows", type=int, default=0, metavar="N", help="work on a sample made up of so many rows")
    add("--alone", action="store_true", help="one visitor after the other; the last one moves")
    add("--soak", type=_pause, default=0.0, metavar="MINUTES", help="they come and go for so long")
    add("--uploads", type=int, default=0, metavar="N", help="files handed over meanwhile, at once")
    add("--megabytes", type=_pause, default=50.0, metavar="MB", help="size of each file")
    add("--url", type=_address, help="a server that runs already, on this machine")
    add("--pid", type=_count, help="its process, for CPU and memory")
    found = parser.parse_args(arguments)
    if found.url is not None and (found.rows or found.workers > 1):
        parser.error("--rows and --workers are for a server that is started here, not for --url.")
    return found


def _count(text: str) -> int:
    if not (text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"must be a whole number from 1, got '{text}'")
    return int(text)


def _pause(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1e6:
        raise argparse.ArgumentTypeError(f"must be a number from 0, got '{text}'")
    return value


def _address(text: str) -> Address:
    try:
        return Address.read(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
