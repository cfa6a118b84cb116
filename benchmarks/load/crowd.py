"""A crowd: visitors who all open a page and move what is on it, each at a pace of their own."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass

import numpy as np

from benchmarks.load.machine import Reading
from benchmarks.load.pages import PAGES, Page
from benchmarks.load.tally import Line, Tally, cpu_each, seconds
from benchmarks.load.visitor import Failed, Visitor
from benchmarks.load.wire import LONGEST, Address

QUIET = 2.0  # seconds in which nobody does anything, to see what the server takes when idle
TAIL = 0.3  # seconds that the server has to end what it does after an answer
WATCH = 2.0  # seconds between two looks at the memory


@dataclass(frozen=True, slots=True)
class Crowd:
    """How many visitors open which page within how many seconds, and how often each moves."""

    page: str = "quantiles"
    sessions: int = 10
    every: float = 5.0
    seconds: float = 30.0
    within: float = 10.0
    moves: str = "typed"
    query: str = ""

    @property
    def opened(self) -> Page:
        """The page, with the query that it is opened with."""
        return PAGES[self.page].at(self.query)

    @property
    def longest(self) -> float:
        """Seconds after which the whole run has ended, whatever happens."""
        return self.within + self.seconds + 5 * LONGEST


async def first_visitor(address: Address, page: Page) -> Line:
    """Somebody who opens the page of a server that nobody has used yet, and leaves.

    Raises: Failed if the page does not come.
    """
    async with Visitor(address, page) as visitor:
        answer = await visitor.load()
    return {"picture": seconds(answer.picture), "finished": seconds(answer.finished)}


async def measure(crowd: Crowd, address: Address, root: int | None) -> Line:
    """Let the first visitor in, then the crowd; what they met, and what it cost.

    Raises: Failed if the first visitor meets no page; TimeoutError after crowd.longest seconds.
    """
    async with asyncio.timeout(crowd.longest):
        return await _measure(crowd, address, root)


async def _measure(crowd: Crowd, address: Address, root: int | None) -> Line:
    line: Line = {"first_visitor": await first_visitor(address, crowd.opened)}
    tally = Tally()
    idle, start = await resting(root)
    async with AsyncExitStack() as tabs:
        watcher = asyncio.create_task(watch(tally, root))
        tabs.callback(watcher.cancel)
        visitors = await arrive(crowd, address, tally, tabs)
        await asyncio.sleep(TAIL)
        opened = Reading.now(root)
        visitors = await prepared(crowd, visitors, tally)
        quiet, moving = await resting(root)
        await asyncio.gather(*(wander(crowd, one, tally, i) for i, one in enumerate(visitors)))
        await asyncio.sleep(TAIL)
        ended = Reading.now(root)
        tally.most = max(tally.most, ended.megabytes)
    known = root is not None
    return line | {
        "moves": crowd.opened.how(crowd.moves),
        **tally.line(),
        "cpu_ms_answer": cpu_each(moving, ended, quiet, len(tally.answers)),
        # what failed cost something, too, and would be charged to those that came
        "cpu_ms_first": cpu_each(start, opened, idle, len(tally.loads))
        if len(tally.loads) == crowd.sessions
        else None,
        "cores": round(ended.cores_since(moving), 2) if known else None,
        "megabytes": round(tally.most) if known else None,
        "megabytes_before": round(start.megabytes) if known else None,
        # without the server's process its own time counts as another's
        "other": round(ended.others_since(start), 2) if known else None,
    }


async def resting(root: int | None) -> tuple[float, Reading]:
    """Cores that the server takes when nobody asks, and the moment at which that was known."""
    before = Reading.now(root)
    await asyncio.sleep(QUIET)
    after = Reading.now(root)
    return after.cores_since(before), after


async def watch(tally: Tally, root: int | None) -> None:
    """Remember the most memory that the server had."""
    while root is not None:
        tally.most = max(tally.most, Reading.now(root).megabytes)
        await asyncio.sleep(WATCH)


async def arrive(
    crowd: Crowd, address: Address, tally: Tally, tabs: AsyncExitStack
) -> list[Visitor]:
    """Open the page for everybody; those for whom it came."""

    async def one(number: int) -> Visitor | None:
        await asyncio.sleep(crowd.within * number / crowd.sessions)
        visitor = await tabs.enter_async_context(Visitor(address, crowd.opened))
        try:
            tally.loads.append(await visitor.load())
        except Failed as error:
            tally.failures[f"first load: {error}"] += 1
            return None
        return visitor

    found = await asyncio.gather(*(one(number) for number in range(crowd.sessions)))
    return [visitor for visitor in found if visitor is not None]


async def prepared(crowd: Crowd, visitors: list[Visitor], tally: Tally) -> list[Visitor]:
    """Do what comes before anything can be moved; not counted among the answers."""
    first = crowd.opened.before(crowd.moves)
    if first is None:
        return visitors
    left = []
    for visitor in visitors:
        try:
            await visitor.move(first, 0)
            left.append(visitor)
        except Failed as error:
            tally.failures[f"before moving: {error}"] += 1
    return left


async def wander(crowd: Crowd, visitor: Visitor, tally: Tally, number: int) -> None:
    """Move again and again, first after a part of the pause; a failure ends it."""
    moves = crowd.opened.act(crowd.moves)
    due = time.monotonic() + np.random.default_rng(number).random() * crowd.every
    until = time.monotonic() + crowd.seconds
    turn = 1
    while due < until:
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        try:
            tally.answers.append(await visitor.move(moves, turn + number))
        except Failed as error:
            tally.failures[str(error)] += 1
            return
        due, turn = due + crowd.every, turn + 1
        if time.monotonic() > due:
            due = time.monotonic()
            tally.late += crowd.every > 0
