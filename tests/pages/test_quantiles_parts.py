"""What the Quantiles page has beside its picture, and what a link of it restores."""

from tests.pages.columns import charts, entered, headline, published, traces, words
from tests.pages.driver import pick, shared, table

look = shared(entered)


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
