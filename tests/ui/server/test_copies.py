"""Compressed copies: whole, made once, and never a broken one."""

import gzip
import os
import stat
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import brotli
import pytest

from dpviz.ui.server import copies
from dpviz.ui.server.copies import CODINGS, COPIES, Coding, Copies, beside_environment, digest_of

STYLE = "static/style.css"
SCRIPT = b"export const answer = 42;\n" * 400
UNPACK: dict[str, Callable[[bytes], bytes]] = {"br": brotli.decompress, "gzip": gzip.decompress}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    place = tmp_path / "static"
    (place / "static" / "js").mkdir(parents=True)
    (place / "static" / "js" / "one.js").write_bytes(SCRIPT)
    (place / "static" / "js" / "small.js").write_bytes(b"1;")
    (place / "static" / "font.woff2").write_bytes(b"\0" * 9_000)
    (place / "manifest.json").write_bytes(b"{}" * 900)  # its name is the same in every version
    (place / "static" / "style.css").write_bytes(b"h1 { color: red }\n" * 400)
    return place


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each copy that is made was made in haste."""
    made: list[bool] = []

    def counting(name: str, real: Coding) -> Coding:
        def pack(body: bytes, *, soon: bool) -> bytes:
            made.append(soon)
            return real.pack(body, soon=soon)

        return Coding(pack, real.unpack)

    for name, real in dict(CODINGS).items():
        monkeypatch.setitem(CODINGS, name, counting(name, real))
    return made


def kept(folder: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in folder.iterdir()}


def test_texts_of_a_size_have_copies_and_nothing_else(root: Path):
    assert list(Copies(root, None).originals) == ["static/js/one.js", "static/style.css"]


@pytest.mark.parametrize("coding", CODINGS)
def test_a_copy_unpacks_to_its_original(root: Path, coding: str):
    found = Copies(root, None).get("static/js/one.js", coding)
    assert UNPACK[coding](found.body) == SCRIPT
    assert len(found.body) < len(SCRIPT) / 10
    assert found.kind == "text/javascript; charset=utf-8"
    assert found.etag == f'"{digest_of(SCRIPT)}-{coding}"'.encode()


def test_a_tag_is_of_one_file_in_one_coding(root: Path):
    both = Copies(root, None)
    tags = {both.get(name, coding).etag for name in both.originals for coding in CODINGS}
    assert len(tags) == len(both.originals) * len(CODINGS)


def test_a_filled_folder_is_read_and_nothing_is_made_again(
    root: Path, tmp_path: Path, counted: list[bool]
):
    folder = tmp_path / "kept"
    Copies(root, folder).fill(at_once=2)
    assert counted == [False] * 4
    assert len(kept(folder)) == 4
    again = Copies(root, folder)
    again.fill()
    found = again.get("static/js/one.js", "br")
    assert len(counted) == 4
    assert found.body == kept(folder)[f"{digest_of(SCRIPT)}.br"]


def test_what_waits_for_nobody_is_made_smaller(root: Path, tmp_path: Path):
    body = b"".join(b"const v%d = f(%d);\n" % (i * i % 977, i) for i in range(3_000))
    (root / "static" / "long.js").write_bytes(body)
    folder = tmp_path / "kept"
    Copies(root, folder).fill()
    best = Copies(root, folder).get("static/long.js", "br").body
    soon = Copies(root, None).get("static/long.js", "br").body
    assert len(best) < 0.95 * len(soon)


def broken_copies() -> dict[str, Callable[[bytes], bytes]]:
    return {
        "empty": lambda _: b"",
        "cut off": lambda packed: packed[: len(packed) // 2],
        "one bit": lambda packed: packed[:-9] + bytes([packed[-9] ^ 4]) + packed[-8:],
        "noise": lambda packed: os.urandom(len(packed)),
        "another file's": lambda _: brotli.compress(b"alert(1);" * 300),
    }


@pytest.mark.parametrize("broken", broken_copies().values(), ids=broken_copies())
@pytest.mark.parametrize("coding", CODINGS)
def test_a_broken_copy_is_replaced_and_never_handed_out(
    root: Path, tmp_path: Path, coding: str, broken: Callable[[bytes], bytes]
):
    folder = tmp_path / "kept"
    Copies(root, folder).fill()
    place = folder / f"{digest_of(SCRIPT)}.{coding}"
    whole = place.read_bytes()
    place.write_bytes(broken(whole))
    assert Copies(root, folder).get("static/js/one.js", coding).body == whole
    assert place.read_bytes() == whole


def test_another_version_of_a_file_has_another_copy(root: Path, tmp_path: Path):
    folder = tmp_path / "kept"
    Copies(root, folder).fill()
    (root / "static" / "js" / "one.js").write_bytes(SCRIPT[:-1] + b" ")
    found = Copies(root, folder).get("static/js/one.js", "br")
    assert brotli.decompress(found.body) == SCRIPT[:-1] + b" "


def test_what_is_made_in_haste_stays_in_memory(root: Path, tmp_path: Path, counted: list[bool]):
    folder = tmp_path / "kept"
    here = Copies(root, folder)
    found = here.get(STYLE, "br")
    assert here.get(STYLE, "br") is found is here.ready(STYLE, "br")
    assert counted == [True]
    assert not folder.exists()


@pytest.mark.parametrize("broken", [True, False])
def test_a_folder_that_cannot_be_written_to_is_read(
    root: Path, tmp_path: Path, broken: bool, monkeypatch: pytest.MonkeyPatch
):
    folder = tmp_path / "kept"
    Copies(root, folder).fill()
    place = folder / f"{digest_of(SCRIPT)}.br"
    if broken:
        place.write_bytes(b"broken")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError("read only")

    monkeypatch.setattr(copies.tempfile, "mkstemp", refuse)  # root may write everywhere
    here = Copies(root, folder)
    assert brotli.decompress(here.get("static/js/one.js", "br").body) == SCRIPT
    (root / "static" / "new.js").write_bytes(SCRIPT + b"//")
    Copies(root, folder).fill()
    assert len(kept(folder)) == 4


def test_nothing_is_made_for_a_folder_that_cannot_be_written_to(
    root: Path, tmp_path: Path, counted: list[bool], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(copies.os, "access", lambda *_: False)
    Copies(root, tmp_path / "kept").fill()
    assert counted == []


def test_a_folder_that_cannot_be_made_is_none(root: Path, tmp_path: Path):
    (tmp_path / "file").write_text("in the way")
    here = Copies(root, tmp_path / "file" / "kept")
    here.fill()
    assert brotli.decompress(here.get("static/js/one.js", "br").body) == SCRIPT


def test_two_that_ask_at_once_make_one_copy(root: Path, counted: list[bool]):
    here, found = Copies(root, None), []
    start = threading.Barrier(8)

    def ask() -> None:
        start.wait()
        found.append(here.get("static/js/one.js", "br"))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert counted == [True]
    assert len(set(map(id, found))) == 1


def test_a_copy_can_be_read_by_other_users_of_the_machine(root: Path, tmp_path: Path):
    folder = tmp_path / "kept"
    Copies(root, folder).fill()
    for one in folder.iterdir():
        assert one.stat().st_mode & stat.S_IROTH


def test_copies_lie_in_the_environment_and_hold_the_front_end():
    assert beside_environment().is_relative_to(sys.prefix)
    assert any(name.startswith("static/js/PlotlyChart.") for name in COPIES.originals)
    assert all(".." not in name for name in COPIES.originals)
