"""Links of the time when one page, Neighbours, had four views: each leads where its view went."""

from __future__ import annotations

from dpviz.core.randomness.noise import Noise
from dpviz.ui.links import arriving
from dpviz.ui.understand import settings
from dpviz.ui.visit import data, state
from dpviz.ui.visit import page as visits

# view of such a link: the page that shows it now
VIEWS = {
    "One record": "neighbours",
    "Audit": "audit",
    "Averaging": "budget",
    "What ε means": "neighbours",
}
KINDS = {
    "Quantile (exponential)": None,
    "Count, Laplace": Noise.LAPLACE,
    "Count, discrete Laplace": Noise.DISCRETE_LAPLACE,
    "Count, Gaussian": Noise.GAUSSIAN,
}
# what such links left out, where another value is the first one now
THEN = {"b_k": 20, "b_eps": 1.0, "b_rho": 0.1, "n_runs": 20_000, "n_prior": 10}
VISITS = {"b_eps": "eps", "b_rho": "rho"}  # one ε for all views then; the visit has read it
OF_A_QUANTILE = ("n_quantile", "n_range")  # today's links have them with a view only


def arrive(page: str) -> str:
    """Take an older link over; returns the page that it leads to, this one for any other link."""
    if page != "neighbours":
        return page
    view, kind = _text("n_view", VIEWS), _text("n_kind", KINDS)
    asks_quantile = not arriving.linked("view") and any(map(state.is_set, OF_A_QUANTILE))
    if view is None and kind is None and not asks_quantile:
        state.write(dict.fromkeys(("n_view", "n_kind", "n_k")))
        return page
    target = VIEWS[view] if view else page
    asks = settings.COUNT if kind and KINDS[kind] else settings.QUANTILE
    if kind and KINDS[kind]:
        settings.put("n_noise", KINDS[kind])
        settings.put("n_side", settings.UP_TO)
    if target == "neighbours":
        visits.show_view(target, "meaning" if view == "What ε means" else asks)
    else:
        settings.put("b_ask" if target == "budget" else "a_ask", asks)
    _take_numbers(target)
    if not arriving.linked(data.KEY):  # then every page began with the same set
        data.choose(data.FIRST["column"], "column")
    state.write(dict.fromkeys(("n_view", "n_kind", "n_k")))
    return target


def _text(
    key: str, known: dict[str, object] | dict[str, str] | dict[str, Noise | None]
) -> str | None:
    texts = arriving.linked(key)
    if len(texts) == 1 and texts[0] in known:
        return texts[0]
    if texts:
        arriving.refuse(key)
    return None


def _take_numbers(target: str) -> None:
    """Values that have other names now, and those that such links left out."""
    for key, then in THEN.items():
        if not arriving.linked(key) and (key != "n_prior" or target == "neighbours"):
            settings.put(key, then)
    for own, shared in VISITS.items():
        if target == "budget" and state.is_set(shared):
            settings.put(own, state.get(shared))
    texts = arriving.linked("n_k")
    if texts:
        try:
            (text,) = texts
            settings.put("b_k", settings.ROWS["b_k"].read(text))
        except (ValueError, KeyError):
            arriving.refuse("n_k")
