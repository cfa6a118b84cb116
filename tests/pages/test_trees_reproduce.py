"""The Python lines of the Trees page make the very release on screen, and its reading."""

import numpy as np
import pytest

from dpviz.core.budgets import Neighbours
from dpviz.core.trees.release import TreeRelease
from dpviz.core.trees.tree_noise import Root
from dpviz.estimators.trees.readings import TreeEstimator
from tests.conftest import ROOT
from tests.pages.driver import executed, healthy, held, not_shown, opened, pick, with_file


def on_screen(app) -> TreeRelease:
    """The release behind the page, from what is remembered."""
    found = [one for one in held(app).values() if isinstance(one, TreeRelease)]
    return found[-1]


def lines_of(app) -> str:
    pick(app, trees_view="take")
    (lines,) = [one.value for one in app.code if "import dpviz" in one.value]
    return lines


def assert_same(release: TreeRelease, made: TreeRelease):
    for one, other in zip(release.counts, made.counts, strict=True):
        np.testing.assert_array_equal(one, other)
    assert release == made


SETTINGS = [
    {},
    {"notion": "zcdp", "t_split": "geometric", "t_ratio": 1.5, "t_reading": "from-below"},
    {"notion": "approx", "t_split": "own weights", "t_height": 3, "t_weights": "1, 0, 2.5, 1"},
    {"t_split": "workload-optimal", "t_workload": "CDF", "t_fanout": 3, "t_height": 3},
    {
        "neighbours": Neighbours.REPLACE_ONE,
        "t_root": Root.PUBLIC,
        "t_records": 2500,
        "t_noise": "discrete Laplace",
    },
    {"t_split": "leaves only", "t_root": Root.SUM, "t_reading": "raw", "seed": 9},
]


@pytest.mark.few(3)
@pytest.mark.parametrize("settings", SETTINGS)
def test_the_lines_make_the_release_and_its_reading(settings):
    app = pick(opened("trees"), **settings)
    assert not app.error
    made = executed(lines_of(app), ROOT)
    release, read = made["release"], made["read"]
    assert_same(on_screen(app), release)
    reading = TreeEstimator(settings.get("t_reading", "efficient"))
    expected = reading.apply(release.levels, release.total)
    for one, other in zip(expected.counts, read.counts, strict=True):
        np.testing.assert_array_equal(one, other)


def test_other_noise_makes_another_release():
    app = pick(opened("trees"), seed=1)
    release = executed(lines_of(app), ROOT)["release"]
    assert (on_screen(pick(app, seed=2)).counts[-1] != release.counts[-1]).any()


def test_the_lines_of_an_upload_have_bits_of_their_own(tmp_path):
    content = b"a\n" + b"\n".join(b"%d" % value for value in range(300))
    (tmp_path / "a.csv").write_bytes(content)
    app = with_file("a.csv", content, 0, 300)
    healthy(app.switch_page("pages/trees.py").run())
    for truth in (True, False):
        pick(app, truth=truth)
        release = executed(lines_of(app), tmp_path)["release"]
        assert (on_screen(app).counts[-1] != release.counts[-1]).any()
        assert release.randomness == on_screen(app).randomness == "secure"
        assert "rng" not in lines_of(app)  # bits of its own without a word
        assert "account = dp.Account(budget)  #" in lines_of(app)
        assert not_shown(app)
