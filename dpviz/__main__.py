"""The command line: `python -m dpviz`, or `dpviz` once installed, starts the app."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from dpviz import serving
from dpviz.core.errors import CannotServe
from dpviz.version import __version__


def build_parser() -> argparse.ArgumentParser:
    """The parser of all arguments; `run` in its answer is the function to call.

    Without a command that function starts the app. A command that is added with add_subparsers
    replaces it by set_defaults(run=...).
    """
    parser = argparse.ArgumentParser(
        prog="dpviz",
        description="Starts the app and says its address. Ctrl+C stops it.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"dpviz {__version__}")
    parser.add_argument(
        "--host",
        default=serving.HOST,
        metavar="ADDRESS",
        help="address of this machine to listen on; 0.0.0.0 lets other machines in "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--port",
        metavar="NUMBER",
        help=f"port to listen on (default: {serving.PORT}, or the next free port)",
    )
    parser.set_defaults(run=start_app)
    return parser


def start_app(chosen: argparse.Namespace) -> int:
    """Start the app on the chosen port; without a choice on the usual one or the next free one.

    Raises: CannotServe if host or port cannot be used.
    """
    if chosen.port is None:
        return serving.start_on_free_port(chosen.host, serving.PORT)
    return serving.start_on_port(chosen.host, serving.read_port(chosen.port))


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments, do what they say, and return the exit code.

    Exits with code 2 and a message if an argument is wrong.
    """
    parser = build_parser()
    chosen = parser.parse_args(arguments)
    try:
        return int(chosen.run(chosen))
    except CannotServe as error:
        parser.error(str(error))


if __name__ == "__main__":
    sys.exit(main())
