"""The cards of methods: complete, promising what they do, with pictures that are found again."""

import json

import pytest

from dpviz import catalogue
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.card import PROMISES, Card
from dpviz.core.errors import InvalidParameter, UnsupportedBudget
from dpviz.core.quantiles import QuantileSet
from dpviz.ui.methods import cards
from dpviz.ui.methods.cards import MEANINGS, details, named
from dpviz.ui.methods.families import BY_TITLE, FAMILIES
from dpviz.ui.methods.promise import holds
from tests.rows import by_rows
from tests.ui.recorded import Recorded

BUDGETS = {"pure": PureDP(1.0), "zcdp": ZCDP(0.1), "approx": ApproxDP(1.0, 1e-6)}
CARDS = {card.key: card for card in catalogue.cards()}


def test_every_method_is_in_one_family_and_has_a_picture():
    shown = [card.key for family in FAMILIES for card in family.cards()]
    assert len(shown) == len(set(shown))
    assert set(shown) == set(CARDS)
    assert set(cards.keys()) == set(cards.stored()) == set(CARDS)


@by_rows("key", list(CARDS))
def test_a_card_is_short_and_in_plain_words(key):
    card = CARDS[key]
    assert card.promises
    assert card.lead.endswith(".")
    assert len(card.lead) <= 95
    assert len(card.price) <= 50
    assert len(card.use) <= 50
    assert "$" not in card.lead + card.price + card.use
    assert named(card)
    assert card.source in details(card)


def test_what_holds_of_the_program_follows_from_what_is_promised():
    for card in CARDS.values():
        words = set(card.promises)
        said = holds(card)
        if "none" in words:
            assert said == "nothing to hold: it is not private"
        elif words == {"free"}:
            assert said == "as its release does: it works on what is published"
        else:
            assert said == card.holds
        assert f"**Holds of the program:** {said}" in details(card)
        assert ("not private" in card.label.lower() + card.title.lower()) <= ("none" in words)


def test_every_promise_is_explained_in_two_sentences():
    assert set(MEANINGS) == set(PROMISES)
    assert all(text.count(". ") + text.count(": ") >= 1 for text in MEANINGS.values())


def test_an_unknown_promise_is_refused():
    card = CARDS["AggTree"]
    texts = {name: getattr(card, name) for name in (
        "key", "title", "family", "summary", "guarantee", "neighbours", "cost", "good_for",
        "watch_out", "source",
    )}  # fmt: skip
    assert Card(**texts).lead == card.summary
    with pytest.raises(InvalidParameter, match="no such word"):
        Card(**texts, promises=("magic",))


def accepts(check, budget):
    try:
        check(budget)
    except UnsupportedBudget:
        return False
    return True


@pytest.mark.parametrize("kind", catalogue.QUANTILES, ids=lambda kind: kind.name)
def test_quantile_mechanisms_promise_what_they_accept(kind):
    quantiles = QuantileSet.of([0.25, 0.5])
    for name, budget in BUDGETS.items():
        given = accepts(lambda one: kind().check(one, quantiles), budget)
        # Laplace noise gives no (ε, δ); AggTree takes it with Gaussian noise
        if kind.name != "AggTree" or name != "approx":
            assert given == (name in kind.card.promises), name


@pytest.mark.parametrize("row", catalogue.MEDIANS, ids=lambda row: row.name)
def test_medians_promise_what_they_accept(row):
    for name, budget in BUDGETS.items():
        given = accepts(lambda one: row.median.check(one, Neighbours.ADD_REMOVE), budget)
        if "sample" not in row.name:  # a sample promises what the median inside it does
            assert given == (name in row.card.promises), name


NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "nine": 9}


def test_headlines_count_and_recommend():
    """Every number that a family says is that of cards on its page, by what they are."""
    for title, counted in {
        "Quantiles": lambda one: one.family == "Quantiles",
        "Maps": lambda one: one.role == "mechanism",
        **dict.fromkeys(("Medians", "Sums", "Estimators"), lambda _: True),
    }.items():
        family = BY_TITLE[title]
        said = family.sentence().lower().split()[0]
        ways = [one for one in family.cards() if counted(one)]
        assert NUMBERS[said] == len(ways), title
        assert list(family.cards())[: len(ways)] == ways  # what stands besides comes last
        besides = len(list(family.cards())) - len(ways)
        told = [NUMBERS[one] for one in family.below().split() if one in NUMBERS]
        not_private = sum("none" in one.promises for one in family.cards())
        assert told == [*[besides] * (besides > 0), *[not_private] * (title == "Maps")], title
    assert BY_TITLE["Quantiles"].sentence().endswith("Start with **recursive halving**.")
    assert all("**" in family.sentence() for family in FAMILIES)
    assert all("{" not in family.sentence() + family.below() for family in FAMILIES)


@pytest.mark.parametrize(
    "key",
    [
        *("IndependentExp", "CountTree", "PrefixSums", "cdf", "cdf_band"),
        *("KdTree", "UniformGrid", "spread"),
    ],
)
def test_pictures_are_found_again(key):
    """A change of the code that shows in a release shows here: run `make figures`."""
    assert json.loads(json.dumps(cards.made(key))) == cards.stored()[key]


def test_pictures_are_small():
    assert cards.FILE.stat().st_size < 300_000
    assert all(one["box"] == [400, 150] for one in cards.stored().values())


def test_a_card_on_screen_says_what_its_method_says(monkeypatch):
    screen = Recorded(monkeypatch)
    monkeypatch.setattr(cards, "of", lambda _: None)
    monkeypatch.setattr(cards.glossary, "word", screen.word)
    for one in CARDS.values():
        screen.forget()
        cards.card(one)
        assert screen.said("subheader") == [named(one)]
        lead, _, formulas, below = screen.said("markdown")
        assert (lead, formulas) == (one.lead, details(one))
        assert below.split("  \n") == [
            f":gray[costs] {one.price}",
            f":gray[use for] {one.use}",
            f":gray[holds of the program] {holds(one)}",
        ]
        words = [call.args[:2] for call in screen.calls if call.name == "word"]
        assert words == [(PROMISES[key], MEANINGS[key]) for key in one.promises]
        assert cards._alt(one) == f"{one.words}: {one.lead}"
