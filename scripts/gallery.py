"""Takes the pictures of the gallery from the app: `make gallery`; the static edition has them.

Names of rows after the command take those alone.

A draw on a sample is named by the page that shows it, so that the picture is the one which its link
opens. Each is taken on a phone, in light and in dark, and becomes one SVG in the colours of the
site's theme, without styles of its own, since the site's policy allows none. A page of cards
becomes one picture of their pictures.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
import textwrap
from dataclasses import fields
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element

from playwright.sync_api import Page, ViewportSize, sync_playwright

from benchmarks._chromium import chromium_path
from dpviz.figures.kit.palette import DARK, LIGHT, Ink
from dpviz.site.early import COLOURS, grained, variable
from dpviz.site.gallery import ROWS, SAID, Row, seal
from tests.browser.conftest import FLAGS, running_app
from tests.browser.steps import followed, settle, visit
from tests.conftest import ROOT

HERE = ROOT / "dpviz" / "site" / "pictures"
WINDOW: ViewportSize = {"width": 390, "height": 844}
PLOT = ".js-plotly-plot .main-svg"
# pages of cards: where their pictures are, and how many stand abreast
CARDS = {"samples": (".card svg.picture", 3), "methods": ("svg.alone", 2)}
MARGIN, GAP = 16, 12  # px of the window at either side, and between cards
LINE, WORDS = 17, 13  # px of a line of a title, and of all words
LETTERS = 0.52  # of the size of words: how wide one is
GRAINS = 2_600  # of a crowd
# the layers of the first picture, and what is said of it, with phrases in colour marked
LOOK = """([blue, orange, cards]) => {
  const marked = (part) => [...part.childNodes].map((one) => {
    if (one.nodeType === 3) return one.data;
    if (one.nodeType !== 1 || one.matches("svg, [data-testid=stHeaderActionElements]")) return "";
    const { width } = one.getBoundingClientRect();
    if (width < 2 || getComputedStyle(one).visibility === "hidden") return "";
    const colour = getComputedStyle(one).color, field = ["INPUT", "SELECT"].includes(one.tagName);
    const inner = one.selectedOptions?.[0].text ?? (field ? one.value : marked(one));
    if ((one.children.length && !field) || !inner.trim()) return inner;
    return colour === blue ? `:blue[${inner}]` : colour === orange ? `:orange[${inner}]` : inner;
  }).join("");
  const text = (part) => part ? marked(part).replace(/\\s+/g, " ").trim() : "";
  const headline = text(document.querySelector("h1"));
  const written = (one) => new XMLSerializer().serializeToString(one);
  if (cards) {  // a name without the short one beside it
    const named = (part) => [...part.childNodes].map((one) => one.data ?? "").join("").trim();
    const inside = (root) => [...root.querySelectorAll(cards), ...[...root.querySelectorAll("*")]
      .flatMap((one) => one.shadowRoot ? inside(one.shadowRoot) : [])];
    const styles = ["fill", "stroke", "stroke-width", "stroke-linecap", "stroke-dasharray",
                    "font-size", "font-weight", "font-family", "display"];
    const still = (one, copy) => {
      const seen = getComputedStyle(one);
      copy.removeAttribute("style");
      for (const name of styles) copy.setAttribute(name, seen.getPropertyValue(name));
      [...one.children].forEach((child, at) => still(child, copy.children[at]));
      return copy;
    };
    return { headline, cards: inside(document).map((one) => {
      const card = one.closest(".card"), { width, height } = one.viewBox.baseVal;
      const title = card?.querySelector(".title")
        ?? one.getRootNode().host.closest("[class*=st-key-method_]").querySelector("h3 span");
      return {
        svg: written(still(one, one.cloneNode(true))), box: [width, height],
        title: named(title), ink: getComputedStyle(title).color,
        alt: one.getAttribute("aria-label")
          ?? `${named(title)}: ${text(card.querySelector(".note"))}`,
      };
    }) };
  }
  const plot = document.querySelector(".js-plotly-plot");
  return {
    layers: [...plot.querySelectorAll(".main-svg")].map(written),
    size: [plot.clientWidth, plot.clientHeight],
    headline,
    alt: plot.closest("[role=figure]").getAttribute("aria-label"),
  };
}"""
LEFT_OUT = re.compile("hoverlayer|modebar|zoomlayer|dragcover|nsewdrag|drag |menulayer|legend")
KEPT = {
    "d", "x", "y", "dx", "dy", "cx", "cy", "r", "width", "height", "transform", "points", "id",
    "clip-path", "text-anchor", "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity",
    "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity", "font-size", "font-weight",
    "font-family", "display", "preserveAspectRatio", "href",
}  # fmt: skip
USUAL = {
    "fill-opacity": "1", "stroke-opacity": "1", "opacity": "1", "font-weight": "400",
    "stroke-linejoin": "miter", "stroke-linecap": "butt", "text-anchor": "start",
    "stroke-dasharray": "0px", "x": "0", "y": "0", "transform": "translate(0,0)",
    "display": "inline",
}  # fmt: skip
HANDED_DOWN = (
    "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray",
    "font-size", "font-weight", "font-family", "text-anchor", "stroke-linejoin", "stroke-linecap",
)  # fmt: skip
ROUND = re.compile(r"M([\d.]+),0A\1,\1 0 1,1 0,-\1A\1,\1 0 0,1 \1,0Z")
NUMBER = re.compile(r"-?\d*\.\d+(?:e-?\d+)?")
COLOUR = re.compile(r"rgb\((\d+), (\d+), (\d+)\)")


def seen(page: Page, server: str, row: Row) -> list[dict[str, Any]]:
    """The picture of a page in a tab, and what it says: in the light, then in the dark."""
    inside, abreast = CARDS.get(row.name, ("", 0))
    page.set_viewport_size(WINDOW)
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    visit(page, f"{server}/{row.link}")
    page.wait_for_selector(inside or PLOT, timeout=90_000)
    found = []
    for ink in (LIGHT, DARK):
        page.emulate_media(color_scheme="dark" if ink.dark else "light")
        followed(page)
        last, now = None, drawn_in(page, ink, inside)
        while now != last:  # it has another size or another theme only after a run
            last, now = now, drawn_in(page, ink, inside)
        found.append(now | laid(now["cards"], abreast) if inside else now)
    return found


def drawn_in(page: Page, ink: Ink, inside: str) -> dict[str, Any]:
    """What is there once nothing has been under way for a while."""
    settle(page)
    unchecked = page.locator("h1", has_text=re.compile("about ε"))  # a check beside the page is on
    unchecked.wait_for(state="detached", timeout=90_000)
    colours = [
        "rgb({}, {}, {})".format(*(int(one[at : at + 2], 16) for at in (1, 3, 5)))
        for one in (ink.private, ink.danger_text)
    ]
    found: dict[str, Any] = page.evaluate(LOOK, [*colours, inside])
    return found


def laid(cards: list[dict[str, Any]], abreast: int) -> dict[str, Any]:
    """Pictures of cards as one layer, each above its title; their words are as large as titles."""
    wide = (WINDOW["width"] - 2 * MARGIN - GAP * (abreast - 1)) / abreast
    whole, down = Element("svg"), 0.0
    for start in range(0, len(cards), abreast):
        row, ends = cards[start : start + abreast], [down]
        for place, one in enumerate(row):
            scale = wide / one["box"][0]
            left, high = place * (wide + GAP), one["box"][1] * scale
            into = {"transform": f"translate({left:g},{down:g})scale({scale:.4f})"}
            group = ET.SubElement(whole, "g", into)
            group.extend(ET.fromstring(one["svg"]))
            for words in group.iter():
                if words.tag.endswith("}text"):
                    words.set("font-size", f"{WORDS / scale:.1f}")
            title = {"font-size": f"{WORDS}", "font-weight": "600", "font-family": "sans"}
            for line in textwrap.wrap(one["title"], int(wide / WORDS / LETTERS)):
                high += LINE
                at = {"x": f"{left:g}", "y": f"{down + high:g}"}
                ET.SubElement(whole, "text", at | title | {"fill": one["ink"]}).text = line
            ends.append(down + high)
        down = max(ends) + GAP
    told = " ".join(f"{one['alt'].rstrip('.')}." for one in cards)
    size = [WINDOW["width"] - 2 * MARGIN, round(down)]
    return {"layers": [ET.tostring(whole, encoding="unicode")], "size": size, "alt": told}


def cleaned(found: dict[str, Any], name: str) -> Element:
    """The layers of a picture as one, with what they show and no more."""
    whole = Element("svg", viewBox="0 0 {} {}".format(*found["size"]))
    ids: dict[str, str] = {}
    used = set(re.findall(r"url\([^#]*#([^)'\"&]*)", "".join(found["layers"])))
    for layer in found["layers"]:
        root = ET.fromstring(layer)
        whole.extend(
            part for part in (_part(one, name, ids, used) for one in root) if part is not None
        )
    return whole


def _part(one: Element, name: str, ids: dict[str, str], used: set[str]) -> Element | None:
    """An element with what it shows; None where it shows nothing."""
    tag = one.tag.rpartition("}")[2]
    told = {key.rpartition("}")[2]: value for key, value in one.attrib.items()}
    told |= {
        key.strip(): value.strip()
        for key, colon, value in (pair.partition(":") for pair in told.pop("style", "").split(";"))
        if colon
    }
    unused = tag == "clipPath" and told.get("id") not in used
    if unused or LEFT_OUT.search(told.get("class", "")) or told.get("display") == "none":
        return None
    given = {key: _short(key, value, name, ids) for key, value in told.items() if key in KEPT}
    made = Element(tag, {key: value for key, value in given.items() if USUAL.get(key) != value})
    made.text, made.tail = (one.text or None), (one.tail or None) if tag == "tspan" else None
    parts = (_part(child, name, ids, used) for child in one)
    made.extend(part for part in parts if part is not None)
    if tag != "clipPath":
        made.attrib.pop("id", None)
    if (ring := ROUND.fullmatch(one.get("d", ""))) and (at := told.get("transform", "")):
        x, y = NUMBER.sub(_rounded, at).removeprefix("translate(").rstrip(")").split(",")
        kept = {key: value for key, value in made.attrib.items() if key not in {"d", "transform"}}
        made = Element("circle", {"cx": x, "cy": y, "r": NUMBER.sub(_rounded, ring[1])} | kept)
    _hand_up(made)
    return made if _shows(made) else None


def _shows(made: Element) -> bool:
    """Whether anything of an element is seen."""
    if made.tag in {"g", "defs", "svg"}:
        return len(made) > 0
    if made.tag == "text":
        return bool("".join(made.itertext()).strip())
    if made.tag not in {"path", "rect"}:
        return made.tag not in {"style", "title"}
    filled = made.get("fill") != "none" and made.get("fill-opacity") != "0"
    lined = made.get("stroke", "none") != "none" and made.get("stroke-opacity") != "0"
    return (filled or lined) and made.get("opacity") != "0"


def _short(key: str, value: str, name: str, ids: dict[str, str]) -> str:
    if key in {"id", "clip-path"}:
        found = re.sub(r"url\([^#]*#([^)'\"]*)['\"]?\)", r"\1", value)
        mine = ids.setdefault(found, f"{name}-{len(ids)}")
        return mine if key == "id" else f"url(#{mine})"
    if key == "href":
        return value
    if key == "font-family":
        return "var(--serif)" if "Serif" in value else "var(--sans)"
    if key == "font-weight":
        return {"normal": "400", "bold": "700"}.get(value, value)
    if COLOUR.fullmatch(value):
        return "#{:02X}{:02X}{:02X}".format(*map(int, COLOUR.findall(value)[0]))
    return NUMBER.sub(_rounded, value.removesuffix("px")) if key != "points" else value


def _rounded(found: re.Match[str]) -> str:
    """A length in tenths of px; a small factor as it is."""
    value = float(found[0])
    kept = round(value, 1 if abs(value) >= 1 else 3)
    return f"{kept:g}".replace("0.", ".", 1) if abs(kept) < 1 else f"{kept:g}"


def _hand_up(group: Element) -> None:
    """What all children of a group say alike is said once, by the group."""
    if group.tag != "g" or len(group) < 2 or any(one.tag == "clipPath" for one in group):
        return
    for key in HANDED_DOWN:
        values = {one.get(key) for one in group}
        if len(values) == 1 and None not in values and group.get(key) is None:
            group.set(key, values.pop() or "")
            for one in group:
                del one.attrib[key]


def _names() -> dict[tuple[str, str], str]:
    """The colours of the site's theme by how they are in light and in dark."""
    named = {"ink" if one.name == "truth" else one.name: one.name for one in fields(Ink)}
    return {
        (getattr(LIGHT, named[name]), getattr(DARK, named[name])): f"var({variable(name)})"
        for name in COLOURS
        if name in named
    }


def merged(light: Element, dark: Element, names: dict[tuple[str, str], str]) -> None:
    """Let the first picture serve for both papers; raster parts stand there for either.

    Raises: ValueError if the two differ in more than colours.
    """
    if light.tag != dark.tag or len(light) != len(dark) or light.keys() != dark.keys():
        raise ValueError(f"light and dark differ: {ET.tostring(light)[:300]!r}")
    for key, value in light.items():
        other = dark.get(key, "")
        if value == other or key in {"id", "clip-path"} or key.endswith("opacity"):
            continue  # what is a little stronger on dark paper may be as it is on light paper
        if not (value.startswith("#") and other.startswith("#")) and key != "href":
            raise ValueError(f"{key} is {value[:80]} in light and {other[:80]} in dark")
        if key != "href":
            light.set(key, names.get((value, other), f"light-dark({value},{other})"))
    for place, (one, other) in reversed(list(enumerate(zip(light, dark, strict=True)))):
        merged(one, other, names)
        if one.tag == "image" and one.get("href") != other.get("href"):
            one.set("class", "day")
            other.set("class", "night")
            light.insert(place + 1, other)


def picture_of(light: dict[str, Any], dark: dict[str, Any], name: str) -> str:
    """One SVG of what was seen on light and on dark paper."""
    picture = cleaned(light, name)
    merged(picture, cleaned(dark, name), _names())
    return grained(ET.tostring(picture, encoding="unicode").replace("h.01", "h0"), GRAINS)


def main() -> int:
    """Write every picture, and what is said of all of them."""
    path = chromium_path()
    if path is None:
        return 1
    kept = HERE / SAID
    said = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    only = sys.argv[1:]
    with (
        tempfile.TemporaryDirectory() as folder,
        running_app(Path(folder, "log.txt")) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        tab = browser.new_page()
        for row in (one for one in ROWS if not only or one.name in only):
            light, dark = seen(tab, address, row)
            text = picture_of(light, dark, row.name)
            (HERE / f"{row.name}.svg").write_text(f"{text}\n", encoding="utf-8")
            told = light["headline"], light["alt"]
            said[row.name] = [*told, seal(text, *told)]
            print(f"{row.name:12} {len(text):8,} bytes  {light['headline']}", flush=True)
        browser.close()
    ordered = {row.name: said[row.name] for row in ROWS}
    kept.write_text(f"{json.dumps(ordered, ensure_ascii=False, indent=1)}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
