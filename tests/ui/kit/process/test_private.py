"""What the app uses of Streamlit without a promise: there, as it is needed, and in one file."""

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit
from starlette.formparsers import MultiPartParser
from streamlit.runtime import app_session
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.runtime import Runtime
from streamlit.runtime.scriptrunner import ScriptRunContext
from streamlit.runtime.state.query_params import QueryParams
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileManager

from dpviz.ui.kit.process import private
from tests.conftest import ROOT
from tests.rows import by_rows

BROKEN = f"Streamlit {streamlit.__version__}: {{}}; mend dpviz/ui/kit/process/private.py"
ONLY = "dpviz/ui/kit/process/private.py"
# modules that no page may know, and what may be taken of the rest of streamlit
HIDDEN = ("streamlit.runtime.", "streamlit.web", "streamlit.proto", "streamlit.watcher")
TYPES = {
    "streamlit.delta_generator": {"DeltaGenerator"},
    "streamlit.elements.lib.column_types": {"ColumnConfig"},
}


@by_rows(
    ("holder", "name"),
    [
        (app_session, "_populate_theme_msg"),
        (MemorySessionStorage(), "_cache"),
        (MemorySessionStorage()._cache, "expire"),
        (Runtime, "is_active_session"),
        (Runtime, "uploaded_file_mgr"),
        (UploadedFileManager, "get_stats"),
        (MemoryUploadedFileManager, "remove_file"),
        (QueryParams, "set_with_no_forward_msg"),
        (QueryParams, "remove_param"),
        (MultiPartParser, "spool_max_size"),
        (MediaFileManager, "remove_orphaned_files"),
    ],
)
def test_what_is_used_is_there(holder: object, name: str):
    assert hasattr(holder, name), BROKEN.format(f"'{name}' is gone from {holder}")


@pytest.mark.parametrize("name", ["is_history_navigation", "session_id", "uploaded_file_mgr"])
def test_a_run_knows_what_is_asked_of_it(name: str):
    fields = set(ScriptRunContext.__dataclass_fields__)
    assert name in fields, BROKEN.format(f"a run no longer knows '{name}'")


@pytest.mark.parametrize(
    ("holder", "name"),
    [
        (Runtime, "_session_mgr"),
        (QueryParams, "_initial_query_params"),
        (UploadedFile, "_file_urls"),
    ],
)
def test_what_is_set_inside_is_there(holder: type, name: str):
    source = inspect.getsource(holder)
    assert name in source, BROKEN.format(f"'{name}' is gone from {holder.__name__}")


def test_outside_of_a_run_nothing_is_asked():
    assert private.session_name() == ""
    assert private.presence()() is True
    assert private.went_back() is False
    assert private.bytes_of_files() == 0
    assert private.expired() == []
    private.say_query("a", ["b"])
    private.remove_file(object())


def hidden(text: str) -> Iterator[str]:
    """What a module takes of Streamlit that nobody promises; whoever takes any names a part."""
    if not re.search(r"\bstreamlit\b|\b(?:st|config|runtime|context)\s*\.\s*_", text):
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("streamlit"):
            names = {one.name for one in node.names}
            allowed = TYPES.get(node.module or "", set())
            if (f"{node.module}.".startswith(HIDDEN) or allowed) and not names <= allowed:
                yield f"{node.module}: {names}"
        elif isinstance(node, ast.Import):
            yield from (one.name for one in node.names if f"{one.name}.".startswith(HIDDEN))
        elif (
            isinstance(node, ast.Attribute)
            and node.attr.startswith("_")
            and not node.attr.startswith("__")
            and isinstance(node.value, ast.Name)
            and node.value.id in {"st", "config", "runtime", "context"}
        ):
            yield f"{node.value.id}.{node.attr}"


@pytest.mark.law
def test_no_other_file_uses_any_of_it():
    places = [*(ROOT / "dpviz").rglob("*.py"), *(ROOT / "pages").glob("*.py"), ROOT / "app.py"]
    found = {
        place.relative_to(ROOT).as_posix(): said
        for place in places
        if (said := list(hidden(Path(place).read_text(encoding="utf-8"))))
    }
    assert list(found) == [ONLY], found


@pytest.mark.parametrize(
    "twin",
    [
        "from streamlit.runtime.scriptrunner import get_script_run_ctx",
        "import streamlit.web.server",
        "from streamlit.proto.Delta_pb2 import Delta",
        "from streamlit.delta_generator import DeltaGenerator, _enqueue",
        "import streamlit as st\nst._main",
    ],
)
def test_a_wrong_twin_is_seen(twin: str):
    assert list(hidden(twin))
