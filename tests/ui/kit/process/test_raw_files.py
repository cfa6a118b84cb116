"""Files as the browser sends them: in memory once."""

import copy
import tracemalloc

import pytest
from streamlit import config
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec

from dpviz.ui.kit.process.raw_files import keep_in_memory, largest_file

SIZE = 4_000_000


def copied(source: UploadedFile) -> tuple[UploadedFile, int]:
    """A copy as Streamlit makes it in every run, and the most memory that it took."""
    tracemalloc.start()
    try:
        other = copy.deepcopy(source)
        return other, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.fixture
def source() -> UploadedFile:
    return UploadedFile(UploadedFileRec("1", "a.csv", "text/csv", b"7" * SIZE), FileURLs())


def test_a_copy_reads_the_same_bytes_and_takes_none(source):
    keep_in_memory()
    source.read(3)
    other, most = copied(source)
    assert most < SIZE // 100
    assert other.read() == source.getvalue()
    assert (other.file_id, other.name, other.type, other.size) == ("1", "a.csv", "text/csv", SIZE)


def test_without_it_every_run_copies_the_file(source, monkeypatch):  # the wrong twin
    monkeypatch.delattr(UploadedFile, "__deepcopy__", raising=False)
    assert copied(source)[1] > SIZE


def test_a_file_may_have_as_many_mebibytes_as_the_server_takes():
    assert largest_file() == config.get_option("server.maxUploadSize") * 1024 * 1024 > 100_000_000
