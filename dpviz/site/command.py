"""`python -m dpviz site OUT`: the stories as plain files."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path


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
    site.add_argument(
        "--app",
        metavar="ADDRESS",
        default="",
        help="lead from the sentences of Decide to the same ones in an app at this address",
    )
    site.set_defaults(run=write_site)


def write_site(chosen: argparse.Namespace) -> int:
    """Write the site; says where, and which policy its pages keep. Exit code 1 if it cannot."""
    from dpviz.site.build import write  # noqa: PLC0415  the app starts without it

    folder = Path(chosen.folder)
    try:
        written = write(folder, single=chosen.single, app=chosen.app.rstrip("/"))
    except OSError as error:
        print(f"{folder} cannot be written: {error.strerror}.", file=sys.stderr)
        return 1
    print(f"Wrote {len(written.files)} files: open {folder / 'index.html'} in a browser.")
    print(f"Content-Security-Policy: {written.policy}")
    return 0
