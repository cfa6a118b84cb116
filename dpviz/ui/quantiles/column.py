"""A made-up column: synthetic people in place of the real ones, a release of its own."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpviz.answers.quantiles import made_up, made_up_said
from dpviz.core.releases import QuantileRelease
from dpviz.figures.kit.thin import thin_steps
from dpviz.figures.quantiles.cdf import TrueCurve
from dpviz.figures.quantiles.made_up import made_up_picture
from dpviz.figures.quantiles.scale import Scale
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.sanitized import SanitizedColumn
from dpviz.reports.tables import table_csv
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.slides import slides, unmarked
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit import session
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import drawn_once, purpose_of
from dpviz.ui.kit.offers import REFUSAL, Offer, offer_buttons
from dpviz.ui.quantiles.asked import QuantilesPage
from dpviz.ui.quantiles.shown import true_curve, voice_of

CHART = "made_up"
POINTS = 1_500  # of the private CDF that a screen can show


def column_view(page: QuantilesPage) -> None:
    """Both CDFs; with the truth off the made-up one alone."""
    now, column = page.now, page.question.column
    release = _release(page)
    scale = Scale.of(release.values, release.bounds, release.resolution, session.unit())
    shows = now.truth and column.n > 0
    words = voice_of(scale).words
    found = made_up.answer(release, column if shows else None)
    is_declared = page.points is not None
    said = made_up_said.say(found, words.people, asked=is_declared, spent=str(page.question.spent))
    sentence, second = said.headline(), said.second()
    headline("Quantiles", sentence, "" if now.presenting and not shows else second)
    title = f"Share of the {words.people.many} {words.up_to[0]}"
    curve = true_curve(column, scale.view) if shows else None
    mine = _thinned(release, scale)
    picture = made_up_picture(
        mine.value, mine.height, curve, scale, title, now.look,
        names=(f"{found.count:,} made-up", f"{column.n:,} real" if shows else ""),
    )  # fmt: skip
    hero(picture, CHART, unmarked(f"{sentence} {second}"), slides="made-up-column")
    strip(now, said.strip)
    if not now.presenting:
        st.space("medium")
        _take(page, release, sentence)


def _release(page: QuantilesPage) -> QuantileRelease:
    settings, question = page.settings, page.question
    mechanism = SanitizedColumn(
        size=page.points,
        quantiles=ApproximateQuantiles(
            settings.neighbours, settings.rho_rule, settings.ties, settings.round_to_grid
        ),
    )
    column, budget, draw = question.column, question.budget, question.draw
    purpose = purpose_of(mechanism, column, budget)
    paid = [Cost("made-up column", budget)]
    return drawn_once(
        draw,
        column,
        "synthetic",
        purpose,
        lambda rng: mechanism.release(column, budget, rng),
        paid,
        2,
    )


def _thinned(release: QuantileRelease, scale: Scale) -> TrueCurve:
    """The private CDF as far as the screen can show it."""
    if release.values.size <= POINTS:
        return TrueCurve(release.values, release.quantiles)
    up_to = np.arange(1, release.values.size + 1)
    return TrueCurve(*thin_steps(release.values, up_to, scale.view, POINTS // 2))


def _take(page: QuantilesPage, release: QuantileRelease, sentence: str) -> None:
    if not page.now.look.phone:
        st.caption("This picture as a slide, 1920 × 1080:")
        slides(page.now, CHART, sentence, "made-up-column")
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
