"""Random bits: known answers of AES-256, and what secure bits refuse to do."""

import copy
import inspect
import os
import pickle
import threading

import numpy as np
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from dpviz.core.errors import InvalidParameter, NotExact
from dpviz.core.randomness import bits
from dpviz.core.randomness.bits import SecureBits, SeededBits, bits_of, kind_of, only_seeded

# NIST SP 800-38A, F.5.5 CTR-AES256.Encrypt
NIST_KEY = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"
NIST_COUNTER = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"
NIST_PLAIN = (
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
)
NIST_CIPHER = (
    "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
    "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6"
)
# FIPS 197, C.3: one block under AES-256
FIPS_KEY = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
FIPS_PLAIN = "00112233445566778899aabbccddeeff"
FIPS_CIPHER = "8ea2b7ca516745bfeafc49904b496089"


def aes(key: bytes, mode: modes.Mode, plain: bytes) -> bytes:
    return Cipher(algorithms.AES(key), mode).encryptor().update(plain)


def test_the_library_gives_the_known_answers():
    key, plain = bytes.fromhex(NIST_KEY), bytes.fromhex(NIST_PLAIN)
    assert aes(key, modes.CTR(bytes.fromhex(NIST_COUNTER)), plain).hex() == NIST_CIPHER
    block = bytes.fromhex(FIPS_PLAIN)
    assert aes(bytes.fromhex(FIPS_KEY), modes.ECB(), block).hex() == FIPS_CIPHER


def test_words_are_the_stream_of_the_standard(monkeypatch):
    """Started at the standard's counter, words masked by its text are its cipher text."""

    class FromTheStandard:
        CTR = staticmethod(lambda _: modes.CTR(bytes.fromhex(NIST_COUNTER)))

    monkeypatch.setattr("cryptography.hazmat.primitives.ciphers.modes", FromTheStandard)
    words = SecureBits(bytes.fromhex(NIST_KEY)).words(64, np.uint8)
    plain = np.frombuffer(bytes.fromhex(NIST_PLAIN), dtype=np.uint8)
    assert (words ^ plain).tobytes().hex() == NIST_CIPHER


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32, np.uint64])
def test_words_are_counters_from_0_under_the_key(dtype):
    """By the block cipher alone: block i of the stream is AES(key, i), read little-endian."""
    key = bytes.fromhex(FIPS_KEY)
    blocks = b"".join(number.to_bytes(16, "big") for number in range(40))
    expected = np.frombuffer(aes(key, modes.ECB(), blocks), dtype=np.dtype(dtype).newbyteorder("<"))
    drawn, parts = SecureBits(key), [1, 0, 7, expected.size - 8]
    words = np.concatenate([drawn.words(count, dtype) for count in parts])
    assert words.dtype == dtype
    np.testing.assert_array_equal(words, expected)


@pytest.mark.parametrize("size", [2**16 - 1, 2**16, 2**16 + 1, 3 * 2**16 + 5])
def test_long_draws_are_the_same_stream_as_short_ones(size):
    """Words that are drawn at once, piece after piece, are those that are drawn bit by bit."""
    key = bytes.fromhex(FIPS_KEY)
    expected = np.frombuffer(aes(key, modes.CTR(bytes(16)), bytes(size + 3)), dtype=np.uint8)
    drawn = SecureBits(key)
    np.testing.assert_array_equal(drawn.words(size, np.uint8), expected[:size])
    np.testing.assert_array_equal(drawn.words(3, np.uint8), expected[size:])


def test_secure_bits_are_never_copied_pickled_or_printed():
    key = bytes(range(32))
    own = SecureBits(key)
    for double in (copy.copy, copy.deepcopy, pickle.dumps, lambda one: copy.deepcopy({"a": [one]})):
        with pytest.raises(InvalidParameter, match="copied or pickled"):
            double(own)
    said = repr(own) + str(own)
    assert key.hex() not in said
    assert repr(key) not in said
    held = [value for value in vars(own).values() if isinstance(value, bytes | bytearray | str)]
    assert held == []  # the key is in the cipher alone


def test_after_a_fork_the_child_is_refused():
    own = SecureBits.fresh()
    own.words(1, np.uint64)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:  # nothing of the test may run on in the child
        try:
            own.words(1, np.uint64)
            said = b"drew"
        except InvalidParameter as error:
            said = str(error).encode()
        finally:
            os.write(writing, said)
            os._exit(0)
    os.waitpid(child, 0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        assert b"forked" in answer.read()
    assert own.words(1, np.uint64).size == 1


def test_another_thread_is_refused():
    own, found = SecureBits.fresh(), []
    own.words(1, np.uint64)

    def draw():
        try:
            found.append(own.words(1, np.uint64))
        except InvalidParameter as error:
            found.append(str(error))

    other = threading.Thread(target=draw)
    other.start()
    other.join()
    assert "one thread" in found[0]


@pytest.mark.parametrize("key", [b"", bytes(31), bytes(33), "k" * 32, bytearray(32), 0, 5])
def test_a_key_is_32_bytes(key):
    with pytest.raises(InvalidParameter, match="32 bytes"):
        SecureBits(key)


def test_fresh_bits_are_never_the_same():
    drawn = {SecureBits.fresh().words(4, np.uint64).tobytes() for _ in range(50)}
    assert len(drawn) == 50


def test_floating_point_noise_cannot_be_drawn_from_secure_bits():
    own = SecureBits.fresh()
    public = {name for name, _ in inspect.getmembers(own) if not name.startswith("_")}
    assert public == {"words", "fresh"}
    for given in (own, SeededBits(np.random.default_rng(1))):
        with pytest.raises(NotExact, match="floating point"):
            only_seeded(given, "It")


def test_only_the_class_itself_counts_as_secure():
    class Weak(SecureBits):
        def words(self, count, dtype):
            return np.zeros(count, dtype)

    generator = np.random.default_rng(1)
    assert kind_of(SecureBits.fresh()) == "secure"
    for seeded in (generator, SeededBits(generator), Weak(bytes(32))):
        assert kind_of(seeded) == "seeded"
    assert bits_of(own := SecureBits.fresh()) is own
    for wrong in (5, None, "seed", SecureBits, np.random):
        with pytest.raises(InvalidParameter):
            bits_of(wrong)


@pytest.mark.parametrize("kind", ["PCG64", "MT19937", "Philox"])
def test_seeded_words_use_all_their_bits(kind):
    """Raw words of MT19937 have 32 bits; words by integers have 64, whatever the generator."""
    words = SeededBits(np.random.Generator(getattr(np.random, kind)(7))).words(200, np.uint64)
    assert np.bitwise_or.reduce(words) == np.uint64(2**64 - 1)
    assert np.bitwise_and.reduce(words) == 0


def test_the_module_has_no_seed_of_its_own():
    assert "default_rng" not in inspect.getsource(bits)
