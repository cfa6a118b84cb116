"""Methods: a card for every mechanism and estimator, with a picture from a real release."""

import streamlit as st

from dpviz.answers.said import plain
from dpviz.ui.bench.dock import dock
from dpviz.ui.bench.headline import headline
from dpviz.ui.kit import frame, glossary
from dpviz.ui.methods.cards import card
from dpviz.ui.methods.families import BY_TITLE
from dpviz.ui.methods.promise import promise
from dpviz.ui.model import alone
from dpviz.ui.model.fields import same
from dpviz.ui.quantiles import methods
from dpviz.ui.visit import page as visits

frame.guard()
now = visits.open_page("methods")

with dock(now, sliders=0) as d:
    phone = now.look.phone
    row = alone.segments("methods_family", "Family", same(*BY_TITLE), bare=not phone)
    chosen = str(alone.settle("methods", row))
    if phone:  # five words do not fit beside each other
        with d.explore(f"Family: {chosen}"):
            alone.draw(row, chosen)
    else:
        alone.draw(row, chosen, d.buttons)
    with d.popover(glossary.LABEL, "glossary", glossary.ICON):
        glossary.panel()

family = BY_TITLE[chosen]
if family.title == "Quantiles":  # what is recommended hangs on the question
    start, condition = methods.in_general()
    headline("Methods", family.sentence(start), f"{plain(condition)} {family.below()}")
else:
    headline("Methods", family.sentence(), family.below())
cards = list(family.cards())
abreast = {"phone": 1, "narrow": 2}.get(now.look.screen, 3)
for start in range(0, len(cards), abreast):
    row = cards[start : start + abreast]
    for slot, one in zip(st.columns(abreast), row, strict=False):
        with slot:
            card(one)
promise()
