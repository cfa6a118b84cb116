"""Files as the browser sends them: how many bytes wait to be read, and letting them go."""

import secrets
from typing import Any

from streamlit import config

from dpviz.ui.kit.process import private

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
    private.keep_files_in_memory(largest_file())


def was_refused(source: Any) -> bool:
    """Whether the server refused this file before it was read."""
    return getattr(source, "size", 0) == len(REFUSED) and source.getvalue() == REFUSED


def let_go(source: Any) -> None:
    """Drop the bytes of a file that was read: what was read of it is kept elsewhere."""
    private.remove_file(source)


def waiting_bytes() -> int:
    """Bytes of all files that came and were not read yet."""
    return private.bytes_of_files()
