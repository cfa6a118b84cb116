"""What the server costs: its CPU and memory, and what else the machine was doing, from /proc."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
BUSY = (0, 1, 2, 5, 6, 7)  # user, nice, system, irq, softirq, steal


def fields(stat: str) -> list[str]:
    """The fields of /proc/<pid>/stat after the name, which may itself hold spaces and brackets."""
    return stat[stat.rindex(")") + 2 :].split()


def family(root: int) -> list[list[str]]:
    """The fields of a process and of everything below it; those that have ended are left out."""
    found: dict[int, list[str]] = {}
    for entry in PROC.iterdir():
        if entry.name.isdecimal():
            try:
                found[int(entry.name)] = fields((entry / "stat").read_text())
            except (OSError, ValueError):  # it ended meanwhile
                continue
    members = {root}
    while more := {pid for pid, of in found.items() if int(of[1]) in members} - members:
        members |= more
    return [found[pid] for pid in sorted(members) if pid in found]


@dataclass(frozen=True, slots=True)
class Reading:
    """Seconds of CPU up to a moment: of the server, of this process, of the whole machine."""

    at: float
    server: float
    own: float
    machine: float
    megabytes: float

    @classmethod
    def now(cls, root: int | None) -> Reading:
        """Read all clocks; the server's are 0 where its process is not known."""
        members = family(root) if root is not None else []
        first = (PROC / "stat").read_text().split("\n", 1)[0].split()[1:]
        return cls(
            at=time.monotonic(),
            # its children's time as soon as they ended and were waited for
            server=sum(int(ticks) for of in members for ticks in of[11:15]) / TICKS,
            own=time.process_time(),
            machine=sum(int(first[place]) for place in BUSY) / TICKS,
            megabytes=sum(int(of[21]) for of in members) * PAGE / 1e6,
        )

    def cores_since(self, before: Reading) -> float:
        """Cores that the server took."""
        return (self.server - before.server) / max(self.at - before.at, 1e-9)

    def others_since(self, before: Reading) -> float:
        """Cores that neither the server nor this process took."""
        used = (self.machine - before.machine) - (self.server - before.server)
        return max(0.0, (used - (self.own - before.own)) / max(self.at - before.at, 1e-9))
