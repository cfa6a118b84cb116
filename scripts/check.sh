#!/bin/sh
# check.sh lint|quick|all|thorough: every check runs even when an earlier one failed; fails when any
# of them did. lint: ruff and mypy; quick: and the tests without large samples, pages and browser;
# all: and every test but the thorough ones; thorough: those alone.
set -u

stage=$1
ignored=
python=.venv/bin/python
colour=
if [ -t 1 ]; then colour=--color=yes; fi  # the output of pytest goes through a pipe
failed=$(mktemp)  # the names of what failed: checks run beside each other
trap 'rm -f "$failed"' EXIT

fails() {
    printf ' %s,' "$1" >>"$failed"
}

check() {
    name=$1
    shift
    printf '\n== %s\n' "$name"
    "$@" </dev/null || fails "$name"
}

lint() {
    check "ruff check" "$python" -m ruff check .
    check "ruff format" "$python" -m ruff format --check .
    check "mypy" "$python" -m mypy
}

FEW_FAILED='
import json, sys
with open(".pytest_cache/v/cache/lastfailed") as stored:
    failed = [one for one in json.load(stored) if "::" in one]  # not a worker that found other tests
sys.exit(not 0 < len(failed) <= 20)
'

# on all cores; a file stays with one worker, for the fixtures that its tests share, and the files
# keep the order that tests/conftest.py gives them: those that last longest come first
tests() {
    export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1  # one core a worker
    unset PYTHONDONTWRITEBYTECODE  # every worker and every server would compile all files anew
    check "pytest" pytest_twice $colour $ignored -m "$1"
}

# What failed runs once more, one test after the other: a browser beside a busy core may have been
# too late. Both runs stand in the log; more than a few failures are no such chance.
pytest_twice() {
    "$python" -m pytest -n auto --dist loadfile --no-loadscope-reorder "$@" && return
    "$python" -c "$FEW_FAILED" || return
    printf '\n== pytest, what failed once more\n'
    "$python" -m pytest --last-failed --last-failed-no-failures none "$@"
}

find_browser() {
    if DPVIZ_CHROMIUM=$(sh scripts/find_browser.sh); then
        export DPVIZ_CHROMIUM
        echo "Browser: $DPVIZ_CHROMIUM"
    elif [ -n "${CI:-}" ]; then
        fails "browser (missing in CI)"
    else
        echo "The browser tests will be skipped; everything else runs." >&2
    fi
}

# ruff and mypy run beside the tests, whose output waits in the pipe until theirs is on the screen:
# the closing line of pytest ends the log of a good run
lint_and_tests() {
    tests "$1" 2>&1 | { lint; cat; }
}

case $stage in
    lint) lint ;;
    quick)
        # not even looked at: importing them takes as long as a tenth of the tests
        ignored="--ignore=tests/pages --ignore=tests/browser"
        lint_and_tests "not law and not page and not browser and not thorough" ;;
    all) find_browser; lint_and_tests "not thorough" ;;
    thorough) find_browser; tests "thorough" ;;
    *) echo "check.sh: lint, quick, all or thorough, not '$stage'" >&2; exit 2 ;;
esac

if [ -s "$failed" ]; then
    printf '\nFAILED:%s\n' "$(sed 's/,$//' "$failed")" >&2
    exit 1
fi
