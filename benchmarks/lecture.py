"""A lecture with a class: how long after a presenter's step all who follow have the picture.

Each of those who follow is what a browser is to the server: a websocket session and a stream of
events. `python -m benchmarks lecture`.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

from benchmarks.targets import LECTURE, Row
from tests.browser.conftest import running_app

MEASURES = (LECTURE,)
SERVER = "dpviz/ui/server/asgi.py"
FOLLOWERS = 100
STEPS = 16  # through all scenes of Teach, asked and revealed
PAUSE = 1.0  # seconds between a step that all have drawn and the next
SPREAD = 0.3  # seconds over which browsers ask, as follow.js has it
PATIENCE = 60.0
TICKS = os.sysconf("SC_CLK_TCK")


class Session:
    """One tab: what it was sent last of each component, and the way to press what is there."""

    def __init__(self, socket: ClientConnection, query: str) -> None:
        self.socket, self.query = socket, query
        self.ids: dict[str, str] = {}  # of components by name, of buttons by label
        self.fragments: dict[str, str] = {}
        self.step = 0
        self.secret = ""
        self.page = ""
        self.asks = False  # whether the scene waits for an answer

    async def run(self, *states: WidgetState, fragment: str = "") -> int:
        """Ask for a run, of a fragment or of the whole script; returns how many bytes came."""
        message = BackMsg()
        message.rerun_script.query_string = self.query
        message.rerun_script.page_name = "" if self.page else "learn"
        message.rerun_script.page_script_hash = self.page
        message.rerun_script.fragment_id = fragment
        message.rerun_script.widget_states.widgets.extend(states)
        await self.socket.send(message.SerializeToString())
        received = 0
        while True:
            data = await asyncio.wait_for(self.socket.recv(), PATIENCE)
            assert isinstance(data, bytes)
            received += len(data)
            answer = ForwardMsg.FromString(data)
            self._take(answer)
            if answer.WhichOneof("type") == "script_finished" and (
                answer.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN
            ):
                return received

    def _take(self, answer: ForwardMsg) -> None:
        if answer.WhichOneof("type") == "navigation":
            self.page = answer.navigation.page_script_hash
        element = answer.delta.new_element
        kind = element.WhichOneof("type")
        if kind == "bidi_component":
            name = element.bidi_component.component_name
            self.ids[name] = element.bidi_component.id
            self.fragments[name] = answer.delta.fragment_id
            shown = element.bidi_component
            said = shown.bytes.decode() or shown.json or shown.mixed.json
            if name == "dpviz_follow":
                self.step = json.loads(said)["step"]
            elif name == "dpviz_stage":
                self.asks = '"value":"reveal"' in said
        elif kind == "button":
            self.ids[element.button.label] = element.button.id
        elif kind == "html" and (found := re.search(r"lead=([\w.-]+)", element.html.body)):
            self.secret = found[1]

    async def press(self, label: str) -> None:
        """Press a button."""
        await self.run(WidgetState(id=self.ids[label], trigger_value=True))

    async def tell(self, component: str, event: str, value: object, fragment: str = "") -> int:
        """Fire a trigger of a component."""
        name = f"$$STREAMLIT_INTERNAL_KEY_{self.ids[component]}__events"
        said = json.dumps([{"event": event, "value": value}])
        return await self.run(WidgetState(id=name, json_trigger_value=said), fragment=fragment)


@asynccontextmanager
async def session(server: str, query: str) -> AsyncIterator[Session]:
    """A tab that has drawn its page."""
    address = f"ws://{urlsplit(server).netloc}/_stcore/stream"
    async with connect(
        address, subprotocols=["streamlit"], max_size=None, compression=None, ping_interval=None  # type: ignore[list-item]
    ) as socket:  # fmt: skip
        tab = Session(socket, query)
        await tab.run()
        yield tab


async def steps(server: str, code: str) -> AsyncIterator[int]:
    """The numbers that the stream of a lecture tells."""
    where = urlsplit(server)
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    try:
        writer.write(f"GET /lecture/{code} HTTP/1.1\r\nHost: {where.netloc}\r\n\r\n".encode())
        status = await reader.readline()
        assert b" 200 " in status, status
        async for line in reader:
            if line.startswith(b"data: ") and line[6:].strip().isdigit():
                yield int(line[6:])
    finally:
        writer.close()


class Class:
    """All who follow; seen holds when each of them had drawn which step."""

    def __init__(self) -> None:
        self.ready = 0
        self.seen: list[tuple[int, float]] = []
        self.received: list[int] = []

    async def follow(self, server: str, code: str) -> None:
        """Follow until cancelled, as follow.js does: one question at a time."""
        async with session(server, f"follow={code}") as tab:
            newest, told = tab.step, asyncio.Event()

            async def listen() -> None:
                nonlocal newest
                async for number in steps(server, code):
                    newest = number
                    told.set()

            ear = asyncio.create_task(listen())
            self.ready += 1
            try:
                while True:
                    await told.wait()
                    told.clear()
                    while newest > tab.step:
                        await asyncio.sleep(random_delay())
                        fragment = tab.fragments["dpviz_follow"]
                        sent = await tab.tell("dpviz_follow", "step", tab.step, fragment)
                        self.received.append(sent)
                        self.seen.append((tab.step, time.perf_counter()))
            finally:
                ear.cancel()


def random_delay() -> float:
    """How long a browser waits before it asks."""
    return float(DELAYS.uniform(0, SPREAD))


DELAYS = np.random.default_rng(7)


def cpu(process: int) -> float:
    """Seconds of processor time that a process has taken."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


async def measure(server: str, process: int | None, followers: int = FOLLOWERS) -> list[float]:
    """Seconds from each step to each of those who follow."""
    crowd = Class()
    async with session(server, "view=teacher") as teacher:
        await teacher.press("Lead a class")
        code = teacher.secret.partition(".")[0]
        async with session(server, f"story=teach&scene=1&present=1&lead={teacher.secret}") as lead:
            tasks = []
            for number in range(followers):
                tasks.append(asyncio.create_task(crowd.follow(server, code)))
                while crowd.ready < number - 4 and not any(task.done() for task in tasks):
                    await asyncio.sleep(0.01)
            while crowd.ready < followers:
                await asyncio.sleep(0.05)
                for task in tasks:
                    if task.done():
                        task.result()
            await asyncio.sleep(2.0)
            crowd.seen.clear()
            delays: list[float] = []
            for number in range(1, STEPS + 1):
                before = cpu(process) if process else 0.0
                began = time.perf_counter()
                await lead.tell("dpviz_stage", "go", "reveal" if lead.asks else "next")
                own = time.perf_counter() - began
                while len(crowd.seen) < followers and time.perf_counter() < began + PATIENCE:
                    await asyncio.sleep(0.05)
                await asyncio.sleep(PAUSE)
                late = [when - began for _, when in crowd.seen]
                assert len(late) >= followers, f"step {number} came to {len(late)}"
                spent = cpu(process) - before if process else 0.0
                print(
                    f"step {number:2}: {len(late)} of {followers}, presenter {own:.2f} s, "
                    f"median {np.median(late):.2f}, 95 % {np.quantile(late, 0.95):.2f}, "
                    f"last {max(late):.2f} s, {1e3 * spent / followers:.1f} ms of processor each, "
                    f"{np.mean(crowd.received) / 1e3:.0f} kB each",
                    flush=True,
                )
                delays += late
                crowd.seen.clear()
                crowd.received.clear()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
    return delays


def run() -> list[Row]:
    """A hundred followers of one presenter, on a server of one process."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running_app(Path(folder) / "log.txt", SERVER) as address,
    ):
        delays = asyncio.run(measure(address, None))
    return [Row(LECTURE, float(np.quantile(delays, 0.95)), "s")]
