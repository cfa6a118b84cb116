"""What each page of the app shows: its pictures of the samples, what they say, and a way in.

`make gallery` takes the pictures from the app; a draw on a sample is the one that the link opens.
"""

import hashlib
import html
import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from dpviz.site.markup import marked, text
from dpviz.site.pages import Page

SAID = "said.json"
APP = "python -m dpviz"


@dataclass(frozen=True, slots=True)
class Row:
    """A view of the app: its name among the pictures, its page and its own title, and its link."""

    name: str
    title: str
    link: str


ROWS = (
    Row("quantiles", "Quantiles", "quantiles"),
    Row("compare", "Quantiles: methods side by side", "quantiles?view=compare"),
    Row("recursion", "Quantiles: inside the recursion", "quantiles?view=recursion"),
    Row("bins", "Quantiles: bins", "quantiles?view=bins"),
    Row("trees", "Trees", "trees"),
    Row("cdf", "Trees: the whole curve", "trees?view=cdf"),
    Row("map", "Map", "map"),
    Row("places", "Map: named places", "map?view=places"),
    Row("decide", "Decide", "decide"),
    Row("wins", "Decide: where each method wins", "what_if?view=wins"),
    Row("many", "Decide: many quantiles or one curve", "what_if?view=many"),
    Row("person", "One person", "neighbours"),
    Row("belief", "One person: a suspicion", "neighbours?view=meaning"),
    Row("trust", "One person: whom to trust", "neighbours?view=trust"),
    Row("budget", "Budget", "budget"),
    Row("others", "Budget: what others chose", "budget?view=others"),
    Row("audit", "Audit", "audit"),
    Row("papers", "Papers", "papers?fig=aq5"),
    Row("samples", "Data", "data"),
    Row("methods", "Methods", "methods"),
)


@cache
def said() -> dict[str, list[str]]:
    """Of each picture its sentence with coloured phrases, its text alternative, and its seal."""
    found: dict[str, list[str]] = json.loads(_file(SAID))
    return found


def _file(name: str) -> str:
    return files(__package__).joinpath("pictures", name).read_text(encoding="utf-8")


def seal(svg: str, headline: str, alt: str) -> str:
    """What tells a picture and its words as they were taken from others."""
    return hashlib.sha256("\n".join((svg.strip(), headline, alt)).encode()).hexdigest()[:16]


def drawn(row: Row) -> str:
    """A picture as SVG in the colours of the site's theme."""
    return _file(f"{row.name}.svg").strip()


def _picture(row: Row) -> str:
    label = html.escape(said()[row.name][1])
    alt = f'<svg class="shown" role="img" aria-label="{label}" '
    return drawn(row).replace("<svg ", alt, 1)


def gallery_page(app: str = "") -> Page:
    """All of them; app is the address of a running app, "" for none."""
    cards = "".join(_card(row, app) for row in ROWS)
    title = f"{len(ROWS)} pictures of the app, each with what it says."
    lines = "All data are samples that come with dpviz; in the app you choose your own."
    start = (
        f"<p>The app is a program of its own: start it with <code>{APP}</code>. Below stands the "
        f"end of each address, as in <code>http://127.0.0.1:8501/{ROWS[0].link}</code>.</p>"
    )
    body = (
        f'<h1 tabindex="-1">{title}</h1><p class="second">{lines}</p>{"" if app else start}'
        f'<div class="cards">{cards}</div>'
    )
    about = "Private quantiles, noisy trees, maps, budgets and audits, true beside private."
    return Page("gallery", "What the app shows · dpviz", about, body)


def _card(row: Row, app: str) -> str:
    finding = marked(said()[row.name][0])
    way = (
        f'<a class="begin" href="{html.escape(app + row.link)}">Open it in the app</a>'
        if app
        else f"In the app: <code>/{text(row.link)}</code>"
    )
    return (
        f'<article id="{row.name}"><h2>{text(row.title)}</h2>'
        f'<p class="finding">{finding}</p>{_picture(row)}<p>{way}</p></article>'
    )
