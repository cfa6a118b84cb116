#!/bin/sh
# Prints the path of a working Chromium or Chrome, or of a Firefox where that is the first argument.
# None there: installs one through the system's package manager where that is permitted, unless
# called with --installed. Fails, loudly, where no browser can be had.
set -u

if [ "${1:-}" = firefox ]; then
    shift
    wanted=Firefox variable=DPVIZ_FIREFOX packages='firefox-esr firefox' cask=firefox
    set -- "${1:-}" "${DPVIZ_FIREFOX:-}" firefox-esr firefox \
        "/Applications/Firefox.app/Contents/MacOS/firefox"
else
    wanted=Chromium variable=DPVIZ_CHROMIUM packages='chromium chromium-browser' cask=google-chrome
    set -- "${1:-}" "${DPVIZ_CHROMIUM:-}" chromium chromium-browser google-chrome \
        google-chrome-stable "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" \
        "/Applications/Chromium.app/Contents/MacOS/Chromium"
fi
only=$1
shift

find_installed() {
    for name; do
        [ -n "$name" ] || continue
        path=$(command -v "$name" 2>/dev/null) || continue
        # some systems ship a stub that only asks for another package, so it has to answer
        if "$path" --version >/dev/null 2>&1 </dev/null; then
            printf '%s\n' "$path"
            return 0
        fi
    done
    return 1
}

has() { command -v "$1" >/dev/null 2>&1; }

install_one() {
    if has brew; then
        brew install --cask "$cask"
        return
    fi
    if [ "$(id -u)" = 0 ]; then
        as_root=
    elif has sudo && sudo -n true 2>/dev/null; then
        as_root='sudo -n'
    else
        echo "Installing a browser needs root or sudo without a password." >&2
        return 1
    fi
    if has apt-get; then
        install="env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install"
        $as_root apt-get -q update
    elif has dnf; then
        install='dnf -q -y install'
    elif has apk; then
        install='apk add --no-progress'
    elif has pacman; then
        install='pacman -Sy --noconfirm'
    else
        echo "No package manager known here." >&2
        return 1
    fi
    for package in $packages; do  # the second where the first is called otherwise
        $as_root $install "$package" && return
    done
}

find_installed "$@" && exit 0
if [ "$only" != --installed ]; then
    echo "No $wanted found; trying to install one." >&2
    install_one </dev/null >&2
    find_installed "$@" && exit 0
fi

cat >&2 <<END
************************************************************************
  NO BROWSER: no $wanted was found and none could be installed.
  Install one ($packages), or set $variable to its path.
************************************************************************
END
exit 1
