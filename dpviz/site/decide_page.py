"""The page Decide: its first sentence and pictures as HTML, and every other one as data."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from html import escape
from itertools import product
from typing import Any

from dpviz.answers.decide import price_said, risk
from dpviz.answers.decide.budget import rail
from dpviz.answers.decide.needs import OFTEN, unit_word
from dpviz.answers.decide.price import Need, Price
from dpviz.answers.decide.sentences import BUDGET, NEED, SAYS, WHAT, Slot, form_of, parts
from dpviz.answers.number_text import in_digits
from dpviz.core.budgets import Neighbours
from dpviz.figures.decide import rail as rail_picture
from dpviz.figures.decide import risks as risks_picture
from dpviz.figures.decide.sentence import HTML, bold_parts
from dpviz.figures.kit.look import FONT, SERIF, Look
from dpviz.figures.kit.palette import PRIVATE, Ink, Mark
from dpviz.intake.samples import sample
from dpviz.site import decide
from dpviz.site.decide import PURE, Asked
from dpviz.site.early import variable
from dpviz.site.markup import marked, text
from dpviz.site.pages import Page

HOLE, SAME = "¤", "~"  # where a number stood; a number that is the first one of its piece again
NUMBER = re.compile(r"\d[\d,.]*\d|\d")
MOST = 200  # numbers of a piece; one with more of them is like no other
ENDS = re.compile(r"(?=<[^/])|(?<=z)(?=M)|(?<=\. )(?=[A-Z])")  # elements, outlines, sentences


@dataclass(frozen=True, slots=True)
class Pieces:
    """forms are texts with holes; a piece is the number of its form, and its numbers, as a text."""

    forms: dict[str, int] = field(default_factory=dict)
    pieces: dict[str, int] = field(default_factory=dict)
    known: dict[str, int] = field(default_factory=dict)

    def piece(self, text: str) -> int:
        """The place of a text among the pieces."""
        if text not in self.known:
            self.known[text] = self._added(text)
        return self.known[text]

    def _added(self, text: str) -> int:
        numbers = NUMBER.findall(text)
        is_own = len(numbers) > MOST
        form, numbers = (text, []) if is_own else (NUMBER.sub(HOLE, text), numbers)
        at = self.forms.setdefault(form, len(self.forms))
        again = [SAME if place and one == numbers[0] else one for place, one in enumerate(numbers)]
        return self.pieces.setdefault(" ".join([str(at), *again]), len(self.pieces))

    def drawing(self, svg: str) -> str:
        """The places of a drawing's pieces: "0-7 12 9"."""
        runs: list[list[int]] = []
        for place in map(self.piece, filter(None, ENDS.split(svg))):
            if runs and place == runs[-1][1] + 1:
                runs[-1][1] = place
            else:
                runs.append([place, place])
        return " ".join(f"{low}" if low == high else f"{low}-{high}" for low, high in runs)

    def to_dict(self) -> dict[str, Any]:
        """As a page carries them: the forms, and the pieces with "|" between."""
        return {"forms": list(self.forms), "pieces": "|".join(self.pieces)}


NAMES, RAIL = ("wide", "phone"), 1_110  # px: a phone shows no rail, as in the app
MAY_BE = "Without a server this page knows {}; the app takes any number."
BETWEEN = "Type a number of at least {}, and below {}."
ABOUT = (
    "One sentence whose words you set: what to publish, how exact, and the budget that it takes."
)
NOTE = (
    "Worked out beforehand, of the samples, in pure ε, where somebody may join or leave. “About”: "
    "the app checks such a number by releases of its own. There, bounds, people, places, quantiles "
    "of your own, other promises and several answers at once can be set, too."
)
BANDS = "Dashed: off by {}, as the sentence says. A band from edge to edge is at least so wide."
REACH = 4  # needs that the band of a budget shows to either side
SPACE, SETTLED = "\N{NO-BREAK SPACE}", {"about": "about", "people": "%size"}
BUYS = "WHAT EACH BUDGET BUYS"
RISKS = "WHAT IT RISKS"
FIRST = {"what": "deciles", "data": "exam", "given": NEED}
VARIED = {
    "off",
    "unit",
    "often",
    "eps",
    "what",
    "data",
    "over",
}  # words of all sentences that can be set


def page(app: str = "") -> Page:
    """The page; app is the address of an app, to which each sentence then has a link."""
    data, first, drawn = _everything()
    under = "".join(f"<{tag}>{text(one)}</{tag}>" for one, tag in _under(first["under"]))
    start = HTML.format("h1").replace("></h1>", f">{first['text']}</h1>", 1)
    start = start.replace("'sentence_under'></p>", f"'sentence_under'>{under}</p>", 1)
    link = '<p><a id="app" hidden>The same sentence in the app</a></p>' if app else ""
    body = (
        f'<div class="asked">{start}</div>'
        f'<section id="buys"><h2>{BUYS}</h2><table>{first["buys"]}</table>'
        f'<p class="key">{text(first["key"])}</p></section>'
        f'<section id="risks">{"".join(drawn[name, "risks"] for name in NAMES)}</section>'
        f'<section id="rail">{drawn["wide", "rail"]}</section>'
        f'{link}<p class="note">{NOTE}</p>'
    )
    title = "Decide: which budget does it take? · dpviz"
    return Page("decide", title, ABOUT, body, data | {"app": app})


def _under(told: list[list[Any]]) -> Iterator[tuple[str, str]]:
    for one, bold in told:
        yield one, "strong" if bold else "span"


@cache
def _everything() -> tuple[dict[str, Any], dict[str, Any], dict[tuple[str, str], str]]:
    """The data of the page, what its first sentence says, and its pictures by size and name."""
    answers, pieces = decide.Answers(), Pieces()
    tables: dict[str, list[int]] = {}
    alike: dict[str, int] = {}
    rails: dict[str, Price] = {}
    asked_all = list(decide.sentences())
    for asked in asked_all:
        form = answers.form(asked)
        own = tables.setdefault(f"{asked.what}|{asked.sample.key}|{asked.more or ''}", [])
        for unit, sure, given in product(_units(asked), decide.SURES, (NEED, BUDGET)):
            at, rows = [], []
            for stop, found in decide.prices(asked, form, unit, sure, given):
                told = decide.told(asked, found)
                rails.setdefault(f"{told['size']} {told['rail']}", found)
                ending = pieces.piece(json.dumps(told, ensure_ascii=False))
                at.append(f"{stop:.10g}")
                rows.append(f"{ending} {pieces.piece(decide.under(asked, form, found))}")
            own.append(alike.setdefault(f"{' '.join(at)}|{' '.join(rows)}", len(alike)))
    places: dict[str, int] = {}
    drawn = {
        name: {
            key: places.setdefault(pieces.drawing(svg), len(places))
            for key, svg in _pictures(name, rails).items()
        }
        for name in NAMES
    }
    data = {
        "first": FIRST,
        "whats": {what: _form(what) for what in decide.ASKED},
        "columns": {
            one.sample.key: _column(one) for one in asked_all if one.what in ("count", "map")
        },
        "often": {f"{one:g}": OFTEN[one] for one in decide.SURES},
        "says": {name: SAYS[name] for name in sorted(VARIED - {"data"})} | {"data": SAYS["column"]},
        "begins": {f"{one.what}|{one.sample.key}": _begins(one) for one in asked_all},
        "range": MAY_BE,
        "between": BETWEEN,
        "bands": BANDS,
        "reach": REACH,
        "tables": tables,
        "answers": list(alike),
        "drawn": drawn,
        "places": list(places),
        **pieces.to_dict(),
    }
    return data, *_first(answers)


def _form(what: str) -> dict[str, Any]:
    """The sentences of a first word, with names of a column's own words in them."""
    form = form_of(what)
    word, options, first = decide.MORE.get(form, ("", (), 0))
    return {
        "name": WHAT[what][0],
        "form": form,
        NEED: _parts(what, NEED, word),
        BUDGET: _parts(what, BUDGET, word),
        "more": word,
        "options": [f"{one}" for one in options],
        "begins": f"{first or ''}",
        "says": SAYS.get(word, ""),
    }


def _parts(what: str, given: str, word: str) -> list[Any]:
    """Texts, and the words that can be set: [name, whether it is joined]."""
    found: list[Any] = [""]
    for part in parts(what, given, {"symbol": PURE.symbol, "delta": ""}):
        said = part
        if isinstance(part, Slot) and part.name in {"column", "answer", "lead", *VARIED, word}:
            found += [["data" if part.name == "column" else part.name, part.joined], ""]
            continue
        if isinstance(part, Slot):
            said = SPACE * part.joined + SETTLED.get(part.name, f"%{part.name}")
        found[-1] += said
    return [one for one in found if one]


def _column(asked: Asked) -> dict[str, Any]:
    """What sentences say of a sample in place of its names."""
    one, names = asked.sample, asked.names
    first, unit = one.bounds, one.words.unit.many
    area = " × ".join(f"{ends.width:,.6g}" for ends in first)
    return {
        "name": names.column,
        "over": f"{asked.over:.10g}",
        "ends": [f"{end:.10g}" for end in (first[0].low, first[0].high)],
        "said": {
            "%people": names.people.many,
            "%size": f"{one.about:,}",
            "%low": in_digits(first[0].low),
            "%high": in_digits(first[0].high),
            "%side": f"{decide.SIDE} × {decide.SIDE}",
            "%area": f"{area} {unit}".rstrip(),
        },
        "units": {
            unit: [unit_word(unit, names, 1), unit_word(unit, names, 2)]
            for unit in {**dict.fromkeys(asked.units), "people": 0, "value": 0, "unit": 0}
        },
    }


def _begins(asked: Asked) -> dict[str, str]:
    """The amount that a need begins with in each unit, the first one first."""
    return {unit: f"{asked.first(unit).amount:.10g}" for unit in _units(asked)}


def _units(asked: Asked) -> list[str]:
    """What a need may be of; what the app begins with comes first."""
    first = asked.first().unit
    return [first, *(one for one in asked.units if one != first)]


def _look(name: str) -> Look:
    """Pictures in colours that the page names, so that they serve light and dark paper."""
    names = {"truth": "ink", "faint": "grain"}
    inks = ("truth", "faint", "page", "second", "grain", "hairline", "panel", "band", "private",
            "danger", "danger_text")  # fmt: skip
    blue = Mark(*(f"var({variable('private')})",) * 2, "solid", "circle")
    colours: dict[str, Any] = {one: f"var({variable(names.get(one, one))})" for one in inks}
    screen: Any = "phone" if name == "phone" else "wide"
    return Look(Ink(dark=False, marks={PRIVATE: blue}, **colours), screen=screen)


def _pictures(name: str, found: dict[str, Price]) -> dict[str, str]:
    """Rails by the answer and its state, risks by the answer alone, for a size of the window."""
    look, made = _look(name), dict[str, str]()
    for key, price in found.items():
        if not look.phone:
            numbers = rail.answer(price, PURE)
            made[f"rail {key}"] = _bare(rail_picture.rail(numbers, rail.say(numbers), look, RAIL))
        size = key.split(" ")[0]
        if size and f"risks {size}" not in made:
            made[f"risks {size}"] = _bare(_risks(float(size), look))
    return made


def _risks(size: float, look: Look) -> str:
    numbers = risk.answer(PURE.resized(size), Neighbours.ADD_REMOVE)
    said = risk.say(numbers, risk.RiskNames())
    finding = look.said(said.headline(), said.small)
    second = said.second(brief=look.phone)
    line = f"<p>{marked(second)}</p>" if second else ""
    head = f"<h2>{RISKS}</h2><h3>{marked(finding)}</h3>{line}"
    return f"{head}{risks_picture.risks(numbers, said, look)}"


def _bare(svg: str) -> str:
    """A drawing without what a strict policy forbids, in the page's typefaces."""
    svg = re.sub(r' style="[^"]*"| xmlns="[^"]*"', "", svg)
    return svg.replace(escape(FONT), "var(--sans)").replace(escape(SERIF), "var(--serif)")


def _first(answers: decide.Answers) -> tuple[dict[str, Any], dict[tuple[str, str], str]]:
    """What stands there before any script: the words of the first sentence, and its pictures."""
    asked = Asked(FIRST["what"], sample(FIRST["data"]))
    form, need = answers.form(asked), asked.first()
    found = decide.answered(asked, form, Need(need.amount, need.unit), None)
    assert found is not None
    told = decide.told(asked, found) | {"under": bold_parts(decide.under(asked, form, found))}
    said = {
        "column": asked.names.column,
        "what": WHAT[asked.what][0],
        "low": in_digits(asked.low),
        "high": in_digits(asked.sample.bounds[0].high),
        "about": "about",
        "people": f"{asked.sample.about:,}",
        "off": f"{need.amount:g}",
        "unit": unit_word(need.unit, asked.names, need.amount),
        "often": OFTEN[need.sure],
        "lead": told["lead"],
        "answer": told["answer"],
        "eps": told["size"],
    }
    nouns = {"symbol": PURE.symbol, "delta": "", "people": asked.names.people.many}
    whole = "".join(
        one if isinstance(one, str) else SPACE * one.joined + said[one.name]
        for one in parts(asked.what, NEED, nouns)
    )
    key = f"{told['size']} {told['rail']}"
    pictures = {
        (name, kind): f'<div class="{name}">{made[f"{kind} {of}"]}</div>'
        for name in NAMES
        for made in [_pictures(name, {key: found})]
        for kind, of in (("rail", key), ("risks", told["size"]))
        if f"{kind} {of}" in made
    }
    rows = ""
    for size, one in decide.prices(asked, form, need.unit, need.sure, BUDGET):
        spoken = decide.told(asked, one)["spoken"].removesuffix(decide.NOUN)
        off = price_said.rounded_off(one.off or 0.0, need.unit)
        said_off = text(f"{spoken}{unit_word(need.unit, asked.names, off)}")
        here = ' class="here"' if size == _below(found.size) else ""
        shown = f"<td>{said_off}</td><td>{band(float(off), need.amount)}</td>"
        rows += f'<tr{here}><th scope="row">{PURE.symbol} = {size:g}</th>{shown}</tr>'
    answer = f"{PURE.symbol} ={SPACE}{told['size']}"
    whole = text(whole).replace(answer, f"<output>{answer}</output>")
    key = BANDS.format(f"{need.amount:g} {said['unit']}")
    return told | {"text": whole, "buys": rows, "key": key}, pictures


def band(off: float, need: float) -> str:
    """How far a budget is off, beside dashed lines where the need is: SVG as wide as its cell."""
    half = min(100 * off / (REACH * need), 100)
    lines = "".join(
        f'<path d="M{100 + side * 100 / REACH:g} 0V20" stroke-dasharray="3 3" stroke="var(--ink)"/>'
        for side in (-1, 1)
    )
    return (
        '<svg viewBox="0 0 200 20" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect x="{100 - half:.1f}" y="4" width="{2 * half:.1f}" height="12" '
        f'fill="var(--private)" opacity=".35"/>{lines}</svg>'
    )


def _below(size: float | None) -> float:
    """The largest stop that an answer is not below."""
    return max((one for one in decide.SIZES if size is not None and one <= size), default=0.0)
