"""The card of a release of quantiles, row by row, from the release and what was declared."""

from types import SimpleNamespace

import numpy as np
import pytest

from dpviz.answers.quantiles.answers import Answers
from dpviz.answers.quantiles.one import AloneNumbers
from dpviz.core.budgets import Neighbours, PureDP
from dpviz.core.quantiles import DECILES, QuantileSet
from dpviz.intake.samples import sample
from dpviz.ui.bench import release
from dpviz.ui.quantiles import outside
from dpviz.ui.quantiles.outside import card_rows, relation
from tests.rows import by_rows

ADD, REPLACE = Neighbours.ADD_REMOVE, Neighbours.REPLACE_ONE
EXAM = sample("exam")


@pytest.fixture(autouse=True)
def held(monkeypatch):
    """What is declared of the exam, or of a file."""
    found = {"size": None, "upload": False}
    session = outside.session
    monkeypatch.setattr(session, "declared", lambda name: found[name])
    monkeypatch.setattr(session, "size", lambda: found["size"])
    monkeypatch.setattr(session, "is_upload", lambda: found["upload"])
    monkeypatch.setattr(session, "unit", lambda: "pay")
    monkeypatch.setattr(session, "words", lambda: EXAM.words)
    monkeypatch.setattr(session, "protected", lambda: "student")
    monkeypatch.setattr(session, "chosen_sample", lambda: EXAM)
    monkeypatch.setattr(session, "data_title", lambda _: "Exam marks")
    monkeypatch.setattr(outside.data, "shown", lambda: "exam")
    monkeypatch.setattr(release.data, "person_rows", lambda: None)
    return found


def made(values, step=1.0, name="AggTree"):
    published = SimpleNamespace(
        values=np.array(values), bounds=EXAM.bounds[0], resolution=step,
        randomness=next(iter(outside.DRAWN_FROM)),
    )  # fmt: skip
    return SimpleNamespace(mechanism=SimpleNamespace(name=name), release=published)


def page(quantiles=DECILES, neighbours=ADD):
    question = SimpleNamespace(spent=PureDP(0.25), quantiles=QuantileSet.of(quantiles))
    return SimpleNamespace(question=question, now=SimpleNamespace(neighbours=neighbours))


def rows(values=np.arange(10.0, 100, 10), quantiles=DECILES, **others):  # noqa: B008
    neighbours = others.pop("neighbours", ADD)
    found = AloneNumbers(len(values), 0.5, 50.0, 1.0, 1.0, 3.0)
    answers = Answers(np.array(quantiles), np.array(values))
    return dict(card_rows(page(quantiles, neighbours), made(values, **others), answers, found))


def test_what_was_published_of_what():
    said = rows()
    assert said["What"] == "nine deciles of exam marks"
    assert said["Values"] == " · ".join(f"{value}" for value in range(10, 100, 10))
    assert said["Declared"] == "marks 0 to 100, in steps of 1"
    assert said["Spent"] == "ε = 0.25, for good"
    assert said["Promise"].startswith("ε = 0.25: with or without any one student, no release is")
    assert rows(step=0.0)["Declared"] == "marks 0 to 100"


def test_of_many_values_the_first_and_last_stand_on_the_card():
    values = np.arange(1.0, 40)
    said = rows(values, np.arange(1, 40) / 40)["Values"]
    assert said == "1 · 2 · 3 · 4 · 5 · … · 38 · 39"


def test_a_file_is_spoken_of_by_its_column(held):
    held["upload"] = True
    assert rows()["What"] == "nine deciles of the column pay"


@by_rows(
    ("neighbours", "said"),
    [(ADD, "one student joins or leaves"),
     (REPLACE, "one student's value changes; how many there are is public")],
)  # fmt: skip
def test_the_relation_in_words(neighbours, said):
    assert relation(neighbours) == said
    assert rows(neighbours=neighbours)["Neighbours"] == said


def test_what_is_public_besides(held):
    assert rows()["Public besides"].startswith("nothing; with a public number of people")
    held["size"] = 6_000.0
    known = "sat the exam: known from the timetable"
    assert rows()["Public besides"] == f"about 6,000 {known}, not from the data"
    held["size"] = 5_500.0
    other = "about 5,500 declared from public knowledge, not from the data"
    assert rows()["Public besides"] == other
    held |= {"size": 6_000.0, "upload": True}
    assert rows()["Public besides"].startswith("about 6,000 declared from public knowledge")


@by_rows(
    ("many", "steps"), [(1, "one step"), (2, "two steps"), (3, "two steps"), (9, "four steps")]
)
def test_halving_says_in_how_many_steps(many, steps):
    quantiles = np.arange(1, many + 1) / (many + 1)
    said = rows(quantiles, quantiles, name=outside.methods.HALVING)["Method"]
    assert said == f"recursive halving in {steps}"
    assert rows(quantiles, quantiles)["Method"] == "noisy tree"
