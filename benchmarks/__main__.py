"""Runs every benchmark module in this folder that has a `run()`, one after the other.

`python -m benchmarks [name ...]`: no names means all, and then benchmarks/RESULTS.md is written
anew. They share one process, so that ratios between them come from one run on one machine.
`run()` may return rows and tables; rows are checked against the limits in targets.py, and a module
that missed one is timed again before that counts: its `speeds()` if it has one, else its `run()`.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
import time
import traceback
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from benchmarks import results
from benchmarks.targets import TARGETS, Row, best_rows

ATTEMPTS = 3  # a machine that is busy for a minute should not fail the bench


def available() -> list[str]:
    """Names of the modules in this folder, sorted; those starting with _ are helpers.

    A folder in it, such as load, is a program of its own.
    """
    found = pkgutil.iter_modules([str(Path(__file__).parent)])
    names = sorted(module.name for module in found if not module.ispkg)
    return [name for name in names if name[0] != "_" and name not in ("results", "targets")]


def missed(rows: Iterable[Row]) -> list[str]:
    """Names of the rows whose limit is missed by more than noise explains."""
    return [row.name for row in rows if row.missed]


def measure(module: ModuleType) -> list[results.Finding]:
    """What a module found, each speed the best of up to ATTEMPTS."""
    findings = list(module.run() or ())
    tables = [found for found in findings if not isinstance(found, Row)]
    rows = best_rows(found for found in findings if isinstance(found, Row))
    again = getattr(module, "speeds", module.run)
    for attempt in range(2, ATTEMPTS + 1):
        if not missed(rows):
            break
        print(f"-- attempt {attempt}, because of: {'; '.join(missed(rows))}", flush=True)
        rows = best_rows([*rows, *(found for found in again() if isinstance(found, Row))])
    return [*rows, *tables]


def run_one(name: str) -> list[results.Finding] | None:
    """Run one module and say how long it took; None when it raised."""
    print(f"\n== {name}", flush=True)
    start = time.perf_counter()
    try:
        findings = measure(importlib.import_module(f"benchmarks.{name}"))
    except Exception:  # the next benchmark should run whatever became of this one
        traceback.print_exc()
        return None
    print(f"-- {name}: {time.perf_counter() - start:.1f} s", flush=True)
    return findings


def run_all(names: list[str], page: bool) -> tuple[list[results.Finding], list[str]]:
    """What was found and the names that failed; the page grows with every module."""
    findings: list[results.Finding] = []
    failed: list[str] = []
    for done, name in enumerate(names, 1):
        found = run_one(name)
        if found is None:
            failed.append(name)
        findings += found or []
        if page:
            results.write(findings, failed + names[done:])
    return findings, failed


def main(names: list[str]) -> int:
    """Exit status: 0 if all is well, 1 if one failed or missed a limit, 2 for an unknown name."""
    known = available()
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"No benchmark {', '.join(unknown)}. There are: {', '.join(known)}.", file=sys.stderr)
        return 2
    findings, failed = run_all(names or known, page=not names)
    rows = [found for found in findings if isinstance(found, Row)]
    slow = missed(rows)
    if rows:
        print(f"\n{results.speed_table(rows).markdown()}", flush=True)
    unmeasured = [name for name in TARGETS if name not in {row.name for row in rows}]
    if not names and unmeasured:
        print(f"\nNot measured: {'; '.join(unmeasured)}", file=sys.stderr)
    if failed:
        print(f"\nFailed: {', '.join(failed)}", file=sys.stderr)
    if slow:
        print(f"\nToo slow: {'; '.join(slow)}", file=sys.stderr)
    return 1 if failed or slow else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
