#!/bin/sh
# install.sh runtime|dev: creates .venv and installs the pinned packages into it.
set -eu

kind=$1
python=.venv/bin/python

if ! "$python" -m pip --version >/dev/null 2>&1; then
    found=$(sh scripts/find_python.sh)
    echo "Creating .venv with $("$found" --version)"
    "$found" -m venv --clear .venv
fi

case $kind in
    runtime) project='.[engine]' ;;
    dev) project='.[dev,engine]' ;;
    *) echo "install.sh: runtime or dev, not '$kind'" >&2; exit 2 ;;
esac

echo "Installing the pinned packages ($kind)"
install() {
    "$python" -m pip install --quiet --disable-pip-version-check --no-input \
        --constraint constraints.txt "$@" </dev/null
}
# the build backend is pinned too, so the project is built with it and not in isolation
install setuptools
install --no-build-isolation --editable "$project"

echo "Compressing what every visitor loads"
"$python" -m dpviz.ui.server.copies

touch .venv/runtime.stamp
if [ "$kind" = dev ]; then touch .venv/dev.stamp; fi
