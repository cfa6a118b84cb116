"""Names at the ends of lines: kept apart by one rule, and all of them seen on every screen."""

import numpy as np
import pytest

from dpviz.figures.kit.labels import End, called, letters, named, packed, placed, row_names, width
from dpviz.figures.kit.look import Look

ENDS = [End("<b>316</b> added up", 0.9, "#111111"), End("best", 0.88, "#222222")]


@pytest.mark.parametrize("seed", range(20))
def test_no_allowed_places_are_nearer(seed):
    rng = np.random.default_rng(seed)
    wanted, apart = rng.uniform(-0.2, 1.2, size=6), 0.12
    found = placed(wanted, apart, 0.0, 1.0)
    order = np.argsort(wanted)
    assert (np.diff(found[order]) >= apart - 1e-12).all()
    assert found.min() >= 0
    assert found.max() <= 1 + 1e-12
    nearest = ((found - wanted) ** 2).sum()
    for _ in range(300):
        gaps = rng.dirichlet(np.ones(7)) * (1 - 5 * apart)
        other = np.empty(6)
        other[order] = np.cumsum(gaps)[:6] + apart * np.arange(6)
        mixed = 0.98 * found + 0.02 * other  # allowed places are convex
        for allowed in (other, mixed):
            assert ((allowed - wanted) ** 2).sum() >= nearest - 1e-12


def test_places_that_are_far_enough_apart_stay():
    np.testing.assert_array_equal(placed([0.9, 0.1, 0.5], 0.2, 0, 1), [0.9, 0.1, 0.5])
    assert placed([], 0.2, 0, 1).size == 0


def test_equal_places_keep_their_order_around_the_wanted_one():
    np.testing.assert_allclose(placed([0.5, 0.5, 0.5], 0.1, 0, 1), [0.4, 0.5, 0.6])


def test_places_beyond_the_range_are_moved_into_it_and_more_than_fit_go_beyond_its_top():
    np.testing.assert_allclose(placed([-3, 9], 0.1, 0, 1), [0, 1])
    np.testing.assert_allclose(placed([0, 0, 0], 0.6, 0, 1), [0, 0.6, 1.2])


@pytest.mark.parametrize("presenting", [False, True])
def test_names_stand_right_of_the_panel_and_apart(presenting):
    look = Look(presenting=presenting)
    found = named(look, ENDS, (0.0, 1.0), apart=0.05)
    assert [one["text"] for one in found.notes] == [one.text for one in ENDS]
    up = [one["y"] for one in found.notes]
    assert up[0] - up[1] == pytest.approx(0.05 * look.text(1))
    assert np.mean(up) == pytest.approx(0.89)
    assert {one["xref"] for one in found.notes} == {"x domain"}
    assert found.right > width("316 added up")
    assert found.above == 0


def test_places_are_shares_of_the_axis():
    (one,) = named(Look(), [End("best", 30.0, "#111111")], (20.0, 40.0)).notes
    assert one["y"] == 0.5


def test_a_phone_has_all_names_above_the_panel():
    (key,), many = named(Look(screen="phone"), ENDS, (0, 1)).notes, [ENDS[0]] * 7
    for end in ENDS:
        assert f'<span style="color:{end.colour}">{end.text}</span>' in key["text"]
    assert (key["y"], key["yanchor"]) == (1, "bottom")
    short = named(Look(screen="phone"), ENDS, (0, 1)).above
    assert named(Look(screen="phone"), many, (0, 1)).above == 3 * short
    assert named(Look(screen="phone", presenting=True), many, (0, 1)).above == 4 * short


def test_names_of_grey_lines_stand_on_a_phone_in_the_order_of_the_lines_or_at_their_ends():
    phone, grey = Look(screen="phone"), [End("low", 0.2, "#333333"), End("high", 0.7, "#333333")]
    corner = named(phone, grey, (0, 1), scarce="corner")
    (list_of,) = corner.notes
    assert list_of["text"].index("high") < list_of["text"].index("low")
    assert (list_of["xanchor"], list_of["yanchor"], corner.above) == ("right", "bottom", 0)
    beside = named(phone, grey, (0, 1), scarce="beside")
    assert [one["y"] for one in beside.notes] == [0.2, 0.7]
    assert beside == named(Look(), grey, (0, 1), scarce="beside")


def test_a_line_that_ends_early_has_its_name_there():
    early = End("early", 0.5, "#111111", x=-1.0)
    assert [one["x"] for one in named(Look(), [early, *ENDS], (0, 1)).notes] == [-1.0, 1, 1]


def test_a_method_is_called_by_its_mark_and_its_name():
    text = called(Look(), "blue", "all at once")
    assert letters(text) == len("● all at once")
    assert width(text) > width("all at once")
    assert Look().ink.of("blue") in text


def test_rows_are_named_left_of_them_and_on_a_phone_above():
    given = (["one", "two"], [0, 1])
    beside, none = row_names(Look(), *given, x=3, lift=5)
    assert (beside, none) == ({"ticktext": ["one", "two"], "showticklabels": True}, [])
    hidden, above = row_names(Look(screen="phone"), *given, x=3, lift=5)
    assert not hidden["showticklabels"]
    assert [(one["text"], one["x"], one["y"], one["yshift"]) for one in above] == [
        ("one", 3, 0, 5),
        ("two", 3, 1, 5),
    ]


def test_letters_are_counted_without_markup():
    assert letters('<b>ab</b><br><span style="color:#111111">c</span>') == 2
    assert width() == 0


def test_rows_hold_as_many_names_as_fit():
    assert packed(["aa", "bb", "<b>cc</b>"], 10) == ["aa   bb", "<b>cc</b>"]
    assert packed(["a" * 40], 10) == ["a" * 40]
    assert packed([], 10) == []
