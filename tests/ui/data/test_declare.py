"""What the step Declare says: of the bounds, of what doubling them costs, and in its strip."""

from types import SimpleNamespace

import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Neighbours, PureDP
from dpviz.core.person_rows import PersonRows
from dpviz.intake.counted.counted_table import People
from dpviz.intake.samples import Noun
from dpviz.ui.data import declare, sayings
from dpviz.ui.data.declaring import Declared
from tests.ui.recorded import Recorded

PAY = Declared("pay", "pay", Bounds(-2_000, 120_000), 100.0)
AGE = Declared("age", "age", Bounds(0, 120.5), 0.0)
OPEN = Declared("wage", "wage", None, 0.0)
ADD, REPLACE = Neighbours.ADD_REMOVE, Neighbours.REPLACE_ONE


@pytest.fixture
def held(monkeypatch):
    """What the session holds: rows of a person, whether there is a file."""
    found = {"rows": None, "upload": False}
    monkeypatch.setattr(declare.session, "person_rows", lambda: found["rows"])
    monkeypatch.setattr(declare.session, "is_upload", lambda: found["upload"])
    own = SimpleNamespace(people=People("name", PersonRows.at_most(1)))
    monkeypatch.setattr(declare.session, "upload", lambda: own if found["upload"] else None)
    monkeypatch.setattr(declare.session, "each", lambda budget: budget)
    words = SimpleNamespace(people=Noun("student", "students"))
    monkeypatch.setattr(declare.session, "words", lambda: words)
    return found


def visit(*, truth=True, neighbours=ADD, phone=False):
    look = SimpleNamespace(phone=phone)
    return SimpleNamespace(
        truth=truth, neighbours=neighbours, look=look, budget=PureDP(0.1), presenting=False
    )


@pytest.mark.parametrize(
    ("places", "said"),
    [(0.4, "less than one place"), (0.99, "less than one place"), (1.0, "about 1 place"),
     (1.4, "about 1 place"), (1.6, "about 2 places"), (12_345.6, "about 12,346 places")],
)  # fmt: skip
def test_what_twice_as_wide_costs(held, monkeypatch, places, said):
    monkeypatch.setattr(declare, "places_for_doubling", lambda *_: places)
    first, second = declare._sentences(visit(), (PAY,))
    assert first == "You declare that a pay lies between :blue[−2,000] and :blue[120,000]."
    assert second.startswith(f"Twice as wide costs {said} in the ranking at ε \\= 0\\.1, whatever")


def test_people_with_several_rows_count_in_people(held, monkeypatch):
    monkeypatch.setattr(declare, "places_for_doubling", lambda *_: 600.0)
    held["rows"] = PersonRows.weighted(60)
    assert "costs about 10 places in" in declare._sentences(visit(), (PAY,))[1]
    held["rows"] = PersonRows.at_most(60)
    assert "costs about 600 places in" in declare._sentences(visit(), (PAY,))[1]


def test_two_columns_are_a_box_and_a_missing_bound_is_asked_for(held):
    first, _ = declare._sentences(visit(), (PAY, AGE))
    assert first == (
        "You declare a box: pay from :blue[−2,000] to :blue[120,000], age from :blue[0] to "
        ":blue[120\\.5]."
    )
    assert declare._sentences(visit(), (PAY, OPEN))[0] == (
        "What could a wage be, at least and at most?"
    )


STRIPS = [
    (ADD, (PAY,), {}, [("public: bounds", "−2,000 to 120,000"), ("steps of", "100"),
                       ("neighbours", "one person joins or leaves")]),
    (REPLACE, (AGE,), {}, [("public: bounds", "0 to 120.5"), ("steps", "none"),
                           ("neighbours", "one person's value changes")]),
    (ADD, (PAY, AGE), {}, [("public: bounds", "−2,000 to 120,000 × 0 to 120.5"),
                           ("neighbours", "one person joins or leaves")]),
    (ADD, (OPEN,), {}, [("public: bounds", "none yet"), ("steps", "none"),
                        ("neighbours", "one person joins or leaves")]),
    (ADD, (AGE,), {"rows": PersonRows.at_most(1)}, [
        ("public: bounds", "0 to 120.5"), ("steps", "none"), ("of a person", "at most 1 row")]),
    (ADD, (AGE,), {"rows": PersonRows.at_most(3)}, [
        ("public: bounds", "0 to 120.5"), ("steps", "none"), ("of a person", "at most 3 rows")]),
    (ADD, (AGE,), {"rows": PersonRows.weighted()}, [
        ("public: bounds", "0 to 120.5"), ("steps", "none"), ("of a person", "all rows as one")]),
]  # fmt: skip


@pytest.mark.parametrize(("neighbours", "axes", "has", "said"), STRIPS)
@pytest.mark.parametrize("truth", [True, False])
def test_the_strip_says_what_is_declared(held, neighbours, axes, has, said, truth):
    held |= has
    found = SimpleNamespace(n=1) if truth else None
    items = declare._numbers(visit(truth=truth, neighbours=neighbours), axes, found)
    last = (
        ("confidential:", "1 student") if truth else ("what this view holds", "no value, no count")
    )
    assert items == [*said, last]


def test_whose_rows_are_told_as_loudly_as_bounds(held):
    held["upload"] = True
    assert sayings.whose_rows(visit())[1].startswith("How many there are stays secret. Several")
    assert sayings.whose_rows(visit(neighbours=REPLACE))[1].startswith(
        "How many there are stays public, who has which value secret. Several"
    )
    for rows, label, end in (
        (PersonRows.at_most(1), "A person: at most 1 row", "and at most 1 of them counts."),
        (PersonRows.at_most(20), "A person: at most 20 rows", "and at most 20 of them count."),
        (PersonRows.weighted(), "A person: all rows as one", "as one person counts."),
    ):
        held["rows"] = rows
        assert sayings.relation_label(visit()) == label
        title, text = sayings.whose_rows(visit())
        assert title == "A person: all rows of one name"
        assert text.startswith("One joins or leaves with all rows, and ")
        assert text.endswith(end)


def test_the_relation_is_named_in_its_popover(held):
    assert sayings.relation_label(visit()) == "One person joins or leaves"
    assert sayings.relation_label(visit(neighbours=REPLACE)) == "One person's value changes"
    held["upload"] = True
    assert sayings.relation_label(visit()) == "One row is one person"
    assert sayings.relation_label(visit(neighbours=REPLACE)) == "One row, one person; it changes"


def test_the_columns_below_the_barrier_say_what_holds(held):
    def leads(axes=(PAY,), **now):
        return dict(sayings.leads(visit(**now), axes))

    assert list(leads()) == ["Bounds", "Steps of 100", "One person joins or leaves"]
    assert list(leads((AGE,))) == ["Bounds", "No steps", "One person joins or leaves"]
    assert list(leads((PAY, AGE), neighbours=REPLACE)) == [
        "Bounds", "Two columns", "One person's value changes",
    ]  # fmt: skip
    assert leads()["One person joins or leaves"].startswith("How many there are stays secret.")
    changes = leads(neighbours=REPLACE)["One person's value changes"]
    assert changes.startswith("How many there are is public.")


def test_the_picture_in_words(held):
    assert sayings.alt(visit(), (PAY,)) == (
        "A barrier lies flat. Above it the people, shown for teaching; below it an axis that "
        "everyone may know: pay from −2,000 to 120,000."
    )
    assert sayings.alt(visit(truth=False), (AGE, OPEN)) == (
        "A barrier lies flat. Above it nothing; below it a box that everyone may know: age from 0 "
        "to 120.5, wage without bounds yet."
    )


def test_what_stays_behind_the_barrier(held):
    for neighbours, counts in ((ADD, True), (REPLACE, False)):
        stays = sayings.stays(visit(truth=False, neighbours=neighbours), (AGE,), hidden=True)
        assert ("how many people there are" in stays.lines) == counts
        assert stays.lines[0] == "every single age"


def test_a_kind_is_asked_of_each_column_by_its_name(held, monkeypatch):
    screen = Recorded(monkeypatch)
    for several, said in (
        (False, "What kind of number is it?"),
        (True, "What kind of number is a\\*b?"),
    ):
        screen.forget()
        declare._kind(Declared("own1", "a*b", None, 0.0), several=several)
        assert screen.said("pills") == [said]


def test_of_a_sample_with_the_truth_off_nothing_is_described(held, monkeypatch):
    screen = Recorded(monkeypatch)
    sample = SimpleNamespace(title="Exam marks", description="6,000 marks.", teaches="Ties.")
    monkeypatch.setattr(declare.session, "chosen_sample", lambda: sample)
    monkeypatch.setattr(declare.declaring, "is_changed", lambda: False)
    monkeypatch.setattr(declare.declaring, "mistakes", lambda: ["low is above high."])
    monkeypatch.setattr(declare, "note", screen.note)
    for truth in (True, False):
        screen.forget()
        monkeypatch.setattr(declare.session, "shows_truth", lambda truth=truth: truth)
        declare._left(visit(truth=truth), (PAY,), None, "refused for a reason")
        said = " ".join(screen.said("markdown"))
        assert ("6,000 marks." in said) == truth
        assert (sayings.BELOW_ONLY.split(".")[0] in said) == (not truth)
        notes = [one.args for one in screen.calls if one.name == "note"]
        assert notes == [
            ("wrong_0", "What is declared cannot hold", "low is above high."),
            ("refused", "This column cannot be used as it is", "refused for a reason"),
        ]
