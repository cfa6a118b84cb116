"""The gallery: pictures as they were taken, what they say, and links that the app knows."""

import math
import re
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from dpviz.intake.samples import load_sample, samples
from dpviz.site.build import linked
from dpviz.site.early import grained
from dpviz.site.gallery import ROWS, drawn, gallery_page, said, seal
from dpviz.ui.kit.frame import PAGES, WITHIN
from dpviz.ui.methods.cards import named
from dpviz.ui.methods.families import BY_TITLE
from dpviz.ui.pages import audit, budget, neighbours, quantiles, trees, what_if
from dpviz.ui.pages import map as maps
from dpviz.ui.papers.figures import BY_KEY

PARTS = {"svg", "g", "path", "rect", "text", "tspan", "circle", "image", "defs", "clipPath"}
PAINT = re.compile(r"none|#[\dA-F]{6}|var\(--[a-z-]+\)|light-dark\(#[\dA-F]{6},#[\dA-F]{6}\)")
VIEWS = {
    "quantiles": quantiles.page().views, "trees": trees.PAGE.views, "map": maps.PAGE.views,
    "neighbours": neighbours.PAGE.views, "budget": budget.PAGE.views, "audit": audit.PAGE.views,
    "what_if": what_if.PAGE.views,
}  # fmt: skip


def words_of(name: str) -> str:
    headline, alt, _ = said()[name]
    return f"{headline} {alt}".replace(":blue[", "").replace(":orange[", "").replace("]", "")


def test_pictures_and_their_words_are_as_they_were_taken_from_the_app():
    assert list(said()) == [row.name for row in ROWS]
    for row in ROWS:
        headline, alt, sealed = said()[row.name]
        assert seal(drawn(row), headline, alt) == sealed, f"make gallery ONLY={row.name}"


def test_a_changed_digit_is_seen_wherever_it_stands():
    for row in ROWS:
        svg, (headline, alt, sealed) = drawn(row), said()[row.name]
        for part in (svg, headline, alt):
            wrong = re.sub(r"\d", lambda digit: str((int(digit[0]) + 1) % 10), part, count=1)
            changed = [wrong if one is part else one for one in (svg, headline, alt)]
            assert wrong == part or seal(*changed) != sealed


def test_pictures_load_nothing_style_nothing_and_do_not_share_names():
    ids: list[str] = []
    for row in ROWS:
        whole = ET.fromstring(drawn(row))
        own = [one.get("id") for one in whole.iter() if one.get("id")]
        ids += own
        for one in whole.iter():
            assert one.tag in PARTS, (row.name, one.tag)
            assert {"style", "onload", "onclick"}.isdisjoint(one.keys())
            for key in ("fill", "stroke"):
                assert PAINT.fullmatch(one.get(key, "none")), (row.name, one.get(key))
            if one.tag == "image":
                assert one.get("href", "").startswith("data:image/png;base64,")
            clipped = re.findall(r"url\(#(.*)\)", one.get("clip-path", ""))
            assert set(clipped) <= set(own)
        assert whole.get("viewBox", "").startswith("0 0 358 ")
    assert len(ids) == len(set(ids))


def test_links_lead_to_views_of_the_app():
    pages = {name for rows in (*PAGES.values(), WITHIN) for name, _ in rows}
    for row in ROWS:
        link = urlsplit(row.link)
        asked = {key: value for key, (value,) in parse_qs(link.query).items()}
        assert link.path in pages
        if link.path == "papers":
            assert asked.pop("fig") in BY_KEY
        if "view" in asked:
            assert asked.pop("view") in {view.name for view in VIEWS[link.path]}
        assert asked == {}
    own = {"start", "learn"}  # pages that the static edition has itself
    assert {urlsplit(row.link).path for row in ROWS} == pages - own


def test_the_page_leads_to_a_running_app_or_says_how_to_start_one():
    led, alone = gallery_page("https://app.example.org/dp/").body, gallery_page().body
    for row in ROWS:
        assert f'href="https://app.example.org/dp/{row.link}"' in led
        assert f"In the app: <code>/{row.link}</code>" in alone
        assert f'<article id="{row.name}">' in alone
    assert "<a " not in alone
    assert "python -m dpviz" in alone
    assert "python -m dpviz" not in led
    assert f"{len(ROWS)} pictures" in alone


def test_no_card_bears_a_name_that_its_page_has_already():
    """A card called "data" hid the data that the page's script begins with."""
    page = linked(gallery_page(), "gallery.html")
    ids = re.findall(r'<[^>]* id="([^"]*)"', page)
    assert len(ids) == len(set(ids)) > len(ROWS)


def test_what_the_sentences_say_of_the_samples_is_worked_out_another_way():
    """From the rows themselves, or by the law; what a draw gives, the app says in its test."""
    marks, salaries = load_sample("exam")[0], load_sample("salaries")[0]
    median = float(np.sort(marks)[math.ceil(marks.size / 2) - 1])
    assert f"the truth is {median:g}." in said()["quantiles"][0]
    assert f"The median is published as :blue[{median:g}]" in said()["quantiles"][0]
    most = int((salaries > 100_000).sum())
    assert f"the truth is {most:,}." in words_of("budget")
    assert f"With Ida {most:,}, without her {most - 1:,}" in words_of("person")
    assert f"at most {math.e:.2f} times as likely" in words_of("person")
    assert f"becomes at most {math.ceil(1000 * math.e / (1 + math.e)) / 10} %" in words_of("belief")
    assert f"of about {marks.size:,} students" in words_of("decide")
    steps = math.ceil(math.log2(9 + 1))
    assert "Nine deciles in four steps" in words_of("recursion")
    assert f"ε/{steps}, not ε/9" in words_of("recursion")
    assert f"the exam marks of {marks.size:,} students" in words_of("samples")
    server = math.sqrt(2 * math.exp(-1)) / (1 - math.exp(-1))  # of discrete Laplace at ε = 1
    nobody = math.sqrt(10_000 * math.e) / (math.e - 1)  # of 10,000 randomised responses
    assert f"± {server:.1f} with one trusted server, ± {nobody:.0f} with none" in words_of("trust")
    assert words_of("trust").count(f"costs {nobody / server:.0f} times the error") == 2
    assert f"1,000 such answers, ε = {1_000 * 0.1:g}, are above all" in words_of("others")
    told = words_of("others").split("34.9. ")[1]
    assert len(told.split("; ")) == 12  # which the sentence says in words


def test_a_page_of_cards_is_shown_with_all_of_them():
    every = {
        "samples": [one.title for one in samples()],
        "methods": [named(one).split(" :gray")[0] for one in BY_TITLE["Quantiles"].cards()],
    }
    for row in (one for one in ROWS if one.name in every):
        texts = [text for one in ET.fromstring(drawn(row)).iter("text") if (text := one.text)]
        shown, alt = " ".join(texts), said()[row.name][1]
        for title in every[row.name]:
            assert title in shown
            assert title.lower() in alt.lower()
    for one in samples():
        assert f"{one.title}: {one.words.people.counted(one.n)}: " in said()["samples"][1]


def test_a_crowd_of_the_data_page_has_no_more_grains_than_kept():
    crowds = re.findall(
        r'd="((?:m[-.\d ]+h0)+)"', drawn(next(r for r in ROWS if r.name == "samples"))
    )
    assert len(crowds) >= 8
    assert all(300 <= one.count("h0") <= 2_600 for one in crowds)


@pytest.mark.parametrize("name", ["quantiles", "map", "budget", "audit"])
def test_the_numbers_of_a_sentence_stand_in_its_picture(name):
    shown = " ".join(ET.fromstring(drawn(next(row for row in ROWS if row.name == name))).itertext())
    for number in re.findall(r":(?:blue|orange)\[([^\]]*)\]", said()[name][0]):
        assert number in shown


def test_a_thinned_crowd_covers_as_much_as_all_its_grains():
    places = [(x, y) for x in range(40) for y in range(25)]
    whole = "".join(f"M{x} {y}h0" for x, y in places)
    svg = '<path d="{}" fill="none" stroke-width="{}"/>'
    every = re.fullmatch(svg.format("(.*)", "(.*)"), grained(svg.format(whole, "1.5"), 1_000))
    steps = [list(map(float, one.split(","))) for one in pairs(every[1])]
    assert np.cumsum(steps, axis=0).tolist() == [list(map(float, one)) for one in places]
    assert every[2] == "1.5"
    kept = re.fullmatch(svg.format("(.*)", "(.*)"), grained(svg.format(whole, "1.5"), 300))
    many = kept[1].count("h0")
    assert 180 <= many <= 320  # a quarter, by a lot that is fixed
    assert float(kept[2]) == 3
    left = np.cumsum([list(map(float, one.split(","))) for one in pairs(kept[1])], axis=0)
    assert {tuple(one) for one in left.tolist()} <= {tuple(map(float, one)) for one in places}


def pairs(d: str) -> list[str]:
    """Steps of a path of grains, "x,y" each."""
    return [
        ",".join(re.findall(r"-?\d*\.?\d+", one)) for one in d[1:].removesuffix("h0").split("h0m")
    ]
