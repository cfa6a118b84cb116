#!/bin/sh
# Prints the path of a working Chromium or Chrome. None there: installs one through the system's
# package manager where that is permitted, unless called with --installed. Fails, loudly, where no
# browser can be had.
set -u

find_installed() {
    for name in "${DPVIZ_CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable \
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" \
        "/Applications/Chromium.app/Contents/MacOS/Chromium"; do
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
        brew install --cask google-chrome
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
        apt="$as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends"
        $apt update
        $apt install chromium || $apt install chromium-browser
    elif has dnf; then
        $as_root dnf -q -y install chromium
    elif has apk; then
        $as_root apk add --no-progress chromium
    elif has pacman; then
        $as_root pacman -Sy --noconfirm chromium
    else
        echo "No package manager known here." >&2
        return 1
    fi
}

find_installed && exit 0
if [ "${1:-}" != --installed ]; then
    echo "No Chromium found; trying to install one." >&2
    install_one </dev/null >&2
    find_installed && exit 0
fi

cat >&2 <<'END'
************************************************************************
  NO BROWSER: no Chromium was found and none could be installed.
  Install chromium or google-chrome, or set DPVIZ_CHROMIUM to its path.
************************************************************************
END
exit 1
