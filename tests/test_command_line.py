"""The command line and the launcher, with the server itself left out."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dpviz import serving
from dpviz.__main__ import build_parser, main
from dpviz.core.errors import CannotServe
from dpviz.core.places import top_level
from dpviz.version import __version__
from tests.conftest import ROOT

ELSEWHERE = "192.0.2.1"  # set aside for documentation, so no machine has it


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that a server listens on."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield int(server.getsockname()[1])


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[list[str]]:
    """The commands that would have replaced this process, which stands in an unrelated folder."""
    commands: list[list[str]] = []
    monkeypatch.setattr(serving, "hand_over", lambda command: commands.append(command) or 0)
    monkeypatch.chdir(tmp_path)
    return commands


def test_it_starts_in_the_apps_own_folder(started, taken, capsys):
    assert main([]) == 0
    ((python, *rest),) = started
    assert python == sys.executable
    assert rest[:3] == ["-m", "streamlit", "run"]
    assert Path(rest[3]).samefile(ROOT / "dpviz" / "ui" / "server" / "asgi.py")
    assert Path.cwd() == ROOT
    assert Path("app.py").is_file()
    port = rest[rest.index("--server.port") + 1]
    assert f"http://127.0.0.1:{port} (Ctrl+C stops it)" in capsys.readouterr().out


def test_the_chosen_host_and_port_reach_the_server(started, taken):
    with socket.socket() as probe:
        probe.bind(("0.0.0.0", 0))
        port = probe.getsockname()[1]
    assert main(["--host", "0.0.0.0", "--port", str(port)]) == 0
    options = started[0][5:]
    assert options[:4] == ["--server.address", "0.0.0.0", "--server.port", str(port)]


def test_without_a_choice_a_taken_port_is_passed_over(started, taken, capsys):
    serving.start_on_free_port("127.0.0.1", taken)
    port = int(started[0][started[0].index("--server.port") + 1])
    assert port > taken
    assert f"Port {taken} is taken; using {port}." in capsys.readouterr().out


WRONG = [
    (["--port", "x"], "must be a number from 1 to 65535, got 'x'"),
    (["--port", "0"], "got '0'"),
    (["--port", "65536"], "got '65536'"),
    (["--port", "-1"], "got '-1'"),
    (["--port", "9" * 5000], "must be a number"),
    (["--port", ""], "got ''"),
    (["--host", ELSEWHERE], f"'{ELSEWHERE}' is not an address of this machine"),
    (["--host", ""], "'' is not an address of this machine"),
    (["--host", "a..b"], "'a..b' is not an address of this machine"),
    (["--por", "8501"], "invalid choice: '8501'"),
    (["nonsense"], "invalid choice: 'nonsense'"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG)
def test_wrong_arguments_are_named(started, capsys, arguments, message):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    assert message in capsys.readouterr().err
    assert started == []


def test_a_chosen_port_that_is_taken_is_named(started, taken, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["--port", str(taken)])
    assert stop.value.code == 2
    assert f"Port {taken} on 127.0.0.1 is taken. Choose another port." in capsys.readouterr().err
    assert started == []


def test_a_forbidden_port_is_named(monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", refuse)
    with pytest.raises(CannotServe, match=r"Port 80 on .* cannot be used: Permission denied"):
        serving.is_free("127.0.0.1", 80)


def test_the_search_ends(monkeypatch):
    monkeypatch.setattr(serving, "is_free", lambda host, port: False)
    for wanted in (8501, 65535):
        with pytest.raises(CannotServe, match=f"No free port on ::1 from {wanted} on"):
            serving.first_free("::1", wanted)


def test_a_copy_without_the_app_says_so(started, monkeypatch, tmp_path):
    monkeypatch.setattr(serving, "top_level", lambda name: tmp_path / name)
    with pytest.raises(CannotServe, match="files are missing"):
        serving.start("127.0.0.1", 8501)


@pytest.mark.parametrize(
    ("host", "shown"),
    [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "localhost"), ("::", "localhost"), ("::1", "[::1]")],
)
def test_the_address_can_be_opened(host, shown):
    assert serving.address(host, 8501) == f"http://{shown}:8501"


def test_version(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out == f"dpviz {__version__}\n"


def test_a_command_runs_in_place_of_the_app():
    chosen = build_parser().parse_args(["handout", "teach"])
    assert chosen.run is not build_parser().parse_args([]).run
    assert (chosen.story, chosen.output) == ("teach", None)


def test_the_repositorys_own_files_are_found():
    for name in ("app.py", "sample_data", ".streamlit"):
        assert top_level(name) == ROOT / name


def test_an_import_starts_nothing_and_is_light():
    code = (
        "import sys, dpviz.__main__\n"
        "heavy = {'streamlit', 'numpy', 'pandas', 'scipy', 'pyarrow', 'plotly'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, timeout=20, check=False
    )
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, b"[]", b"")


@pytest.mark.law
@pytest.mark.parametrize(
    ("name", "value", "message"),
    [("PORT", "x", "from 1 to 65535, got 'x'"), ("HOST", ELSEWHERE, "not an address of this")],
)
def test_the_script_of_make_run_names_what_is_wrong(name, value, message):
    done = subprocess.run(
        [sys.executable, "-m", "scripts.serve"],
        cwd=ROOT,
        env={**os.environ, name: value},
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr
