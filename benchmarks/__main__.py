"""Runs every benchmark module in this folder that has a `run()`, one after the other.

`python -m benchmarks [name ...]`: no names means all. What is found is written into
build/RESULTS.md; only a run of all modules in which nothing was left out becomes
benchmarks/RESULTS.md. They share one process, so that ratios between them come from one run on one
machine. `python -m benchmarks readme` then writes README's figures anew.

A module names in MEASURES what its `run()` returns: rows and the titles of its tables. Rows are
checked against the limits in targets.py, and a module that missed one is timed again before that
counts: its `speeds()` if it has one, else its `run()` unless that takes longer than a minute and a
half.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
import time
import traceback
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType

from benchmarks import _readme, results
from benchmarks.targets import Row, best_rows

ATTEMPTS = 3  # a machine that is busy for a minute should not fail the bench
PATIENCE = 90.0  # seconds of one attempt from which no other follows: noise does not last so long


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


def loaded(name: str) -> ModuleType:
    return importlib.import_module(f"benchmarks.{name}")


def measures(name: str) -> Sequence[str]:
    """What a module says that it measures; its own name where what it needs is not installed."""
    try:
        declared: Sequence[str] = loaded(name).MEASURES
    except ImportError:
        return (name,)
    return declared


def measure(module: ModuleType) -> list[results.Finding]:
    """What a module found, each speed the best of up to ATTEMPTS, of one that takes long.

    Raises: ValueError for a row or a table that the module does not name in MEASURES.
    """
    start = time.perf_counter()
    findings = list(module.run() or ())
    rows = best_rows(results.rows_of(findings))
    again = getattr(module, "speeds", module.run)
    is_long = again is module.run and time.perf_counter() - start > PATIENCE
    for attempt in range(2, 2 if is_long else ATTEMPTS + 1):
        if not missed(rows):
            break
        print(f"-- attempt {attempt}, because of: {'; '.join(missed(rows))}", flush=True)
        rows = best_rows([*rows, *results.rows_of(again())])
    if unnamed := set(results.names_of(findings)) - set(module.MEASURES):
        raise ValueError(f"Not named in MEASURES of {module.__name__}: {'; '.join(unnamed)}")
    return results.with_best(findings, rows)


def run_one(name: str) -> list[results.Finding] | None:
    """Run one module and say how long it took; None when it raised."""
    print(f"\n== {name}", flush=True)
    start = time.perf_counter()
    try:
        findings = measure(loaded(name))
    except Exception:  # the next benchmark should run whatever became of this one
        traceback.print_exc()
        return None
    print(f"-- {name}: {time.perf_counter() - start:.1f} s", flush=True)
    return findings


def run_all(names: list[str]) -> tuple[list[results.Finding], list[str]]:
    """What was found and the modules that failed; the draft of the page grows with every module."""
    findings: list[results.Finding] = []
    failed: list[str] = []
    for name in names:
        found = run_one(name)
        if found is None:
            failed.append(name)
        findings += found or []
        results.draft(findings, unmeasured(findings))
    return findings, failed


def unmeasured(findings: list[results.Finding]) -> list[str]:
    """What all modules name and a run did not find."""
    found = set(results.names_of(findings))
    return [what for name in available() for what in measures(name) if what not in found]


def main(names: list[str]) -> int:
    """Exit status: 0 if all is well, 1 if one failed or missed a limit, 2 for an unknown name."""
    if names == ["readme"]:
        return _readme.write()
    known = available()
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"No benchmark {', '.join(unknown)}. There are: {', '.join(known)}.", file=sys.stderr)
        return 2
    findings, failed = run_all(names or known)
    rows = results.rows_of(findings)
    slow = missed(rows)
    if rows:
        print(f"\n{results.speed_table(rows).markdown()}", flush=True)
    left_out = unmeasured(findings)
    if not (names or left_out or failed):
        results.publish()
        print("\nbenchmarks/RESULTS.md is written. Next: make readme", flush=True)
    elif not names:
        print(f"\nNot measured, so in build/ only: {'; '.join(left_out)}", file=sys.stderr)
    if failed:
        print(f"\nFailed: {', '.join(failed)}", file=sys.stderr)
    if slow:
        print(f"\nToo slow: {'; '.join(slow)}", file=sys.stderr)
    return 1 if failed or slow or (left_out and not names) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
