"""Counters of a room: bins alone, moved one by one, unseen below five phones, and gone in time."""

import numpy as np

from dpviz.ui.lectures.counters import BINS, FEWEST, SECONDS, Counters


def test_bins_are_those_of_a_list_of_all_phones():
    rng, counters, phones = np.random.default_rng(5), Counters(), {}
    for _ in range(400):
        who, new = int(rng.integers(30)), int(rng.integers(BINS))
        assert counters.change("scene", phones.get(who), new)
        phones[who] = new
        found = counters.shown("scene")
        wanted = tuple(list(phones.values()).count(one) for one in range(BINS))
        assert found == (wanted if len(phones) >= FEWEST else None)
        assert counters.people("scene") == (len(phones) if len(phones) >= FEWEST else 0)
    assert counters.shown("other") is None


def test_fewer_than_five_phones_show_nothing():
    counters = Counters()
    for number in range(1, 6):
        counters.change("scene", None, 3)
        assert (counters.shown("scene") is None) == (number < 5)


def test_a_bin_that_is_none_changes_nothing():
    counters = Counters()
    for old, new in ((None, -1), (None, BINS), (99, 1)):
        assert not counters.change("scene", old, new)
    assert counters._bins == {}


def test_bins_are_deleted_three_hours_after_the_first_answer_and_with_the_room():
    now = 0.0
    counters = Counters(lambda: now)
    for number in range(6):
        now = 100.0 * number
        counters.change("scene", None, 3)
    now = SECONDS - 1
    assert counters.people("scene") == 6
    now = SECONDS
    assert counters.shown("scene") is None
    assert counters._bins == {}
    assert counters.change("scene", 3, 4)  # a phone that remembers what is gone
    assert counters._bins["scene"][3:5] == [0, 1]
    counters.clear()
    assert counters._bins == counters._since == {}
    assert SECONDS == 3 * 60 * 60
