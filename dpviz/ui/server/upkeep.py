"""What the server does besides answering: it loads everything first, and lets go of what was left.

Streamlit collects garbage after every run of every visitor, which costs more than the run itself
and grows with the visitors. Here it is done at intervals, and what is loaded at the start is left
out of it. A visitor who leaves is kept for a while, since a browser may come back; Streamlit looks
whether that time is over only when somebody else connects. Here it is looked at regularly, so that
a file is gone even if nobody comes. What the next visitor will ask of a sample is worked out ahead,
and copies of the front end that the environment lacks are made once.
"""

import asyncio
import gc
import importlib
import logging
import pkgutil
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import dpviz.ui
from dpviz.ui.kit.process import private
from dpviz.ui.kit.process.ahead import AHEAD
from dpviz.ui.kit.process.limits import files_allowed
from dpviz.ui.server.copies import COPIES

EVERY = 10.0  # seconds; with server.disconnectedSessionTTL a visitor's data live 150 s at most

_log = logging.getLogger(__name__)


@asynccontextmanager
async def lifespan(_: object) -> AsyncIterator[None]:
    """Around the server's life: everything is loaded before the first visitor comes."""
    files_allowed()  # refuses nonsense in the environment before anybody comes
    load()
    private.remember_theme()
    AHEAD.start()
    threading.Thread(target=COPIES.fill, name="copies", daemon=True).start()
    tidying = asyncio.create_task(tidy_for_ever(private.keep_downloads()))
    try:
        yield
    finally:
        tidying.cancel()
        with suppress(asyncio.CancelledError):
            await tidying


def load() -> None:
    """Import all pages' rooms, and put everything that lives as long as the process aside."""
    for found in pkgutil.walk_packages(dpviz.ui.__path__, "dpviz.ui."):
        if not found.name.endswith(".asgi"):
            importlib.import_module(found.name)
    gc.collect()
    gc.freeze()


async def tidy_for_ever(tidy_downloads: Callable[[], None]) -> None:
    """Tidy up at intervals; a failure is written down and the next try comes."""
    while True:
        await asyncio.sleep(EVERY)
        try:
            tidy()
            tidy_downloads()
        except Exception:
            _log.exception("Tidying up failed.")


def tidy() -> None:
    """Close the sessions whose time to come back is over, and collect what nobody holds."""
    for session in private.expired():
        session.shutdown()
    gc.collect()
