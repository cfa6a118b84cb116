#!/bin/sh
# check.sh [lint]: every check runs even when an earlier one failed; fails when any of them did.
set -u

python=.venv/bin/python
failed=

check() {
    name=$1
    shift
    printf '\n== %s\n' "$name"
    "$@" </dev/null || failed="$failed $name,"
}

check "ruff check" "$python" -m ruff check .
check "ruff format" "$python" -m ruff format --check .
check "mypy" "$python" -m mypy

if [ "${1:-}" != lint ]; then
    if DPVIZ_CHROMIUM=$(sh scripts/find_browser.sh); then
        export DPVIZ_CHROMIUM
        echo "Browser: $DPVIZ_CHROMIUM"
    elif [ -n "${CI:-}" ]; then
        failed="$failed browser (missing in CI),"
    else
        echo "The browser tests will be skipped; everything else runs." >&2
    fi
    # last, so that its closing line ends the log of a good run
    check "pytest" "$python" -m pytest
fi

if [ -n "$failed" ]; then
    printf '\nFAILED:%s\n' "${failed%,}" >&2
    exit 1
fi
