"""The browser that benchmarks drive, where one is installed."""

from __future__ import annotations

import subprocess

from tests.conftest import ROOT


def chromium_path() -> str | None:
    """The path of an installed browser; None, and a line that says so, where there is none."""
    found = subprocess.run(
        ["sh", "scripts/find_browser.sh", "--installed"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if found.returncode:
        print("no browser found: not measured")
        return None
    return found.stdout.strip()
