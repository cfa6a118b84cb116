"""The one private number that pages ask for, in words, and who makes the difference."""

from types import SimpleNamespace

import numpy as np
import pytest

from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.quantile_query import QuantileQuery
from dpviz.intake.samples import sample, sample_column, samples
from dpviz.ui.understand import people, questions, rows
from dpviz.ui.understand.questions import in_words, line_words, number_name, quantile_name
from tests.rows import by_rows

COLUMNS = [one.key for one in samples() if len(one.columns) == 1]
ADD, REPLACE = Neighbours.ADD_REMOVE, Neighbours.REPLACE_ONE


@pytest.fixture
def use(monkeypatch):
    """A sample to use."""

    def used(key):
        monkeypatch.setattr(questions.session, "words", lambda: sample(key).words)
        monkeypatch.setattr(questions.session, "scope", lambda: key)
        monkeypatch.setattr(questions.session, "neighbours", lambda: ADD)
        monkeypatch.setattr(people, "bounds_or_unit", lambda: sample(key).bounds[0])
        return sample(key), sample_column(key)

    return used


@pytest.mark.law
@by_rows("key", COLUMNS)
def test_a_count_is_asked_on_the_side_that_it_counts(use, key):
    one, column = use(key)
    line = (column.bounds.low + column.bounds.high) / 2
    text = f"{line:,.10g} {one.words.unit.many}".rstrip()
    start, _, end = one.words.at_most[0].partition("at most {}")
    over = in_words(CountQuery.over(line, Noise.LAPLACE), column, hides=False)
    many = f"of {column.n:,} {one.words.people.many}"
    assert over == f"How many {many} {start}over {text}{end}?"
    up_to = in_words(CountQuery(line, Noise.LAPLACE), column, hides=False)
    assert up_to == f"How many {many} {start}at most {text}{end}?"
    hidden = in_words(CountQuery(line, Noise.LAPLACE), column, hides=True)
    assert hidden == f"How many {one.words.people.many} {start}at most {text}{end}?"
    assert f"{column.n:,}" not in hidden


def test_one_of_a_unit_is_one(use):
    use("exam")
    assert line_words(CountQuery(1.0, Noise.LAPLACE)) == "have at most 1 mark"
    assert line_words(CountQuery.over(1.0, Noise.LAPLACE)) == "have over 1 mark"
    use("salaries")
    assert line_words(CountQuery.over(100_000.0, Noise.LAPLACE)) == "earn over 100,000"


@by_rows(
    ("quantile", "name"),
    [(0.5, "median"), (0.25, "25 % point"), (0.999, "99.9 % point"), (0.1, "10 % point")],
)
def test_a_quantile_is_called_by_its_share(use, quantile, name):
    _, column = use("exam")
    query = QuantileQuery(quantile, ADD)
    assert quantile_name(quantile) == number_name(query) == name
    for hides in (True, False):
        assert in_words(query, column, hides=hides) == f"Which value is the {name}?"
    assert number_name(CountQuery(3.0, Noise.LAPLACE)) == "count"


def test_the_query_is_that_of_the_fields(use):
    use("exam")
    values = {"n_quantile": 0.3, "n_line": 40.0, "n_noise": Noise.LAPLACE, "n_at": 1e-7}
    assert questions.query_of(rows.QUANTILE, values) == QuantileQuery(0.3, ADD)
    for side, query in ((rows.OVER, CountQuery.over), (rows.UP_TO, CountQuery)):
        found = questions.query_of(rows.COUNT, values | {"n_side": side})
        assert found == query(40.0, Noise.LAPLACE)
    for budget, delta in ((PureDP(1), 1e-7), (ZCDP(1), 1e-7), (ApproxDP(1, 1e-5), 1e-5)):
        assert questions.read_at(values, budget) == delta


# who it is about


def chosen(**others):
    return {
        "n_which": rows.LINE, "n_way": rows.LEAVES, "n_where": rows.LOWER, "n_share": 25,
        "n_value": 33.0, "relation": ADD, **others,
    }  # fmt: skip


@by_rows("key", COLUMNS)
def test_whoever_is_taken_away_is_the_one_that_is_named(use, key):
    one, column = use(key)
    query = QuantileQuery(0.5, ADD)
    ordered = np.sort(sample_column(key).values)
    for which, at, share in (
        (rows.LOWEST, 0, None), (rows.HIGHEST, len(ordered) - 1, None),
        (rows.AT_RANK, None, 10), (rows.AT_RANK, None, 90),
    ):  # fmt: skip
        values = chosen(n_which=which, n_share=share or 25)
        found = people.person(query, column, values)
        rank = at if at is not None else round(share / 100 * (len(ordered) - 1))
        assert found.change.removed == rank
        if which == rows.AT_RANK:
            assert found.who == f"the {one.words.people.one} at {share} %"
        assert found.names.with_one == f"with {found.who}"
        assert found.names.without == "without"
    middle = people.person(query, column, chosen(n_which=rows.MIDDLE))
    assert middle.who == f"the middle {one.words.people.one}"
    joins = people.person(query, column, chosen(n_way=rows.JOINS))
    assert (joins.who, joins.comes) == (f"one more {one.words.people.one}", True)
    assert joins.names == people.Names(joins.who, f"with {joins.who}", "as it is")


@by_rows("key", COLUMNS)
def test_the_person_at_the_line_is_counted_and_the_last_who_is(use, key):
    one, column = use(key)
    line = float(np.sort(column.values)[column.n // 3])
    ordered = np.sort(column.values)
    for query in (CountQuery.over(line, Noise.LAPLACE), CountQuery(line, Noise.LAPLACE)):
        found = people.person(query, column, chosen())
        at = int(found.change.removed)
        if query.above > -np.inf:
            assert ordered[at] > line >= ordered[at - 1]
        else:
            assert ordered[at] <= line
            assert at + 1 == column.n or ordered[at + 1] > line
        assert found.who == (
            people.IDA if key == "salaries" else f"the {one.words.people.one} at the line"
        )
        assert found.pronoun == ("her" if key == "salaries" else "")


def test_a_value_that_changes_is_said_with_the_new_one(use):
    _, column = use("exam")
    query = QuantileQuery(0.5, REPLACE)
    for where, value in ((rows.LOWER, "0"), (rows.UPPER, "100"), (rows.ANY, "33")):
        values = chosen(relation=REPLACE, n_which=rows.LOWEST, n_where=where)
        found = people.person(query, column, values)
        assert found.replaced
        assert found.names == people.Names(
            "the weakest student as recorded", "as recorded", f"with {value} instead"
        )


def test_nobody_can_be_taken_away_from_nobody(use):
    use("exam")
    nobody = SimpleNamespace(n=0)
    with pytest.raises(people.InvalidParameter, match="has nobody to take away"):
        people.person(QuantileQuery(0.5, ADD), nobody, chosen(n_which=rows.LOWEST))
