"""Every field of a number at both ends, and as far away as it goes: an answer or a refusal."""

from typing import Any

import pytest

from dpviz.answers.decide import quantiles
from tests.pages.driver import opened
from tests.views import TABS, views

FAR = 1e15
STATES = [(page, view) for page in TABS for view in views(page)]
STATES += [(page, "") for page in ("start", "what_if", "methods", "papers", "data", "learn")]


def ends(one: Any) -> list[float]:
    """The ends of a field; far numbers where it has none."""
    low, high = one.min, one.max
    found = (-FAR if low is None else low, FAR if high is None else high)
    return [round(end) if isinstance(one.value, int) else float(end) for end in found]


@pytest.mark.thorough
@pytest.mark.parametrize("link", [{}, {"data": "towns", "notion": "approx"}])
@pytest.mark.parametrize(("page", "view"), STATES)
def test_a_number_at_its_ends_is_answered_or_refused(page, view, link, monkeypatch):
    for name, few in (("COLUMNS", 20), ("RELEASES", 2), ("ROUGH", 10)):
        monkeypatch.setattr(quantiles, name, few)
    where = link | ({"view": view} if view else {})
    fields = [one for one in opened(page, **where).number_input if not one.disabled]
    for key, end in [(one.key, end) for one in fields for end in ends(one)]:
        app = opened(page, **where)
        app.get_by_key(key).set_value(end)
        app.run(timeout=60)
        assert not app.exception, (key, end)
