"""Several server processes behind HAProxy: starts them, keeps them alive, and stops them all."""

import http.client
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path

from dpviz import balancer, serving
from dpviz.core.errors import CannotServe
from dpviz.core.places import COUNT, NUMBER

SECRET = "STREAMLIT_SERVER_COOKIE_SECRET"
LOOPBACK = "127.0.0.1"
START_SECONDS = 120  # that all processes together may take until they answer
STOP_SECONDS = 5
LOOK_SECONDS = 0.2
LONGEST_PAUSE = 30.0  # seconds before a process that keeps stopping is started again
STEADY_SECONDS = 60  # after which a stop counts as the first again
MOST_STOPS = 6  # in a row
FILES = 65_536  # file descriptors wanted; a session takes about four


def read_workers(text: str) -> int:
    """A number of processes.

    Raises: CannotServe if the text is not a whole number from 1 to 24.
    """
    if not (text.isdecimal() and len(text) <= 5 and 1 <= int(text) <= balancer.MOST):
        raise CannotServe(
            f"The number of processes must be from 1 to {balancer.MOST}, got '{text}'. "
            "About one a core is enough."
        )
    return int(text)


def find_haproxy() -> str:
    """The path of HAProxy's program.

    Raises: CannotServe if it is not installed, or on Windows.
    """
    if os.name == "nt":
        raise CannotServe(
            "Several processes need HAProxy, which does not run on Windows. "
            "Start one process instead: leave --workers out."
        )
    # the second folders are on the path of administrators only
    found = shutil.which("haproxy", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    if found is None:
        raise CannotServe(
            "Several processes need HAProxy in front of them, and no program 'haproxy' was found. "
            "Install it (Debian and Ubuntu: apt install haproxy; macOS: brew install haproxy), "
            "or start one process: leave --workers out, or WORKERS with make."
        )
    return found


class Kept:
    """A program that is started again when it stops, after a pause that grows.

    After six stops in a row, each within a minute of its start, it stays down.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        environment: Mapping[str, str],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self.is_given_up = False
        self._command = list(command)
        self._environment = dict(environment)
        self._clock = clock
        self._process: subprocess.Popen[bytes] | None = None
        self._stops = 0
        self._since = 0.0
        self._due = 0.0

    def start(self) -> None:
        """Start the program in a process group of its own, which Ctrl+C does not reach."""
        self._process = subprocess.Popen(
            self._command,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # Streamlit's greeting, with an address that nobody opens
            process_group=0,
        )
        self._since = self._clock()

    @property
    def is_running(self) -> bool:
        """Whether the program runs at this moment."""
        return self._process is not None and self._process.poll() is None

    def look(self) -> str:
        """Start the program again if it is time to; returns what is to be said, mostly nothing."""
        if self.is_running or self.is_given_up:
            return ""
        if self._process is None:
            if self._clock() >= self._due:
                self.start()
            return ""
        return self._note_stop(self._process)

    def _note_stop(self, process: subprocess.Popen[bytes]) -> str:
        self._end_group(process, signal.SIGKILL)  # what it had started for itself
        self._process = None
        self._stops = 1 if self._clock() - self._since > STEADY_SECONDS else self._stops + 1
        how = f"{self.name} has stopped ({ending(process.returncode)})"
        if self._stops >= MOST_STOPS:
            self.is_given_up = True
            return f"{how}, {MOST_STOPS} times in a row, and stays down."
        pause = min(2.0 ** (self._stops - 1), LONGEST_PAUSE)
        self._due = self._clock() + pause
        return f"{how}. It is started again in {pause:.0f} s."

    def ask_to_stop(self) -> None:
        """Ask the program to end."""
        if self._process is not None:
            self._end_group(self._process, signal.SIGTERM)

    def stop(self, until: float) -> None:
        """Wait for the program's end until this time, then end it and what it has started."""
        if self._process is not None:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=max(until - time.monotonic(), 0.1))
            self._end_group(self._process, signal.SIGKILL)
            self._process.wait()

    @staticmethod
    def _end_group(process: subprocess.Popen[bytes], by: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):  # nobody is left in the group
            os.killpg(process.pid, by)


def ending(code: int) -> str:
    """How a process ended, in words."""
    if code < 0:
        with suppress(ValueError):
            return f"signal {signal.Signals(-code).name}"
    return f"exit code {code}"


def free_ports(count: int) -> list[int]:
    """Different ports of the loopback address that nothing listens on."""
    with ExitStack() as held:  # all at once, so that no port comes twice
        probes = [held.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind((LOOPBACK, 0))
        return [int(probe.getsockname()[1]) for probe in probes]


def is_healthy(port: int, host: str = LOOPBACK) -> bool:
    """Whether the app answers on this port."""
    # http.client, since urllib would ask a proxy for an address on this machine
    connection = http.client.HTTPConnection(host, port, timeout=2)
    try:
        connection.request("GET", f"{serving.base_path()}/_stcore/health")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def raise_file_limit() -> int:
    """Let this process and those it starts open as many files as the system allows.

    Returns the number. Each session takes about four.
    """
    import resource  # noqa: PLC0415  Windows has none

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return FILES if soft == resource.RLIM_INFINITY else soft


def starter(workers: int) -> Callable[[str, int], int]:
    """What starts this many processes at a host and a port.

    Raises: CannotServe if there are several and HAProxy is missing.
    """
    if workers == 1:
        return serving.start
    return partial(start, find_haproxy(), workers)


def start(haproxy: str, workers: int, host: str, port: int) -> int:
    """Run this many processes and HAProxy at host and port, until a signal ends them.

    Returns 0 after a signal, 1 if the processes or HAProxy could not be kept running.
    Raises: CannotServe if the app's files are missing, or the processes do not start.
    """
    app = serving.app_file()
    print(f"dpviz starts {workers} processes ...", flush=True)
    os.chdir(app.parent)  # as serving.start does
    ports = free_ports(workers)
    files = raise_file_limit()
    shared = {**serving.LEAN, **os.environ, SECRET: os.environ.get(SECRET) or secrets.token_hex(32)}
    servers = [
        Kept(
            f"Process {number + 1} of {workers}",
            serving.command(LOOPBACK, server_port),
            {**shared, NUMBER: str(number), COUNT: str(workers)},
        )
        for number, server_port in enumerate(ports)
    ]
    with tempfile.TemporaryDirectory(prefix="dpviz-") as folder:  # nobody else may look inside
        place = Path(folder, "haproxy.cfg")
        place.touch(mode=0o600)
        place.write_text(
            balancer.configuration(
                f"[{host}]:{port}" if ":" in host else f"{host}:{port}",
                [f"{LOOPBACK}:{server_port}" for server_port in ports],
                base=serving.base_path(),
                connections=min(balancer.CONNECTIONS, files // 2 - 100),
            ),
            encoding="utf-8",
        )
        # it needs no secret; -db: in the foreground
        environment = {name: value for name, value in os.environ.items() if name != SECRET}
        front = Kept("HAProxy", [haproxy, "-db", "-f", str(place)], environment)
        return Watch(servers, front, ports).run(host, port)


class Watch:
    """Runs the processes and HAProxy side by side until a signal comes."""

    def __init__(self, servers: Sequence[Kept], front: Kept, ports: Sequence[int]) -> None:
        self.servers, self.front, self.ports = servers, front, ports
        self._asked = threading.Event()

    def run(self, host: str, port: int) -> int:
        """Start all, say the address, keep all running; stops all at the end."""
        before = {
            one: signal.signal(one, lambda *_: self._asked.set())
            for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        }
        try:
            for server in self.servers:
                server.start()
            self._wait("processes", self.servers, self.ports, LOOPBACK)
            if not self._asked.is_set():
                self.front.start()
                local = {"0.0.0.0": LOOPBACK, "::": "::1"}.get(host, host)
                self._wait("balancer", [self.front], [port], local)
            if not self._asked.is_set():
                self._say(f"dpviz is ready at {serving.address(host, port)} (Ctrl+C stops it)")
            return self._keep()
        finally:
            self._stop()
            for one, handler in before.items():
                signal.signal(one, handler)

    def _wait(self, what: str, kept: Sequence[Kept], ports: Sequence[int], host: str) -> None:
        waiting, until = list(ports), time.monotonic() + START_SECONDS
        while waiting and not self._asked.wait(LOOK_SECONDS):
            waiting = [port for port in waiting if not is_healthy(port, host)]
            if not all(one.is_running for one in kept):
                raise CannotServe(f"The {what} ended while starting; the reason stands above.")
            if waiting and time.monotonic() > until:
                raise CannotServe(f"The {what} did not answer within {START_SECONDS} s.")

    def _keep(self) -> int:
        while not self._asked.wait(LOOK_SECONDS):
            for one in (*self.servers, self.front):
                self._say(one.look())
            if self.front.is_given_up or all(one.is_given_up for one in self.servers):
                return 1
        return 0

    def _stop(self) -> None:
        everything = (self.front, *self.servers)
        for one in everything:
            one.ask_to_stop()
        until = time.monotonic() + STOP_SECONDS
        for one in everything:
            one.stop(until)

    @staticmethod
    def _say(text: str) -> None:
        if text:
            print(text, flush=True, file=sys.stdout)
