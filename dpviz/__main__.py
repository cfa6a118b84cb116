"""The command line: `python -m dpviz`, or `dpviz` once installed, starts the app.

`python -m dpviz handout teach -o teach.html` writes a page to print instead, and
`python -m dpviz site OUT` all stories as plain files; `python -m dpviz lab -o lab.ipynb` writes
the lab, eight tasks with blanks;
`python -m dpviz release --help` says how a file is released once, and
`python -m dpviz count --help` how a column of Parquet files is counted into a small file.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from dpviz import counting, releasing, serving, several
from dpviz.core.errors import CannotServe
from dpviz.site import command
from dpviz.version import __version__


def build_parser() -> argparse.ArgumentParser:
    """The parser of all arguments; `run` in its answer is the function to call.

    Without a command that function starts the app.
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
    parser.add_argument(
        "--workers",
        default="1",
        metavar="NUMBER",
        help="server processes; two and more need HAProxy (default: %(default)s)",
    )
    parser.add_argument(
        "--base-path",
        metavar="PATH",
        help="path below which a proxy shows the app, such as /dpviz (default: none)",
    )
    parser.add_argument(
        "--name",
        default="",
        metavar="NAMES",
        help="names by which browsers reach the app through a proxy, such as dpviz.example.org; "
        "on an address of this machine alone, other names are refused",
    )
    parser.set_defaults(run=start_app)
    commands = parser.add_subparsers(title="instead of starting the app", metavar="COMMAND")
    paper = commands.add_parser(
        "handout", help="write the handout of a story, a page to print", allow_abbrev=False
    )
    paper.add_argument(
        "story",
        choices=("teach", "show", "try", "class"),
        help="which story; class is two sheets for a lesson, with exercises",
    )
    paper.add_argument(
        "--without-answers", action="store_true", help="leave out page 4 of the sheets for a class"
    )
    paper.add_argument(
        "-o", "--output", metavar="FILE", help="the file to write (default: dpviz-STORY.html)"
    )
    paper.set_defaults(run=write_handout)
    tasks = commands.add_parser(
        "lab", help="write the lab, a notebook of eight tasks with blanks", allow_abbrev=False
    )
    tasks.add_argument(
        "-o", "--output", default="dpviz-lab.ipynb", metavar="FILE",
        help="the file to write (default: %(default)s)",
    )  # fmt: skip
    tasks.add_argument("--solved", action="store_true", help="with the answers, for who teaches")
    tasks.set_defaults(run=write_lab)
    command.add_site(commands)
    releasing.add_release(commands)
    counting.add_count(commands)
    return parser


def start_app(chosen: argparse.Namespace) -> int:
    """Start the app on the chosen port; without a choice on the usual one or the next free one.

    Raises: CannotServe if host or port cannot be used, or HAProxy is needed and missing.
    """
    if chosen.base_path is not None:
        serving.put_below(serving.read_base_path(chosen.base_path))
    serving.answer_to(chosen.host, serving.read_names(chosen.name))
    run = several.starter(several.read_workers(chosen.workers))
    if chosen.port is None:
        return serving.start_on_free_port(chosen.host, serving.PORT, run)
    return serving.start_on_port(chosen.host, serving.read_port(chosen.port), run)


def write_handout(chosen: argparse.Namespace) -> int:
    """Write the handout of a story; says where. A file that cannot be written gives exit code 1."""
    from dpviz.lessons.stories.handout import handout  # noqa: PLC0415  the app starts without it
    from dpviz.lessons.stories.worksheet import worksheet  # noqa: PLC0415

    place = Path(chosen.output or f"dpviz-{chosen.story}.html")
    if chosen.story == "class":
        text = worksheet(answers=not chosen.without_answers)
    else:
        text = handout(chosen.story)
    return _write(place, text, "open it in a browser and print it on A4")


def write_lab(chosen: argparse.Namespace) -> int:
    """Write the lab; says where. A file that cannot be written gives exit code 1."""
    from dpviz.lessons.stories.lab import lab  # noqa: PLC0415  the app starts without it

    return _write(Path(chosen.output), lab(solved=chosen.solved), "open it in Jupyter")


def _write(place: Path, text: str, then: str) -> int:
    try:
        place.write_text(text, encoding="utf-8")
    except OSError as error:
        print(f"{place} cannot be written: {error.strerror}.", file=sys.stderr)
        return 1
    print(f"Wrote {place}: {then}.")
    return 0


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
