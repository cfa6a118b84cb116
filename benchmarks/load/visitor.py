"""One visitor: a tab of a browser that opens a page, moves what is on it, and waits for answers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Common_pb2 import FileURLsResponse
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from benchmarks.load.pages import CannotMove, Move, Page
from benchmarks.load.screen import Screen
from benchmarks.load.widgets import UnknownWidget
from benchmarks.load.wire import AGENT, LONGEST, XSRF, Address, ask

GOOD = {ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY}


class Failed(Exception):
    """What a visitor did not get; the text is the kind that failures are counted by."""


@dataclass(slots=True)
class Answer:
    """What came back for one request to run: seconds, and how many messages brought it."""

    fragment: str = ""
    messages: int = 0
    size: int = 0
    picture: float | None = None
    finished: float = 0.0


class Visitor:
    """A tab. Use it with `async with`; every method raises Failed for what does not come back."""

    def __init__(self, address: Address, page: Page) -> None:
        self.address, self.page = address, page
        self.screen = Screen()
        self.cookies: dict[str, str] = {}
        self.session = ""
        self._query, self._script = page.query, ""
        self._socket: ClientConnection | None = None
        self._opened = 0.0
        self._open: tuple[Answer, asyncio.Future[Answer]] | None = None
        self._urls: asyncio.Future[FileURLsResponse] | None = None
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._broken: Failed | None = None

    async def __aenter__(self) -> Visitor:
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        if self._socket is not None:
            await self._socket.close()

    async def load(self) -> Answer:
        """Open the page: the clock starts when the socket is asked for."""
        try:
            async with asyncio.timeout(LONGEST):
                await self._connect()
                return await self._ask(Move(), name=self.page.path)
        except TimeoutError as error:  # an OSError, too
            kind = "connection" if self._socket is None else "answer"
            raise Failed(f"no {kind} in time") from error
        except (OSError, WebSocketException) as error:
            raise Failed(f"refused: {type(error).__name__}") from error

    async def _connect(self) -> None:
        for path in ("/_stcore/health", "/_stcore/host-config"):
            reply = await ask(self.address, "GET", path, self.headers())
            self.cookies |= reply.cookies
        self._opened = time.perf_counter()
        self._socket = await connect(
            self.address.socket,
            subprotocols=["streamlit", self.cookies.get(XSRF, "PLACEHOLDER_AUTH_TOKEN")],  # type: ignore[list-item]
            origin=self.address.http,  # type: ignore[arg-type]
            additional_headers=self.headers(),
            user_agent_header=AGENT,
            proxy=None,
            open_timeout=LONGEST,
            ping_interval=None,  # a browser does not ask
            max_size=None,
        )
        self._tasks["read"] = asyncio.create_task(self._read(self._socket))

    def headers(self) -> dict[str, str]:
        """What every request carries."""
        said = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"Accept-Language": "en-US"} | ({"Cookie": said} if said else {})

    async def move(self, act: Callable[[Screen, int], Move], turn: int) -> Answer:
        """Do something on the page and wait for its answer."""
        try:
            made = act(self.screen, turn)
        except CannotMove as error:
            raise Failed(str(error)) from error
        return await self.rerun(made)

    async def rerun(self, move: Move) -> Answer:
        """Send what the page says now, and wait for the answer."""
        self._opened = time.perf_counter()
        return await self._ask(move)

    async def file_urls(self, name: str) -> FileURLsResponse:
        """Where a file may be put."""
        self._urls = asyncio.get_running_loop().create_future()
        message = BackMsg()
        message.file_urls_request.request_id = f"file-{id(self._urls)}"
        message.file_urls_request.file_names.append(name)
        message.file_urls_request.session_id = self.session
        await self._send(message)
        try:
            return await asyncio.wait_for(self._urls, LONGEST)
        except TimeoutError as error:
            raise Failed("no place for a file in time") from error

    async def _ask(self, move: Move, name: str = "") -> Answer:
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._open = Answer(move.fragment), future
        await self._send(self._message(move, name))
        try:
            return await asyncio.wait_for(future, LONGEST)
        except TimeoutError as error:
            raise Failed("no answer in time") from error
        finally:
            self._open = None

    async def _send(self, message: BackMsg) -> None:
        if self._broken is not None:
            raise self._broken
        assert self._socket is not None
        try:
            await self._socket.send(message.SerializeToString())
        except ConnectionClosed as error:
            raise Failed("closed by the server") from error

    def _message(self, move: Move, name: str = "", auto: bool = False) -> BackMsg:
        once = [move.once] if move.once else []
        state = ClientState(
            query_string=self._query,
            widget_states=WidgetStates(widgets=[*self.screen.states(), *once]),
            page_script_hash=self._script,
            page_name=name,
            fragment_id=move.fragment,
            is_auto_rerun=auto,
            cached_message_hashes=self.screen.kept,
        )
        about = state.context_info
        about.timezone, about.timezone_offset, about.locale = "UTC", 0, "en-US"
        about.url = f"{self.address.http}/{self.page.path}"
        about.is_embedded, about.color_scheme = False, "light"
        return BackMsg(rerun_script=state)

    async def _read(self, socket: ClientConnection) -> None:
        try:
            async for raw in socket:
                assert isinstance(raw, bytes)
                self._take(ForwardMsg.FromString(raw), len(raw))
            self._break(Failed("closed by the server"))
        except ConnectionClosed:
            self._break(Failed("closed by the server"))
        except UnknownWidget as error:
            self._break(Failed(str(error)))
        except KeyError as error:
            self._break(Failed(f"a message that was never sent: {error}"))

    def _break(self, reason: Failed) -> None:
        self._broken = reason
        self._answer(reason)
        if self._urls is not None and not self._urls.done():
            self._urls.set_exception(reason)

    def _take(self, raw: ForwardMsg, size: int) -> None:
        message = self.screen.whole(raw)
        if self._open is not None:
            self._open[0].messages += 1
            self._open[0].size += size
        kind = message.WhichOneof("type")
        if kind == "delta":
            self._draw(message)
        elif kind == "new_session":
            self.screen.begin()
            self.session = message.new_session.initialize.session_id or self.session
            self._script = message.new_session.page_script_hash
        elif kind == "navigation":  # which page the script chose
            self._script = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self._query = message.page_info_changed.query_string
        elif kind == "page_not_found":
            self._answer(Failed("the page was not found"))
        elif kind == "file_urls_response" and self._urls is not None:
            self._urls.set_result(message.file_urls_response)
        elif kind == "auto_rerun":
            self._every(message.auto_rerun.fragment_id, message.auto_rerun.interval)
        elif kind == "script_finished":
            self._finish(message)

    def _draw(self, message: ForwardMsg) -> None:
        node = self.screen.take(message)
        if node is None or self._open is None:
            return
        answer = self._open[0]
        if node.kind == "exception" and not node.shown.is_warning:
            self._answer(Failed(f"exception: {node.shown.type or 'without a name'}"))
        elif node.is_picture and answer.picture is None:
            answer.picture = time.perf_counter() - self._opened

    def _finish(self, message: ForwardMsg) -> None:
        self.screen.finish(message)
        status = message.script_finished
        if self._open is None or status == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            return
        answer = self._open[0]
        if status not in GOOD:
            self._answer(Failed("the script ended with an error"))
        elif (
            status == ForwardMsg.FINISHED_SUCCESSFULLY
            or answer.fragment in message.metadata.run.fragment_ids
        ):
            answer.finished = time.perf_counter() - self._opened
            self._answer(answer)

    def _answer(self, found: Answer | Failed) -> None:
        if self._open is None or self._open[1].done():
            return
        if isinstance(found, Failed):
            self._open[1].set_exception(found)
        else:
            self._open[1].set_result(found)

    def _every(self, fragment: str, seconds: float) -> None:
        """Run a fragment again and again, as the server asks a browser to do."""

        async def again() -> None:
            with suppress(Failed):
                while any(node.fragment == fragment for node in self.screen.nodes.values()):
                    await asyncio.sleep(seconds)
                    await self._send(self._message(Move(fragment), auto=True))

        if (running := self._tasks.pop(f"every {fragment}", None)) is not None:
            running.cancel()
        self._tasks[f"every {fragment}"] = asyncio.create_task(again())
