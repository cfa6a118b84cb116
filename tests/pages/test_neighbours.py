"""The Neighbours page in each of its views and states."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.figures.kit.layout import NOTICE
from dpviz.intake.samples import samples
from tests.pages.driver import alts, declare, figures, opened, pick, text, uploaded, with_file

VIEWS = ("One record", "Audit", "Averaging", "What ε means")
LAPLACE, DISCRETE, GAUSSIAN = "Count, Laplace", "Count, discrete Laplace", "Count, Gaussian"
CONFIDENTIAL = VIEWS[:3]


def page(**link):
    return opened("neighbours", **link)


def problems(app):
    return [box.value for box in app.error]


def metric(app, label):
    (found,) = [one.value for one in app.metric if one.label == label]
    return found


@pytest.mark.parametrize("kind", [None, LAPLACE, DISCRETE, GAUSSIAN])
def test_every_view_of_every_mechanism(kind):
    app = page()
    if kind:
        pick(app, n_kind=kind)
    counts = {}
    for view in VIEWS:
        pick(app, n_view=view)
        assert problems(app) == []
        counts[view] = len(figures(app))
        assert all(len(alt) > 15 for alt in alts(app))
    assert list(counts.values()) == [1, 2, 2, 1]


@pytest.mark.parametrize("key", [one.key for one in samples()])
def test_every_sample_set_under_both_relations(key):
    app = pick(page(), data=key)
    for relation in ("replace-one", "add-remove"):
        pick(app, neighbours=relation)
        for view in CONFIDENTIAL:
            pick(app, n_view=view)
            assert problems(app) == []
            assert figures(app)
    pick(app, n_view="One record", n_way="add")
    assert float(metric(app, "Largest |log ratio|")) <= 1
    if len(samples()[[one.key for one in samples()].index(key)].columns) == 2:
        before = figures(app)
        pick(app, axis=app.get_by_key("axis").options[1])
        assert problems(app) == []
        assert not np.array_equal(figures(app)[0]["log ratio"][0], before[0]["log ratio"][0])


def test_the_log_ratio_stays_between_the_lines():
    app = page()
    for which in ("least", "median", "greatest", "at a rank"):
        pick(app, n_which=which)
        ratio = figures(app)[0]["log ratio"][1]
        assert np.isfinite(ratio).all()
        assert float(metric(app, "Largest |log ratio|")) == pytest.approx(
            np.abs(ratio).max(), rel=1e-3
        )
        assert np.abs(ratio).max() <= 1
    pick(app, n_range="the whole range")
    assert figures(app)[0]["this column"][0][0] == -0.5  # ties are spread beyond the bound
    assert "Ties were spread" in text(app)


def test_a_count_shows_the_whole_epsilon_and_says_when_it_does_not_move():
    app = pick(page(), n_kind=LAPLACE)
    assert metric(app, "Share of ε used") == "100.0%"
    pick(app, n_which="greatest")
    assert metric(app, "Share of ε used") == "0.0%"
    assert "does not change the count" in app.info[0].value


def test_gaussian_noise_has_a_delta_instead_of_a_bound():
    app = pick(page(), n_kind=GAUSSIAN)
    assert app.get_by_key("n_notion").value == "zcdp"  # pure ε does not fit
    assert metric(app, "Exact δ(ε)") == "1e-06"
    pick(app, n_at=1e-3)
    assert metric(app, "Exact δ(ε)") == "0.001"
    assert float(metric(app, "Outputs beyond ε")) > 1e-3
    pick(app, n_which="greatest")
    assert metric(app, "Exact δ(ε)") == "0"
    pick(app, n_notion="pure")
    assert "does not give pure" in problems(app)[0]
    pick(app, n_kind=LAPLACE)
    assert problems(app) == []


@pytest.mark.parametrize("kind", [None, LAPLACE])
def test_the_audit_catches_the_twin_and_spares_the_mechanism(kind):
    app = pick(page(), n_view="Audit", n_columns="a hard pair")
    if kind:
        pick(app, n_kind=kind)
    assert "claim refuted" in text(app)
    assert float(metric(app, "ε proved, as claimed").strip("≥ ")) <= 1
    assert float(metric(app, "ε proved, broken twin").strip("≥ ")) > 1
    assert NOTICE not in "".join(chart.proto.spec for chart in app.get("plotly_chart"))
    pick(app, n_twin=False)
    assert "claim refuted" not in text(app)
    pick(app, n_runs=1_000, n_confidence="99.9 %")
    assert figures(app)[0]["as claimed"][0][-1] == 500


def test_an_audit_that_cannot_tell_says_why():
    app = pick(page(), n_view="Audit", n_kind=LAPLACE, n_which="greatest")
    assert "no number of runs can catch it" in text(app)
    pick(app, n_columns="a hard pair", n_eps=10.0, n_runs=1_000)
    assert "prove at most" in text(app)


def test_the_attack_and_its_bill():
    app = pick(page(data="Uniform"), n_view="Averaging", n_kind=LAPLACE, n_eps=0.1, n_k=1_000)
    attack, bill = figures(app)
    assert attack["answers"][0].size == 1_000
    assert float(metric(app, "Mean is off")) < float(metric(app, "One is off")) / 5
    assert float(metric(app, "ε, basic")) == 100
    assert bill["basic"][1][-1] == pytest.approx(100)
    first = attack["answers"][1][0]
    pick(app, n_k=1)
    assert figures(app)[0]["answers"][1].tolist() == [first]  # the same draws
    assert "What 1 answer tells" in text(app)
    pick(app, n_seed=2)
    assert figures(app)[0]["answers"][1][0] != first


def test_the_truth_that_answers_are_averaged_towards_is_the_raw_one():
    app = with_file("a.csv", b"a\n42\n", 0, 100, 1)
    app.switch_page("pages/neighbours.py").run()
    pick(app, n_view="Averaging")
    attack = figures(app)[0]
    assert attack["truth"][1].tolist() == [42, 42]  # not a value spread over the resolution
    assert "The true quantile is 42;" in text(app)


def test_what_epsilon_means_needs_no_data():
    app = pick(uploaded("a.csv", b"a\n1\n2\n"))  # no bounds yet
    app.switch_page("pages/neighbours.py").run()
    assert "Declare the bounds" in app.info[0].value
    pick(app, n_view="What ε means")
    assert metric(app, "After, most") == "23.2 %"
    assert not app.info
    pick(app, n_prior=50, n_notion="zcdp", n_rho=0.5)
    assert "but for a chance of 1e-06" in text(app)
    pick(app, n_notion="approx")
    assert "but for a chance of 2e-06" in text(app)
    assert "badge" not in text(app)


@pytest.mark.parametrize("kind", [None, GAUSSIAN])
def test_with_the_truth_off_nothing_of_the_data_is_there(kind):
    app = page()
    if kind:
        pick(app, n_kind=kind)
    pick(app, n_which="at a rank", truth=False)
    for view in CONFIDENTIAL:
        pick(app, n_view=view)
        assert problems(app) == []
        assert "while the truth is off" in app.info[0].value
        (*charts,) = figures(app)
        assert [set(chart) & {"basic", "zCDP, at δ"} != set() for chart in charts] == (
            [True] if view == "Averaging" else []
        )
        assert NOTICE not in "".join(chart.proto.spec for chart in app.get("plotly_chart"))
        for word in ("6,000", "attains", "Largest", "Mean is", "settles"):
            assert word not in text(app)
    pick(app, n_view="What ε means")
    assert len(figures(app)) == 1


@pytest.mark.parametrize(
    "content", [b"a\n5\n", b"a\n7\n7\n7\n7\n", b"a\n-1\n99\n", b"a\n0\n0\n", b"a\n10\n10\n10\n"]
)
@pytest.mark.parametrize("resolution", [0, 1])
def test_tiny_columns_run_everywhere(content, resolution):
    app = with_file("a.csv", content, 0, 10, resolution)
    app.switch_page("pages/neighbours.py").run()
    for relation in ("add-remove", "replace-one"):
        pick(app, neighbours=relation)
        for view in CONFIDENTIAL:
            pick(app, n_view=view)
            assert problems(app) == []
            assert figures(app)
    pick(app, n_view="One record", n_where="a value", n_kind=DISCRETE)
    assert problems(app) == []


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"n_eps": 0.0}, "ε must be a positive finite number"),
        ({"n_kind": LAPLACE, "n_notion": "approx"}, "makes no use of δ"),
        ({"n_kind": GAUSSIAN, "n_at": 2.0}, "δ must lie strictly between 0 and 1"),
        ({"n_kind": DISCRETE, "n_eps": 1e-14}, "beyond 2^40"),
    ],
)
def test_bad_input_is_named_and_mended(values, message):
    for view in CONFIDENTIAL:
        app = pick(page(), n_view=view, **values)
        (found,) = problems(app)
        assert message in found.replace("\\", "")
        pick(app, n_kind="Quantile (exponential)", n_notion="pure", n_eps=1.0)
        if "n_at" in values:
            continue
        assert problems(app) == []
        assert figures(app)


@pytest.mark.parametrize("epsilon", [1e-6, 1e4])
@pytest.mark.parametrize("kind", [None, LAPLACE, DISCRETE])
def test_extreme_budgets(epsilon, kind):
    app = page()
    if kind:
        pick(app, n_kind=kind)
    pick(app, n_eps=epsilon)
    for view in VIEWS:
        pick(app, n_view=view)
        assert problems(app) == []
        for chart in figures(app):
            assert all(np.isfinite(y.astype(float)).all() for _, y in chart.values())


def test_markup_in_a_file_stays_text():
    app = with_file("b.csv", b"$a_b$ <script>\n1\n2\n3\n", 0, 10)
    app.switch_page("pages/neighbours.py").run()
    for view in VIEWS:
        pick(app, n_view=view)
        for chart in app.get("plotly_chart"):
            assert "<script>" not in chart.proto.spec
            assert "$a_b$" not in chart.proto.spec


def test_an_uploads_noise_is_its_own_but_stays():
    content = b"a\n" + b"".join(b"%d\n" % value for value in range(1, 60))

    def answers():
        app = with_file("a.csv", content, 0, 60)
        app.switch_page("pages/neighbours.py").run()
        pick(app, n_view="Averaging")
        first = figures(app)[0]["answers"][1]
        pick(app, n_view="Audit")
        pick(app, n_view="Averaging")
        np.testing.assert_array_equal(figures(app)[0]["answers"][1], first)
        return first

    assert not np.array_equal(answers(), answers())  # the salt


def test_a_million_records_are_no_trouble(rng):
    values = np.round(rng.normal(50, 9, 10**6))
    content = b"a\n" + "\n".join(map(str, values.astype(int).tolist())).encode() + b"\n"
    app = declare(uploaded("a.csv", content), 0, 100, 1)
    app.switch_page("pages/neighbours.py").run()
    for change in ({"n_eps": 2.0}, {"n_which": "median"}, {"n_quantile": 0.9}):
        pick(app, **change)
        assert len(app.get("plotly_chart")) == 1
    assert problems(app) == []
