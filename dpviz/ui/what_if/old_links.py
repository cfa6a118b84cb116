"""Links of former versions, whose page had fields of its own for what the sentence says today."""

import streamlit as st

from dpviz.answers.decide.sentences import SETS
from dpviz.core.quantiles import uniform_quantiles
from dpviz.ui.kit.pickers import MOST_QUANTILES, OWN, UNIFORM
from dpviz.ui.links import arriving, readable

# keys that no page has any more: of the first the sentence says the same, the others are gone
SAID = ("w_set", "w_m", "w_own", "w_target", "w_probability")
GONE = ("w_basis", "w_shape", "w_people", "w_declared", "w_suspicion", "w_compare", "w_error")
KEYS = (*SAID, *GONE)
FIRST_M = "15"  # of uniform quantiles


def in_words() -> dict[str, str]:
    """What the link says in former keys, as the words of the sentence say it."""
    link = {key: texts[0] for key in SAID if len(texts := arriving.linked(key)) == 1}
    found = _published(link)
    if "w_target" in link:
        found |= {"off": link["w_target"], "unit": "share"}
    if "w_probability" in link:
        found["often"] = link["w_probability"]
    return found


def rest() -> dict[str, str]:
    """What else the link says, of which the sentence takes what it knows."""
    found = {key: arriving.linked(key) for key in st.query_params if key not in (*KEYS, "view")}
    return {key: texts[0] for key, texts in found.items() if len(texts) == 1}


def _published(link: dict[str, str]) -> dict[str, str]:
    """The first word; nothing where no set, or one that is none, was said."""
    named = link.get("w_set")
    if named in SETS:
        return {"what": str(named)}
    if named == OWN:
        return {"what": "own"} | ({"own": link["w_own"]} if "w_own" in link else {})
    m = link.get("w_m", FIRST_M)
    if named == UNIFORM and readable.whole([m], 1, MOST_QUANTILES):
        listed = ", ".join(f"{one:.10g}" for one in uniform_quantiles(int(m)))
        return {"what": "own", "own": listed}
    return {}
