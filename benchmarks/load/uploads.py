"""Files that many hand over at once, while others go on moving what is on their page."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from streamlit.proto.Common_pb2 import UploadedFileInfo

from benchmarks.load.crowd import Crowd, arrive, first_visitor, prepared, wander, watch
from benchmarks.load.machine import Reading
from benchmarks.load.pages import PAGES, Move
from benchmarks.load.tally import Line, Tally, percentile, seconds
from benchmarks.load.visitor import Failed, Visitor
from benchmarks.load.wire import LONGEST, XSRF, Address, ask

UPLOADER = "file"  # the widget's key
HEAD = 3.0  # seconds that the others move before the files come
BOUNDARY = "----a-file-of-the-load"


@dataclass(frozen=True, slots=True)
class Files:
    """How many files, and how large each is."""

    number: int
    megabytes: float

    def content(self) -> bytes:
        """A CSV file of this size: one column of whole numbers."""
        row = b"123456\n765432\n"
        return b"income\n" + row * round(self.megabytes * 1e6 / len(row))


@dataclass(slots=True)
class Fates:
    """What became of the files."""

    read: int = 0
    times: list[float] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)


async def measure(crowd: Crowd, files: Files, address: Address, root: int | None) -> Line:
    """All files at once on the page Data, while the crowd moves; what was read, and who waited.

    Raises: Failed if the first visitor meets no page; TimeoutError if it does not end in time.
    """
    async with asyncio.timeout(crowd.longest), AsyncExitStack() as tabs:
        line: Line = {"first_visitor": await first_visitor(address, crowd.opened)}
        await first_visitor(address, PAGES["data"])
        tally, fates, content = Tally(), Fates(), files.content()
        watcher = asyncio.create_task(watch(tally, root))
        tabs.callback(watcher.cancel)
        visitors = await arrive(crowd, address, tally, tabs)
        visitors = await prepared(crowd, visitors, tally)
        start = Reading.now(root)
        moving = [
            asyncio.create_task(wander(crowd, one, tally, i)) for i, one in enumerate(visitors)
        ]
        await asyncio.sleep(HEAD)
        await asyncio.gather(
            *(_hand_over(address, f"file-{n}.csv", content, fates) for n in range(files.number))
        )
        await asyncio.gather(*moving)
        ended = Reading.now(root)
    known = root is not None
    return line | {
        "moves": crowd.opened.how(crowd.moves),
        "uploads": files.number,
        "file_megabytes": files.megabytes,
        "read": fates.read,
        "read_p95": seconds(percentile(fates.times, 0.95)),
        "refused": fates.refused.total(),
        "refusals": dict(fates.refused),
        **tally.line(),
        "megabytes": round(max(tally.most, ended.megabytes)) if known else None,
        "megabytes_before": round(start.megabytes) if known else None,
        "other": round(ended.others_since(start), 2) if known else None,
    }


async def _hand_over(address: Address, name: str, content: bytes, fates: Fates) -> None:
    try:
        async with Visitor(address, PAGES["data"]) as visitor:
            await visitor.load()
            before = set(visitor.screen.texts())
            reason, took = await _put(visitor, name, content)
            if reason is None:
                new = [text for text in visitor.screen.texts() if text not in before]
                if any("draft:" in text and name in text.replace("\\", "") for text in new):
                    fates.read += 1
                    fates.times.append(took)
                    return
                reason = " / ".join(new)[:300] or "nothing was said"
    except Failed as error:
        reason = str(error)
    except (OSError, asyncio.IncompleteReadError) as error:
        reason = f"the connection broke: {type(error).__name__}"
    except TimeoutError:
        reason = f"not taken within {LONGEST:g} s"
    fates.refused[reason.replace(name, "the file")] += 1


async def _put(visitor: Visitor, name: str, content: bytes) -> tuple[str | None, float]:
    """Hand a file over as a browser does; why it was not taken, and seconds until it was read."""
    found = visitor.screen.find(UPLOADER)
    if found is None:
        raise Failed("the page takes no files")
    path, node = found
    visitor.screen.open_around(path)
    loop = asyncio.get_running_loop()
    start = loop.time()
    given = await visitor.file_urls(name)
    if given.error_msg:
        return given.error_msg, 0.0
    place = given.file_urls[0]
    head = (
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"; filename="{name}"\r\n'
        "Content-Type: text/csv\r\n\r\n"
    )
    body = head.encode(), content, f"\r\n--{BOUNDARY}--\r\n".encode()
    headers = visitor.headers() | {
        "Content-Type": f"multipart/form-data; boundary={BOUNDARY}",
        "X-Xsrftoken": visitor.cookies.get(XSRF, ""),
        "Origin": visitor.address.http,
    }
    reply = await asyncio.wait_for(
        ask(visitor.address, "PUT", place.upload_url, headers, body), LONGEST
    )
    if reply.status >= 300:
        return f"HTTP {reply.status}: {reply.body.decode(errors='replace')[:200]}", 0.0
    state = visitor.screen.values[node.id].file_uploader_state_value
    state.uploaded_file_info.append(
        UploadedFileInfo(name=name, size=len(content), file_id=place.file_id, file_urls=place)
    )
    await visitor.rerun(Move(node.fragment))
    return None, loop.time() - start
