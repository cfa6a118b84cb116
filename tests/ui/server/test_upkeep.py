from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import weakref
from types import SimpleNamespace

import pytest
from streamlit import config, runtime
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.media_file_storage import MediaFileStorageError
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.session_manager import SessionInfo

from dpviz.ui.kit.process import private
from dpviz.ui.server import upkeep


class Session:
    """What Streamlit keeps of a visitor, with something large in it."""

    def __init__(self, name: str) -> None:
        self.id, self.over = name, []
        self.me = self  # as Streamlit's sessions, it takes a collection to free one

    def shutdown(self) -> None:
        self.over.append(True)


@pytest.fixture
def storage(monkeypatch):
    clock = [0.0]
    made = MemorySessionStorage(ttl_seconds=120)
    made._cache._timer = lambda: clock[0]
    server = SimpleNamespace(_session_mgr=SimpleNamespace(_session_storage=made))
    monkeypatch.setattr(runtime, "exists", lambda: True)
    monkeypatch.setattr(runtime, "get_instance", lambda: server)
    made.clock = clock
    gc.freeze()  # what other tests left is not looked through
    return made


@pytest.mark.law
def test_a_visitor_who_left_is_gone_when_the_time_to_come_back_is_over(storage):
    one = Session("a")
    storage.save(SessionInfo(client=None, session=one, script_run_count=1))
    upkeep.tidy()
    assert one.over == []
    assert storage.get("a") is not None
    storage.clock[0] = 121
    upkeep.tidy()
    assert one.over == [True]
    held = weakref.ref(one)
    del one
    upkeep.tidy()
    assert held() is None


@pytest.mark.law
def test_streamlit_itself_would_keep_it(storage):  # the wrong twin: why this is needed at all
    one = Session("a")
    storage.save(SessionInfo(client=None, session=one, script_run_count=1))
    held = weakref.ref(one)
    del one
    storage.clock[0] = 10_000
    gc.collect()
    assert held() is not None


SECTIONS = ["theme", "theme.light", "theme.dark", "theme.sidebar", "theme.light.sidebar"]


@pytest.mark.parametrize("section", [*SECTIONS, "theme.dark.sidebar"])
def test_the_remembered_theme_is_the_theme(section, monkeypatch):
    real = app_session._populate_theme_msg
    monkeypatch.setattr(app_session, "_populate_theme_msg", real)  # put back afterwards
    wanted = CustomThemeConfig()
    real(wanted, section)
    assert section == "theme.sidebar" or wanted.primary_color or wanted.body_font
    private.remember_theme()
    for _ in range(2):
        found = CustomThemeConfig()
        app_session._populate_theme_msg(found, section)
        assert found == wanted


@pytest.fixture
def downloads(monkeypatch):
    """The files of a server, and the name of one that was just made for a download."""
    store = MemoryMediaFileStorage("/media")
    files = MediaFileManager(store)
    monkeypatch.setattr(runtime, "exists", lambda: True)
    monkeypatch.setattr(runtime, "get_instance", lambda: SimpleNamespace(media_file_mgr=files))
    made = files.execute_deferred(files.add_deferred(lambda: "a,b", "text/csv", "1.2", "a.csv"))
    return files, lambda: store.get_file(made.split("/")[-1]).content == b"a,b"


def test_a_download_outlives_the_runs_of_others(downloads, monkeypatch):
    real = MediaFileManager.remove_orphaned_files
    monkeypatch.setattr(MediaFileManager, "remove_orphaned_files", real)  # put back afterwards
    files, is_there = downloads
    tidy = private.keep_downloads()
    for _ in range(100):
        files.remove_orphaned_files()
    assert is_there()
    tidy()
    assert is_there()  # asked for right before the tidying
    tidy()
    with pytest.raises(MediaFileStorageError):
        is_there()


def test_the_server_tidies_downloads_again_and_again(monkeypatch):
    monkeypatch.setattr(upkeep, "EVERY", 0.001)
    monkeypatch.setattr(upkeep, "tidy", lambda: None)  # it collects all that the other tests hold
    tidied = []

    def tidy_downloads() -> None:
        tidied.append(True)
        if len(tidied) == 3:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(asyncio.wait_for(upkeep.tidy_for_ever(tidy_downloads), 5))


def test_a_server_keeps_downloads_and_tidies_them_while_it_lives(monkeypatch):
    seen = []

    async def tidied(tidy_downloads) -> None:
        tidy_downloads()

    monkeypatch.setattr(private, "keep_downloads", lambda: lambda: seen.append("downloads"))
    monkeypatch.setattr(upkeep, "tidy_for_ever", tidied)
    monkeypatch.setattr(upkeep, "load", lambda: None)
    monkeypatch.setattr(upkeep.AHEAD, "start", lambda: None)
    monkeypatch.setattr(upkeep.COPIES, "fill", lambda: None)
    monkeypatch.setattr(private, "remember_theme", lambda: None)

    async def lived() -> None:
        async with upkeep.lifespan(None):
            await asyncio.sleep(0)

    asyncio.run(lived())
    assert seen == ["downloads"]


def test_streamlit_itself_would_drop_it(downloads):  # the wrong twin
    files, is_there = downloads
    files.remove_orphaned_files()
    files.remove_orphaned_files()
    with pytest.raises(MediaFileStorageError):
        is_there()


def test_data_are_gone_within_the_promise():
    assert config.get_option("server.disconnectedSessionTTL") + 2 * upkeep.EVERY <= 150


@pytest.mark.law
def test_what_is_loaded_once_is_left_out_of_collections():
    code = (
        "import gc, sys\n"
        "from dpviz.ui.server import upkeep\n"
        "upkeep.load()\n"
        "print(gc.get_freeze_count() > 100_000, 'plotly.graph_objects' in sys.modules,"
        " 'dpviz.ui.learn.page' in sys.modules, 'dpviz.ui.spatial.page' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split()[-4:] == ["True"] * 4
