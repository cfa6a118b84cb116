"""Runs every benchmark module in this folder that has a `run()`, one after the other.

`python -m benchmarks [name ...]`: no names means all. They share one process, so that ratios
between them come from one run on one machine.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
import time
import traceback
from pathlib import Path


def available() -> list[str]:
    """Names of the modules in this folder, sorted; those starting with _ are helpers."""
    found = pkgutil.iter_modules([str(Path(__file__).parent)])
    return sorted(module.name for module in found if not module.name.startswith("_"))


def run_one(name: str) -> bool:
    """Run one module and say how long it took; False when it raised."""
    module = importlib.import_module(f"benchmarks.{name}")
    if not hasattr(module, "run"):
        return True
    print(f"\n== {name}", flush=True)
    start = time.perf_counter()
    try:
        module.run()
    except Exception:  # the next benchmark should run whatever became of this one
        traceback.print_exc()
        return False
    print(f"-- {name}: {time.perf_counter() - start:.1f} s", flush=True)
    return True


def main(names: list[str]) -> int:
    """Exit status: 0 when every benchmark ran, 1 when one failed, 2 for an unknown name."""
    known = available()
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"No benchmark {', '.join(unknown)}. There are: {', '.join(known)}.", file=sys.stderr)
        return 2
    failed = [name for name in (names or known) if not run_one(name)]
    if failed:
        print(f"\nFailed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
