"""Keys of noise: different bytes for different purposes, other keys for other uploads."""

import struct
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from dpviz import catalogue
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.ui.kit.account.keys import canonical, draw_key
from tests.rows import by_rows

SECRET = bytes(range(32))
LEAVES = (
    some.none()
    | some.booleans()
    | some.integers()
    | some.floats()
    | some.text(max_size=4)
    | some.binary(max_size=4)
)
NESTED = some.recursive(LEAVES, lambda inside: some.lists(inside, max_size=4).map(tuple))


def told_apart(value):
    """The same for two values only if they are the same to the last bit, types included."""
    if isinstance(value, tuple):
        return ("tuple", *map(told_apart, value))
    if isinstance(value, float):
        return ("float", struct.pack(">d", value))
    return (type(value).__name__, value)


@pytest.mark.law
@given(NESTED, NESTED)
def test_bytes_are_equal_where_values_are(one, other):
    assert (canonical(one) == canonical(other)) == (told_apart(one) == told_apart(other))


@pytest.mark.law
@given(some.lists(NESTED, max_size=4), some.lists(NESTED, max_size=4))
def test_no_border_between_fields_is_lost(one, other):
    """Fields moved across a border, as joining texts would allow."""
    first, second = (tuple(one), tuple(other)), (tuple(one + other), ())
    assert (canonical(first) == canonical(second)) == (not other)


@dataclass(frozen=True)
class Quiet:
    """Its text leaves a field out."""

    shown: int
    hidden: int = field(repr=False)


@dataclass(frozen=True)
class Loud:
    shown: int
    hidden: int


class Colour(StrEnum):
    BLACK = "black"


def by_text(purpose):
    """The wrong twin: what the purposes were told apart by before."""
    return repr(purpose).encode()


def test_the_wrong_twin_takes_different_purposes_for_one():
    one, other = (np.arange(2_000.0) for _ in range(2))
    other[1_000] = -1.0
    assert by_text(("tree", one)) == by_text(("tree", other))
    for array in (one, other):
        with pytest.raises(TypeError, match="ndarray"):
            canonical(("tree", array))
    assert by_text(Quiet(1, 2)) == by_text(Quiet(1, 3))
    assert canonical(Quiet(1, 2)) != canonical(Quiet(1, 3))


@by_rows("value", [[1], {1}, {"a": 1}, np.zeros(1), np.random.default_rng(1), len])
@by_rows("depth", [0, 1, 2])
def test_what_has_no_bytes_of_its_own_is_refused(value, depth):
    for _ in range(depth):
        value = ("purpose", value)
    with pytest.raises(TypeError, match="cannot hold"):
        canonical(value)


def test_an_array_in_a_field_is_refused():
    with pytest.raises(TypeError, match="ndarray"):
        canonical((ApproximateQuantiles(), Loud(1, np.zeros(2))))


def test_names_of_types_are_part_of_the_bytes():
    values = [
        Quiet(1, 2), Loud(1, 2), (1, 2), 1, 1.0, True, "1", b"1", None, Colour.BLACK, "black",
        PureDP(1.0), ZCDP(1.0), ApproxDP(1.0, 0.5), Bounds(0, 1), PureDP, ZCDP, 0.0, -0.0,
    ]  # fmt: skip
    assert len({canonical(value) for value in values}) == len(values)


def test_every_parameter_of_every_mechanism_is_part_of_the_bytes():
    kinds = [one() for one in catalogue.QUANTILES]
    built = [canonical(one) for one in kinds]
    assert len(set(built)) == len(built)
    moved = [canonical(type(one)(neighbours=Neighbours.REPLACE_ONE)) for one in kinds]
    assert not set(moved) & set(built)


def test_a_key_is_one_of_upload_draw_stream_and_purpose():
    keys = {
        draw_key(secret, number, stream, purpose)
        for secret in (SECRET, bytes(32))
        for number in (1, 2)
        for stream in ((), (1,), (1, 2))
        for purpose in ("one", "two", ("one",))
    }
    assert len(keys) == 2 * 2 * 3 * 3
    assert {len(key) for key in keys} == {32}
    assert draw_key(SECRET, 1, (2,), "one") == draw_key(SECRET, 1, (2,), "one")
