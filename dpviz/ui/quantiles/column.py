"""A made-up column: synthetic people in place of the real ones, a release of its own."""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import streamlit as st

from dpviz.answers.quantiles import made_up, made_up_said
from dpviz.answers.quantiles.made_up import MadeUpNumbers
from dpviz.answers.said import Line, Said, unmarked
from dpviz.core.releases import QuantileRelease
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.quantiles.cdf import TrueCurve, thin_steps
from dpviz.figures.quantiles.made_up import made_up_picture
from dpviz.figures.quantiles.scale import Scale
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.sanitized import SanitizedColumn
from dpviz.reports.tables import table_csv
from dpviz.ui.bench.slides import slides
from dpviz.ui.kit import session
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import drawn_once, purpose_of
from dpviz.ui.kit.offers import REFUSAL, Offer, offer_buttons
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Shown as OnScreen
from dpviz.ui.model.render import View
from dpviz.ui.quantiles import methods
from dpviz.ui.quantiles.page import QuantilesPage
from dpviz.ui.quantiles.shown import true_curve, voice_of

HERO = "made_up"
POINTS = 1_500  # of the private CDF that a screen can show


@dataclass(frozen=True, slots=True, eq=False)
class MadeUp:
    """A made-up column, and beside the truth how well it stands in. Confidential."""

    release: QuantileRelease
    scale: Scale
    found: MadeUpNumbers


def _numbers(page: QuantilesPage, _: Values) -> MadeUp:
    release = _release(page)
    scale = Scale.of(release.values, release.bounds, release.resolution, session.unit())
    column = page.question.column if page.has_truth else None
    return MadeUp(release, scale, made_up.answer(release, column))


def _say(page: QuantilesPage, known: MadeUp) -> Said:
    now, people = page.now, voice_of(known.scale).words.people
    is_declared, spent = page.points is not None, str(page.question.spent)
    said = made_up_said.say(known.found, people, asked=is_declared, spent=spent)
    second = Line("") if now.presenting and not page.has_truth else said.second
    return replace(said, second=second, alt=unmarked(f"{said.headline()} {said.second()}"))


def _draw(page: QuantilesPage, known: MadeUp, _: Values, look: Look) -> Picture:
    """Both CDFs; with the truth off the made-up one alone."""
    column, scale, shows = page.question.column, known.scale, page.has_truth
    words = voice_of(scale).words
    title = f"Share of the {words.people.many} {words.up_to[0]}"
    curve = true_curve(column, scale.view) if shows else None
    mine = _thinned(known.release, scale)
    return made_up_picture(
        mine.value, mine.height, curve, scale, title, look,
        names=(f"{known.found.count:,} made-up", f"{column.n:,} real" if shows else ""),
    )  # fmt: skip


def _release(page: QuantilesPage) -> QuantileRelease:
    question = page.question
    halving = page.settings.build(methods.HALVING, question.budget)
    assert isinstance(halving, ApproximateQuantiles)
    mechanism = SanitizedColumn(size=page.points, quantiles=halving)
    column, budget, draw = question.column, question.budget, question.draw
    purpose = purpose_of(mechanism, column, budget)
    make, paid = partial(mechanism.release, column, budget), [Cost("made-up column", budget)]
    return drawn_once(draw, column, "synthetic", purpose, make, paid, 2)


def _thinned(release: QuantileRelease, scale: Scale) -> TrueCurve:
    """The private CDF as far as the screen can show it."""
    if release.values.size <= POINTS:
        return TrueCurve(release.values, release.quantiles)
    up_to = np.arange(1, release.values.size + 1)
    return TrueCurve(*thin_steps(release.values, up_to, scale.view, POINTS // 2))


def _take(shown: OnScreen[QuantilesPage, MadeUp]) -> None:
    page, release = shown.asked, shown.numbers.release
    st.space("medium")
    if not page.now.look.phone:
        st.caption("This picture as a slide, 1920 × 1080:")
        slides(page.now, HERO, shown.said.headline(), "made-up-column")
    if page.question.draw.is_teaching(release):
        st.caption(REFUSAL)
        return
    offer_buttons(
        [
            Offer(
                "Made-up column as CSV",
                lambda: table_csv(("value",), ((repr(one),) for one in release.values.tolist())),
                "synthetic.csv",
                "text/csv",
            )
        ]
    )


VIEW: View[QuantilesPage, MadeUp] = View(
    "column", "Made-up column", _numbers, say=_say, draw=_draw, hero=HERO, file="made-up-column",
    below=_take, saved=False,
)  # fmt: skip
