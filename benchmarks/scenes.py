"""What a scene costs the server when it is opened first: its numbers, and its picture at all stops.

Each scene is opened in a process of its own, which has loaded what the app loads before anybody
comes, and nothing of a sample; processor time is counted, so that others on the machine do not.
"""

from __future__ import annotations

import json
import subprocess
import sys

from benchmarks.targets import FIRST_BEAT, FIRST_NUMBERS, Row
from dpviz.lessons.stories.listing import STORIES

MEASURES = (FIRST_NUMBERS, FIRST_BEAT)
OPENED = """
import json, sys, time
import pandas
from dpviz.lessons.stories.listing import scene
shown = scene(sys.argv[1])
start = time.process_time()
shown.ask(shown.numbers(shown.control.start, 1))
told = time.process_time()
shown.stage(shown.control.start, "predict")
print(json.dumps([told - start, time.process_time() - start]))
"""
TIMES = 3  # the best counts


def opened(name: str) -> tuple[float, float]:
    """Ms until the numbers of a scene are there, and until its picture is."""
    found = [
        json.loads(subprocess.run([sys.executable, "-c", OPENED, name], check=True,
                                  capture_output=True, text=True).stdout)
        for _ in range(TIMES)
    ]  # fmt: skip
    numbers, picture = (1e3 * min(one) for one in zip(*found, strict=True))
    return numbers, picture


def run() -> list[Row]:
    """Every scene; the slowest counts."""
    found = {one.name: opened(one.name) for story in STORIES for one in story.scenes}
    for name, (numbers, picture) in found.items():
        print(f"{name}: numbers {numbers:.0f} ms, with the picture {picture:.0f} ms", flush=True)
    numbers, picture = (max(one) for one in zip(*found.values(), strict=True))
    return [Row(FIRST_NUMBERS, numbers, "ms"), Row(FIRST_BEAT, picture, "ms")]
