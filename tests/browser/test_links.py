"""Links: the first request to a sleeping server, the same view elsewhere, no data in them."""

from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from playwright.sync_api import Page

from tests.browser.steps import (
    chart,
    declare,
    errors,
    go_to,
    press,
    tracebacks,
    upload,
    visit,
)


def query(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def published(page: Page) -> np.ndarray:
    trace = next(one for one in chart(page) if one["name"] == "published")
    return np.asarray(trace["x"], dtype=float)


def assert_framed(page: Page) -> None:
    """The page stands in the app's frame: its menu is there, and no traceback."""
    assert page.get_by_test_id("stHeader").get_by_text("Explore", exact=True).count() == 1
    assert page.get_by_role("heading", level=1).count() == 1
    assert tracebacks(page).count() == 0


@pytest.mark.thorough  # whatever test comes first is the first visit of its server
def test_a_link_wakes_a_fresh_server(page: Page, fresh_server: str) -> None:
    visit(page, f"{fresh_server}/quantiles?eps=2&seed=7&set=quartiles")
    assert_framed(page)
    assert page.get_by_role("slider").first.get_attribute("aria-valuetext") == "2"
    assert published(page).shape == (3,)
    go_to(page, "Data")
    assert_framed(page)


@pytest.mark.thorough
def test_a_link_to_methods_wakes_a_fresh_server(page: Page, fresh_server: str) -> None:
    visit(page, f"{fresh_server}/methods")
    assert_framed(page)


@pytest.mark.thorough  # tests/ui/visit and tests/pages say it without a browser
def test_a_link_gives_another_person_the_same_view(page: Page, server: str) -> None:
    """Every visit is a session of its own, as that of another person is."""
    address = "/quantiles?data=hours&notion=zcdp&rho=0.03&seed=12345&set=quartiles&hours_high=140"
    visit(page, server + address)
    assert_framed(page)
    press(page, "New draw")
    mine, said = published(page), page.locator("h1").inner_text()
    linked = query(page)
    assert linked.items() >= {"seed": ["12346"], "rho": ["0.03"]}.items()
    visit(page, page.url)
    np.testing.assert_array_equal(published(page), mine)
    assert page.locator("h1").inner_text() == said
    assert query(page) == linked


@pytest.mark.thorough  # the test above says it of Quantiles, tests/pages/test_trees.py of Trees
def test_a_link_restores_what_it_says(page: Page, server: str) -> None:
    visit(page, f"{server}/trees?eps=0.7&seed=5&data=hours")
    assert_framed(page)
    assert query(page).items() >= {"eps": ["0.7"], "seed": ["5"], "data": ["hours"]}.items()
    assert page.get_by_role("slider").first.get_attribute("aria-valuetext") == "0.7"


@pytest.mark.thorough  # tests/pages/test_odd_links.py says it without a browser
def test_nonsense_in_a_link_falls_back(page: Page, server: str) -> None:
    visit(page, f"{server}/quantiles?eps=abc&data=nobody&mechanisms=Magic&seed=-4&set=none&m=9999")
    assert_framed(page)
    assert published(page).shape == (9,)
    assert errors(page) == []
    assert page.get_by_text("Of the link").count() == 1


@pytest.mark.thorough  # test_upload_walk.py looks at every address, too
def test_the_address_tells_nothing_of_an_upload(page: Page, server: str) -> None:
    visit(page, f"{server}/data")
    content = b"secret_salary,other\n" + b"".join(b"%d,1\n" % value for value in range(4711, 4811))
    upload(page, {"name": "payroll_2031.csv", "mimeType": "text/csv", "buffer": content})
    declare(page, "0", "9000")
    go_to(page, "Quantiles")
    press(page, "New draw")
    for title in ("Quantiles", "Data", "Methods"):
        if title != "Quantiles":
            go_to(page, title)
        parts = urlsplit(page.url)
        for word in ("payroll", "2031", "secret", "salary", "other", "47", "48", "100", "9000"):
            assert word not in parts.path + parts.query
        for name, values in parse_qs(parts.query).items():
            assert set(values) <= {"true", "2", "declare"}, name
    # the link does not carry the file to another person, who starts from a sample instead
    visit(page, page.url.replace("/methods", "/quantiles"))
    assert_framed(page)
    assert "payroll" not in page.content()
