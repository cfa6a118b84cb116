"""One load from its options: starts the server, lets the visitors in, and says what they met."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks.load import alone, server, soak, uploads
from benchmarks.load.crowd import Crowd, measure
from benchmarks.load.tally import Line
from benchmarks.load.visitor import Failed
from benchmarks.load.wire import Address


@contextmanager
def _served(chosen: argparse.Namespace) -> Iterator[tuple[Address, int | None]]:
    if chosen.url is not None:
        yield chosen.url, chosen.pid
        return
    with server.running(chosen.workers, chosen.rows) as found:
        yield found


def line_of(chosen: argparse.Namespace) -> Line:
    """The line; with "error" if the load could not be made, "skipped" if the server cannot yet."""
    crowd = Crowd(
        page=chosen.page,
        sessions=chosen.sessions,
        every=chosen.every,
        seconds=chosen.seconds,
        within=chosen.within,
        moves=chosen.moves,
        query="&".join(filter(None, (f"data={server.MADE_UP}" * bool(chosen.rows), chosen.query))),
    )
    asked: Line = {
        "page": crowd.page,
        "sessions": crowd.sessions,
        "every": crowd.every,
        "seconds": crowd.seconds,
        "within": crowd.within,
        "workers": chosen.workers,
        "rows": chosen.rows,
    }
    if chosen.workers > 1 and not server.has_workers():
        return asked | {"skipped": "dpviz has no --workers yet"}
    try:
        with _served(chosen) as (address, root):
            if chosen.soak:
                found = soak.measure(crowd, chosen.soak, address, root)
            elif chosen.uploads:
                files = uploads.Files(chosen.uploads, chosen.megabytes)
                found = uploads.measure(crowd, files, address, root)
            elif chosen.alone:
                found = alone.measure(crowd, address, root)
            else:
                found = measure(crowd, address, root)
            return asked | asyncio.run(found)
    except (server.DidNotStart, Failed) as error:
        return asked | {"error": str(error)}
    except TimeoutError:
        return asked | {"error": "the load did not end in time"}


def written(line: Line) -> str:
    """As one line of JSON."""
    return json.dumps(line, ensure_ascii=False)
