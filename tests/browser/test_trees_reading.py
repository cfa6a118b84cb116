"""The words in the picture of the Trees page: none covers another one, on any screen."""

import itertools

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import (
    answered,
    chart,
    download,
    look_at,
    look_below,
    opened,
    settle,
    visit,
    write,
)
from tests.browser.test_trees import EXPLORE

TEXTS = """
() => [...document.querySelectorAll('.st-key-hero_trees .js-plotly-plot text')]
  .filter(one => one.textContent.trim()).map(one => one.getBoundingClientRect())
  .map(({left, right, top, bottom}) => [left, right, top + 3, bottom - 3])
"""


def overlapping(boxes: list[list[float]]) -> list[tuple[list[float], list[float]]]:
    return [
        (one, other)
        for one, other in itertools.combinations(boxes, 2)
        if one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]
    ]


@pytest.mark.parametrize(
    ("size", "link"),
    [
        ((1440, 900), ""),
        pytest.param(
            (1280, 720), "?data=salaries&t_height=12&eps=0.01", marks=pytest.mark.thorough
        ),
        pytest.param((1280, 720), "?present=1", marks=pytest.mark.thorough),
        pytest.param(
            (1024, 768), "?data=ratings&t_fanout=3&t_height=5", marks=pytest.mark.thorough
        ),
        ((390, 844), "?t_height=9"),
    ],
)
def test_no_words_cover_each_other_or_leave_the_screen(
    size: tuple[int, int], link: str, page: Page, server: str
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    visit(page, f"{server}/trees{link}")
    page.wait_for_timeout(700)  # the watcher of the window may ask for another run
    settle(page)
    boxes = page.evaluate(TEXTS)
    assert len(boxes) > 14
    assert not overlapping(boxes)
    assert all(left >= 0 and right <= size[0] for left, right, _, _ in boxes)


def test_sliders_and_text_of_own_weights_move_together(page: Page, server: str) -> None:
    visit(page, f"{server}/trees?t_height=2&t_split=own+weights&view=budgets")
    look_below(page)
    slider = page.get_by_role("slider", name="Level 1")
    slider.focus()
    with answered(page):
        page.keyboard.press("ArrowRight")
    text = page.get_by_label("Weights, root first", exact=True)
    with opened(page, page.get_by_role("button", name=EXPLORE)):
        expect(text).to_have_value("1, 1.1, 1")
        write(page, "Weights, root first", "0, 3, 1")
    expect(slider).to_have_value("3")
    look_at(page, "Tree")
    assert "cells" in [trace["name"] for trace in chart(page)]
    look_at(page, "Budgets")
    expect(page.get_by_role("slider", name="Level 1")).to_have_value("3")


def test_the_private_figure_holds_no_true_count(page: Page, server: str) -> None:
    visit(page, f"{server}/trees?view=take&t_height=4")
    page_text = download(page, "Private figure as HTML")
    picture = page_text[page_text.rindex("Plotly.newPlot") :]
    assert "standard error" in picture
    for word in ("true %{", "confidential", "shows true data", "worst"):
        assert word not in picture
