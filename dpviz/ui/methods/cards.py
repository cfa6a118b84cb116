"""A card of the Methods page: picture, name, one sentence, promises, costs, use.

The pictures of all methods are made by `make figures` from samples, and read from a file.
"""

import json
from functools import cache, lru_cache, partial
from pathlib import Path

import numpy as np
import streamlit as st

from dpviz import catalogue
from dpviz.core.card import PROMISES, Card
from dpviz.intake.samples import sample_column, sample_points
from dpviz.ui.kit import glossary
from dpviz.ui.kit.gallery.gallery import still
from dpviz.ui.kit.gallery.shapes import Still
from dpviz.ui.methods import columns, maps, trees
from dpviz.ui.methods.promise import holds

MEANINGS = {
    "pure": "One limit for every answer: no answer becomes more than e^ε times likelier or rarer "
    "with any one person. Budgets add up.",
    "zcdp": "Bounds how far the two laws are apart on average instead of at their worst point. "
    "Budgets add up more cheaply: many small releases cost less than with pure ε.",
    "approx": "The chance of any set of answers is at most e^ε times the other's, and a tiny δ more. "
    "In return the noise may be smaller where there are many answers.",
    "range": "The two laws may differ by e^ε between any two answers, which is stronger than pure ε. "
    "So the same ρ buys about twice the ε.",
    "free": "It works on what is published already, or on public numbers alone. That costs no "
    "privacy: it is post-processing.",
    "same": "It changes or uses one person's record alone. So the promise is that of the release "
    "around it, and no budget is spent besides.",
    "none": "It shows exact cuts or counts of the data. It is here as a yardstick, hidden with the "
    "truth, and must never be published.",
}
PICTURE_HEIGHT = 150
SHORT = 14  # letters of a short name that stands beside the name in words
FILE = Path(__file__).with_name("pictures.json")
SEED = 7


def card(one: Card) -> None:
    """Draw one card in its place."""
    with st.container(border=True, key=f"method_{one.key}", height="stretch"):
        picture = of(one.key)
        if picture is not None:
            still(f"picture_{one.key}", picture, _alt(one), height=PICTURE_HEIGHT)
        st.subheader(named(one), anchor=one.key)
        st.markdown(one.lead)
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(":gray[promises]", width="content")
            for promise in one.promises:
                glossary.word(PROMISES[promise], MEANINGS[promise], f"{one.key}_{promise}")
            st.space("stretch")
            with (
                st.popover("formulas", type="tertiary", key=f"more_{one.key}"),
                st.container(width=420),
            ):
                st.markdown(details(one))
        st.markdown(
            f":gray[costs] {one.price}  \n:gray[use for] {one.use}  \n"
            f":gray[holds of the program] {holds(one)}"
        )


def named(one: Card) -> str:
    """The name in plain words, with the short name in grey where it is another one."""
    name = one.words if one.words.startswith("kd") else one.words[:1].upper() + one.words[1:]
    known = one.label.lower() == one.words.lower() or len(one.label) > SHORT
    return name if known else f"{name} :gray[:small[{one.label}]]"


def details(one: Card) -> str:
    """Everything that is said of a method, Markdown with formulas."""
    return (
        f"**{one.title}.** {one.summary}\n\n"
        f"- **Guarantee:** {one.guarantee}\n"
        f"- **Neighbours:** {one.neighbours}\n"
        f"- **Holds of the program:** {holds(one)}\n"
        f"- **Cost:** {one.cost}\n"
        f"- **Good for:** {one.good_for}\n"
        f"- **Watch out:** {one.watch_out}\n"
        f"- **Source:** {one.source}\n"
        f"- **In code:** `{one.key}` ({one.role})"
    )


def _alt(one: Card) -> str:
    return f"{one.words}: {one.lead}"


def made(key: str) -> Still:
    """The picture of one method, from a release of its own seed.

    Raises: KeyError for a method without a picture.
    """
    rng = np.random.default_rng([SEED, *key.encode()])
    if key in (of_maps := maps.pictures()):
        return of_maps[key](sample_points("towns"), rng)
    return _of_columns()[key](sample_column("exam"), rng)


def _of_columns() -> dict[str, columns.Picture]:
    quantiles = {
        kind.card.key: partial(columns.MINIATURES[kind.card.miniature], kind())
        for kind in catalogue.QUANTILES
    }
    return {**quantiles, **columns.PICTURES, **trees.PICTURES}


def keys() -> list[str]:
    """Every method that has a picture."""
    return [*_of_columns(), *maps.pictures()]


def of(key: str) -> Still | None:
    """A method's picture: the stored one, or its first release if it is too new for that."""
    if key in stored():
        return stored()[key]
    return _first(key) if key in keys() else None


@lru_cache(maxsize=8)  # of samples: the same for everybody
def _first(key: str) -> Still:
    return made(key)


@cache
def stored() -> dict[str, Still]:
    """All pictures as they were last made, read once a process."""
    found: dict[str, Still] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def write() -> int:
    """Make all pictures and write the file, a line each; returns its size."""
    lines = [
        f"{json.dumps(key)}: {json.dumps(made(key), ensure_ascii=False, separators=(',', ':'))}"
        for key in keys()
    ]
    body = ",\n".join(lines)
    return FILE.write_text(f"{{\n{body}\n}}\n", encoding="utf-8")
