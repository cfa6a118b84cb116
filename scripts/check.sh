#!/bin/sh
# check.sh lint|quick|all: every check runs even when an earlier one failed; fails when any of them
# did. lint: ruff and mypy; quick: and the tests without large samples, pages and browser; all.
set -u

stage=$1
python=.venv/bin/python
failed=

check() {
    name=$1
    shift
    printf '\n== %s\n' "$name"
    "$@" </dev/null || failed="$failed $name,"
}

# on all cores; a file stays with one worker, for the fixtures that its tests share, and the files
# keep their order: those of the browser, which last longest, come first
tests() {
    export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1  # one core a worker
    check "pytest" "$python" -m pytest -n auto --dist loadfile --no-loadscope-reorder "$@"
}

case $stage in
    lint | quick | all) ;;
    *) echo "check.sh: lint, quick or all, not '$stage'" >&2; exit 2 ;;
esac

check "ruff check" "$python" -m ruff check .
check "ruff format" "$python" -m ruff format --check .
check "mypy" "$python" -m mypy

# pytest comes last, so that its closing line ends the log of a good run
if [ "$stage" = quick ]; then
    tests -m "not law and not page and not browser"
elif [ "$stage" = all ]; then
    if DPVIZ_CHROMIUM=$(sh scripts/find_browser.sh); then
        export DPVIZ_CHROMIUM
        echo "Browser: $DPVIZ_CHROMIUM"
    elif [ -n "${CI:-}" ]; then
        failed="$failed browser (missing in CI),"
    else
        echo "The browser tests will be skipped; everything else runs." >&2
    fi
    tests
fi

if [ -n "$failed" ]; then
    printf '\nFAILED:%s\n' "${failed%,}" >&2
    exit 1
fi
