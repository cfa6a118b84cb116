"""Several processes: what is refused, how one is kept alive, what HAProxy and containers get."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest

from dpviz import balancer, serving, several
from dpviz.__main__ import main
from dpviz.core.errors import CannotServe
from tests.conftest import ROOT

TWO = ["127.0.0.1:1001", "127.0.0.1:1002"]


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("text", ["0", "25", "-1", "2.5", "x", "", "9" * 5000, "²"])
def test_a_wrong_number_of_processes_is_named(text, capsys):
    with pytest.raises(SystemExit) as stop:
        main([f"--workers={text}"])
    assert stop.value.code == 2
    assert "must be from 1 to 24" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["/a b", "a//b", "/..", "/a?b", "/a/../b", "/ä", '/"', "/%41"])
def test_a_wrong_base_path_is_named(text, capsys, monkeypatch):
    monkeypatch.setenv(serving.BASE, "")
    with pytest.raises(SystemExit) as stop:
        main(["--base-path", text])
    assert stop.value.code == 2
    assert "such as '/dpviz', got" in capsys.readouterr().err


def test_a_base_path_reaches_the_server_and_the_address(monkeypatch):
    monkeypatch.setenv(serving.BASE, "")
    for text, path in (("", ""), ("/", ""), ("dpviz", "/dpviz"), ("/uni/dpviz/", "/uni/dpviz")):
        serving.put_below(serving.read_base_path(text))
        assert os.environ[serving.BASE] == path
        assert serving.address("0.0.0.0", 8501) == f"http://localhost:8501{path}"


@pytest.mark.parametrize(
    ("host", "names", "base", "allowed"),
    [
        ("127.0.0.1", "", "", "localhost 127.0.0.1 ::1"),
        ("localhost", "dp.example.org", "", "localhost 127.0.0.1 ::1 dp.example.org"),
        ("::1", "*.example.org, a.b", "", "localhost 127.0.0.1 ::1 *.example.org a.b"),
        ("0.0.0.0", "", "", ""),
        ("::", "", "", ""),
        ("127.0.0.1", "", "/dpviz", ""),
        ("127.0.0.1", "dp.example.org", "/dpviz", "localhost 127.0.0.1 ::1 dp.example.org"),
    ],
)
def test_a_host_decides_by_which_names_browsers_may_ask(host, names, base, allowed, monkeypatch):
    monkeypatch.setenv(serving.BASE, base)
    monkeypatch.setenv(serving.HOSTS, "before")
    serving.answer_to(host, serving.read_names(names))
    assert os.environ[serving.HOSTS] == allowed


def test_an_address_of_its_own_answers_to_the_machines_names(monkeypatch):
    monkeypatch.setenv(serving.BASE, "")
    monkeypatch.setenv(serving.HOSTS, "")
    monkeypatch.setattr(serving.socket, "gethostname", lambda: "lab7")
    serving.answer_to("10.0.0.7", [])
    assert os.environ[serving.HOSTS] == "10.0.0.7 lab7 lab7.local localhost 127.0.0.1 ::1"


def test_names_given_at_every_address_are_the_only_others(monkeypatch):
    monkeypatch.setenv(serving.BASE, "")
    monkeypatch.setenv(serving.HOSTS, "")
    monkeypatch.setattr(serving.socket, "gethostname", lambda: "lab7")
    serving.answer_to("0.0.0.0", ["dp.example.org"])
    assert "dp.example.org" in os.environ[serving.HOSTS].split()
    assert "*" not in os.environ[serving.HOSTS].split()


@pytest.mark.parametrize("text", ["http://a.b", "a.b:80", "a/b", "-a", "*", "a.*", "ä.de"])
def test_a_wrong_name_is_named(text, capsys):
    with pytest.raises(SystemExit) as ended:
        main([f"--name={text}"])
    assert ended.value.code == 2
    assert text in capsys.readouterr().err


@pytest.mark.law
def test_streamlit_reads_the_names_as_they_are_meant():
    code = (
        "from streamlit.web import bootstrap, cli\n"
        "from streamlit.web.server.starlette.starlette_websocket import is_host_allowed as ok\n"
        "def run(file, args=None, flag_options=None):\n"
        "    bootstrap.load_config_options(flag_options=flag_options)\n"
        "    asked = 'localhost:8501', '[::1]:80', 'dp.example.org', 'evil.example'\n"
        "    print(*[ok(one) for one in asked])\n"
        "cli._main_run = run\n"
        "cli.main(['run', 'app.py'], standalone_mode=False)"
    )
    given = {**os.environ, serving.HOSTS: "localhost ::1 dp.example.org"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=given,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["True", "True", "True", "False"]


def test_without_haproxy_the_way_out_is_said(monkeypatch, capsys):
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    with pytest.raises(SystemExit) as stop:
        main(["--workers", "2"])
    assert stop.value.code == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "apt install haproxy" in said
    assert "leave --workers out" in said
    assert several.starter(1) is serving.start


def test_windows_is_refused(monkeypatch):
    monkeypatch.setattr(several.os, "name", "nt")
    with pytest.raises(CannotServe, match="does not run on Windows"):
        several.find_haproxy()


@pytest.mark.law
def test_a_program_is_started_again_after_growing_pauses():
    now = 0.0
    kept = several.Kept(
        "Process 1", [sys.executable, "-c", "raise SystemExit(3)"], os.environ, lambda: now
    )
    kept.start()
    said = []
    while not kept.is_given_up:
        until = time.monotonic() + 10
        while kept.is_running:
            assert time.monotonic() < until
            time.sleep(0.01)
        if words := kept.look():
            said.append(words)
        now += 0.5
    pauses = [int(found[1]) for one in said if (found := re.search(r"again in (\d+) s", one))]
    assert pauses == [1, 2, 4, 8, 16]
    assert said[0] == "Process 1 has stopped (exit code 3). It is started again in 1 s."
    assert said[-1] == "Process 1 has stopped (exit code 3), 6 times in a row, and stays down."


@pytest.mark.law
def test_a_program_that_ran_for_long_has_a_clean_slate():
    now = 0.0
    kept = several.Kept("it", [sys.executable, "-c", ""], os.environ, lambda: now)
    for _ in range(several.MOST_STOPS + 2):
        kept.start()
        assert kept._process
        kept._process.wait()
        now += several.STEADY_SECONDS + 1
        assert kept.look() == "it has stopped (exit code 0). It is started again in 1 s."
        now += 2


def test_what_a_program_started_goes_with_it():
    code = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "time.sleep(60)"
    )
    kept = several.Kept("it", [sys.executable, "-c", code], os.environ)
    kept.start()
    assert kept._process
    group = kept._process.pid
    kept.ask_to_stop()
    kept.stop(time.monotonic() + 5)
    until = time.monotonic() + 10
    while True:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        assert time.monotonic() < until
        time.sleep(0.05)


def test_endings_are_said():
    assert several.ending(-signal.SIGKILL) == "signal SIGKILL"
    assert several.ending(2) == "exit code 2"


def test_ports_differ():
    ports = several.free_ports(24)
    assert len(set(ports)) == 24


def test_letters_name_the_processes():
    assert balancer.LETTERS == "ABCDEFGHJKLMNPQRSTUVWXYZ"
    rows = re.findall(
        r"^ +server (\w) (\S+) cookie (\w)$", balancer.configuration(":1", TWO), re.MULTILINE
    )
    assert rows == [("A", TWO[0], "A"), ("B", TWO[1], "B")]


def test_haproxy_logs_nothing():
    for base in ("", "/dpviz"):
        directives = re.sub(r"#.*", "", balancer.configuration(":1", TWO, base=base))
        assert not re.search(r"\b(log|capture|forwardfor)\b", directives)


@pytest.mark.skipif(not shutil.which("haproxy"), reason="NO HAPROXY: it is not installed")
@pytest.mark.parametrize("names", [False, True])
def test_haproxy_reads_its_configuration(tmp_path, names):
    place = tmp_path / "haproxy.cfg"
    most = [f"127.0.0.1:{port}" for port in range(2000, 2000 + balancer.MOST)]
    for text, good in (
        (balancer.configuration("127.0.0.1:1999", most, base="/a/b", names=names), True),
        (balancer.configuration("127.0.0.1:1999", ["nonsense:x"], names=names), False),
    ):
        place.write_text(text, encoding="utf-8")
        done = subprocess.run(
            ["haproxy", "-c", "-f", str(place)], capture_output=True, text=True, check=False
        )
        assert (done.returncode == 0) is good, done.stderr


def test_the_containers_configuration_is_the_same(capsys):
    balancer.main(["process0:8501", "process1:8501"])
    assert capsys.readouterr().out == text_of("deploy/haproxy.cfg")


def test_a_wrong_base_path_of_containers_is_named(capsys):
    with pytest.raises(SystemExit) as stop:
        balancer.main(["--base-path", "/a b", "process0:8501"])
    assert stop.value.code == 2
    assert "got '/a b'" in capsys.readouterr().err


def test_the_image_is_small_in_rights():
    lines = text_of("Dockerfile").splitlines()
    images = [line.split()[1] for line in lines if line.startswith("FROM ")]
    assert images == ["python:3.11-slim"] * 2
    (user,) = (line.split()[1] for line in lines if line.startswith("USER "))
    assert int(user) > 0
    assert max(map(lines.index, images_lines(lines))) < lines.index(f"USER {user}")
    text = text_of("Dockerfile")
    installs = re.findall(r"pip install (.*)", text)
    assert installs
    assert all("-c constraints.txt" in one for one in installs)
    assert "HEALTHCHECK" in text
    check = re.search(r'"-c", "(.*)"\]', text)
    assert check
    compile(check[1], "HEALTHCHECK", "exec")
    assert hasattr(several, "is_healthy")
    assert not re.search(r"https?://|index-url|SECRET", text)


def images_lines(lines: list[str]) -> list[str]:
    return [line for line in lines if line.startswith("FROM ")]


def test_what_the_image_is_built_from_is_there():
    kept = [line[1:] for line in text_of(".dockerignore").splitlines() if line.startswith("!")]
    assert all((ROOT / name).exists() for name in kept)
    needed = {"app.py", "pages", "dpviz", "sample_data", ".streamlit/config.toml", "setup.py"}
    assert needed | {"constraints.txt", "pyproject.toml", "README.md", "LICENSE"} == set(kept)


def test_the_containers_are_small_in_rights_too():
    text = text_of("compose.yaml")
    services = dict(re.findall(r"^  (\w+):\n((?:    .*\n)+)", text.split("services:\n")[1], re.M))
    assert set(services) == {"process0", "process1", "balancer"}
    shared = text.split("services:\n")[0]
    for part in (shared, services["balancer"]):
        assert "read_only: true" in part
        assert "cap_drop: [ALL]" in part
        assert "nofile: 65536" in part
        assert "no-new-privileges:true" in part
    for number in (0, 1):
        mine = services[f"process{number}"]
        assert "<<: *process" in mine
        assert f'DPVIZ_PROCESS: "{number}"' in mine
        # the secret comes from outside, and nothing starts without it
        assert "STREAMLIT_SERVER_COOKIE_SECRET: ${DPVIZ_SECRET:?" in mine
        assert f"process{number}: {{condition: service_healthy}}" in services["balancer"]
    assert re.findall(r"image: (\S+)", text) == ["dpviz", "haproxy:2.8-alpine"]
    assert "./deploy/haproxy.cfg:/usr/local/etc/haproxy/haproxy.cfg:ro" in services["balancer"]
    assert "healthcheck:" in services["balancer"]


def test_the_page_on_deploying_fits_one_screen():
    assert len(text_of("docs/deploy.md").splitlines()) <= 60
