#!/bin/sh
# Prints a Python >= 3.11 that can create environments; PYTHON, if set, is the only candidate.
set -u

if [ -n "${PYTHON:-}" ]; then
    set -- "$PYTHON"
else
    set -- python3 python3.13 python3.12 python3.11 python3.14 python
fi
for name in "$@"; do
    # a name may be a shim without a Python behind it, so each candidate has to answer
    if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 </dev/null; then
        if "$name" -c 'import ensurepip, venv' >/dev/null 2>&1 </dev/null; then
            printf '%s\n' "$name"
            exit 0
        fi
        incomplete=$name
    fi
done

if [ -n "${incomplete:-}" ]; then
    echo "dpviz: '$incomplete' is new enough but lacks the venv module." >&2
    echo "Install it (Debian and Ubuntu: apt-get install python3-venv) and run make again." >&2
else
    echo "dpviz: needs Python 3.11 or newer; none found among: $*." >&2
    echo "Install one, or name it: make run PYTHON=/path/to/python3.12" >&2
fi
exit 1
