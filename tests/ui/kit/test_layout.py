"""The style of the pages: what a browser looks at again whenever an answer is drawn."""

import re
from pathlib import Path

import pytest

from dpviz import ui

HERE = Path(ui.__file__).parent
SHEETS = sorted(one for room in ("kit", "bench") for one in (HERE / room).glob("*.css"))
CLASSES = re.compile(r"(> )?(\.[\w-]+)+")


def costly(style: str) -> list[str]:
    """What stands in a :has() besides classes: an element of any answer may match it."""
    bare = re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)
    wide = re.findall(r"(?:^|[\s,{}])(?:div|span|\*)?:has\([^()]*\)", bare)
    inside = re.findall(r":has\(([^()]*)\)", bare)
    return wide + [one for one in inside if not CLASSES.fullmatch(one)]


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda one: one.name)
def test_a_selector_hangs_on_classes_of_few_elements(sheet: Path) -> None:
    assert not costly(sheet.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "style",
    [
        "div:has(> .plot) { width: 100% }",
        ".st-key-decide_drawn :has(.drawing) { display: contents }",
        '.a:has(> [class*="st-key-unseen_"]) { display: none }',
        ".a:has(> style) { display: none }",
    ],
)
def test_one_that_hangs_on_every_element_is_found(style: str) -> None:
    assert costly(style)
    assert costly(f"/* before */ p {{}}\n{style}")
