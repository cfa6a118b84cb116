"""`dpviz count`: a column of Parquet files becomes a file of exact counts, for releases elsewhere.

Nothing is inferred: bounds and resolution are declared, and tried out on a table without records
before a file is opened. No message of an engine is shown: it may quote a cell.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from dpviz.core.errors import DpvizError, InvalidData, InvalidParameter

if TYPE_CHECKING:
    from dpviz.core.bounds import Bounds
    from dpviz.core.data.column import Column

REFUSED, FAILED = 2, 1  # exit codes: of what was declared, and of the files
CONFIDENTIAL = "The counts are exact, and as confidential as the data."
UNREADABLE = "The files could not be read as Parquet of one kind. Nothing was written."
TEXTS = (".csv", ".tsv", ".txt")
DESCRIPTION = """\
Counts the values of a column of one or more Parquet files with DuckDB, in one pass, into
a small Parquet file: the cells of a declared resolution and how many records lie in each.
The counts are exact, and as confidential as the data: no noise is added, no budget spent.
Bounds and resolution must be chosen without looking at the files. Values outside the
bounds are clipped; with resolution 0 values are rounded down to 2^20 equal bins.
In FILE *, ? and ** stand for letters and folders, brackets are letters, and the name of
a file means that file."""
EXAMPLES = """\
examples:
  dpviz count pay.parquet --column pay --low 0 --high 500000 --resolution 100 \\
      -o counts.parquet
  dpviz count 'taxi/*.parquet' --column tip --low 0 --high 100 --resolution 0.01 \\
      -o tips.parquet

exit code: 0 counted, 1 a file or the output failed, 2 the request was refused"""


def add_count(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its arguments."""
    parser = commands.add_parser(
        "count",
        help="count a column of Parquet files into a small, confidential file",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("file", metavar="FILE", help="Parquet; 'folder/*.parquet' for several")
    parser.add_argument(
        "--hive", action="store_true", help="folders called year=2025 are a column year"
    )
    parser.add_argument("--column", metavar="NAME", required=True)
    parser.add_argument("--low", type=float, required=True, help="lower bound")
    parser.add_argument("--high", type=float, required=True, help="upper bound")
    parser.add_argument(
        "--resolution", type=float, metavar="STEP", required=True, help="0 for 2^20 equal bins"
    )
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="a new file")
    parser.set_defaults(run=count_file)


def count_file(chosen: argparse.Namespace) -> int:
    """Count what was asked for and write it; the exit code."""
    try:
        bounds = _declared(chosen)
    except DpvizError as error:
        return _say(f"Refused: {error}", REFUSED)
    try:
        column = _counted(chosen, bounds)
    except DpvizError as error:
        return _say(f"{error} Nothing was written.", FAILED)
    except Exception:  # its message may quote a cell
        return _say(UNREADABLE, FAILED)
    return _written(column, chosen)


def _declared(chosen: argparse.Namespace) -> Bounds:
    """The bounds; everything that was declared is tried out on a table without records.

    Raises: DpvizError for a value outside its range, a text file, or without the extra.
    """
    from dpviz.core.bounds import Bounds  # noqa: PLC0415  the app starts without it
    from dpviz.intake.engine.column import check_declared  # noqa: PLC0415
    from dpviz.intake.engine.tables import check_installed  # noqa: PLC0415

    check_installed()
    bounds = Bounds(chosen.low, chosen.high)
    check_declared(bounds, chosen.resolution)
    if chosen.file.lower().endswith(TEXTS):
        raise InvalidParameter(
            "Text files do not say what their cells are, so they are not counted. Declare the "
            "types and save the table as Parquet, or count a table with dpviz.count_column."
        )
    return bounds


def _counted(chosen: argparse.Namespace, bounds: Bounds) -> Column:
    import ibis  # noqa: PLC0415  an extra

    from dpviz.intake.engine.column import count_column  # noqa: PLC0415
    from dpviz.intake.engine.parquet_files import files_meant, parquet_table  # noqa: PLC0415

    if not files_meant(chosen.file):
        raise InvalidData(f"There is no file {chosen.file}.")
    engine = ibis.duckdb.connect()
    engine.raw_sql("SET enable_progress_bar = false")  # it would go to stdout
    table = parquet_table(engine, chosen.file, (chosen.column,), hive=chosen.hive)
    return count_column(table, chosen.column, bounds, chosen.resolution)


def _written(column: Column, chosen: argparse.Namespace) -> int:
    """A file must be new, so that no counts are overwritten by others."""
    from dpviz.intake.engine.counts_file import write_counts  # noqa: PLC0415  it loads PyArrow

    path = Path(chosen.output)
    started = False
    try:
        with path.open("xb") as file:
            started = True
            write_counts(column, chosen.column, file)
    except OSError as error:
        if started:
            path.unlink()
        return _say(f"{chosen.output} cannot be written: {error.strerror}.", FAILED)
    except ValueError:  # a NUL among its characters
        return _say("The output cannot be written: its path is none.", FAILED)
    return _say(CONFIDENTIAL, 0)


def _say(words: str, code: int) -> int:
    print(words, file=sys.stderr)
    return code
