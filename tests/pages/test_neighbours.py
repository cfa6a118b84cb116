"""One person in each of its views and states."""

import json
import re

import numpy as np
import pytest

from dpviz.intake.samples import samples
from tests.pages.driver import alts, asking_nobody, figures, has, healthy, opened, pick, text
from tests.pages.own_file import at, with_own
from tests.pages.pictures import pictures
from tests.views import views

VIEWS = views("neighbours")
LAPLACE, DISCRETE, GAUSSIAN = "laplace", "discrete-laplace", "gaussian"


def page(**link):
    return opened("neighbours", **link)


def problems(app):
    return [box.value for box in app.error]


def said(app):
    """The words of a page and its dock without their markup."""
    dock = "\n".join(one.value for one in app.get("markdown"))
    whole = f"{text(app)}\n{dock}".replace("**", "")
    bare = re.sub(r":(?:blue|orange)\[((?:\\.|[^\]\\])*)\]", r"\1", whole)
    return re.sub(r"\\(.)", r"\1", bare)


def test_the_first_screen_is_ida_with_numbers_rounded_up():
    app = page()
    assert "With or without Ida, every answer is at most 2.72 times as likely." in said(app)
    assert "How many of 15,000 people earn over 100,000? With Ida 865, without her 864." in said(
        app
    )
    assert "if 866 is published: a suspicion of 50 % becomes 73 %" in said(app)
    assert "one of 10 % becomes at most 23.2 %" in said(app)
    assert list(figures(app)[0]) == ["with", "without", "ratio", "supposed"]
    assert dict(app.query_params) == {}
    pick(app, eps=0.5)
    assert "at most 1.65 times" in said(app)
    pick(app, eps=0.1)
    assert "at most 1.11 times" in said(app)


def test_the_supposed_answer_moves_with_the_slider_and_stands_in_the_link_as_a_distance():
    app = pick(page(), n_offset=-2)
    assert figures(app)[0]["supposed"][0] == [863]
    assert "if 863 is published: a suspicion of 50 % becomes 27 %" in said(app)
    assert app.query_params["n_offset"] == "-2"
    assert app.get_by_key("n_offset").value == -2
    assert not any("863" in value for value in app.query_params.values())


def test_publishing_one_draws_it_and_pays_for_it():
    app = pick(page(), new_draw=True)
    first = figures(app)[0]["supposed"][0][0]
    assert "ε = 1 of 1 promised" in said(app)
    pick(app, n_prior=20)
    assert figures(app)[0]["supposed"][0][0] == first
    pick(app, n_offset=3)  # what was published stays so only until something else is supposed
    assert figures(app)[0]["supposed"][0] == [868]
    assert "ε = 1 of 1 promised" in said(app)
    answers = {figures(pick(app, new_draw=True))[0]["supposed"][0][0] for _ in range(6)}
    assert len(answers) > 1
    assert "ε = 7 of 1 promised" in said(app)


@pytest.mark.few(4)
@pytest.mark.parametrize("noise", [DISCRETE, LAPLACE, GAUSSIAN])
@pytest.mark.parametrize("view", VIEWS)
def test_every_view_of_every_noise(view, noise):
    app = pick(page(), n_noise=noise)
    pick(app, n_asks=view)
    assert problems(app) == []
    assert len(figures(app)) == (view != "trust" or noise != GAUSSIAN)  # reports promise no ρ
    assert all(len(alt) > 40 for alt in alts(app))


@pytest.mark.few(2)
@pytest.mark.parametrize("key", [one.key for one in samples()])
def test_every_sample_set_under_both_relations(key):
    app = page(data=key)
    if app.session_state["data"] != key:
        pick(app, data_choice=key)
    for relation in ("replace-one", "add-remove"):
        pick(app, neighbours=relation)
        for view in VIEWS[:2]:
            pick(app, n_asks=view)
            assert problems(app) == []
            ratio = figures(app)[0]["ratio"][1]
            assert np.isfinite(ratio).all()
            assert np.abs(ratio).max() <= 1 + 1e-9
    for way in ("added", "removed"):
        pick(app, n_way=way)
        assert problems(app) == []


def test_the_log_ratio_stays_between_the_lines_and_is_told_to_experts():
    app = page(data="exam", view="quantile", eps="1")
    pick(app, n_asks="quantile")
    for which in ("least", "median", "greatest", "at a rank"):
        pick(app, n_which=which)
        ratio = figures(app)[0]["ratio"][1]
        assert np.abs(ratio).max() <= 1
        shown = float(re.search(r"largest |log ratio|: ([\d.]+)".replace("|", r"\|"), said(app))[1])
        assert shown == pytest.approx(np.abs(ratio).max(), rel=1e-3)
    pick(app, n_range="the whole range")
    assert figures(app)[0]["with"][0][0] == -0.5  # ties are spread beyond the bound
    assert "one way of spreading tied values" in said(app)


def test_a_new_spread_changes_the_densities_and_costs_nothing():
    app = pick(page(data="exam"), n_asks="quantile")
    before = figures(app)[0]["with"][0]
    pick(app, new_draw=True)
    assert not np.array_equal(figures(app)[0]["with"][0], before)
    assert "nothing of 1 promised" in said(app) or "Spent nothing" in said(app)


def test_a_small_budget_is_told_in_per_cent():
    app = pick(page(data="exam", eps="0.1"), n_asks="quantile")
    assert re.search(r"The best student can move the private median's odds by [\d.]+ %; "
                     r"ε = 0.1 allows 10.6 %\.", said(app))  # fmt: skip
    assert re.search(r"this person uses \d+ % of ε", said(app))
    assert "true median 59" in said(app)


def test_a_count_says_when_the_person_does_not_move_it():
    app = pick(page(), n_which="least")
    assert "the count is the same" in said(app)
    assert "Choose somebody on the other side of the line" in said(app)
    assert (figures(app)[0]["ratio"][1] == 0).all()
    pick(app, n_side="up to")
    assert "at most 2.72 times" in said(app)


def test_gaussian_noise_has_a_delta_and_leaves_the_limits():
    app = pick(page(), n_noise=GAUSSIAN)
    assert app.get_by_key("notion").value == "zcdp"  # pure ε does not fit
    share = re.search(r"outputs beyond ε: (\S+ × 10\S+)", said(app))[1]  # more than δ = 10⁻⁶
    assert f"except with chance {share}" in said(app)
    assert share.endswith("10⁻⁵") or (share.endswith("10⁻⁶") and not share.startswith("1.0"))
    assert "exact δ(ε): 1e-06" in said(app)
    assert "beyond" in figures(app)[0]
    pick(app, n_at=1e-3)
    assert "exact δ(ε): 0.001" in said(app)
    assert "badge[δ = 0.001]" in said(app)
    assert "badge[δ = 0.001]" not in said(pick(app, n_noise=DISCRETE))  # of no use there
    pick(app, n_noise=GAUSSIAN)
    pick(app, notion="pure")
    assert "does not give pure" in problems(app)[0]
    pick(app, n_noise=LAPLACE)
    assert problems(app) == []
    pick(app, notion="approx")
    assert "makes no use of δ" in problems(app)[0].replace("\\", "")


def test_what_epsilon_means_needs_no_data():
    app = at(with_own(b"a\n1\n2\n", None, None, truth=False), "neighbours")
    pick(app, n_asks="meaning")
    pick(app, n_prior=10, eps_exact=1.0)
    assert "A suspicion of 10 % becomes at most 23.2 %." in said(app)
    assert "at least 3.9 %" in said(app)
    assert not app.info
    pick(app, n_prior=50, notion="zcdp", rho_exact=0.5)
    assert "but for a chance of 10⁻⁶" in said(app)
    pick(app, notion="approx")
    assert "but for a chance of 2.0 × 10⁻⁶" in said(app)
    assert "shows true data" not in said(app)


@pytest.mark.parametrize("noise", [DISCRETE, GAUSSIAN])
def test_with_the_truth_off_nothing_of_the_data_is_there(noise):
    """The same picture, whatever the file holds: of a made-up count and a made-up column."""
    seen = []
    for content in (b"a\n1\n2\n3\n", b"a\n7\n7\n7\n7\n8\n9\n"):
        app = at(with_own(content, 0, 10, 1, truth=False), "neighbours")
        pick(app, n_noise=noise)
        shown = []
        for view in VIEWS:
            pick(app, n_asks=view)
            assert problems(app) == []
            drawn = [{name: list(y) for name, (_, y) in one.items()} for one in figures(app)]
            shown.append((said(app), drawn))
            assert "shows true data" not in said(app)
        seen.append(shown)
        assert "made-up count: with" in shown[0][0].lower()
        assert "865" in shown[0][0]
    assert str(seen[0]) == str(seen[1])


def test_what_cannot_be_published_is_not_published_later_on():
    app = pick(page(), n_noise=GAUSSIAN)
    pick(app, notion="pure")
    assert "does not give pure" in problems(app)[0]
    pick(app, new_draw=True)
    pick(app, notion="zcdp")
    assert problems(app) == []
    assert "nothing of 1 promised" in said(app)


def test_publishing_one_of_a_made_up_count_is_free():
    app = at(with_own(b"a\n1\n2\n3\n", 0, 10, 1, truth=False), "neighbours")
    for _ in range(3):
        pick(app, new_draw=True)
    assert "nothing of 1 promised" in said(app)


def test_a_file_without_bounds_has_a_picture_and_a_next_step():
    app = at(with_own(b"a\n1\n2\n", None, None, truth=True), "neighbours")
    assert "Declare the bounds" in app.info[0].value
    assert "A made-up count" in said(app)
    assert figures(app)
    assert "Teaching view" not in said(app)  # the truth is on, and nothing of it is there


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "content", [b"a\n5\n", b"a\n7\n7\n7\n7\n", b"a\n-1\n99\n", b"a\n0\n0\n", b"a\n10\n10\n10\n"]
)
@pytest.mark.parametrize("resolution", [0, 1])
def test_tiny_columns_run_everywhere(content, resolution):
    app = at(with_own(content, 0, 10, resolution, truth=True), "neighbours")
    for relation in ("add-remove", "replace-one"):
        pick(app, neighbours=relation)
        for view in VIEWS:
            pick(app, n_asks=view)
            assert problems(app) == []
            assert figures(app)
    pick(app, n_asks="count", n_where="a value")
    assert problems(app) == []


@pytest.mark.parametrize("data", ["exam", "salaries"])
def test_whoever_joins_makes_the_count_one_more(data):
    app = pick(page(data=data), n_way="added", n_where="upper bound")
    counts = re.search(r"With one more \w+ ([\d,]+), as it is ([\d,]+)\.", said(app))
    assert counts
    one, other = (int(count.replace(",", "")) for count in counts.groups())
    assert one == other + 1


@pytest.mark.few(1)
@pytest.mark.parametrize("epsilon", [1e-6, 1e4])
@pytest.mark.parametrize("noise", [DISCRETE, LAPLACE])
def test_extreme_budgets(epsilon, noise):
    app = pick(page(), n_noise=noise, eps_exact=epsilon)
    for view in VIEWS:
        pick(app, n_asks=view)
        assert problems(app) == []
        for chart in figures(app):
            assert all(np.isfinite(np.asarray(y, dtype=float)).all() for _, y in chart.values())


def test_markup_in_a_file_stays_text():
    app = at(with_own(b"$a_b$ <script>\n1\n2\n3\n", 0, 10, truth=True), "neighbours")
    for view in VIEWS:
        pick(app, n_asks=view)
        for chart in pictures(app):
            drawn = json.dumps({**chart.figure, "alt": ""})  # that is never markup
            assert "<script>" not in drawn
            assert "$a_b$" not in drawn


def test_a_million_people_are_no_trouble(rng):
    values = np.round(rng.normal(50, 9, 10**6))
    content = b"a\n" + "\n".join(map(str, values.astype(int).tolist())).encode() + b"\n"
    app = pick(at(with_own(content, 0, 100, 1, truth=True), "neighbours"), n_asks="quantile")
    for change in ({"eps": 2.0}, {"n_which": "median"}, {"n_quantile": 0.9}):
        pick(app, **change)
        assert len(pictures(app)) == 1
    assert problems(app) == []


@pytest.mark.parametrize("cell", ["4", "oops"])
def test_a_link_does_not_tell_that_a_cell_was_no_number(cell):
    """A column that was refused beside the truth left the supposed answer in the link."""
    app = opened("data")
    rows = "".join(f"{cell if row == 7 else row % 10},1\n" for row in range(500))
    app.file_uploader(key="file").upload("m.csv", f"x,y\n{rows}".encode(), "text/csv")
    asking_nobody(healthy(app.run()))
    ends = {"own1_0_low": 0.0, "own1_0_high": 10.0, "own1_0_resolution": 1.0}
    app.session_state["_visit"] |= ends | {"truth_own": True}
    at(app, "neighbours")
    slider = next(one for one in app.select_slider if "published" in one.label)
    slider.set_value(slider.value - 1)
    healthy(app.run())
    app.session_state["_visit"]["truth_own"] = False
    healthy(app.run())
    assert "n_offset" not in dict(app.query_params)


def test_a_belief_is_about_nobody_so_that_nothing_of_data_stands_beside_it():
    app = page()
    everything = ["new_draw", "truth", "pop_explore", "pop_ledger"]
    assert [key for key in everything if has(app, key)] == everything
    pick(app, n_asks="meaning")
    assert [key for key in everything if has(app, key)] == []
    assert not app.get("badge")
    assert has(app, "n_prior")


def test_the_button_says_what_another_draw_is():
    app = page(data="exam")
    assert app.get_by_key("new_draw").label == "Publish one"
    pick(app, n_asks="quantile")
    assert app.get_by_key("new_draw").label == "New spread"
    pick(app, truth=False)
    assert not has(app, "new_draw")  # the made-up column has no ties
    assert has(app, "truth")


def test_what_trust_costs_is_a_law_with_its_own_question_and_number_of_people():
    app = page(data="exam")
    pick(app, n_asks="trust")
    assert "trusting nobody costs 71 times the error" in text(app)
    assert not app.get("badge")
    pick(app, n_trust="cdf")
    assert "How far a point of the CDF is off" in text(app)
    pick(app, notion="zcdp")
    assert "Reports of single people promise ε" in text(app)


@pytest.mark.parametrize("view", [view for view in VIEWS if view != "meaning"])
def test_bounds_that_crossed_are_said(view):
    app = page(view=view, data="exam")
    app.session_state["_visit"]["exam_low"] = 250.0
    assert any("below the upper one, got" in one for one in problems(healthy(app.run())))
