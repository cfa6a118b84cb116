"""Scripts of the front end that go together."""

from dpviz.ui.kit.process.front_end import FOLDER, NEEDED, root, scripts_of


def test_a_part_comes_with_all_that_it_needs():
    found = scripts_of("PlotlyChart")
    assert sum("/PlotlyChart." in one for one in found) == 1
    names = {one.rsplit("/", 1)[-1] for one in found}
    for one in found:
        text = (root() / one).read_text(encoding="utf-8")
        assert set(NEEDED.findall(text)) <= names
        assert one.startswith(f"{FOLDER}/")


def test_what_is_loaded_when_it_is_used_is_not_needed_at_once():
    found = " ".join(scripts_of("PlotlyChart", "DataFrame"))
    for other in ("DeckGlJsonChart", "EChartsChart", "StreamlitSyntaxHighlighter", "mermaid"):
        assert other not in found


def test_parts_of_another_version_are_left_out():
    assert scripts_of("NoSuchPart") == ()
    assert scripts_of("NoSuchPart", "PlotlyChart") == scripts_of("PlotlyChart")


def test_imports_are_read_as_vite_writes_them():
    text = 'import{a as b}from"./one.A-1_b.js";import"./two.js";import("./later.js");from"lib"'
    assert NEEDED.findall(text) == ["one.A-1_b.js", "two.js"]
