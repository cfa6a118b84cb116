"""Pictures of statements: what is drawn is what the rows hold, in every look."""

import numpy as np
import pytest

from dpviz import catalogue
from dpviz.experiments.papers.stored.record import record
from dpviz.figures.kit.look import Look
from dpviz.figures.studies import statements as drawn
from tests.figures.inks import LIGHT
from tests.figures.studies.drawn import LOOKS, checked, lines, words
from tests.rows import by_rows


def rows(study):
    return record().rows[study]


PICTURES = {
    "selection": (drawn.selection_figure, 1, 4),
    "laplace median": (drawn.laplace_median_figure, 1, 3),
    "sampling": (drawn.sampling_figure, 2, 3),
    "single steps": (drawn.single_steps_figure, 2, 3),
    "nodes": (drawn.node_budgets_figure, 2, 4),
    "bounds": (drawn.bounds_figure, 2, 3),
    "good split": (drawn.good_split_figure, 2, 3),
    "surveys": (drawn.surveys_figure, 1, 4),
    "stream": (drawn.stream_figure, 1, 4),
    "solid errors": (drawn.solid_errors_figure, 2, 2),
    "both sides": (drawn.both_sides_figure, 2, 3),
}


@pytest.mark.law
@by_rows("look", LOOKS)
@by_rows("study", list(PICTURES))
def test_every_panel_has_its_lines(study, look):
    draw, panels, most = PICTURES[study]
    found = lines(checked(draw(rows(study), look)))
    assert len(found) == panels
    assert len(found[0]) == most
    assert all(len(x) == len(y) > 0 for panel in found for x, y in panel.values())


@pytest.mark.parametrize("look", LOOKS)
def test_weights_are_drawn_as_bias_variance_and_in_every_order(look):
    own = rows("weighing")
    for part in ("bias", "variance"):
        (found,) = lines(checked(drawn.weighing_figure(own, look, part)))
        of = own[own["of"] == part]
        np.testing.assert_allclose(found["exactly"][1], of["exact"])
        np.testing.assert_allclose(found["20,000 draws"][1], of["measured"])
    weights, errors = lines(checked(drawn.weighing_figure(own, look, "weight")))
    assert set(weights) == set(errors) == set(drawn.ORDERS)
    for name in weights:
        np.testing.assert_allclose(weights[name][1], [4 / 7, 2 / 7, 1 / 7], rtol=1e-3)
        np.testing.assert_allclose(errors[name][1], [(4 / 7) ** 0.5] * 3, rtol=1e-3)


def test_chances_are_drawn_in_percent_and_prices_as_they_are():
    own = rows("laplace median")
    (found,) = lines(drawn.laplace_median_figure(own, LOOKS[0]))
    laplace = own[own["method"] == "Laplace noise"]
    np.testing.assert_allclose(found["Laplace: out of range"][1], 100 * laplace["outside"])
    np.testing.assert_allclose(found["Laplace: a good cut"][1], 100 * laplace["good"])
    prices = rows("sampling")
    one, ten = lines(drawn.sampling_figure(prices, LOOKS[0]))
    for panel, rate in ((one, 0.01), (ten, 0.1)):
        part = prices[prices["rate"] == rate]
        np.testing.assert_allclose(panel["2pe^ε, as printed"][1], part["printed"])
        np.testing.assert_allclose(panel["exactly"][1], part["exact"])
        np.testing.assert_allclose(panel["without sampling"][1], panel["without sampling"][0])


@pytest.mark.parametrize("look", LOOKS)
def test_flattening_draws_variances_or_cells_with_their_bound(look):
    even, geometric = lines(checked(drawn.flattening_figure(rows("flattening"), look, "variance")))
    assert set(even) == set(geometric) == {"every cut counted", "every other cut"}
    (cells,) = lines(checked(drawn.flattening_figure(rows("flattening"), look, "cells")))
    bound = np.array(cells["bound of Lemma 2"][1])
    assert (np.array(cells["every cut counted"][1]) <= bound).all()


@pytest.mark.parametrize("look", LOOKS)
def test_a_made_up_column_is_drawn_below_its_bound(look):
    own = rows("made-up column")
    (found,) = lines(checked(drawn.made_up_figure(own, look)))
    assert len(found) == 4
    np.testing.assert_allclose(found["Corollary 3.6"][1], own["bound"])
    np.testing.assert_allclose(found["measured, mean"][1], own["mean"])
    assert (np.array(found["worst run"][1]) <= found["Corollary 3.6"][1]).all()
    np.testing.assert_allclose(found["everybody"][1], own["n"])


@pytest.mark.parametrize("look", LOOKS)
def test_what_steps_add_up_to_is_drawn_with_both_lemmas(look):
    own = rows("single steps")
    (found,) = lines(checked(drawn.carried_figure(own, look)))
    assert len(found) == 4
    assert set(found["Lemma 3.4"][1]) == {2.0}
    largest = own.groupby("m")["carried"].max()
    np.testing.assert_allclose(found["measured, largest"][1], largest)
    assert (np.array(found["worst case"][1]) <= found["Lemma 3.2"][1]).all()


def test_values_are_those_of_the_rows():
    own = rows("nodes")
    plain, _ = lines(drawn.node_budgets_figure(own, LOOKS[0]))
    part = own[(own["reading"] == own["reading"].iloc[0]) & (own["split"] == "nodes")]
    np.testing.assert_allclose(plain["single cells"][1], 100 * part.sort_values("side")["ratio"])
    geometric = lines(drawn.bounds_figure(rows("bounds"), LOOKS[0]))[1]
    assert geometric["as printed, 2^(h+7)"][1][0] == 1024


@pytest.mark.parametrize("look", LOOKS)
def test_slices_shade_the_square_roots_of_private_counts(look):
    own = rows("solid")
    picture = checked(drawn.slices_figure(own, look))
    assert [one["type"] for one in picture["data"]] == ["heatmap"] * 3
    for trace, (_, part) in zip(picture["data"], own.groupby("hour", sort=False), strict=True):
        assert trace["z"].shape == (16, 16)
        cell = part[(part["x"] == trace["x"][3]) & (part["y"] == trace["y"][5])]
        assert trace["z"][5, 3] == pytest.approx(max(cell["private"].item(), 0) ** 0.5)
        assert f"{part['private'].sum():,.0f} trips" in words(picture)
    assert "7:45 to 9:15" in words(picture)


def test_matches_are_drawn_with_the_names_of_the_catalogue():
    look = Look(LIGHT.carrying(*catalogue.shown()))
    (found,) = lines(checked(drawn.found_figure(rows("both sides"), look)))
    assert len(found) == 3
    assert all(0 < value <= 100 for _, y in found.values() for value in y)
