"""Every word of Decide's sentence with all that it may be, and cannot be: answered or refused."""

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.answers.decide import quantiles
from dpviz.answers.decide.sentences import WHAT
from dpviz.figures.decide.sentence import Amount, Choice
from tests.conftest import ROOT
from tests.pages.driver import healthy
from tests.pages.sentences import Sentences

KEY = "decide_sentence"
NONSENSE = ("", "nan", "words", "-1e300")


def texts(part: Choice | Amount) -> list[str]:
    """What a word is set to: each of its options, or its ends, what lies between, and nonsense."""
    if isinstance(part, Choice):
        return [one[0] for one in part.options]
    middle = min(max(1.0, part.least), part.most)
    return [f"{part.least:.17g}", f"{part.most:.17g}", f"{middle:g}", *NONSENSE]


@pytest.mark.thorough
@pytest.mark.parametrize("what", WHAT)
@pytest.mark.parametrize("link", [{}, {"notion": "approx", "neighbours": "replace"}])
def test_every_word_is_answered_or_refused(link, what, monkeypatch):
    for name, few in (("COLUMNS", 20), ("RELEASES", 2), ("ROUGH", 10)):
        monkeypatch.setattr(quantiles, name, few)
    sentences = Sentences(monkeypatch)
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params.update(link | {"what": what})
    healthy(app.switch_page("pages/decide.py").run())
    first = dict(app.session_state["_visit"])
    for part in sentences.drawn[KEY].words:
        for text in texts(part):
            app.session_state["_visit"] = dict(first)
            app.switch_page("pages/decide.py").run()
            sentences.set(KEY, part.name, text)
            app.run()
            assert not app.exception, (part.name, text)
