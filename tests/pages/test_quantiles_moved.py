"""Everything that the Quantiles page could do before: where it is now, in a list that is walked."""

from __future__ import annotations

import pytest

from tests.pages.columns import charts, entered, has, headline, published, traces, words
from tests.pages.driver import pick, shared, table

look = shared(entered)
TEACHING, RELEASE = {}, {"truth": "false"}
HALVING, TREE = ({"method": name} for name in ("AQ", "AggTree"))
# what it was, the key of its widget today, and the states of the page that have it
MOVED = {
    "data set, in the sidebar": ("data_choice", (TEACHING, RELEASE)),
    "coordinate of points": ("axis", ({"data": "towns"}, {"data": "towns", "truth": "false"})),
    "lower bound, in the sidebar": ("exam_low", (TEACHING, RELEASE)),
    "upper bound, in the sidebar": ("exam_high", (TEACHING, RELEASE)),
    "resolution, in the sidebar": ("exam_resolution", (TEACHING, RELEASE)),
    "neighbours, in the sidebar": ("neighbours", (TEACHING, RELEASE)),
    "Show the truth, in the sidebar": ("truth", (TEACHING, RELEASE)),
    "Mechanisms: one": ("method", (TEACHING, RELEASE)),
    "Mechanisms: several": ("mechanisms", ({"view": "compare"},)),
    "notion of privacy": ("notion", (TEACHING, RELEASE)),
    "ε on a slider": ("eps", (TEACHING, {"notion": "approx"})),
    "ε, exact": ("eps_exact", (TEACHING, RELEASE)),
    "δ": ("delta_exact", ({"notion": "approx"},)),
    "ρ on a slider": ("rho", ({"notion": "zcdp"},)),
    "ρ, exact": ("rho_exact", ({"notion": "zcdp"},)),
    "Quantiles": ("set", (TEACHING, RELEASE, {"view": "compare"}, {"view": "recursion"})),
    "m": ("m", ({"set": "m uniform"},)),
    "Your quantiles": ("own", ({"set": "own list"},)),
    "New draw": ("new_draw", (TEACHING,)),
    "New draw, for an outsider": ("publish", (RELEASE,)),
    "Seed": ("seed", (TEACHING, RELEASE)),
    "zCDP split": ("split", ({"notion": "zcdp", **HALVING},)),
    "Tied values": ("ties", (HALVING, RELEASE | HALVING)),
    "Round outputs": ("rounded", (TEACHING, RELEASE)),
    "Fanout": ("fanout", (TREE, RELEASE | TREE)),
    "Height": ("height", (TREE, RELEASE | TREE)),
    "Total N": ("root", (TREE, RELEASE | TREE)),
    "Declared N": ("records", ({"root": "public N", "neighbours": "replace", **TREE},)),
    "Reading": ("reading", (TREE, RELEASE | TREE)),
    "Noise": ("noise", (TREE, RELEASE | TREE)),
    "Bins": ("bins", ({"notion": "zcdp", "method": "square root"},)),
    "Runs of the bands": ("runs", (TEACHING,)),
    "Details": ("below", (TEACHING, RELEASE, {"view": "compare"})),
    "Recursion tree, Synthetic column": ("q_view", (TEACHING, RELEASE)),
    "Node of the recursion": ("q_node", ({"view": "recursion"},)),
    "Points of the synthetic column": ("points", ({"view": "column"},)),
    "Synthetic column as CSV": ("offer_synthetic.csv", ({"view": "column"},)),
    "Release as JSON": ("offer_release.json", ({"below": "Take away"},)),
    "Release as JSON, for an outsider": ("card_release.json", (RELEASE,)),
    "Release as CSV": ("offer_release.csv", ({"below": "Take away"},)),
    "Private figure as HTML": ("offer_private-cdf.html", ({"below": "Take away"},)),
}
# what was said in numbers, and the words that say it now
SAID = {
    "Mean gap": "Mean gap",
    "share of records": "of the students",
    "largest gap": "largest ",
    "gap over the runs": "other draws ",
    "theory": "in theory, with probability 95 %",
    "Budget spent": "spent **ε = 0.1**",
    "confidential records": "of 6,000",
    "Teaching view": "Teaching view: shows true data",
}


@pytest.mark.parametrize("what", MOVED)
def test_every_control_is_still_there(what):
    key, states = MOVED[what]
    for link in states:
        assert has(look(**link), key), link


def test_every_number_is_still_said():
    found = words(look(method="AQ"))
    for what, now in SAID.items():
        assert now in found, what


def test_the_ledger_is_in_the_dock():
    said = [one.value.replace("\\", "") for one in look().markdown]
    assert any("ε = 0.1 of 1 promised" in text for text in said)


def test_the_table_has_every_column():
    alone = table(look(method="AQ"))
    assert alone.columns.tolist() == [
        "quantile", "true", "ApproximateQuantiles", "ApproximateQuantiles gap",
    ]  # fmt: skip
    both = table(entered(view="compare", mechanisms=["AQ", "AggTree"]))
    assert {"ApproximateQuantiles", "AggTree", "AggTree gap"} <= set(both.columns)


def test_the_density_of_a_node_is_drawn_and_its_numbers_are_said():
    app = pick(entered(view="recursion"), q_node=0)
    assert "densities" in traces(app)
    for said in ("drawn from", "asked of its part", "in this part", "η"):
        assert said in words(app)


def test_the_python_lines_are_there():
    app = pick(entered(method="AQ"), below="Take away")
    assert "dp.ApproximateQuantiles(" in app.code[0].value


def test_a_link_with_several_mechanisms_compares_them():
    app = entered(mechanisms=["AQ", "JointExp"])
    assert app.get_by_key("q_view").value == "compare"
    assert "All at once" in headline(app) + words(app)
    assert traces(app).count("published") == 2
    one = entered(mechanisms="AggTree")
    assert one.get_by_key("method").value == "AggTree"
    assert one.get_by_key("q_view").value == "picture"


def test_a_link_restores_what_it_says():
    app = entered(
        data="towns", axis="north", eps="0.7", seed="9", set="m uniform", m="12", method="AggTree",
        rounded="false", fanout="3", height="5", runs="100", bands="true",
    )  # fmt: skip
    keys = ("seed", "axis", "m", "rounded", "fanout", "height", "runs")
    held = [app.get_by_key(key).value for key in keys]
    assert held == [9, "north", 12, False, 3, 5, 100]
    other = entered(notion="zcdp", method="AppIndExp", split="paper", ties="jitter")
    assert [other.get_by_key(key).value for key in ("split", "ties")] == ["paper", "jitter"]
    assert app.get_by_key("eps").value == 0.7
    assert published(app).size == 12
    assert "100 draws of ε = 0.5 and 1" in [
        note["text"] for note in charts(app)[0]["layout"]["annotations"]
    ]
