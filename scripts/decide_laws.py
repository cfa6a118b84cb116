"""Writes dpviz/site/decide_laws.json: how far off curves, maps and running counts are at the stops.

`python -m scripts.decide_laws` takes two minutes; tests work out a part of it anew.
"""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

from dpviz.answers.decide.sentences import BUDGET, NEED
from dpviz.site import decide
from dpviz.version import __version__


def worked_out() -> dict[str, dict[str, dict[str, dict[str, float]]]]:
    """By the law, the method, how often and the size: errors in people."""
    answers = decide.Answers({})
    for asked in decide.sentences():
        if asked.form in decide.STORED:
            form = answers.form(asked)
            for unit, sure, given in product(asked.units, decide.SURES, (NEED, BUDGET)):
                list(decide.prices(asked, form, unit, sure, given))
    found: dict[str, dict[str, dict[str, dict[str, float]]]] = {}
    for law, known in sorted(answers.laws.items()):
        for (way, size, sure), off in sorted(known.items()):
            ways = found.setdefault(law, {})
            ways.setdefault(way, {}).setdefault(f"{sure:g}", {})[f"{size:g}"] = off
    return found


if __name__ == "__main__":
    Path(decide.__file__).with_name(decide.LAWS).write_text(
        json.dumps({decide.VERSION: __version__} | worked_out(), indent=0, separators=(",", ":"))
        + "\n",
        encoding="utf-8",
    )
