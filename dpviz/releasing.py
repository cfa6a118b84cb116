"""`dpviz release`: one private release of a file from the command line, as JSON.

All that is declared is tried out on a column without records before the file is opened, so a
refusal in words can only speak of what was declared. How the file is written is declared, too, and
each line is read by itself: cells that are no numbers count as missing, and every failure after the
file was opened gives the same few words. The bits are AES-256 under a fresh key that never leaves.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from dpviz.core.errors import DpvizError, InvalidBudget, InvalidParameter

if TYPE_CHECKING:
    from dpviz.core.budgets import Budget
    from dpviz.core.data.column import Column
    from dpviz.core.data.grid_counts import GridCounts
    from dpviz.core.data.points import Points
    from dpviz.core.randomness.bits import SecureBits
    from dpviz.counts.batches import ColumnBatches, PointBatches
    from dpviz.intake.declared.columns import Writing

NEIGHBOURS = ("add-remove", "replace-one")  # the values of Neighbours, without its import
REFUSED, FAILED = 2, 1  # exit codes: of what was declared, and of the file
UNREADABLE = "The file could not be read as delimited text or Parquet. Nothing was released."
UNWRITTEN = "The release was drawn but could not be written. Count its budget as spent."
STOPPED = "The release could not be made. Nothing was released."
DESCRIPTION = """\
Releases quantiles, a tree of counts or a map of counts of a file once, as JSON.
The noise is exact and comes from AES-256 under a fresh key: no seed, no second draw.
Bounds, resolution and budget must be chosen without looking at the file.
The first line names the columns, every other line is one record and is read by itself:
nothing about the file is found out, its separator and decimal mark are declared. Lines
without a number count as no record, values outside the bounds are clipped, and neither
is reported. Not protected: how long it takes, the size of the file (at most 500 MB), and
the types that a Parquet file declares.
Each run spends its budget again: several runs on one file add up."""
EXAMPLES = """\
examples:
  dpviz release pay.csv --column pay --bounds 0 500000 --resolution 100 \\
      --quantiles 0.25 0.5 0.75 --epsilon 0.2 -o pay.json
  dpviz release pay.csv --separator ';' --column age --bounds 0 120 --tree --rho 0.1
  dpviz release towns.csv --map lon lat --bounds 5 15 --bounds-y 47 55 --height 8 --epsilon 1

exit code: 0 released, 1 the file or the output failed, 2 the request was refused"""

Run = Callable[["Column | GridCounts | Points", "SecureBits"], str]


@dataclass(frozen=True, slots=True)
class Request:
    """What was declared: the columns, how batches of them become data, and the run on that data."""

    names: tuple[str, ...]
    batches: Callable[[], ColumnBatches | PointBatches]
    run: Run


def add_release(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its arguments; there is none for a seed or a key."""
    parser = commands.add_parser(
        "release",
        help="release quantiles, a tree or a map of a file once, as JSON",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("file", metavar="FILE", help="delimited text in UTF-8, or Parquet")
    parser.add_argument("--column", metavar="NAME", help="the column, for quantiles and trees")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--quantiles", nargs="+", type=float, metavar="Q", help="by ApproximateQuantiles"
    )
    what.add_argument("--tree", action="store_true", help="noisy counts of nested intervals")
    what.add_argument("--map", nargs=2, metavar=("X", "Y"), help="a quadtree of two columns")
    ends = ("LOW", "HIGH")
    parser.add_argument("--bounds", nargs=2, type=float, metavar=ends, required=True)
    parser.add_argument("--bounds-y", nargs=2, type=float, metavar=ends, help="of the map's Y")
    parser.add_argument("--resolution", type=float, metavar="STEP", help="of the column (0)")
    parser.add_argument(
        "--separator", default=",", metavar="MARK", help="between cells; tab for a tab (,)"
    )
    parser.add_argument("--decimal", default=".", choices=(".", ","), help="mark (.)")
    parser.add_argument("--fanout", type=int, metavar="NUMBER", help="of the tree (2)")
    parser.add_argument("--height", type=int, metavar="LEVELS", help="of tree (10) or map (8)")
    budget = parser.add_mutually_exclusive_group(required=True)
    budget.add_argument("--epsilon", type=float, help="pure ε; (ε, δ) together with --delta")
    budget.add_argument("--rho", type=float, help="zero-concentrated ρ")
    parser.add_argument("--delta", type=float)
    parser.add_argument(
        "--neighbours",
        choices=NEIGHBOURS,
        default=NEIGHBOURS[0],
        help="what the guarantee protects (default: %(default)s)",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="a new file for the JSON (default: stdout)"
    )
    parser.set_defaults(run=release_file)


def release_file(chosen: argparse.Namespace) -> int:
    """Make the release that was asked for; the exit code. Messages never depend on a cell."""
    from dpviz.core.randomness.bits import SecureBits  # noqa: PLC0415  the app starts without it

    try:
        budget = read_budget(chosen)
        request = read_request(chosen, budget)
        writing = read_writing(chosen)
        request.run(request.batches().data(), SecureBits.fresh())
    except DpvizError as error:
        return _say(f"Refused: {error}", REFUSED)
    try:
        output = _opened(chosen.output)
    except OSError as error:
        return _say(f"{chosen.output} cannot be written: {error.strerror}.", FAILED)
    except ValueError:  # a NUL among its characters
        return _say("The output cannot be written: its path is none.", FAILED)
    with output as file:
        code = _released(Path(chosen.file), writing, request, file)
    if code and chosen.output is not None:
        Path(chosen.output).unlink()
    return code


def read_budget(chosen: argparse.Namespace) -> Budget:
    """The budget that was declared.

    Raises: InvalidBudget for a number outside its range, or δ beside ρ.
    """
    from dpviz.core.budgets import ZCDP, ApproxDP, PureDP  # noqa: PLC0415  the app starts without it

    if chosen.rho is None:
        if chosen.delta is None:
            return PureDP(chosen.epsilon)
        return ApproxDP(chosen.epsilon, chosen.delta)
    if chosen.delta is not None:
        raise InvalidBudget("--delta goes with --epsilon, not with --rho. Leave one of them out.")
    return ZCDP(chosen.rho)


def read_request(chosen: argparse.Namespace, budget: Budget) -> Request:
    """The request that was declared.

    Raises: DpvizError for a value outside its range or an argument of another request.
    """
    if chosen.map is not None:
        _leave_out(chosen, "--map", "column", "resolution", "fanout")
        return _map_request(chosen, budget)
    _leave_out(chosen, "a column", "bounds_y")
    if chosen.column is None:
        raise InvalidParameter("Quantiles and trees are of one column. Name it by --column.")
    if chosen.tree:
        return _column_request(chosen, _tree_run(chosen, budget))
    _leave_out(chosen, "--quantiles", "fanout", "height")
    return _column_request(chosen, _quantiles_run(chosen, budget))


def _leave_out(chosen: argparse.Namespace, what: str, *names: str) -> None:
    for name in names:
        if getattr(chosen, name) is not None:
            option = "--" + name.replace("_", "-")
            raise InvalidParameter(f"{option} does not go with {what}. Leave it out.")


def _column_request(chosen: argparse.Namespace, run: Run) -> Request:
    from dpviz.core.bounds import Bounds  # noqa: PLC0415  the app starts without it
    from dpviz.counts.batches import ColumnBatches  # noqa: PLC0415

    bounds = Bounds(*chosen.bounds)
    return Request((chosen.column,), lambda: ColumnBatches(bounds, chosen.resolution or 0.0), run)


def _quantiles_run(chosen: argparse.Namespace, budget: Budget) -> Run:
    from dpviz.core.budgets import Neighbours  # noqa: PLC0415  the app starts without it
    from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles  # noqa: PLC0415

    mechanism = ApproximateQuantiles(Neighbours(chosen.neighbours))
    quantiles = chosen.quantiles
    return lambda data, bits: mechanism.release(data, quantiles, budget, bits).to_json()  # type: ignore[arg-type]


def _tree_run(chosen: argparse.Namespace, budget: Budget) -> Run:
    from dpviz.core.budgets import Neighbours  # noqa: PLC0415  the app starts without it
    from dpviz.mechanisms.counting.count_tree import CountTree  # noqa: PLC0415

    mechanism = CountTree(
        2 if chosen.fanout is None else chosen.fanout,
        10 if chosen.height is None else chosen.height,
        neighbours=Neighbours(chosen.neighbours),
    )
    return lambda data, bits: mechanism.release(data, budget, bits).to_json()  # type: ignore[arg-type]


def _map_request(chosen: argparse.Namespace, budget: Budget) -> Request:
    from dpviz.core.bounds import Bounds, Box  # noqa: PLC0415  the app starts without it
    from dpviz.core.budgets import Neighbours  # noqa: PLC0415
    from dpviz.counts.batches import PointBatches  # noqa: PLC0415
    from dpviz.mechanisms.spatial.quadtree import Quadtree  # noqa: PLC0415

    if chosen.bounds_y is None:
        raise InvalidParameter("A map needs bounds of both columns. Declare Y's by --bounds-y.")
    box = Box(Bounds(*chosen.bounds), Bounds(*chosen.bounds_y))
    height = 8 if chosen.height is None else chosen.height
    mechanism = Quadtree(height, neighbours=Neighbours(chosen.neighbours))
    return Request(
        tuple(chosen.map),
        lambda: PointBatches(box, mechanism.height),
        lambda data, bits: mechanism.release(data, budget, bits).to_json(),  # type: ignore[arg-type]
    )


def read_writing(chosen: argparse.Namespace) -> Writing:
    """How the file is written.

    Raises: InvalidParameter for a separator that is no single mark, or that numbers hold.
    """
    from dpviz.intake.declared.columns import Writing  # noqa: PLC0415  the app starts without it

    mark = "\t" if chosen.separator == "tab" else chosen.separator
    if len(mark) != 1 or mark.isalnum() or mark in {'"', "\n", "\r", "+", "-", chosen.decimal}:
        raise InvalidParameter(
            f"--separator must be one mark that no number holds, got {chosen.separator!r} with the "
            f"decimal mark '{chosen.decimal}'. Write for example --separator ';' or tab."
        )
    return Writing(mark, chosen.decimal)


def _released(path: Path, writing: Writing, request: Request, file: TextIO) -> int:
    """Read the columns, draw once, write. No exception of these steps is shown: it may quote."""
    from dpviz.core.errors import UnreadableColumn  # noqa: PLC0415  the app starts without it
    from dpviz.core.randomness.bits import SecureBits  # noqa: PLC0415
    from dpviz.intake.declared.columns import declared_batches  # noqa: PLC0415

    try:
        batches = request.batches()
        for columns in declared_batches(path, request.names, writing):
            batches.add(*columns)
    except UnreadableColumn as error:  # of the first line or the declared types alone
        return _say(f"{error} Nothing was released.", FAILED)
    except Exception:  # its message may quote a cell or count rows
        return _say(UNREADABLE, FAILED)
    try:
        text = request.run(batches.data(), SecureBits.fresh())
    except Exception:  # its message may quote a cell or count rows
        return _say(STOPPED, FAILED)
    try:
        file.write(text + "\n")
        file.flush()
    except OSError:
        return _say(UNWRITTEN, FAILED)
    return 0


def _opened(output: str | None) -> AbstractContextManager[TextIO]:
    """Where the JSON goes; a file must be new, so that no release is overwritten by another."""
    if output is None:
        return nullcontext(sys.stdout)
    return Path(output).open("x", encoding="utf-8")


def _say(words: str, code: int) -> int:
    print(words, file=sys.stderr)
    return code
