"""Methods, questions, budgets and shares in words; sentences around one number."""

import pytest

from dpviz import catalogue
from dpviz.answers.studies import names
from dpviz.core.quantiles import QuantileSet
from dpviz.experiments.engine.tally import LARGEST_GAP, MEAN_GAP


def test_every_mechanism_of_the_catalogue_has_a_name_in_words():
    said = {kind.name: names.method(kind.name) for kind in catalogue.QUANTILES}
    assert said == {
        "ApproximateQuantiles": names.Method("recursive halving", "by recursive halving"),
        "JointExp": names.Method("all at once", "drawn all at once"),
        "IndependentExp": names.Method("one by one", "drawn one by one"),
        "AggTree": names.Method("noisy tree", "from a noisy tree"),
        "PrefixQuantiles": names.Method("running counts", "from noisy running counts"),
        "SliceQuantiles": names.Method("windows", "by windows around noisy ranks"),
    }


def test_a_new_mechanism_is_called_by_its_name():
    assert names.method("Brand new") == names.Method("Brand new", "by Brand new")
    assert names.names(["AggTree", "Brand new"]) == {
        "AggTree": "noisy tree",
        "Brand new": "Brand new",
    }


@pytest.mark.parametrize(
    ("question", "asked", "said"),
    [
        ("deciles", [0.1, 0.2], "nine deciles"),
        ("own list", [0.5], "the median"),
        ("own list", [0.4], "one quantile"),
        ("own list", [0.4, 0.5, 0.5, 0.7], "3 quantiles"),
    ],
)
def test_what_is_published(question, asked, said):
    assert names.asked(question, QuantileSet.of(asked)) == said


def test_targets_have_three_digits():
    said = [names.target_text(one) for one in (0.7, 49 / 60, 1234 / 150, 12.0)]
    assert said == [f"{one} % of the places" for one in ("0.7", "0.817", "8.23", "12")]


def test_shares_of_releases():
    said = [names.often_text(one) for one in (0.5, 0.8, 0.9, 0.95, 0.99, 0.7)]
    assert said == ["half of the", "4 of 5", "9 of 10", "19 of 20", "99 of 100", "70 % of the"]


def test_chips_name_what_is_not_as_at_first():
    assert names.chips(MEAN_GAP, MEAN_GAP) == []
    assert names.chips(LARGEST_GAP, MEAN_GAP, 0.99, (None, 3)) == [
        "largest gap", "99 of 100", "tree auto ^ 3",
    ]  # fmt: skip
    assert names.chips(MEAN_GAP, MEAN_GAP, tree=(16, None)) == ["tree 16 ^ auto"]


def test_a_sentence_marks_its_number_alone():
    one = names.Sentence("You *need* ", "ε = 1.5", " here.")
    assert one.marked == r"You \*need\* :blue[ε \= 1\.5] here\."
    assert one.bare == "You *need* ε = 1.5 here."
    assert names.Sentence("None.").marked == r"None\."
