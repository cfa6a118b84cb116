"""`python -m benchmarks.load`: every figure, or with options one load, as a line of JSON each."""

from __future__ import annotations

import sys

from benchmarks.load import figures, options, run


def main(arguments: list[str]) -> int:
    """Exit status: 0 if every load ended, 1 if one did not, or missed what is to be reached."""
    if not arguments:
        return figures.run_all()
    line = run.line_of(options.read(arguments))
    print(run.written(line), flush=True)
    return 0 if "error" not in line else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
