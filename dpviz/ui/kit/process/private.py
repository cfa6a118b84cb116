"""All that the app uses of Streamlit without a promise that it stays: here, and nowhere else.

The versions are pinned; tests/ui/kit/process/test_private.py names what a new one has changed. Of
what 1.67 offers, `st.query_params` comes nearest: it refuses the keys of bound widgets, and sends a
message for each change.
"""

from collections.abc import Callable, Sequence
from typing import Any

from starlette.formparsers import MultiPartParser
from streamlit import runtime
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import DeletedFile, UploadedFile, UploadedFileRec
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed


def session_name() -> str:
    """A name for this session, which no other one has; "" outside of one."""
    context = get_script_run_ctx()
    return "" if context is None else context.session_id


def presence() -> Callable[[], bool]:
    """Tells whether this visitor is still connected; safe to ask on any thread."""
    session = session_name()
    if not session or not runtime.exists():
        return lambda: True
    server = runtime.get_instance()
    return lambda: bool(server.is_active_session(session))


def is_known_host(name: str) -> bool:
    """Whether a page may come from a host of this name, by server.allowedHosts."""
    return is_host_allowed(name)


def went_back() -> bool:
    """Whether this run was asked for by the browser's Back or Forward."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def say_query(key: str, texts: Sequence[str]) -> None:
    """Let the address say something of a key, as if the link had, without a message."""
    context = get_script_run_ctx()
    if context is None:
        return
    with context.session_state.query_params() as params:
        params._initial_query_params[key] = list(texts)
        params.set_with_no_forward_msg(key, list(texts))


def keep_files_in_memory(largest: int) -> None:
    """A file of at most so many bytes is in memory once, and no part of it on a disk on the way."""
    MultiPartParser.spool_max_size = largest + 2**20  # and what stands around it
    UploadedFile.__deepcopy__ = _same_bytes  # type: ignore[attr-defined]


def _same_bytes(one: UploadedFile, memo: object) -> UploadedFile:  # noqa: ARG001  copy's own
    """Another reader of the same bytes, which nobody can change."""
    record = UploadedFileRec(one.file_id, one.name, one.type, one.getvalue())
    return UploadedFile(record, one._file_urls)


def remove_file(source: object) -> None:
    """Drop the bytes of a file of this session."""
    context = get_script_run_ctx()
    file_id = getattr(source, "file_id", None)
    if context is None or file_id is None:
        return
    remove = getattr(context.uploaded_file_mgr, "remove_file", None)
    if remove is not None:
        remove(session_id=context.session_id, file_id=file_id)


def is_removed(source: object) -> bool:
    """Whether a widget names a file whose bytes were dropped."""
    return isinstance(source, DeletedFile)


def bytes_of_files() -> int:
    """Bytes of all files of all sessions."""
    if not runtime.exists():
        return 0
    found: Any = runtime.get_instance().uploaded_file_mgr.get_stats()
    return sum(one.byte_length for stats in found.values() for one in stats)


def expired() -> list[Any]:
    """Sessions that nobody can come back to, taken out of Streamlit's store.

    Its store drops them only when it is written to, and what it drops lives on until it is
    collected.
    """
    if not runtime.exists():
        return []
    store: Any = runtime.get_instance()._session_mgr._session_storage  # type: ignore[attr-defined]
    return [info.session for _, info in store._cache.expire()]


def keep_downloads() -> Callable[[], None]:
    """What was made for a download stays until the tidying after next; gives what tidies it up.

    Streamlit drops such a file with the second run of any visitor that ends: in a class that is
    before the browser of whoever asked has begun to fetch it.
    """
    tidy = MediaFileManager.remove_orphaned_files
    MediaFileManager.remove_orphaned_files = lambda _: None  # type: ignore[assignment]
    return lambda: tidy(runtime.get_instance().media_file_mgr) if runtime.exists() else None


def remember_theme() -> None:
    """The theme goes along with every run and never changes: its message is put together once.

    A seventh of an answer went into it, for it is read from some three hundred options.
    """
    real = app_session._populate_theme_msg
    said: dict[str, CustomThemeConfig] = {}

    def populate(message: CustomThemeConfig, section: str = "theme") -> None:
        if section not in said:
            whole = CustomThemeConfig()
            real(whole, section)
            said[section] = whole
        message.MergeFrom(said[section])

    app_session._populate_theme_msg = populate  # type: ignore[assignment]
