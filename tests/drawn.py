"""Fingerprints of what is drawn: a change is seen by its parts, and looked at before it is kept.

A number counts by three digits, so that the last ones of another processor change nothing. Where a
picture is meant to look otherwise, look at it, then write the fingerprints of its test anew:

    DRAWN=write .venv/bin/python -m pytest tests/pages/test_first_states.py
"""

import json
import os
import re
from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from tests.browser.steps import decoded

NUMBER = re.compile(r"-?\d+\.?\d*(?:[eE][-+]?\d+)?")


def rounded(given: Any) -> Any:
    """The same with three digits of every number, also in texts and where it is packed."""
    given = decoded(given)
    if isinstance(given, Mapping):
        return {str(name): rounded(one) for name, one in given.items()}
    if isinstance(given, list | tuple | np.ndarray):
        return [rounded(one) for one in given]
    if isinstance(given, str):
        return NUMBER.sub(lambda found: f"{float(found[0]):.3g}", given)
    is_number = isinstance(given, int | float | np.number) and not isinstance(given, bool)
    return f"{float(given):.3g}" if is_number else given


def fingerprint(given: Any) -> str:
    """A short name for what it is that is drawn."""
    said = json.dumps(rounded(given), sort_keys=True, default=str)
    return blake2b(said.encode(), digest_size=4).hexdigest()


@cache
def _stored(file: Path) -> dict[str, dict[str, str]]:
    return dict(json.loads(file.read_text(encoding="utf-8"))) if file.exists() else {}


def changed(file: Path, state: str, parts: Mapping[str, Any]) -> list[str]:
    """Names of a state's parts that are not as a file has them; none where it is written."""
    stored, new = _stored(file), {name: fingerprint(one) for name, one in parts.items()}
    old = stored.get(state, {})
    if os.environ.get("DRAWN") == "write":
        stored[state] = new
        file.write_text(json.dumps(stored, indent=0, sort_keys=True) + "\n", encoding="utf-8")
        return []
    return sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))
