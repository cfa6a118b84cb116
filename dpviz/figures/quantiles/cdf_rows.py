"""The picture of one release: dots, true ticks and sticks on the CDF, errors enlarged beside it."""

from typing import Any

from dpviz.answers.quantiles.answers import Answers
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.panels import sheets
from dpviz.figures.kit.picture import Picture, layout, line, picture, trace, words
from dpviz.figures.quantiles.cdf import TrueCurve
from dpviz.figures.quantiles.error_panel import error_traces, panel_axes, panel_words
from dpviz.figures.quantiles.hills import reach_of
from dpviz.figures.quantiles.labels import number_labels
from dpviz.figures.quantiles.marks import band_marks, dots, ribbon, row_axis, sticks, true_ticks
from dpviz.figures.quantiles.scale import Scale

PARTS = "one release", "its errors"
MAIN, BESIDE = (0.0, 0.612), (0.662, 1.0)  # widths of the two panels
SHADE = 0.035  # opacity of the ground under the true CDF


def answers_picture(
    answers: Answers, curve: TrueCurve, scale: Scale, title: str, look: Look
) -> Picture:
    """Teaching view of one release; on a phone the main panel alone. title is plain text.

    Everything but the published numbers and the scale is confidential.
    """
    data = _main_traces(answers, curve, scale, look)
    labels = number_labels(answers, curve, scale, look)
    if len(sheets(look, PARTS)) > 1:
        arranged = _arranged(answers, scale, title, look, (0.0, 1.0), labels)
        return picture(data, arranged)
    reach = reach_of(answers, scale.resolution)
    arranged = _arranged(answers, scale, title, look, MAIN, labels)
    arranged |= panel_axes(answers, look, reach, BESIDE)
    share = (BESIDE[1] - BESIDE[0]) / (MAIN[1] - MAIN[0])
    larger = (scale.view[1] - scale.view[0]) / (2 * reach) * share
    arranged["annotations"] += panel_words(answers, larger, look)
    beside = error_traces(answers, reach, scale.resolution, look, axes=("x2", "y2"))
    return picture([*data, *beside], arranged)


def errors_picture(answers: Answers, scale: Scale, look: Look) -> Picture:
    """The enlarged errors alone, as they stand under the main picture on a phone."""
    reach = reach_of(answers, scale.resolution)
    arranged = layout(look, left=46, right=20) | {"yaxis": row_axis(answers, look)}
    axes = panel_axes(answers, look, reach, (0.0, 1.0))
    larger = (scale.view[1] - scale.view[0]) / (2 * reach)
    arranged |= {"xaxis": axes["xaxis2"] | {"anchor": "y"}}
    arranged["annotations"] = panel_words(answers, larger, look, axes=("x domain", "y domain"))
    traces = error_traces(answers, reach, scale.resolution, look, axes=("x", "y"))
    return picture(traces, arranged)


def _arranged(
    answers: Answers,
    scale: Scale,
    title: str,
    look: Look,
    domain: tuple[float, float],
    labels: list[dict[str, Any]],
) -> dict[str, Any]:
    heading = words(
        look, title, 0, 1, colour=look.ink.second, stand="bottom",
        axes=("x domain", "y domain"), shift=(-44 * look.text(1), 8),
    )  # fmt: skip
    return layout(look, left=46) | {
        "xaxis": scale.axis(look, domain=list(domain)),
        "yaxis": row_axis(answers, look),
        "annotations": [heading, *labels],
    }


def _main_traces(
    answers: Answers, curve: TrueCurve, scale: Scale, look: Look
) -> list[dict[str, Any]]:
    assert answers.truth is not None
    rows, truth, published = answers.quantiles, answers.truth, answers.published
    found = [_staircase(curve, scale, look, ground=True)]
    low, high = (scale.clipped(end) for end in answers.band)
    if answers.draws is not None:
        found.append((ribbon if answers.are_many else band_marks)(low, high, rows, look))
    found.append(_staircase(curve, scale, look))
    if answers.are_many:
        return [*found, dots(published, rows, look, size=6)]
    return [
        *found,
        sticks(truth, published, rows, look),
        true_ticks(truth, rows, look),
        dots(published, rows, look),
    ]


def _staircase(
    curve: TrueCurve, scale: Scale, look: Look, *, ground: bool = False
) -> dict[str, Any]:
    """The true CDF; its ground is drawn apart, below the bands."""
    x, y = curve.closed(scale.bounds)
    if not ground:
        drawn = line(look.ink.truth, look.mark(2), shape="hv")
        return trace("true CDF", x, y, mode="lines", line=drawn)
    return trace(
        "ground",
        x,
        y,
        mode="lines",
        line=line("rgba(0,0,0,0)", 0, shape="hv"),
        fill="tozeroy",
        fillcolor=translucent(look.ink.truth, SHADE),
    )
