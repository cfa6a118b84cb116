"""All lectures of this process, in memory: where each presenter is, who follows, when it is over.

A step names a place of a story, and nothing else: no data, no file and no answer of anybody. Of the
class's answers a lecture counts phones, in bins. Scripts of many visitors and the server's event loop
use the table at once.
"""

import hmac
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from dpviz.core.errors import DpvizError
from dpviz.ui.lectures import codes
from dpviz.ui.lectures.counters import Counters

MOST = 200  # lectures of one process at a time
MOST_LEADERS = 20  # sessions that lead one lecture: a laptop, a tablet, tabs
MOST_FOLLOWERS = 2_000  # that are counted
LEFT_SECONDS = 90.0  # after the presenter left; longer than a browser takes to connect again
LOOK_SECONDS = 5.0  # between two looks whether presenters are still there

IsHere = Callable[[], bool]
Wake = Callable[[], None]


class TooManyLectures(DpvizError):
    """No other lecture can begin now."""


@dataclass(frozen=True, slots=True)
class Step:
    """Where a presenter is: a scene, its beat, and where its control stands."""

    story: str
    scene: int
    beat: str
    stop: float | str


@dataclass(eq=False, slots=True)
class Lecture:
    """One lecture; number counts its steps, and grows once more when it is over."""

    code: str
    digest: bytes = field(repr=False)
    step: Step
    number: int = 1
    over: bool = False
    seen: float = 0.0
    leaders: dict[str, IsHere] = field(default_factory=dict, repr=False)
    votes: Counters = field(default_factory=Counters, repr=False)
    talks: dict[str, float] = field(default_factory=dict)  # scenes asked again: until when
    _followers: dict[str, IsHere] = field(default_factory=dict, repr=False)
    _listeners: dict[object, Wake] = field(default_factory=dict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def opens_to(self, secret: str) -> bool:
        """Whether this is the presenter's secret."""
        return hmac.compare_digest(self.digest, codes.digest(secret))

    def follow(self, session: str, is_here: IsHere) -> None:
        """Count a session among those that follow."""
        with self._lock:
            if session not in self._followers and len(self._followers) >= MOST_FOLLOWERS:
                self._forget()
            if len(self._followers) < MOST_FOLLOWERS:
                self._followers[session] = is_here

    def leave(self, session: str) -> None:
        """A session goes on by itself."""
        with self._lock:
            self._followers.pop(session, None)

    @property
    def followers(self) -> int:
        """How many sessions follow now."""
        with self._lock:
            self._forget()
            return len(self._followers)

    def _forget(self) -> None:
        self._followers = {name: here for name, here in self._followers.items() if here()}

    def round(self, scene: str) -> int:
        """Which vote on a scene it is: 1, or 2 once the class was asked again."""
        return 2 if scene in self.talks else 1

    def vote(self, scene: str, old: int | None, new: int) -> bool:
        """Count a phone's answer in the round that goes on, in place of its older one there."""
        return self.votes.change(f"{scene} {self.round(scene)}", old, new)

    def people(self, scene: str) -> int:
        """How many phones voted in the round that goes on; 0 while they are too few."""
        return self.votes.people(f"{scene} {self.round(scene)}")

    def voted(self, scene: str, number: int) -> tuple[int, ...] | None:
        """The bins of a round; None while too few phones voted in it."""
        return self.votes.shown(f"{scene} {number}")

    def listen(self, wake: Wake) -> Callable[[], None]:
        """Have wake called, on any thread, after each step; returns what ends that."""
        name = object()
        with self._lock:
            self._listeners[name] = wake

        def stop() -> None:
            with self._lock:
                self._listeners.pop(name, None)

        return stop

    def told(self) -> None:
        """Wake all who listen."""
        with self._lock:
            listeners = list(self._listeners.values())
        for wake in listeners:
            with suppress(RuntimeError):  # its event loop has ended
                wake()


class Lectures:
    """The lectures of one process; clock gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._by_code: dict[str, Lecture] = {}
        self._watching: threading.Thread | None = None

    def begin(self, step: Step, session: str, is_here: IsHere) -> tuple[str, str]:
        """A new lecture, led by a session; returns its code and its secret.

        Raises: TooManyLectures if there are as many as this process takes.
        """
        self.look()
        secret = codes.new_secret()
        with self._lock:
            if len(self._by_code) >= MOST:
                raise TooManyLectures(
                    f"{MOST} lectures are under way on this server, which is as many as it takes. "
                    "Wait until one of them is over, or present without a code."
                )
            code = codes.new_code()
            while code in self._by_code:
                code = codes.new_code()
            lecture = Lecture(code, codes.digest(secret), step, seen=self._clock())
            lecture.leaders[session] = is_here
            self._by_code[code] = lecture
            self._watch()
        return code, secret

    def find(self, code: str) -> Lecture | None:
        """The lecture under way that has this code."""
        with self._lock:
            return self._by_code.get(code)

    def lead(self, code: str, secret: str, session: str, is_here: IsHere) -> bool:
        """Let a session lead as well; False without the secret, or if there are too many."""
        lecture = self._led(code, secret)
        if lecture is None:
            return False
        with self._lock:
            there = {name: one for name, one in lecture.leaders.items() if one()}
            if session not in there and len(there) >= MOST_LEADERS:
                return False
            lecture.leaders = there | {session: is_here}
        return True

    def publish(self, code: str, secret: str, step: Step) -> bool:
        """Let all who follow go to a step; False if the lecture is over or the secret is wrong."""
        lecture = self._led(code, secret)
        if lecture is None:
            return False
        with self._lock:
            if lecture.step == step:
                return True
            lecture.step, lecture.number = step, lecture.number + 1
        lecture.told()
        return True

    def ask_again(self, code: str, secret: str, scene: str, seconds: float) -> bool:
        """Let the class talk for so long and vote on a scene again; False where publish is."""
        lecture = self._led(code, secret)
        if lecture is None:
            return False
        with self._lock:
            lecture.talks.setdefault(scene, self._clock() + seconds)
            lecture.number += 1
        lecture.told()
        return True

    def left(self, lecture: Lecture, scene: str) -> int:
        """Seconds left to talk about a scene."""
        return max(0, round(lecture.talks.get(scene, 0.0) - self._clock()))

    def end(self, code: str, secret: str) -> bool:
        """End a lecture; False if it is over already or the secret is wrong."""
        lecture = self._led(code, secret)
        if lecture is None:
            return False
        self._end(lecture)
        return True

    def look(self) -> None:
        """End all lectures whose presenters left a while ago."""
        with self._lock:
            going, now = list(self._by_code.values()), self._clock()
        for lecture in going:
            if any(is_here() for is_here in list(lecture.leaders.values())):
                lecture.seen = now
            elif now - lecture.seen > LEFT_SECONDS:
                self._end(lecture)

    def _led(self, code: str, secret: str) -> Lecture | None:
        lecture = self.find(code)
        return lecture if lecture is not None and lecture.opens_to(secret) else None

    def _end(self, lecture: Lecture) -> None:
        with self._lock:
            self._by_code.pop(lecture.code, None)
            lecture.over, lecture.number = True, lecture.number + 1
        lecture.votes.clear()
        lecture.told()

    def _watch(self) -> None:
        """Look from time to time, as long as there is a lecture. Called with the lock held."""
        if self._watching is None:
            self._watching = threading.Thread(
                target=self._keep_looking, daemon=True, name="dpviz-lectures"
            )
            self._watching.start()

    def _keep_looking(self) -> None:
        while True:
            time.sleep(LOOK_SECONDS)
            self.look()
            with self._lock:
                if not self._by_code:
                    self._watching = None
                    return


LECTURES = Lectures()
