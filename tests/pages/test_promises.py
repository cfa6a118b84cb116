"""The card of a release promises what its budget gives, about the relation that is declared."""

import html
import math

import pytest

from tests.pages.driver import opened

WITHOUT, WHATEVER = "with or without any one", "whatever any one"
NOUNS = {
    "quantiles": ("student", "release"),
    "trees": ("student", "release"),
    "map": ("person", "map"),
}


def card(page, **link):
    app = opened(page, truth="false", **link)
    (shown,) = [one.proto.body for one in app.get("html") if "Promise" in one.proto.body]
    return html.unescape(shown)


@pytest.mark.few(3)
@pytest.mark.parametrize("page", NOUNS)
@pytest.mark.parametrize("relation", ["add-remove", "replace"])
def test_it_speaks_of_the_relation_that_holds(page, relation):
    shown, (person, what) = card(page, neighbours=relation, eps="2"), NOUNS[page]
    said = {
        "add-remove": f"{WITHOUT} {person}, no {what}",
        "replace": f"{WHATEVER} {person}'s value is, no {what}",
    }
    assert said.pop(relation) in shown
    (other,) = said.values()
    assert other not in shown
    most = math.ceil(100 * math.exp(2)) / 100
    assert f"is more than {most:.2f} times as likely" in shown


@pytest.mark.parametrize("page", NOUNS)
def test_a_budget_in_rho_names_the_chance_that_is_left_out(page):
    shown = card(page, notion="zcdp", rho="0.5")
    odds = math.exp(0.5 + 2 * math.sqrt(0.5 * math.log(1e6)))
    assert "but for a chance of 10⁻⁶" in shown or "but for a chance of 1.0 × 10⁻⁶" in shown
    (number,) = {
        float(part.split(" times")[0].replace(",", "")) for part in shown.split("is more than ")[1:]
    }
    assert odds <= number <= 1.02 * odds
