"""Choices of pages without a table: what holds, and what the address says and says no more."""

from types import SimpleNamespace

import pytest

from dpviz.ui.model import alone, fields
from dpviz.ui.model.fields import same
from dpviz.ui.visit import folded, state

ROW = alone.segments("a", "A", same("one", "two"))
OTHER = alone.segments("b", "B", {1: "first", 2: "second"}, "Help.", bare=True)


@pytest.fixture
def visit(monkeypatch):
    """A visit without a browser, and its address."""
    found = SimpleNamespace(store={}, address={}, refused=[])

    def write(wanted):
        found.address |= {key: texts for key, texts in wanted.items() if texts is not None}
        for key in [key for key, texts in wanted.items() if texts is None]:
            found.address.pop(key, None)

    monkeypatch.setattr(state, "store", lambda: found.store)
    monkeypatch.setattr(state, "write_more", write)
    monkeypatch.setattr(fields.arriving, "linked", lambda key: found.address.get(key, []))
    monkeypatch.setattr(fields.arriving, "decides", lambda: False)
    monkeypatch.setattr(fields.arriving, "refuse", found.refused.append)
    return found


def test_each_reads_its_own_link_once(visit):
    visit.address = {"a": ["two"], "b": ["second"]}
    assert (alone.settle("page", ROW), alone.settle("page", OTHER)) == ("two", 2)
    visit.store["a"] = "one"
    assert alone.settle("page", ROW) == "one"
    assert visit.address == {"b": ["second"]}  # what is as at first is not said


def test_nonsense_is_refused(visit):
    visit.address = {"a": ["three"]}
    assert alone.settle("page", ROW) == "one"
    assert visit.refused == ["a"]
    assert visit.address == {}


def test_what_a_page_has_no_more_the_address_says_no_more(visit):
    visit.store |= {"a": "two", "b": 2}
    alone.settle("page", ROW)
    alone.settle("page", OTHER)
    alone.end("page")
    assert visit.address == {"a": ["two"], "b": ["second"]}
    alone.settle("page", OTHER)
    alone.end("page")
    assert visit.address == {"b": ["second"]}
    alone.end("another page")  # which has said nothing
    assert visit.address == {"b": ["second"]}
    alone.end("page")
    assert visit.address == {}
    assert visit.store["a"] == "two"  # the visit remembers


@pytest.mark.parametrize("closed", [False, True])
def test_it_is_drawn_where_somebody_sees_it(visit, monkeypatch, closed):
    drawn = []
    place = SimpleNamespace(
        segmented_control=lambda label, options, **given: drawn.append((label, options, given))
    )
    monkeypatch.setattr(folded, "is_closed", lambda: closed)
    monkeypatch.setattr(fields.st, "session_state", {})
    alone.draw(OTHER, 2, place)
    assert len(drawn) == (not closed)
    for label, options, given in drawn:
        assert (label, options, given["help"]) == ("B", [1, 2], "Help.")
        assert given["label_visibility"] == "collapsed"
        assert [given["format_func"](one) for one in options] == ["first", "second"]
        given["on_change"]()
        assert visit.store["b"] == 2
    assert fields.st.session_state == ({} if closed else {"b": 2})
