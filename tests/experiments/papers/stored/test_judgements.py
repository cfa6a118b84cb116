"""The table of judgements: every mark follows from the paper's claims and the stored rows."""

import re
from collections.abc import Mapping

import pytest

from benchmarks import _claims as claims
from dpviz.experiments.papers.stored import told
from dpviz.experiments.papers.stored.judgements import JUDGED, judgements, marks, stated
from dpviz.experiments.papers.stored.record import record
from tests.rows import by_rows


class Anything(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return key


def test_every_figure_has_a_judgement_and_a_source():
    assert list(judgements()) == list(told.SOURCES)
    assert {source.study for source in told.SOURCES.values()} <= set(record().rows)
    assert set(claims.CLAIMS) == {key for key, row in judgements().items() if row.mark in JUDGED}


def test_the_marks_are_dated_and_counted():
    assert sum(marks().values()) == len(judgements()) - len(stated()) == 24
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d", row.judged) for row in judgements().values())


@pytest.mark.law
@by_rows("key", list(claims.CLAIMS))
def test_a_mark_follows_from_what_was_measured(key):
    assert claims.verdict(key, told.rows_of(key, record())) == judgements()[key].mark


def test_a_judgement_that_does_not_follow_is_caught():
    """Swapping two methods must change a verdict, else the claims test nothing."""
    rows = told.rows_of("psd7b", record())
    swapped = {"kd-standard": "quad-baseline", "quad-baseline": "kd-standard"}
    assert claims.verdict("psd7b", rows.replace({"method": swapped})) == "not"
    halved = told.rows_of("aq8", record()).copy()
    slow = halved["mechanism"] != "ApproximateQuantiles"
    halved.loc[slow, "mean"] *= 1000
    assert claims.verdict("aq8", halved) == "as printed"


@pytest.mark.law
@by_rows("key", list(told.NUMBERS))
def test_every_number_in_a_text_is_computed_or_a_known_word(key):
    numbers = told.NUMBERS[key](told.rows_of(key, record()))
    row = judgements()[key]
    texts = (row.headline, row.printed, row.measured, row.why, row.settings)
    asked = {word for text in texts for word in re.findall(r"{(\w+)}", text)}
    assert asked - set(numbers) <= {"origin", "trials", "points", "counted", "by"}
    assert set(numbers) - asked <= {"small", "lead", "small_lead", "small_factor", "sets", "factor",
                                    "joint_factor", "joint_small", "tree_first", "tree_last",
                                    "tree_least", "tree_most", "tree_said", "tree_short",
                                    "lead_said", "text_said", "variants_said", "fewest",
                                    "most", "counts"}  # fmt: skip
    said = told.told(key, Anything(numbers))
    assert isinstance(numbers, Mapping)
    assert not {"nan", "inf"} & set(re.findall(r"\w+", f"{said}"))


def test_texts_are_short_enough_to_read():
    for key, row in judgements().items():
        assert len(re.sub(r":blue\[(.*?)\]", r"\1", row.headline)) <= 130, key
        assert all(
            len(text) <= 480 for text in (row.printed, row.measured, row.why, row.settings)
        ), key
