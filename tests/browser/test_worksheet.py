"""The sheets for a class as a browser prints them: four sides, nothing small, nothing cut off."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page

from dpviz.lessons.stories.worksheet import worksheet

SMALLEST = """() => Math.min(...[...document.querySelectorAll('.page *')]
  .filter(one => [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim()))
  .map(one => parseFloat(getComputedStyle(one).fontSize)))"""
FITS = """() => [...document.querySelectorAll('.page')]
  .map(page => {
    const box = page.getBoundingClientRect();
    return [...page.querySelectorAll('*')].filter(one => {
      const at = one.getBoundingClientRect();
      return at.bottom > box.bottom + 1 || at.right > box.right + 1;
    }).length;
  })"""


@pytest.mark.parametrize("answers", [True, False])
def test_a_side_of_paper_holds_what_belongs_on_it(
    page: Page, tmp_path: Path, answers: bool
) -> None:
    place = tmp_path / "class.html"
    place.write_text(worksheet("K7QMAB", answers=answers), encoding="utf-8")
    page.set_viewport_size({"width": 794, "height": 1123})
    page.emulate_media(media="print")
    page.goto(place.as_uri())
    sides = 4 if answers else 3
    assert page.evaluate(FITS) == [0] * sides
    assert page.evaluate(SMALLEST) >= 12  # px: 9 pt
    printed = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type /Page\b", printed)) == sides
    assert {b"DpvizSans", b"DpvizSerif"} <= set(re.findall(rb"/FontName /[A-Z]{6}\+(\w+)", printed))
