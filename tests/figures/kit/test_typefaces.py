"""The typefaces of pages to print."""

from dpviz.figures.kit.typefaces import style_of


def test_a_style_is_a_file_beside_a_module_in_the_typefaces_it_is_to_have(tmp_path):
    text = "p { font: 1em $sans; }\nh1, p { font: 2em $serif; }\nb { font: 3em $sans; }\n"
    (tmp_path / "page.css").write_text(text, encoding="utf-8")
    style = style_of(str(tmp_path / "module.py"), "page", "A, B", "'C'")
    assert style == "\n" + text.replace("$sans", "A, B").replace("$serif", "'C'")
    assert "$" not in style
