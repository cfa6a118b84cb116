"""Rooms of the test: what the phones of a class handed in, in memory, for three hours.

A room keeps bins and no phone: nobody's name, session or sheet. What leaves it is drawn once.
"""

import hmac
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

from dpviz.core.scalars.release import NumberRelease
from dpviz.lessons.stories import gain
from dpviz.lessons.stories.gain import HALVES, Half, Tally
from dpviz.ui.lectures import codes
from dpviz.ui.lectures.counters import SECONDS
from dpviz.ui.lectures.table import TooManyLectures

MOST = 200  # rooms of one process at a time


@dataclass(eq=False, slots=True)
class Room:
    """One class: its bins before and after, and what was released of them."""

    code: str
    digest: bytes = field(repr=False)
    _tallies: dict[Half, Tally] = field(
        default_factory=lambda: {half: Tally.empty() for half in HALVES}, repr=False
    )
    _released: dict[Half, NumberRelease] = field(default_factory=dict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def opens_to(self, secret: str) -> bool:
        """Whether this is the secret of who opened it."""
        return hmac.compare_digest(self.digest, codes.digest(secret))

    def hand_in(self, half: Half, chosen: Sequence[str | None], sure: Sequence[bool]) -> bool:
        """Add a sheet to the bins; False once the half was released, which closes it."""
        with self._lock:
            if half in self._released:
                return False
            self._tallies[half] = self._tallies[half].with_sheet(chosen, sure)
        return True

    def people(self, half: Half) -> int:
        """How many phones handed in."""
        return self._tallies[half].people

    def gain(self) -> gain.Gain:
        """The exact numbers, for the room alone."""
        with self._lock:
            return gain.gain(dict(self._tallies))

    def release(self, half: Half) -> None:
        """Draw how many passed, once: a second call changes nothing. Closes the half.

        Raises: ValueError below five phones.
        """
        with self._lock:
            if half not in self._released:
                self._released[half] = gain.release(self._tallies[half])

    @property
    def released(self) -> dict[Half, tuple[NumberRelease, int]]:
        """What was released, with the number of people of each half."""
        return {
            half: (self._released[half], self.people(half))
            for half in HALVES
            if half in self._released
        }


class Rooms:
    """The rooms of one process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_code: dict[str, Room] = {}

    def open(self) -> tuple[str, str]:
        """A new room; returns its code and its secret.

        Raises: TooManyLectures if there are as many as this process takes.
        """
        secret = codes.new_secret()
        with self._lock:
            if len(self._by_code) >= MOST:
                raise TooManyLectures(
                    f"{MOST} rooms are open on this server, which is as many as it takes. Each is "
                    f"deleted after {SECONDS / 3600:g} hours: try again later."
                )
            code = codes.new_code()
            while code in self._by_code:
                code = codes.new_code()
            self._by_code[code] = Room(code, codes.digest(secret))
        timer = threading.Timer(SECONDS, self._delete, (code,))
        timer.daemon = True
        timer.start()
        return code, secret

    def find(self, code: str) -> Room | None:
        """The room that has this code."""
        with self._lock:
            return self._by_code.get(code)

    def led(self, code: str, secret: str) -> Room | None:
        """The room of who has its secret."""
        room = self.find(code)
        return room if room is not None and room.opens_to(secret) else None

    def close(self, code: str, secret: str) -> None:
        """Delete a room at once, with its secret."""
        if self.led(code, secret) is not None:
            self._delete(code)

    def _delete(self, code: str) -> None:
        with self._lock:
            self._by_code.pop(code, None)


ROOMS = Rooms()
