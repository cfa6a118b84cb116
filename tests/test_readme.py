"""README says what the catalogue holds."""

from dpviz import catalogue
from scripts.methods_table import README, table, written


def test_the_table_of_methods_is_that_of_the_catalogue():
    text = README.read_text(encoding="utf-8")
    assert written(text) == text, "run `make readme`"
    assert all(f"| {card.title} |" in text for card in catalogue.cards())


def test_a_method_that_is_missing_is_noticed(monkeypatch):
    before = table()
    monkeypatch.setattr(catalogue, "QUANTILES", catalogue.QUANTILES[1:])
    assert table() != before
