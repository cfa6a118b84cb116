"""Uniform random words: the only randomness that meets confidential data.

A mechanism that is exact in the program draws words of whole random bits and nothing else. They
come from a seed, for public samples and for teaching, or from AES-256 in counter mode under a
secret key, for everything that is released. Source: Mironov 2012, for what doubles give away.
"""

from __future__ import annotations

import os
import secrets
import threading
from typing import Any, NoReturn, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from dpviz.core.checks import checked_whole, found, wanted
from dpviz.core.errors import InvalidParameter, NotExact
from dpviz.core.releases import SECURE, SEEDED

KEY_BYTES = 32
MOST_WORDS = 1 << 40  # of one call
ZEROS = memoryview(bytes(1 << 16))  # encrypted to the stream, in pieces that stay in fast memory
BLOCK = 16  # bytes of AES

WORDS = (np.uint8, np.uint16, np.uint32, np.uint64)
LARGEST = {word: int(np.iinfo(word).max) for word in WORDS}
Word = TypeVar("Word", np.uint8, np.uint16, np.uint32, np.uint64)


@runtime_checkable
class Bits(Protocol):
    """A source of independent uniform words."""

    def words(self, count: int, dtype: type[Word]) -> NDArray[Word]:
        """The next `count` words, each uniform over all values of an unsigned dtype."""


class SeededBits:
    """Words from a NumPy generator: the same seed gives the same words. For samples and teaching.

    Whoever knows the seed knows the noise, so nothing that is drawn from it protects anybody.

    >>> dp.NoisyCount().release(column, dp.PureDP(1), dp.SeededBits(rng)).randomness
    'seeded'
    """

    def __init__(self, generator: np.random.Generator) -> None:
        self._generator = wanted(np.random.Generator, generator, "generator")

    def words(self, count: int, dtype: type[Word]) -> NDArray[Word]:
        """The next words; by integers, since raw words of some bit generators have 32 bits."""
        count, dtype = _checked(count, dtype)
        return self._generator.integers(0, LARGEST[dtype], count, dtype=dtype, endpoint=True)


class SecureBits:
    """Words of AES-256 in counter mode under a secret key, by default a fresh one: for releases.

    >>> dp.NoisyCount().release(column, dp.PureDP(1), dp.SecureBits()).randomness
    'secure'

    Guarantee: nobody who cannot tell AES-256 from a random permutation can tell the words from
    random ones. One object serves one use: it cannot be copied, pickled or printed, refuses to go
    on after a fork, where parent and child would draw the same words, and serves one thread.
    Raises: InvalidParameter for a key that is not 32 bytes.
    """

    def __init__(self, key: bytes | None = None) -> None:
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes  # noqa: PLC0415  # for releases alone

        if key is None:
            key = secrets.token_bytes(KEY_BYTES)
        if not isinstance(key, bytes) or len(key) != KEY_BYTES:
            raise InvalidParameter(
                f"A key of SecureBits is {KEY_BYTES} bytes, got "
                f"{len(key) if isinstance(key, bytes) else found(key)}. "
                "Write SecureBits(), which takes one from the operating system."
            )
        counter = bytes(16)  # a key is used once, so every stream may start at 0
        self._stream = Cipher(algorithms.AES(key), modes.CTR(counter)).encryptor()
        self._process = os.getpid()
        self._thread: int | None = None

    @classmethod
    def fresh(cls) -> SecureBits:
        """Bits under a key of their own, from the operating system."""
        return cls()

    def words(self, count: int, dtype: type[Word]) -> NDArray[Word]:
        """The next words; little-endian on every machine.

        Raises: InvalidParameter for a dtype that is not one of whole words, and in another process
        or thread than the one that drew first.
        """
        count, dtype = _checked(count, dtype)
        if os.getpid() != self._process:
            raise InvalidParameter(
                "SecureBits were made before this process was forked: both would draw the same "
                "noise. Make SecureBits.fresh() in each process."
            )
        thread = threading.get_ident()
        if self._thread is None:
            self._thread = thread
        elif self._thread != thread:
            raise InvalidParameter(
                "SecureBits serve one thread. Make SecureBits.fresh() in each thread."
            )
        drawn = self._drawn(count * np.dtype(dtype).itemsize)
        return drawn.view(np.dtype(dtype).newbyteorder("<")).astype(dtype, copy=False)

    def _drawn(self, size: int) -> NDArray[np.uint8]:
        """The next bytes; update_into wants room for a block more, and is several times as fast."""
        drawn = np.empty(size + BLOCK, dtype=np.uint8)
        for start in range(0, size, len(ZEROS)):
            piece = ZEROS[: size - start]
            written = self._stream.update_into(piece, drawn[start:].data)
            if written != len(piece):  # what was not written would be memory of the process
                raise InvalidParameter("AES wrote too few bytes. Nothing was drawn.")
        return drawn[:size]

    def __repr__(self) -> str:
        return "SecureBits(secret)"

    def __copy__(self) -> NoReturn:
        raise _kept_single()

    def __deepcopy__(self, memo: Any) -> NoReturn:
        raise _kept_single()

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise _kept_single()


def _checked(count: int, dtype: type[Word]) -> tuple[int, type[Word]]:
    if not any(dtype is word for word in WORDS):
        raise InvalidParameter(
            f"dtype must be numpy.uint8, uint16, uint32 or uint64, got {found(dtype)}."
        )
    return checked_whole(count, "count", 0, MOST_WORDS), dtype


def _kept_single() -> InvalidParameter:
    return InvalidParameter(
        "SecureBits cannot be copied or pickled: two copies would draw the same noise. "
        "Make SecureBits.fresh() for each use."
    )


Randomness = np.random.Generator | Bits


def bits_of(rng: Randomness) -> Bits:
    """The words behind a generator, or the bits themselves: one code path for both.

    Raises: InvalidParameter for anything else; a seed is refused too, so that nobody releases the
    same draw twice without having said so.
    """
    if isinstance(rng, np.random.Generator):
        return SeededBits(rng)
    if isinstance(rng, SeededBits | SecureBits) or (
        not isinstance(rng, type) and isinstance(rng, Bits)
    ):
        return rng
    refused: Any = rng
    return SeededBits(wanted(np.random.Generator, refused, "rng"))


def or_secure(rng: Randomness | None) -> Randomness:
    """The generator or bits that were given; SecureBits.fresh() where none were."""
    return SecureBits.fresh() if rng is None else rng


def kind_of(rng: Randomness) -> str:
    """What a release says of its randomness: secure from SecureBits alone, else seeded."""
    return SECURE if type(rng) is SecureBits else SEEDED


def only_seeded(rng: Randomness, what: str) -> np.random.Generator:
    """The generator that a mechanism in floating point takes; secure bits are refused in words.

    Raises: NotExact for bits, InvalidParameter for anything that is no generator.
    """
    if not isinstance(rng, np.random.Generator) and isinstance(rng, SeededBits | SecureBits):
        raise NotExact(
            f"{what} is computed in floating point: its promise holds up to rounding, not exactly "
            "in the program, so it is not released with secure bits. Give it a NumPy generator to "
            "look at it for teaching, or choose another method for a release."
        )
    given: Any = rng
    generator: np.random.Generator = wanted(np.random.Generator, given, "rng")
    return generator
