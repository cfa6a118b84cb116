"""What the views of Map hand on: the card of an answer, and the table of record matching."""

from types import SimpleNamespace

import pytest

from dpviz.answers.spatial.names import Names, Voice
from dpviz.answers.spatial.rectangle import RectangleError, RectangleNumbers
from dpviz.figures.kit.look import Look
from dpviz.ui.spatial import compared, matching, private_map
from tests.answers.spatial.test_matching import FOUND, OTHER
from tests.answers.spatial.test_rectangle import ANSWER
from tests.figures.inks import LIGHT
from tests.ui.recorded import Recorded


@pytest.mark.parametrize("exact", [(), ("structure",)])
def test_the_card_of_an_answer_says_whether_it_is_private(monkeypatch, exact):
    screen = Recorded(monkeypatch)
    monkeypatch.setattr(private_map, "drawn", screen.drawn)
    monkeypatch.setattr(private_map, "card_table", lambda rows: "; ".join(map(": ".join, rows)))
    monkeypatch.setattr(private_map.words, "page_voice", lambda: Voice(Names("home", "homes")))
    assert isinstance(ANSWER, RectangleNumbers)
    assert isinstance(ANSWER.off, RectangleError)
    numbers = SimpleNamespace(answers=(ANSWER,), cells=(SimpleNamespace(exact=exact),))
    private_map.beside(SimpleNamespace(numbers=numbers, now=SimpleNamespace(look=Look(LIGHT))))
    (card,) = screen.said("html")
    assert card.startswith("Not private: " if exact else "Private: ")
    (drawn,) = (one.args for one in screen.calls if one.name == "drawn")
    assert drawn[2].startswith("Homes in ")
    assert drawn[2].endswith(", about 19 times in 20")


def test_the_table_of_matching_has_its_numbers_under_their_names(monkeypatch):
    screen = Recorded(monkeypatch)
    shown = SimpleNamespace(numbers=(FOUND, OTHER), group=screen.group)
    matching.between(shown)
    (table,) = (one.args[0] for one in screen.calls if one.name == "dataframe")
    assert list(table.columns) == [
        "method", "pairs compared", "all pairs", "reduction ratio", "records kept",
    ]  # fmt: skip
    for row, one in zip(table.to_dict("records"), (FOUND, OTHER), strict=True):
        assert row["method"] == one.name
        assert (row["pairs compared"], row["all pairs"]) == (one.compared, one.every)
        assert (row["reduction ratio"], row["records kept"]) == (one.spared, one.kept)


def test_the_methods_that_are_compared_are_those_of_the_group():
    quadtrees = compared._names({"m_compare": "quadtree settings"})
    every = compared._names({"m_compare": "all methods"})
    assert set(quadtrees) < set(every)
    assert all("quadtree" in one for one in quadtrees)
    assert not any("quadtree" in one for one in set(every) - set(quadtrees))
