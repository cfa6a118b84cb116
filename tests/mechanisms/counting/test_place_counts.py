"""Counts of named places: what they hold, what a record and a person lose, and the law of noise."""

import json

import numpy as np
import pandas as pd
import pytest

from dpviz.answers.spatial.place_list import read
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidData, InvalidParameter, InvalidRelease
from dpviz.core.person_rows import PersonRows
from dpviz.core.randomness.bits import SecureBits
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.named_places import NamedPlaces
from dpviz.core.trees.place_release import PlaceRelease
from dpviz.estimators.answers import estimate
from dpviz.intake.read import read_table
from dpviz.mechanisms.counting.place_counts import PlaceCounts
from dpviz.people.data import person_column
from dpviz.people.release import release_for_people
from tests.estimators.trees.test_ragged_tree import dense

LIST = read("state,county,people\nN,a,5\nS,a,1\nS,b,2\nS,c,0")
PLACES, BLANK = LIST.listed, {"state": [], "county": []}
ROWS = [("N", "a"), ("S", "b"), ("S", " a "), ("N", "b"), ("X", "a"), ("S", "b"), ("", "")]
SHARES = (0.2, 0.3, 0.5)


def mechanism(shares=SHARES, neighbours=Neighbours.ADD_REMOVE):
    return PlaceCounts(PLACES.levels, PLACES.places, shares, neighbours)


def of_levels(rows, listed=PLACES):
    return dict(zip(listed.levels, zip(*rows, strict=True), strict=True)) if rows else BLANK


def column(rows):
    return mechanism().column(of_levels(rows))


def slow(rows):
    """Counts of the list's places by loops."""
    stripped = [(one.strip(), other.strip()) for one, other in rows]
    inside = [row for row in stripped if row in PLACES.places]
    states = [sum(row[0] == name for row in inside) for name in ("N", "S")]
    return [[len(inside)], states, [sum(row == path for row in inside) for path in PLACES.places]]


def test_every_row_is_found_by_itself_and_counted_on_each_level():
    assert PLACES.starts == ((0,), (0, 1), (0, 1, 2, 3))
    found = mechanism().release(column(ROWS), PureDP(1e5), np.random.default_rng(1))
    assert [one.tolist() for one in found.counts] == slow(ROWS) == [[4], [1, 3], [1, 1, 2, 0]]
    nan = np.nan
    np.testing.assert_array_equal(PLACES.located(of_levels(ROWS)), [0, 2, 1, nan, nan, 2, nan])


def test_a_table_that_was_read_is_taken_as_it_is():
    """Cells as they are written: a code with its zeros, and NA, which in numbers is missing."""
    table = read_table(b"land,code\nNA,01\nNA,1\nDE,01\n,01\nDE,x\n", "codes.csv", header=True)
    made = PlaceCounts(["land", "code"], [("NA", "01"), ("DE", "01"), ("DE", "1"), ("", "01")])
    found = made.release(made.column(table), PureDP(1e5), np.random.default_rng(1))
    assert dict(zip(found.names[2], found.counts[2], strict=True)) == {
        ", 01": 1, "DE, 01": 1, "DE, 1": 0, "NA, 01": 1,
    }  # fmt: skip
    assert "NA" not in repr(table)
    assert "land" in table
    assert "state" not in table
    assert table["code"] == ("01", "1", "01", "01", "x")
    assert table["land"] == ("NA", "NA", "DE", "", "DE")
    with pytest.raises(InvalidData, match="no column 'state'"):
        table["state"]
    with pytest.raises(InvalidData, match="no column 'land' for a level"):
        made.column({"code": []})


@pytest.mark.parametrize("levels", [1, 2, 4])
def test_places_of_each_level_are_numbered_as_by_loops(levels):
    """Names that look alike to arrays of texts, too: empty, ending in a zero character."""
    rng, texts = np.random.default_rng(levels), ("", "a", "a\0", "b", "é", "ab", "😀")
    for many in (1, 2, 30):
        rows = [tuple(texts[at] for at in one) for one in rng.integers(7, size=(many, levels))]
        found = NamedPlaces(tuple("wxyz"[:levels]), rows)
        every = [sorted({row[:depth] for row in rows}) for depth in range(levels + 1)]
        assert found.places == tuple(every[-1])
        assert found.names == (("the whole",), *(tuple(map(", ".join, one)) for one in every[1:]))
        for depth, one in enumerate(every):
            first = [next(at for at, row in enumerate(every[-1]) if row[:depth] == path)
                     for path in one]  # fmt: skip
            assert list(found.starts[depth]) == first
            below = every[depth + 1] if depth < levels else None
            if below is not None:
                counts = [sum(row[:depth] == path for row in below) for path in one]
                assert found.children[depth].tolist() == counts


@pytest.mark.parametrize("neighbours", Neighbours)
def test_a_record_loses_the_budget_and_no_more(neighbours):
    """|change| / scale of discrete Laplace noise, over all counts of all levels."""
    made, worst = mechanism(neighbours=neighbours), 0.0
    scales = made.scales(PureDP(1))
    for one in ROWS:
        for other in ROWS if neighbours is Neighbours.REPLACE_ONE else [None]:
            after = [other] if other else []
            change = zip(slow([one]), slow(after), scales, strict=True)
            worst = max(
                worst,
                sum(
                    sum(abs(x - y) for x, y in zip(before, then, strict=True)) / scale
                    for before, then, scale in change
                ),
            )
    least = 0.99 if neighbours is Neighbours.ADD_REMOVE else 0.79  # the root stays as it is
    assert least < worst <= 1
    twin = made.scales(PureDP(3))  # the whole budget for each level
    assert sum(1 / one for one in twin) > 1.4


@pytest.mark.parametrize("rows", [PersonRows.at_most(2), PersonRows.weighted(12)], ids=str)
def test_a_person_with_rows_in_several_places_spends_once(rows):
    """Rows elsewhere take no place of those that count; the noise is for all that do."""
    persons = ["A", *["B"] * len(ROWS)]
    at = PLACES.located(of_levels([("N", "a"), *ROWS]))
    data = [
        person_column(persons[:n], at[:n], Bounds(0, 4), 1.0, rows, np.random.default_rng(2))
        for n in (1, len(persons))
    ]
    whole = mechanism(shares=(0, 0, 1))
    (alone, both) = (np.diff(one.count_below(np.arange(5.0))) for one in data)
    found = release_for_people(whole, data[1], budget=PureDP(1), rows=rows, rng=SecureBits.fresh())
    lost = np.abs(both - alone).sum() / found.scales[-1]
    assert lost == pytest.approx(1, abs=1e-9)
    assert found.spent == PureDP(1)
    assert found.parameters["rows_a_person" if rows.most == 2 else "parts_a_person"] == rows.most
    (each,) = whole.scales(PureDP(1))[-1:]
    assert np.abs(both - alone).sum() / each > 1.9  # the wrong twin: noise for one row


@pytest.mark.few(1)
@pytest.mark.law
@pytest.mark.parametrize("budget", [PureDP(0.5), ZCDP(0.1)])
def test_noise_is_of_the_law_that_is_said(budget):
    shares = (0.25, 0.0, 0.75)
    made, rng, nobody = mechanism(shares=shares), np.random.default_rng(5), column([])
    drawn = [made.release(nobody, budget, rng) for _ in range(1_000)]
    leaves = np.array([one.counts[2] for one in drawn])
    assert np.isnan([one.counts[1] for one in drawn]).all()
    variance = Noise.for_budget(budget).variance(made.scales(budget)[2])
    assert leaves.var() == pytest.approx(variance, rel=0.12)
    assert leaves.var() != pytest.approx(variance / shares[2], rel=0.12)
    assert abs(np.corrcoef(leaves[:, 0], leaves[:, 1])[0, 1]) < 0.1
    assert (leaves == np.round(leaves)).all()


def test_the_json_says_all_and_no_count_of_a_level_that_is_not_measured():
    made = mechanism(shares=(0, 0.5, 0.5)).release(column(ROWS), PureDP(1), SecureBits.fresh())
    stored = json.loads(made.to_json())
    assert stored["counts"][0] is stored["scales"][0] is None
    assert stored["counts"][2] == made.counts[2].tolist()
    assert stored["levels"] == ["state", "county"]
    assert stored["places"] == [["N", "a"], ["S", "a"], ["S", "b"], ["S", "c"]]
    assert (stored["spent"], stored["randomness"]) == (PureDP(1).to_dict(), "secure")
    again = PlaceRelease.from_json(made.to_json())
    assert again == made
    assert again.names == LIST.names
    assert again.to_frame().equals(made.to_frame())
    assert len(again.to_frame()) == 6  # no row of the level that is left out
    assert [one.tolist() for one in again.counts[1:]] == [one.tolist() for one in made.counts[1:]]


@pytest.mark.parametrize(
    "wrong",
    [
        {"counts": [[1.0], [1.0, 2.0], [1.0, 2.0, 3.0]]},
        {"counts": [[1.0], [1.0, 2.0], None]},
        {"counts": [[1.0], [1.0, 2.0]]},
        {"counts": [[1.0], [1.0, "x"], [1.0, 2.0, 3.0, 4.0]]},
        {"scales": [1.0, 1.0, None]},
        {"scales": [1.0, -1.0, 1.0]},
        {"counts": [[1.0], [1.0, 2.0], None], "scales": [1.0, 1.0, None]},
        {"levels": ["state"]},
        {"levels": ["state", "state"]},
        {"places": [["N", "a"], ["S", "a"], ["S", "b"], ["S", 3]]},
        {"places": "N"},
        {"noise": "loud"},
    ],
    ids=str,
)
def test_a_damaged_text_is_no_release(wrong):
    stored = json.loads(mechanism().release(column(ROWS), PureDP(1), SecureBits.fresh()).to_json())
    with pytest.raises(InvalidRelease):
        PlaceRelease.from_json(json.dumps({**stored, **wrong}))
    assert PlaceRelease.from_json(json.dumps(stored)).levels == ("whole", "state", "county")


@pytest.mark.parametrize("shares", [SHARES, (0, 0.5, 0.5), (0, 0, 1)])
def test_estimates_are_those_of_matrices_and_add_up(shares):
    release = mechanism(shares=shares).release(column(ROWS), PureDP(1), np.random.default_rng(6))
    best = estimate(release)
    blank = [np.nan_to_num(one) for one in release.counts]
    counts, variances = dense(LIST.tree, blank, [one**2 for one in release.standard_errors])
    np.testing.assert_allclose(np.concatenate(best.counts), counts)
    np.testing.assert_allclose(np.concatenate(best.variances), variances)
    assert best.counts[0][0] == pytest.approx(best.counts[2].sum())
    frame = best.to_frame()
    assert frame["place"].tolist() == [name for names in LIST.names for name in names]
    assert frame["level"].tolist() == ["whole", *["state"] * 2, *["county"] * 4]
    np.testing.assert_allclose(frame["count"], counts)
    np.testing.assert_allclose(frame["standard_error"], np.sqrt(variances))
    assert str(PureDP(1)) in best._repr_html_()


def test_rows_are_read_as_texts_whatever_their_kind():
    """Numbers, frames and missing cells: a row is found by itself, and none decides a refusal."""
    numbered = PlaceCounts(["state"], [["1"], ["2"], ["nan"], [""]])
    for cells in ([1, 2, 2], np.array([1, 2, 2]), ["1", " 2", "2 "]):
        rows = numbered.column(pd.DataFrame({"state": cells, "other": 0}))
        assert np.diff(rows.count_below(np.arange(5.0))).tolist() == [0, 1, 2, 0]
    for cells in ([None], [float("nan")], [pd.NA], [3.5], [[1]], [b"1"], [b"\xff"]):
        assert numbered.column({"state": cells}).n == 0
    assert numbered.column({"state": []}).n == 0
    with pytest.raises(InvalidData, match="no column 'county'"):
        mechanism().column({"state": ["N"]})
    with pytest.raises(InvalidData, match="differ in length"):
        mechanism().column({"state": ["N"], "county": ["a", "b"]})


def test_many_levels_of_many_names_find_their_rows():
    """Codes of names would overflow where they were one product of all levels."""
    rng = np.random.default_rng(3)
    names = [[f"{level}{one}" for one in range(300)] for level in "abcdefgh"]
    paths = [tuple(one[rng.integers(300)] for one in names) for _ in range(2_000)]
    listed = NamedPlaces(tuple("abcdefgh"), tuple(paths))
    rows = [*paths[:50], *[(*path[:-1], "h?") for path in paths[:5]]]
    at = {path: number for number, path in enumerate(listed.places)}
    wanted = [at.get(row, np.nan) for row in rows]
    np.testing.assert_array_equal(listed.located(of_levels(rows, listed)), wanted)


def test_shares_are_in_proportion_and_the_last_level_has_one():
    assert mechanism(shares=(2, 3, 5)).level_shares == pytest.approx(SHARES)
    assert mechanism(shares=None).level_shares == (1 / 3,) * 3
    for wrong in ((1, 1), (1, 1, 0), (1, 1, -1), (0, 0, 0)):
        with pytest.raises(InvalidParameter):
            mechanism(shares=wrong)
    other = Column.from_values([1], Bounds(0, 5), 1.0)
    with pytest.raises(InvalidData, match="holds no places of this list"):
        mechanism().release(other, PureDP(1))


def test_an_unknown_name_is_no_neighbour_of_the_one_before_it():
    """Codes of names below 0 must not borrow from the level above."""
    both = read("state,county,people\nN,a,1\nN,c,1\nS,a,1\nS,c,1")
    found = both.listed.located({"state": ["S", "?", "S", "N"], "county": ["?", "c", "c", "?"]})
    np.testing.assert_array_equal(found, [np.nan, np.nan, 3, np.nan])


@pytest.mark.parametrize(
    "cells", [["a", " b", None, "a ", "?", "b"], [1, "1", True, 1.0, None, "1.0"]]
)
def test_a_row_lies_where_it_lies_alone(cells):
    listed = NamedPlaces(("town",), (("1",), ("1.0",), ("True",), ("a",), ("b",)))
    together = listed.located({"town": cells})
    alone = [listed.located({"town": [cell]})[0] for cell in cells]
    names = [None if cell is None else str(cell).strip() for cell in cells]
    at = [listed.places.index((name,)) if (name,) in listed.places else np.nan for name in names]
    np.testing.assert_array_equal(together, at)
    np.testing.assert_array_equal(together, alone)
    np.testing.assert_array_equal(listed.located({"town": cells[::-1]}), at[::-1])
