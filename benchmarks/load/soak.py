"""A soak: visitors who come and go for minutes, and what the server's memory does meanwhile."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

import numpy as np

from benchmarks.load.crowd import Crowd, first_visitor, wander, watch
from benchmarks.load.machine import Reading
from benchmarks.load.pages import MOVABLE
from benchmarks.load.tally import Line, Tally
from benchmarks.load.visitor import Failed, Visitor
from benchmarks.load.wire import LONGEST, Address

SETTLED = 300.0  # seconds after which the memory should grow no more
STAY = 20.0, 60.0  # seconds that a visitor stays on a page


async def measure(crowd: Crowd, minutes: float, address: Address, root: int | None) -> Line:
    """Visitors on all pages in turns; the memory after five minutes and at the end.

    Raises: Failed if the first visitor meets no page; TimeoutError if it does not end in time.
    """
    async with asyncio.timeout(60 * minutes + STAY[1] + 5 * LONGEST):
        line: Line = {"first_visitor": await first_visitor(address, crowd.opened)}
        tally, start = Tally(), Reading.now(root)
        until = time.monotonic() + 60 * minutes
        watcher = asyncio.create_task(watch(tally, root))
        early = asyncio.create_task(_later(root, SETTLED))
        seats = [
            asyncio.create_task(_seat(crowd, address, tally, number, until))
            for number in range(crowd.sessions)
        ]
        await asyncio.sleep(max(0.0, until - time.monotonic()))
        ended = Reading.now(root)  # while they are still there
        await asyncio.gather(*seats)
        watcher.cancel()
        known = root is not None
        after = early.result() if early.done() else None
        early.cancel()
        return line | {
            "minutes": minutes,
            **tally.line(),
            "megabytes_before": round(start.megabytes) if known else None,
            "megabytes_5_min": round(after.megabytes) if after and known else None,
            "megabytes_end": round(ended.megabytes) if known else None,
            "megabytes": round(max(tally.most, ended.megabytes)) if known else None,
            "cores": round(ended.cores_since(start), 2) if known else None,
            "other": round(ended.others_since(start), 2) if known else None,
        }


async def _later(root: int | None, pause: float) -> Reading:
    await asyncio.sleep(pause)
    return Reading.now(root)


async def _seat(crowd: Crowd, address: Address, tally: Tally, number: int, until: float) -> None:
    """One seat of the room: whoever leaves is followed by somebody on the next page."""
    chance = np.random.default_rng(number)
    await asyncio.sleep(crowd.within * number / crowd.sessions)
    place = number
    while (left := until - time.monotonic()) > 0:
        stay = replace(
            crowd, page=MOVABLE[place % len(MOVABLE)], seconds=min(left, chance.uniform(*STAY))
        )
        place += 1
        try:
            async with Visitor(address, stay.opened) as visitor:
                tally.loads.append(await visitor.load())
                if (first := stay.opened.before(stay.moves)) is not None:
                    await visitor.move(first, 0)
                await wander(stay, visitor, tally, place)
        except Failed as error:
            tally.failures[f"first load: {error}"] += 1
            await asyncio.sleep(1)
