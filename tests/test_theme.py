"""The theme in .streamlit/config.toml: readable in both modes, ten colours a chart palette."""

import tomllib

import pytest

from tests.conftest import ROOT

CONFIG = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
THEMES = [CONFIG["theme"][mode] for mode in ("light", "dark")]
SECTIONS = [section for theme in THEMES for section in (theme, theme["sidebar"])]
LIGHT = SECTIONS[:2]
SELECTED = 0.1  # share of the accent in the fill of a selected option
HUES = ("red", "orange", "yellow", "blue", "green", "violet", "gray")


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def mixed(first: str, second: str, share: float) -> str:
    """A share of the first colour over the second."""
    parts = [
        round(share * int(first[at : at + 2], 16) + (1 - share) * int(second[at : at + 2], 16))
        for at in (1, 3, 5)
    ]
    return "#" + "".join(f"{part:02X}" for part in parts)


def test_the_contrast_formula_on_known_pairs():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#767676", "#FFFFFF") == pytest.approx(4.54, abs=0.01)
    assert contrast("#777777", "#FFFFFF") < 4.5


@pytest.mark.parametrize("section", SECTIONS)
def test_text_and_links_are_readable_on_both_backgrounds(section):
    for background in (section["backgroundColor"], section["secondaryBackgroundColor"]):
        assert contrast(section["textColor"], background) >= 7
        assert contrast(section["linkColor"], background) >= 4.5


@pytest.mark.parametrize("section", SECTIONS)
def test_the_accent_is_readable_as_text_on_selected_options(section):
    page, accent = section["backgroundColor"], section["primaryColor"]
    assert contrast(accent, page) >= 4.5
    assert contrast(accent, mixed(accent, page, SELECTED)) >= 4.5


def test_primary_buttons_of_the_light_theme_carry_white_text():
    for section in LIGHT:  # frame.emphasis leaves them out of the dark one
        assert contrast("#FFFFFF", section["primaryColor"]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_coloured_text_is_readable(theme):
    for hue in HUES:
        for background in ("backgroundColor", "secondaryBackgroundColor"):
            assert contrast(theme[f"{hue}TextColor"], theme[background]) >= 4.5
    header = theme["dataframeHeaderBackgroundColor"]
    assert contrast(theme["dataframeHeaderTextColor"], header) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_chart_palettes_have_ten_distinct_colours(theme):
    for palette in ("Categorical", "Sequential", "Diverging"):
        colours = theme[f"chart{palette}Colors"]
        assert len(set(colours)) == 10
    assert theme["chartCategoricalColors"][:7] == [
        "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442",
    ]  # fmt: skip


@pytest.mark.parametrize("theme", THEMES)
def test_sequential_colours_move_steadily_away_from_the_page(theme):
    page = theme["backgroundColor"]
    steps = [contrast(colour, page) for colour in theme["chartSequentialColors"]]
    assert steps == sorted(steps)


def test_nothing_is_fetched_and_nothing_is_told():
    fonts = [CONFIG["theme"]["font"], CONFIG["theme"]["codeFont"]]
    assert not any("http" in font or ":" in font for font in fonts)
    assert CONFIG["browser"]["gatherUsageStats"] is False
    assert CONFIG["server"]["showEmailPrompt"] is False
    assert CONFIG["server"]["maxUploadSize"] == 500
