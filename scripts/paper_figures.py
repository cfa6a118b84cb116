"""Runs the papers' studies, draws the methods, writes what both pages open with: `make figures`.

Takes 15 to 20 minutes of one core. The real sets of the AQ paper are used where they lie
in a folder (DATA, else shared/data beside the repository); made-up columns stand in for missing
ones, and the file says so. The addresses of the same folder are one of the sets of "other points",
which goes without them. ONLY="gaps,times" makes some studies anew and keeps the others. With
--same-numbers all studies run, and if no number but a time changed, the file gets today's version
and stays as it is otherwise.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pandas as pd

from dpviz.experiments.papers.psd_points import address_points
from dpviz.experiments.papers.roads import SEED as ROADS_SEED
from dpviz.experiments.papers.roads import road_points
from dpviz.experiments.papers.sets import BESIDE, real_values, study_sets
from dpviz.experiments.papers.stored.record import FILE, Record, packed, record, unpacked, write
from dpviz.experiments.papers.stored.studies import SEED, STUDIES, Sources, seed
from dpviz.ui.methods import cards
from dpviz.version import __version__

OF_SETS = {"recursion", "histograms", "gaps", "times"}
# columns that hold how long something took
TIMED = {
    "times": ["mean", "standard_error"],
    "construction": ["mean", "standard_error"],
    "medians": ["seconds", "unsorted_seconds"],
}


def main() -> None:
    """Run what is asked for, study by study, and write the file."""
    folder = Path(os.environ.get("DATA") or BESIDE)
    only = os.environ.get("ONLY", "").split(",") if os.environ.get("ONLY") else list(STUDIES)
    sets = study_sets(np.random.default_rng(SEED), real_values(folder))
    sources = Sources(sets, road_points(np.random.default_rng(ROADS_SEED)), address_points(folder))
    is_check = "--same-numbers" in sys.argv
    kept = record() if is_check or (only != list(STUDIES) and FILE.is_file()) else None
    rows, seconds = dict(kept.rows if kept else {}), dict(kept.seconds if kept else {})
    for name in only:
        began = time.thread_time()
        rows[name] = STUDIES[name].rows(sources, np.random.default_rng(seed(name)))
        seconds[name] = time.thread_time() - began
        print(f"{name}: {len(rows[name])} rows in {seconds[name]:.1f} s", flush=True)
    if is_check and kept:
        if other := changed(kept.rows, rows):
            raise SystemExit(f"Not the same numbers: {', '.join(other)}. Run `make figures`.")
        FILE.write_text(write(replace(kept, version=__version__)), encoding="utf-8")
        return
    origins = {key: str(one.origin) for key, one in sets.items()}
    titles = {key: one.title for key, one in sets.items()}
    if kept and not OF_SETS & set(
        only
    ):  # rows about the sets stay, and so does where they are from
        origins, titles = dict(kept.origins), dict(kept.titles)
    found = Record(
        __version__,
        datetime.now(UTC).date().isoformat(),
        {name: rows[name] for name in STUDIES if name in rows},
        {name: seconds[name] for name in STUDIES if name in seconds},
        origins,
        titles,
    )
    FILE.write_text(write(found), encoding="utf-8")
    size = FILE.stat().st_size
    print(f"{FILE.name}: {size / 1000:.0f} kB, {sum(seconds.values()) / 60:.1f} min of one core")
    print(f"{cards.FILE.name}: {cards.write() / 1000:.0f} kB")


def changed(kept: Mapping[str, pd.DataFrame], rows: Mapping[str, pd.DataFrame]) -> list[str]:
    """Studies of which a number that is stored, other than a time, comes out otherwise."""
    return [
        name
        for name, found in rows.items()
        if name not in kept
        or not kept[name]
        .drop(columns=TIMED.get(name, []))
        .equals(unpacked(packed(found)).drop(columns=TIMED.get(name, [])))
    ]


if __name__ == "__main__":
    main()
