"""`python -m dpviz site OUT`: the stories as plain files."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from urllib.parse import urlsplit


def add_site(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    site = commands.add_parser(
        "site", help="write the stories as plain files, for any web space", allow_abbrev=False
    )
    site.add_argument("folder", metavar="OUT", help="the folder to write into")
    site.add_argument(
        "--single",
        action="store_true",
        help="write each scene as one file, too, which needs no other file",
    )
    for name, what in (
        ("--address", "where the folder will be found: links to its pages then show a picture"),
        ("--app", "where an app runs that the gallery and Decide lead to"),
    ):
        site.add_argument(name, metavar="ADDRESS", type=_address, help=what)
    site.set_defaults(run=write_site)


def _address(said: str) -> str:
    """The address of a folder, with a slash at its end.

    Raises: ArgumentTypeError for anything that is no address of the web, or has a query.
    """
    found = urlsplit(said)
    odd = re.search(r"[\s\"'<>?#]", said)
    if found.scheme not in {"http", "https"} or not found.hostname or odd:
        raise argparse.ArgumentTypeError(f"{said!r} is no address such as https://example.org/dp/")
    return f"{said.rstrip('/')}/"


def write_site(chosen: argparse.Namespace) -> int:
    """Write the site; says where, and which policy its pages keep. Exit code 1 if it cannot."""
    from dpviz.site.build import write  # noqa: PLC0415  the app starts without it

    folder = Path(chosen.folder)
    try:
        written = write(
            folder, single=chosen.single, address=chosen.address or "", app=chosen.app or ""
        )
    except OSError as error:
        print(f"{folder} cannot be written: {error.strerror}.", file=sys.stderr)
        return 1
    print(f"Wrote {len(written.files)} files: open {folder / 'index.html'} in a browser.")
    print(f"Content-Security-Policy: {written.policy}")
    return 0
