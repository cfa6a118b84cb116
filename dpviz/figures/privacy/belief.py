"""Beliefs about one person before and after a release. Nothing here is data."""

from typing import Any

import numpy as np

from dpviz.answers.privacy.amounts import at_least_percent, most_percent
from dpviz.experiments.privacy.odds import Odds
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.picture import Picture, axis, layout, line, picture, trace, words
from dpviz.figures.privacy.parts import big, title

POINTS = 401
BAND = 0.18
PER_CENT = (0, 25, 50, 75, 100)


def belief_picture(odds: Odds, prior: float, look: Look) -> Picture:
    """Every belief that an output can lead to, as a band, and those of one belief beforehand."""
    priors = np.linspace(0, 1, POINTS)
    least, most = odds.posterior(priors)
    low, high = (float(after[0]) for after in odds.posterior(np.array([prior])))
    blue, ink = look.ink.private, look.ink.truth
    edge = line(blue, look.mark(2.5))
    ends = {"color": ink, "size": look.mark(12), "line": line(look.ink.page, look.mark(1.5))}
    fill = {"fill": "tonexty", "fillcolor": translucent(blue, BAND)}
    data = [
        trace("at least", priors, least, mode="lines", line=edge),
        trace("at most", priors, most, mode="lines", line=edge, **fill),
        trace("nothing learnt", [0, 1], [0, 1], mode="lines", line=line(ink, 1.5, dash="dot")),
        trace(
            "this observer",
            [prior, prior],
            [low, high],
            mode="lines+markers",
            line=line(ink, look.mark(3)),
            marker=ends,
        ),
    ]
    return picture(data, _arranged(odds, prior, look))


def _arranged(odds: Odds, prior: float, look: Look) -> dict[str, Any]:
    written = [f"{share} %" for share in PER_CENT]
    scale = {"tickvals": [share / 100 for share in PER_CENT], "ticktext": written}
    left = 60
    corner: dict[str, Any] = {
        "colour": look.ink.second,
        "align": "right",
        "stand": "bottom",
        "axes": ("x domain", "y domain"),
    }
    before = words(look, "belief before", 1, 0, shift=(-4, 4), **corner)
    # the band leaves this corner last
    nothing = words(look, "dotted: nothing learnt", 1, 0, shift=(-4, look.text(26)), **corner)
    named = [title(look, "Belief after the release", left), before, nothing]
    annotations = [*named, *_ends(odds, prior, look)]
    return layout(
        look,
        left=left,
        right=36,
        top=34,
        bottom=36,
        xaxis=axis(look, range=[0, 1], showline=True, **scale),
        yaxis=axis(look, range=[-0.02, 1.03], showgrid=True, **scale),
        annotations=annotations,
    )


def _ends(odds: Odds, prior: float, look: Look) -> list[dict[str, Any]]:
    """Both beliefs afterwards: the largest above the band, at its left, the least below it."""
    width = look.said((0.2, 0.12), (0.56, 0.36))  # of both texts, as shares of the axis
    at = np.array([max(prior, width[0]), min(prior, 1 - width[1])])
    least, most = odds.posterior(at)
    (low,), (high,) = odds.posterior(np.array([prior]))
    upper = big(
        look,
        f"at most {most_percent(float(high))}",
        float(at[0]),
        float(most[0]),
        colour=look.ink.private,
        size=look.large(28),
        align="right",
        stand="bottom",
        shift=(-look.mark(6), look.mark(2)),
    )
    lower = words(
        look,
        f"at least {at_least_percent(float(low))}",
        float(at[1]),
        float(least[1]),
        size=17,
        align="left",
        stand="top",
        shift=(look.mark(6), -look.mark(4)),
    )
    return [upper, lower]
