"""The server's side of following: a stream of step numbers for each page that follows.

A page is told that there is a step, not what it shows; it then asks for its picture as it asks for
everything else.
"""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import suppress

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from streamlit import config

from dpviz.ui.lectures import codes
from dpviz.ui.lectures.table import LECTURES, Lecture

MOST_STREAMS = 2_000  # open at a time, of all lectures of the process
HEARTBEAT = 15.0  # seconds; proxies close what is silent for longer
LOOK = 1.0  # seconds between two looks whether the server stops
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}

_open: set[object] = set()  # touched by the event loop alone


def routes() -> list[Route]:
    """What the server has to serve next to the pages.

    Raises: InvalidParameter if the process has a number that no code can begin with.
    """
    codes.own_letter()
    below = config.get_option("server.baseUrlPath").strip("/")
    return [Route(f"{'/' if below else ''}{below}/lecture/{{code}}", _stream, methods=["GET"])]


async def _stream(request: Request) -> Response:
    code = codes.read(str(request.path_params["code"]))
    lecture = None if code is None else LECTURES.find(code)
    if lecture is None:
        return PlainTextResponse("No lecture under way has this code.", 404, HEADERS)
    if len(_open) >= MOST_STREAMS:
        return PlainTextResponse("Too many pages follow at once.", 503, HEADERS)
    return StreamingResponse(events(lecture), headers=HEADERS, media_type="text/event-stream")


async def events(lecture: Lecture) -> AsyncIterator[str]:
    """The number of the step now, and of each one that comes; "over" at the end."""
    loop, woken = asyncio.get_running_loop(), asyncio.Event()
    stop = lecture.listen(lambda: _wake(loop, woken))
    stream, told = object(), 0
    _open.add(stream)
    try:
        while not lecture.over:
            woken.clear()
            number = lecture.number
            yield f"data: {number}\n\n" if number != told else ": here\n\n"
            told, until = number, loop.time() + HEARTBEAT
            while not woken.is_set() and loop.time() < until:
                if is_stopping():
                    return
                with suppress(TimeoutError):
                    await asyncio.wait_for(woken.wait(), min(LOOK, HEARTBEAT))
        yield "event: over\ndata: over\n\n"
    finally:
        stop()
        _open.discard(stream)


def is_stopping() -> bool:
    """Whether the server was told to stop: it waits for all answers, and a stream has no end."""
    server = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)
    return bool(getattr(server, "should_exit", False))


def _wake(loop: asyncio.AbstractEventLoop, woken: asyncio.Event) -> None:
    loop.call_soon_threadsafe(woken.set)
