"""Files as the browser sends them: how many bytes wait to be read, and letting them go."""

from __future__ import annotations

import secrets
from typing import Any

from starlette.formparsers import MultiPartParser
from streamlit import config, runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec

# stands in place of a file that the server had no room for; new with each process
REFUSED = b"no room " + secrets.token_bytes(16)


def largest_file() -> int:
    """Bytes that a file may have."""
    return int(config.get_option("server.maxUploadSize")) * 2**20


def keep_in_memory() -> None:
    """A file that comes in is in memory once, and no part of it is put down on a disk on the way.

    To be called before a file can come. Without it what is larger than 1 MB would be written to a
    temporary file, though it is confidential; and Streamlit copies what a widget says in every run
    of a script, so that everybody would wait while 500 MB are copied.
    """
    MultiPartParser.spool_max_size = largest_file() + 2**20  # and what stands around it
    UploadedFile.__deepcopy__ = _same_bytes  # type: ignore[attr-defined]


def _same_bytes(one: UploadedFile, memo: object) -> UploadedFile:  # noqa: ARG001  copy's own
    """Another reader of the same bytes, which nobody can change."""
    record = UploadedFileRec(one.file_id, one.name, one.type, one.getvalue())
    return UploadedFile(record, one._file_urls)


def was_refused(source: Any) -> bool:
    """Whether the server refused this file before it was read."""
    return getattr(source, "size", 0) == len(REFUSED) and source.getvalue() == REFUSED


def let_go(source: Any) -> None:
    """Drop the bytes of a file that was read: what was read of it is kept elsewhere."""
    context = get_script_run_ctx()
    file_id = getattr(source, "file_id", None)
    if context is None or file_id is None:
        return
    remove = getattr(context.uploaded_file_mgr, "remove_file", None)
    if remove is not None:
        remove(session_id=context.session_id, file_id=file_id)


def waiting_bytes() -> int:
    """Bytes of all files that came and were not read yet."""
    if not runtime.exists():
        return 0
    found: Any = runtime.get_instance().uploaded_file_mgr.get_stats()
    return sum(one.byte_length for stats in found.values() for one in stats)
