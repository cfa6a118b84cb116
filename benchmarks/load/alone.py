"""One visitor at a time: what a first load and an answer cost where nobody else asks."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from benchmarks.load.crowd import TAIL, Crowd, first_visitor, prepared, resting, wander
from benchmarks.load.machine import Reading
from benchmarks.load.tally import Line, Tally, cpu_each
from benchmarks.load.visitor import Visitor
from benchmarks.load.wire import Address


async def measure(crowd: Crowd, address: Address, root: int | None) -> Line:
    """Visitors open the page one after the other and leave; then one moves without a pause.

    Raises: Failed as soon as anything does not come; TimeoutError after crowd.longest seconds.
    """
    async with asyncio.timeout(crowd.longest):
        line: Line = {"first_visitor": await first_visitor(address, crowd.opened)}
        tally = Tally()
        idle, start = await resting(root)
        for _ in range(crowd.sessions):
            async with Visitor(address, crowd.opened) as visitor:
                tally.loads.append(await visitor.load())
        await asyncio.sleep(TAIL)
        opened = Reading.now(root)
        async with Visitor(address, crowd.opened) as visitor:
            await visitor.load()
            await prepared(crowd, [visitor], tally)
            quiet, moving = await resting(root)
            await wander(replace(crowd, every=0.0), visitor, tally, 0)
            await asyncio.sleep(TAIL)
            ended = Reading.now(root)
    known = root is not None
    return line | {
        "moves": crowd.opened.how(crowd.moves),
        **tally.line(),
        "cpu_ms_answer": cpu_each(moving, ended, quiet, len(tally.answers)),
        "cpu_ms_first": cpu_each(start, opened, idle, len(tally.loads)),
        "megabytes": round(ended.megabytes) if known else None,
        "other": round(ended.others_since(start), 2) if known else None,
    }
