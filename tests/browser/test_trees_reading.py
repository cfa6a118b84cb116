"""The Trees page on a laptop and on a phone: what is above the fold, and that it can be read."""

from __future__ import annotations

import itertools

from playwright.sync_api import Browser, Page, expect

from tests.browser.steps import answered, chart, download, press, switch, visit, write

TEXTS = """
() => [...document.querySelectorAll('.js-plotly-plot .scatterlayer text')]
  .filter(one => one.textContent).map(one => one.getBoundingClientRect())
  .map(({left, right, top, bottom}) => [left, right, top, bottom])
"""


def overlapping(boxes: list[list[float]]) -> list[tuple[list[float], list[float]]]:
    return [
        (one, other)
        for one, other in itertools.combinations(boxes, 2)
        if one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]
    ]


def bottom(page: Page, where: str) -> float:
    box = page.locator(where).first.bounding_box()
    assert box is not None
    return box["y"] + box["height"]


def test_controls_picture_and_node_are_above_the_fold(page: Page, server: str) -> None:
    visit(page, f"{server}/trees")
    for name in ("New draw", "Seed", "Total N", "Height", "Level", "Node"):
        field = page.get_by_label(name, exact=True).or_(
            page.get_by_role("button", name=name, exact=True)
        )
        expect(field.first).to_be_in_viewport(ratio=1)
    for where in ("[data-testid=stPlotlyChart]", "[data-testid=stDataFrame]"):
        assert bottom(page, where) <= 900
    assert not overlapping(page.evaluate(TEXTS))


def test_labels_do_not_cover_each_other_on_a_phone(browser: Browser, server: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    context.set_default_timeout(20_000)
    phone = context.new_page()
    visit(phone, f"{server}/trees")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    boxes = phone.evaluate(TEXTS)
    assert len(boxes) >= 7
    assert not overlapping(boxes)
    write(phone, "Level", "5")
    write(phone, "Node", "31")
    labels = phone.evaluate(TEXTS)
    assert len(labels) > len(boxes)
    assert all(left >= 0 and right <= 390 for left, right, _, _ in labels)
    context.close()


def test_sliders_and_text_of_own_weights_move_together(page: Page, server: str) -> None:
    visit(page, f"{server}/trees?t_height=2&t_split=own+weights&t_view=Budgets")
    slider = page.get_by_role("slider", name="Level 1")
    slider.focus()
    with answered(page):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_label("Weights, root first", exact=True)).to_have_value("1, 1.1, 1")
    write(page, "Weights, root first", "0, 3, 1")
    expect(slider).to_have_value("3")
    assert chart(page)[0]["y"].tolist() == [0, 0.75, 0.25]
    press(page, "Tree")
    press(page, "Budgets")
    expect(page.get_by_label("Weights, root first", exact=True)).to_have_value("0, 3, 1")
    expect(page.get_by_role("slider", name="Level 1")).to_have_value("3")


def test_the_private_figure_holds_no_true_count(page: Page, server: str) -> None:
    visit(page, f"{server}/trees?t_view=Download&t_height=4")
    page_text = download(page, "Private figure as HTML")
    picture = page_text[page_text.rindex("Plotly.newPlot") :]
    assert "standard error" in picture
    for word in ("true count", "confidential", "shows true data", "(6,000)"):
        assert word not in picture
    rows = download(page, "Chosen reading as CSV").splitlines()
    assert rows[0] == "level,node,low,high,count,variance"
    assert len(rows) == 32
    press(page, "Tree")
    assert "In brackets: the true count" in page.get_by_test_id("stMain").inner_text()
    switch(page, "Show the truth")
    assert "In brackets" not in page.get_by_test_id("stMain").inner_text()
