"""How long `make check` takes, which a developer runs between two thoughts."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

from benchmarks.targets import CHECK, Row

MEASURES = (CHECK,)
ROOT = Path(__file__).parents[1]


def run() -> list[Row]:
    """Lint, types and the quick tests; a check that fails takes as long as one that passes."""
    start = time.perf_counter()
    done = subprocess.run(["make", "check"], cwd=ROOT, capture_output=True, text=True, check=False)
    taken = time.perf_counter() - start
    if " passed" not in done.stdout:
        raise RuntimeError(f"make check did not come to its tests: {done.stderr[-500:]}")
    print(*done.stdout.splitlines()[-1:], f"{taken:.0f} s", sep="\n", flush=True)
    return [Row(CHECK, taken, "s")]


if __name__ == "__main__":
    run()
